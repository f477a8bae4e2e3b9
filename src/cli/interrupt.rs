//! Interrupts of long work, as the commands answer them.

use anyhow::{Context, Result};
pub(super) use umigame_support::interrupt::{INTERRUPTED, is_interrupted};

use super::exit::Exit;

/// Installs a handler: the first interrupt sets [`INTERRUPTED`], a second one ends the process.
pub(super) fn stop_when_interrupted() -> Result<()> {
    on_interrupt(|| {})
}

/// Installs the handler of [`stop_when_interrupted`]; it also calls `stop` at each interrupt.
pub(super) fn on_interrupt(stop: impl Fn() + Send + 'static) -> Result<()> {
    umigame_support::interrupt::on_interrupt(stop).context("waiting for interrupts")
}

/// Returns the outcome of work that ended well or with an interrupt.
pub(super) fn outcome() -> Exit {
    if is_interrupted() { Exit::Interrupted } else { Exit::Done }
}
