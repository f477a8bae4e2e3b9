//! Unpacking weights on several threads.

use std::sync::Mutex;
use std::thread;

/// Maximum threads that unpack weights: more are no faster.
const MAX_UNPACKING_THREADS: usize = 8;

/// Runs `work` on each of `parts`, the last first, on several threads until all are done or one
/// fails.
///
/// The threads are not those of a pool: a thread of a pool may be the first to unpack weights while
/// the others wait for it. If the system starts fewer threads, fewer do the work.
///
/// # Errors
/// The first error of `work`.
pub fn share_out<T: Send, E: Send>(
    parts: Vec<T>,
    work: impl Fn(T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let parts = Mutex::new(parts);
    let next = || parts.lock().ok().and_then(|mut parts| parts.pop());
    let work = || {
        while let Some(part) = next() {
            work(part)?;
        }
        Ok(())
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(MAX_UNPACKING_THREADS);
    thread::scope(|scope| {
        let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..threads).filter_map(start).collect();
        let own = work();
        let join = |thread: thread::ScopedJoinHandle<'_, _>| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        others.into_iter().map(join).fold(own, Result::and)
    })
}
