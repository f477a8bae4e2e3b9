//! Errors, sizes and counts, as the commands of a book report them.

use std::path::Path;

use umigame_book::{BookCounts, BookError};

use umigame_support::exit::bad_input;

/// Returns an error with exit code 2 where the user named a file that cannot be used, else 1.
pub(super) fn explain(error: BookError) -> anyhow::Error {
    if error.is_bad_input() { bad_input(error) } else { error.into() }
}

/// Returns the size of a book, with the part that is still in its log.
pub(super) fn file_bytes(book: &Path) -> u64 {
    let bytes_of = |path: &Path| std::fs::metadata(path).map_or(0, |file| file.len());
    let mut log = book.as_os_str().to_owned();
    log.push("-wal");
    bytes_of(book) + bytes_of(Path::new(&log))
}

/// Returns a count with its noun: `1 game`, `2 games`.
pub(super) fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Returns a book's numbers of positions: all, searched and fully searched.
pub(super) fn positions_text(counts: &BookCounts) -> String {
    let BookCounts { positions, searched, exact, .. } = *counts;
    format!("{}, {searched} searched, {exact} fully searched", counted(positions, "position"))
}

/// Returns bytes in megabytes.
pub(super) fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
