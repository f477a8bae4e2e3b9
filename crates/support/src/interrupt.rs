//! Interrupts of long work: finished results are kept.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::exit::Exit;

/// Set by the first interrupt; long work then starts nothing new.
pub static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Interrupts within this time count as one: `timeout` signals the process, and then its group,
/// which includes the process.
const SAME_INTERRUPT: Duration = Duration::from_millis(500);

/// Installs a handler: the first interrupt sets [`INTERRUPTED`] and calls `stop`, as does each later
/// one that counts as the same; a second one ends the process.
///
/// # Errors
/// The system installs no handler.
pub fn on_interrupt(stop: impl Fn() + Send + 'static) -> Result<()> {
    let mut first: Option<Instant> = None;
    handle(move || {
        INTERRUPTED.store(true, Relaxed);
        stop();
        if first.get_or_insert_with(Instant::now).elapsed() > SAME_INTERRUPT {
            std::process::exit(Exit::Interrupted as i32);
        }
    })
    .context("waiting for interrupts")
}

/// Installs the handler of [`on_interrupt`] without anything to stop.
///
/// # Errors
/// The system installs no handler.
pub fn stop_when_interrupted() -> Result<()> {
    on_interrupt(|| {})
}

/// Returns the outcome of work that ended well or with an interrupt.
pub fn outcome() -> Exit {
    if is_interrupted() { Exit::Interrupted } else { Exit::Done }
}

/// Returns whether there was an interrupt.
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Relaxed)
}

/// A reader that ends at an interrupt: a device or a pipe may have no end of its own.
#[derive(Debug)]
pub struct UntilInterrupt<R>(pub R);

impl<R: Read> Read for UntilInterrupt<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if is_interrupted() { Ok(0) } else { self.0.read(bytes) }
    }
}

/// Calls `handler` in a thread of its own at each Ctrl-C, request to end and loss of the terminal.
#[cfg(unix)]
fn handle(mut handler: impl FnMut() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let wait = move || signals.forever().for_each(|_| handler());
    std::thread::Builder::new().name("interrupts".into()).spawn(wait).map(drop)
}

/// Calls `handler` in a thread of its own at each Ctrl-C and Ctrl-Break. Windows ends the process
/// by itself when its console is closed.
#[cfg(windows)]
fn handle(handler: impl FnMut() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(handler).map_err(io::Error::other)
}
