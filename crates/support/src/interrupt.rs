//! Interrupts of long work: finished results are kept.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Exit code of a command that was interrupted.
pub const EXIT_CODE: u8 = 130;

/// Set by the first interrupt; long work then starts nothing new.
pub static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Interrupts within this time count as one: `timeout` signals the process, and then its group,
/// which includes the process.
const SAME_INTERRUPT: Duration = Duration::from_millis(500);

/// Installs a handler: the first interrupt sets [`INTERRUPTED`] and calls `stop`, as does each later
/// one that counts as the same; a second one ends the process with [`EXIT_CODE`].
///
/// # Errors
/// The system installs no handler.
pub fn on_interrupt(stop: impl Fn() + Send + 'static) -> io::Result<()> {
    let mut first: Option<Instant> = None;
    handle(move || {
        INTERRUPTED.store(true, Relaxed);
        stop();
        if first.get_or_insert_with(Instant::now).elapsed() > SAME_INTERRUPT {
            std::process::exit(EXIT_CODE.into());
        }
    })
}

/// Returns whether there was an interrupt.
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Relaxed)
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
