//! Starting and joining threads; the engine does it nowhere else.
//!
//! A [`ThreadPool`] lives as long as its engine. Splitting and stopping a search is in
//! `parallel`.

use std::thread;
use std::time::Duration;

/// Interval at which work in the background is looked at.
const CHECK_INTERVAL: Duration = Duration::from_micros(500);
/// Times that work in the background is looked at before the wait is given up: five seconds.
const MAX_CHECKS: u32 = 10_000;

/// Returns the threads that can run at a time, at least 1.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Runs a closure when it is dropped, by a panic too.
pub struct OnDrop<F: Fn()>(pub F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// The helper threads of an engine, asleep between searches.
#[derive(Debug)]
pub struct ThreadPool {
    /// `None` for an engine of one thread.
    helpers: Option<rayon::ThreadPool>,
}

impl ThreadPool {
    /// Starts `helpers` threads.
    ///
    /// # Errors
    /// The system's message if it does not start that many.
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
    ///
    /// # Panics
    /// With the panic of `own` or of one of `others`, once all are done.
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

/// Work on a thread of its own, with a result that is fetched later.
#[derive(Debug)]
pub struct Background<T>(Option<thread::JoinHandle<T>>);

impl<T> Background<T> {
    /// Waits until the work is done, while `go_on` allows it, for [`MAX_CHECKS`] at most.
    pub fn wait_while(&self, go_on: impl Fn() -> bool) {
        let is_done = || self.0.as_ref().is_none_or(thread::JoinHandle::is_finished);
        for _ in 0..MAX_CHECKS {
            if is_done() || !go_on() {
                return;
            }
            thread::sleep(CHECK_INTERVAL);
        }
    }

    /// Waits for the result, which is there to be fetched once.
    ///
    /// # Panics
    /// With the panic of the work, or if the result was fetched before.
    pub fn join(&mut self) -> T {
        let thread = self.0.take().expect("a result that was not fetched");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

/// Begins `work` on `item` in a thread of its own.
///
/// # Errors
/// Returns the item if the system starts no thread.
pub fn in_background<I: Send + 'static, T: Send + 'static>(
    item: I,
    work: impl FnOnce(I) -> T + Send + 'static,
) -> Result<Background<T>, I> {
    let (sender, receiver) = std::sync::mpsc::channel();
    let started = thread::Builder::new()
        .spawn(move || work(receiver.recv().expect("sent when the thread has started")));
    match started {
        Ok(thread) => {
            let _ = sender.send(item);
            Ok(Background(Some(thread)))
        }
        Err(_) => Err(item),
    }
}

/// Starts threads that end within a call of [`scope`].
#[derive(Clone, Copy, Debug)]
pub struct Scope<'scope, 'env>(&'scope thread::Scope<'scope, 'env>);

impl<'scope> Scope<'scope, '_> {
    /// Starts a thread.
    ///
    /// # Panics
    /// If the system starts no thread.
    pub fn spawn(self, work: impl FnOnce() + Send + 'scope) {
        self.0.spawn(work);
    }
}

/// Calls `run` with a scope and joins every thread started in it.
///
/// # Panics
/// With the panic of `run`, or if a thread panicked.
pub fn scope<'env, R>(run: impl for<'scope> FnOnce(Scope<'scope, 'env>) -> R) -> R {
    thread::scope(|scope| run(Scope(scope)))
}
