//! Numbers as Python gives them: of any size, and refused by a `ValueError` that names the argument.

use std::fmt::Display;
use std::ops::RangeInclusive;

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

use crate::errors::wrong;

/// Digits shown of a number that no argument takes.
const MAX_DIGITS: usize = 40;

/// An int of any size.
#[derive(Clone)]
pub(crate) enum Int {
    /// One of at most 128 bits.
    Small(i128),
    /// Any other, as text.
    Huge(String),
}

impl<'py> FromPyObject<'_, 'py> for Int {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Int> {
        match value.extract::<i128>() {
            Ok(number) => Ok(Int::Small(number)),
            Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
                // The interpreter itself refuses to write some of them.
                let digits = value.str().map_or_else(|_| String::new(), |text| text.to_string());
                let short: String = digits.chars().take(MAX_DIGITS).collect();
                let dots = if short == digits && !digits.is_empty() { "" } else { "..." };
                Ok(Int::Huge(format!("{short}{dots}")))
            }
            Err(error) => Err(error),
        }
    }
}

impl Int {
    /// Returns the number if it lies in a range.
    ///
    /// # Errors
    /// It does not; the message has the name of the argument and the range.
    pub(crate) fn within<T>(&self, name: &str, range: RangeInclusive<T>) -> PyResult<T>
    where
        T: TryFrom<i128> + PartialOrd + Display + Copy,
    {
        let found = match self {
            Int::Small(number) => T::try_from(*number).ok().filter(|value| range.contains(value)),
            Int::Huge(_) => None,
        };
        found.ok_or_else(|| {
            let (low, high) = (range.start(), range.end());
            wrong(format!("{name}={self}: expected {low} to {high}"))
        })
    }

    /// Returns the number if it is a count: 1 or more.
    ///
    /// # Errors
    /// As [`Int::within`].
    pub(crate) fn count(&self, name: &str) -> PyResult<usize> {
        self.within(name, 1..=i64::MAX as usize)
    }
}

/// Returns the number of an optional argument if it lies in a range, as [`Int::within`].
///
/// # Errors
/// It does not.
pub(crate) fn within<T>(
    asked: Option<Int>,
    name: &str,
    range: RangeInclusive<T>,
) -> PyResult<Option<T>>
where
    T: TryFrom<i128> + PartialOrd + Display + Copy,
{
    asked.map(|asked| asked.within(name, range)).transpose()
}

impl Display for Int {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Int::Small(number) => write!(f, "{number}"),
            Int::Huge(text) => f.write_str(text),
        }
    }
}

/// A float; infinite where Python's number is too large for one.
#[derive(Clone, Copy, PartialEq, Default)]
pub(crate) struct Float(pub f64);

impl<'py> FromPyObject<'_, 'py> for Float {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Float> {
        match value.extract::<f64>() {
            Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
                Ok(Float(f64::INFINITY))
            }
            found => found.map(Float),
        }
    }
}
