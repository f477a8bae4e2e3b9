//! Interrupts of a commit.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::BookError;

/// A flag that interrupts a commit.
pub(crate) struct Interrupt<'a>(Option<&'a AtomicBool>);

impl<'a> Interrupt<'a> {
    /// Never interrupts.
    pub(crate) const NEVER: Interrupt<'static> = Interrupt(None);

    /// Interrupts once `stop` is set.
    pub fn when(stop: &'a AtomicBool) -> Interrupt<'a> {
        Interrupt(Some(stop))
    }

    /// Checks the flag.
    ///
    /// # Errors
    /// [`BookError::Interrupted`] if it is set.
    pub fn check(&self) -> Result<(), BookError> {
        match self.0 {
            Some(stop) if stop.load(Ordering::Relaxed) => Err(BookError::Interrupted),
            _ => Ok(()),
        }
    }
}
