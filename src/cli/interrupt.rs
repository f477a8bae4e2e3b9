//! Work that an interrupt ends early, with what is done.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::Outcome;

/// Set by an interrupt: what is done is kept, and nothing new begins.
pub(super) static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// A second interrupt within this time is the first one: `timeout` signals
/// the process, and then its group with the process in it.
const ONE: Duration = Duration::from_millis(500);

/// The first interrupt ends the work with what is done; a second one ends
/// the process.
pub(super) fn stop_when_interrupted() -> Result<()> {
    on_interrupt(|| {})
}

/// As [`stop_when_interrupted`]; calls `stop` at each interrupt.
pub(super) fn on_interrupt(stop: impl Fn() + Send + 'static) -> Result<()> {
    let mut first: Option<Instant> = None;
    ctrlc::set_handler(move || {
        INTERRUPTED.store(true, Relaxed);
        stop();
        if first.get_or_insert_with(Instant::now).elapsed() > ONE {
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
