//! Work that an interrupt ends early, with what is done.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anyhow::{Context, Result};

use super::Outcome;

/// Set by an interrupt: what is done is kept, and nothing new begins.
pub(super) static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The first interrupt ends the work with what is done; a second one ends
/// the process.
pub(super) fn stop_when_interrupted() -> Result<()> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Relaxed) {
            std::process::exit(Outcome::Interrupted as i32);
        }
    })
    .context("waiting for interrupts")
}

/// Whether the user wants the work to end.
pub(super) fn is_interrupted() -> bool {
    INTERRUPTED.load(Relaxed)
}

/// How work that can be interrupted ended.
pub(super) fn outcome() -> Outcome {
    if is_interrupted() { Outcome::Interrupted } else { Outcome::Done }
}
