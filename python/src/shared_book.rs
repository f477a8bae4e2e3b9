//! A book and what its users share.

use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use umigame_book::{self as book, BookError, PlayBook};

use crate::errors;
use crate::interrupt;

/// A book in use by one thread at a time; `None` once closed.
pub(crate) type SharedBook = Arc<Mutex<Option<PlayBook>>>;

/// Reasons why a call of a book fails.
pub(crate) enum Failed {
    Book(BookError),
    Closed,
    /// Only the database serves the call.
    Compact,
    Interrupted,
}

impl From<BookError> for Failed {
    fn from(error: BookError) -> Failed {
        Failed::Book(error)
    }
}

impl From<Failed> for PyErr {
    fn from(failed: Failed) -> PyErr {
        match failed {
            Failed::Book(error) => errors::book(error),
            Failed::Closed => errors::BookError::new_err("the book was closed"),
            Failed::Compact => {
                errors::BookError::new_err("a compact book has moves only: open the database")
            }
            Failed::Interrupted => errors::BookError::new_err("the wait for the book was ended"),
        }
    }
}

/// Gives the database to a function, without the interpreter's lock.
pub(crate) fn with_database<T: Send>(
    py: Python<'_>,
    shared: &SharedBook,
    work: impl FnOnce(&mut book::Book, &std::sync::atomic::AtomicBool) -> Result<T, Failed> + Send,
) -> PyResult<T> {
    let done = interrupt::run_silently(py, |stop| {
        let mut guard = interrupt::lock(shared, stop).ok_or(Failed::Interrupted)?;
        match guard.as_mut().ok_or(Failed::Closed)? {
            PlayBook::Full { book, .. } => work(book, stop),
            PlayBook::Compact(_) => Err(Failed::Compact),
        }
    })?;
    Ok(done?)
}
