//! Interrupts of long work: finished results are kept.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::exit::Exit;

/// Set by the first interrupt; long work then starts nothing new.
pub(super) static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Interrupts within this time count as one: `timeout` signals the process, and then its group,
/// which includes the process.
const SAME_INTERRUPT: Duration = Duration::from_millis(500);

/// Installs a handler: the first interrupt sets [`INTERRUPTED`], a second one ends the process.
pub(super) fn stop_when_interrupted() -> Result<()> {
    on_interrupt(|| {})
}

/// Installs the handler of [`stop_when_interrupted`]; it also calls `stop` at each interrupt.
pub(super) fn on_interrupt(stop: impl Fn() + Send + 'static) -> Result<()> {
    let mut first: Option<Instant> = None;
    ctrlc::set_handler(move || {
        INTERRUPTED.store(true, Relaxed);
        stop();
        if first.get_or_insert_with(Instant::now).elapsed() > SAME_INTERRUPT {
            std::process::exit(Exit::Interrupted as i32);
        }
    })
    .context("waiting for interrupts")
}

/// Returns whether there was an interrupt.
pub(super) fn is_interrupted() -> bool {
    INTERRUPTED.load(Relaxed)
}

/// Returns the outcome of work that ended well or with an interrupt.
pub(super) fn outcome() -> Exit {
    if is_interrupted() { Exit::Interrupted } else { Exit::Done }
}
