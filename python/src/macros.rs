//! Members that several classes share.

/// Makes a class a context manager that calls a method, such as `close`, at the end.
macro_rules! context_manager {
    ($class:ident, $end:ident) => {
        #[pymethods]
        impl $class {
            fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
                slf
            }

            #[pyo3(signature = (*_exception))]
            fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) -> PyResult<()> {
                self.$end(py)
            }
        }
    };
}
