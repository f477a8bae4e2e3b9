//! Starting and joining threads: the engine does it nowhere else.
//!
//! A [`ThreadPool`] lives as long as its engine. What the threads of a search do is in
//! `search::parallel`.

use std::sync::Mutex;
use std::thread;

/// Threads beyond this unpack weights no sooner.
const MAX_UNPACKING_THREADS: usize = 8;

/// The helper threads of an engine, asleep between searches.
#[derive(Debug)]
pub struct ThreadPool {
    /// None for an engine of one thread.
    helpers: Option<rayon::ThreadPool>,
}

impl ThreadPool {
    /// Starts `helpers` threads.
    ///
    /// # Errors
    /// The system does not start that many.
    pub fn new(helpers: usize) -> Result<ThreadPool, String> {
        if helpers == 0 {
            return Ok(ThreadPool { helpers: None });
        }
        let name = |index| format!("search {}", index + 1);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(helpers).thread_name(name).build();
        let helpers = Some(pool.map_err(|error| error.to_string())?);
        Ok(ThreadPool { helpers })
    }

    /// Runs `own` on the calling thread and each of `others` on a helper, and returns when all are
    /// done. Without helpers, `others` are not run.
    pub fn run<R>(
        &self,
        others: impl IntoIterator<Item: FnOnce() + Send>,
        own: impl FnOnce() -> R,
    ) -> R {
        let Some(helpers) = &self.helpers else { return own() };
        helpers.in_place_scope(|scope| {
            for other in others {
                scope.spawn(move |_| other());
            }
            own()
        })
    }
}

/// Starts threads that end with the call of [`scope`].
#[derive(Clone, Copy, Debug)]
pub struct Scope<'scope, 'env>(&'scope thread::Scope<'scope, 'env>);

impl<'scope> Scope<'scope, '_> {
    /// Starts a thread.
    pub fn spawn(self, work: impl FnOnce() + Send + 'scope) {
        self.0.spawn(work);
    }
}

/// Calls `run` with a scope and joins every thread started in it.
pub fn scope<'env, R>(run: impl for<'scope> FnOnce(Scope<'scope, 'env>) -> R) -> R {
    thread::scope(|scope| run(Scope(scope)))
}

/// Takes `parts` from the last to the first on several threads until all are done or one fails.
///
/// The threads are not those of a pool: whoever unpacks weights first may be a thread of a pool
/// whose others wait for them. With fewer threads to be had, fewer do the work.
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

/// Runs both, the second on a thread of its own where there is one to be had.
pub fn beside<A, B: Send>(first: impl FnOnce() -> A, second: impl Fn() -> B + Sync) -> (A, B) {
    thread::scope(|scope| {
        let other = thread::Builder::new().spawn_scoped(scope, &second).ok();
        let first = first();
        let second = match other.map(thread::ScopedJoinHandle::join) {
            Some(Ok(found)) => found,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => second(),
        };
        (first, second)
    })
}
