//! Interrupts of a commit.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::BookError;

/// The flag of a commit that nobody interrupts.
pub(crate) static NEVER: AtomicBool = AtomicBool::new(false);

/// Checks the flag that interrupts a commit.
///
/// # Errors
/// [`BookError::Interrupted`] if it is set.
pub(crate) fn check(stop: &AtomicBool) -> Result<(), BookError> {
    if stop.load(Ordering::Relaxed) { Err(BookError::Interrupted) } else { Ok(()) }
}
