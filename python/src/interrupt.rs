//! Long work: on a thread of its own, without the interpreter's lock, ended by Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::errors;
use crate::numbers::Int;

/// Time between two checks for signals: Ctrl-C ends work within 0.1 s.
pub(crate) const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// Time between two attempts to get what another thread uses.
pub(crate) const LOCK_INTERVAL: Duration = Duration::from_millis(1);
/// Rows of an array that a thread takes at a time.
pub(crate) const PART_ROWS: usize = 4096;
/// Maximum threads of a call, as on the command line.
const MAX_THREADS: usize = 256;

/// Runs `work` on a thread of its own while the calling thread checks for signals.
///
/// `work` ends soon after its flag is set. What it sends goes to `told` on the calling thread, with
/// the interpreter's lock held; an error there ends the work too.
///
/// # Errors
/// That of a signal handler (`KeyboardInterrupt`) or of `told`, once the work has ended; a panic as
/// a `RuntimeError`.
pub(crate) fn run<T: Send, M: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool, &Sender<M>) -> T + Send,
    told: impl FnMut(Python<'_>, M) -> PyResult<()> + Send,
) -> PyResult<T> {
    run_until(py, &AtomicBool::new(false), work, told)
}

/// As [`run`], with a flag that others may set too.
///
/// # Errors
/// As [`run`].
pub(crate) fn run_until<T: Send, M: Send>(
    py: Python<'_>,
    flag: &AtomicBool,
    work: impl FnOnce(&AtomicBool, &Sender<M>) -> T + Send,
    told: impl FnMut(Python<'_>, M) -> PyResult<()> + Send,
) -> PyResult<T> {
    run_with(py, || flag.store(true, Relaxed), |sender| work(flag, sender), told)
}

/// As [`run`], for work that ends soon after a call of `stop`.
///
/// # Errors
/// As [`run`].
pub(crate) fn run_with<T: Send, M: Send>(
    py: Python<'_>,
    stop: impl Fn() + Sync,
    work: impl FnOnce(&Sender<M>) -> T + Send,
    mut told: impl FnMut(Python<'_>, M) -> PyResult<()> + Send,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = channel();
            let worker = thread::Builder::new()
                .name("umigame".to_owned())
                .spawn_scoped(scope, move || work(&sender))?;
            let mut result = Ok(());
            let mut checked = Instant::now();
            loop {
                match receiver.recv_timeout(CHECK_INTERVAL) {
                    Ok(message) if result.is_ok() => {
                        result = Python::attach(|py| told(py, message));
                    }
                    Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if result.is_ok() && checked.elapsed() >= CHECK_INTERVAL {
                    result = Python::attach(|py| py.check_signals());
                    checked = Instant::now();
                }
                if result.is_err() {
                    stop();
                }
            }
            let done = worker.join().map_err(|panic| errors::panicked(&*panic));
            result.and(done)
        })
    })
}

/// Runs work that sends nothing.
///
/// # Errors
/// As [`run`].
pub(crate) fn run_silently<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    run(py, |stop, _: &Sender<()>| work(stop), |_, ()| Ok(()))
}

/// Waits for what another thread uses; `None` where `stop` was set first.
pub(crate) fn lock<'a, T>(mutex: &'a Mutex<T>, stop: &AtomicBool) -> Option<MutexGuard<'a, T>> {
    loop {
        match mutex.try_lock() {
            Ok(guard) => return Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if stop.load(Relaxed) => return None,
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_INTERVAL),
        }
    }
}

/// Computes each item of `out` from its row, in parts on several threads, until `stop` is set. Calls
/// `done` with the number of rows of each finished part.
///
/// # Errors
/// An error of `value`.
pub(crate) fn fill<T: Send, E: Send>(
    out: &mut [T],
    threads: usize,
    stop: &AtomicBool,
    value: impl Fn(usize) -> Result<T, E> + Sync,
    done: impl Fn(usize) + Sync,
) -> Result<(), E> {
    let fill = |(number, part): (usize, &mut [T])| {
        if stop.load(Relaxed) {
            return Ok(());
        }
        let rows = number * PART_ROWS..;
        rows.zip(&mut *part).try_for_each(|(row, out)| value(row).map(|found| *out = found))?;
        done(part.len());
        Ok(())
    };
    let pool =
        (out.len() > PART_ROWS).then(|| ThreadPoolBuilder::new().num_threads(threads).build());
    match pool {
        Some(Ok(pool)) => {
            pool.install(|| out.par_chunks_mut(PART_ROWS).enumerate().try_for_each(fill))
        }
        // Few rows, or no room for threads.
        _ => out.chunks_mut(PART_ROWS).enumerate().try_for_each(fill),
    }
}

/// The number of threads asked for: all processors for `None`.
///
/// # Errors
/// Zero threads, or too many.
pub(crate) fn threads(asked: Option<Int>) -> PyResult<usize> {
    match asked {
        Some(threads) => threads.within("threads", 1..=MAX_THREADS),
        None => Ok(umigame_engine::processors()),
    }
}
