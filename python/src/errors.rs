//! Exceptions of the package, and the way of other errors into them.

use std::io;
use std::path::Path;

use pyo3::exceptions::{
    PyFileNotFoundError, PyIsADirectoryError, PyOSError, PyRuntimeError, PyTypeError,
};
use pyo3::prelude::*;
use umigame_book::BookError as RustBookError;
use umigame_othello::text::{quote, shown_path};
use umigame_training::data::DataError;

pyo3::create_exception!(
    umigame,
    Error,
    pyo3::exceptions::PyValueError,
    "Base of the exceptions of this package; a ValueError."
);
pyo3::create_exception!(umigame, IllegalMove, Error, "A move that the rules forbid.");
pyo3::create_exception!(umigame, ParseError, Error, "Text or a file that cannot be read.");
pyo3::create_exception!(
    umigame,
    EngineError,
    Error,
    "An engine that cannot be made, serves a running search, was stopped or closed."
);
pyo3::create_exception!(umigame, BookError, Error, "A book that cannot be read or written.");

/// The exception for a wrong argument.
pub(crate) fn wrong(message: impl ToString) -> PyErr {
    Error::new_err(message.to_string())
}

/// The exception for an argument of a wrong type.
pub(crate) fn wrong_type(expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let name = found.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{expected}, not {name}"))
}

/// Returns what a word stands for.
///
/// # Errors
/// A word that stands for nothing.
pub(crate) fn chosen<T: Copy>(argument: &str, word: &str, choices: &[(&str, T)]) -> PyResult<T> {
    let found = choices.iter().find(|choice| choice.0 == word);
    found.map(|choice| choice.1).ok_or_else(|| {
        let words: Vec<String> = choices.iter().map(|choice| format!("'{}'", choice.0)).collect();
        let mut words = words.join(", ");
        if let Some(last) = words.rfind(", ") {
            words.replace_range(last..last + 1, " or");
        }
        wrong(format!("{argument}=`{}`: expected {words}", quote(word)))
    })
}

/// The exception for text that cannot be read.
pub(crate) fn unreadable(why: impl ToString) -> PyErr {
    ParseError::new_err(why.to_string())
}

/// The exception for an illegal move.
pub(crate) fn illegal(why: impl ToString) -> PyErr {
    IllegalMove::new_err(why.to_string())
}

/// The exception for an engine that cannot serve.
pub(crate) fn engine(why: impl ToString) -> PyErr {
    EngineError::new_err(why.to_string())
}

/// The exception for a panic: a fault of this package.
pub(crate) fn panicked(panic: &(dyn std::any::Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    fault(text.unwrap_or("no message"))
}

/// The exception for a fault of this package.
pub(crate) fn fault(text: impl std::fmt::Display) -> PyErr {
    PyRuntimeError::new_err(format!("a fault of umigame, please report it: {text}"))
}

/// An `OSError` with the number and the name of the file, as `open` raises it.
pub(crate) fn of_file(path: &Path, error: &io::Error) -> PyErr {
    let name = path.to_string_lossy().into_owned();
    match (error.kind(), error.raw_os_error()) {
        (io::ErrorKind::IsADirectory, _) => PyIsADirectoryError::new_err(name),
        (_, Some(number)) => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or_default().to_owned();
            PyOSError::new_err((number, text, name))
        }
        (_, None) => PyOSError::new_err(format!("{}: {error}", shown_path(path))),
    }
}

/// The exception for an error of a book.
pub(crate) fn book(error: RustBookError) -> PyErr {
    match &error {
        RustBookError::Missing(_) => PyFileNotFoundError::new_err(error.to_string()),
        RustBookError::IllegalGame(_) => illegal(error),
        RustBookError::Engine(_) => engine(error),
        _ => BookError::new_err(error.to_string()),
    }
}

/// The exception for an error of training data.
pub(crate) fn data(error: &DataError) -> PyErr {
    match error {
        DataError::Io { path, error } => of_file(path, error),
        other => unreadable(other),
    }
}
