//! A book and what its users share.

use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use umigame_book::{self as book, PlayBook};

use crate::errors::{self, BookError};
use crate::interrupt;

/// A book in use by one thread at a time; `None` once closed.
pub(crate) type SharedBook = Arc<Mutex<Option<PlayBook>>>;

/// Gives a book of either kind to a function, without the interpreter's lock. What the function
/// sends goes to `told`.
pub(crate) fn with_book<T: Send, M: Send>(
    py: Python<'_>,
    shared: &SharedBook,
    work: impl FnOnce(&mut PlayBook, &AtomicBool, &Sender<M>) -> PyResult<T> + Send,
    told: impl FnMut(Python<'_>, M) -> PyResult<()> + Send,
) -> PyResult<T> {
    let work = |stop: &AtomicBool, sender: &Sender<M>| {
        let mut guard = interrupt::lock(shared, stop)
            .ok_or_else(|| BookError::new_err("the wait for the book was ended"))?;
        let book = guard.as_mut().ok_or_else(|| BookError::new_err("the book was closed"))?;
        work(book, stop, sender)
    };
    interrupt::run(py, work, told)?
}

/// Gives the database to a function, without the interpreter's lock.
pub(crate) fn with_database<T: Send>(
    py: Python<'_>,
    shared: &SharedBook,
    work: impl FnOnce(&mut book::Book) -> Result<T, book::BookError> + Send,
) -> PyResult<T> {
    let work = |book: &mut PlayBook, _: &_, _: &_| match book {
        PlayBook::Full { book, .. } => work(book).map_err(errors::book),
        PlayBook::Compact(_) => {
            Err(BookError::new_err("a compact book has moves only: open the database"))
        }
    };
    with_book(py, shared, work, |_, ()| Ok(()))
}

/// Gives a database that was opened for writing to a function, as [`with_book`].
pub(crate) fn with_writable<T: Send, M: Send>(
    py: Python<'_>,
    shared: &SharedBook,
    work: impl FnOnce(&mut book::Book, &AtomicBool, &Sender<M>) -> Result<T, book::BookError> + Send,
    told: impl FnMut(Python<'_>, M) -> PyResult<()> + Send,
) -> PyResult<T> {
    let work = |book: &mut PlayBook, stop: &AtomicBool, sender: &Sender<M>| {
        match book {
            PlayBook::Full { book, writable: true } => work(book, stop, sender),
            _ => Err(book::BookError::NotWritable),
        }
        .map_err(errors::book)
    };
    with_book(py, shared, work, told)
}
