//! The queue of searches, and the thread that owns the engine.

use std::collections::VecDeque;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use umigame_engine::{Engine, Limits, StopHandle};
use umigame_othello::Position;

use super::job::{Job, Others, Waiting};
use crate::error::ApiError;

/// Searches that may wait; further ones are refused.
const MAX_WAITING: usize = 256;

#[derive(Debug, Default)]
struct Queue {
    jobs: VecDeque<Job>,
    is_closed: bool,
    /// Ends the search that runs.
    running: Option<StopHandle>,
}

#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
    /// Searches that wait, and those of them that end by themselves; read while another runs.
    waiting: AtomicUsize,
    ending: AtomicUsize,
}

impl Queue {
    /// Adds a search, or answers it where it was stopped.
    fn push(&mut self, job: Job) {
        if job.is_stopped() {
            job.finish(true);
        } else {
            self.jobs.push_back(job);
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, jobs: &VecDeque<Job>) {
        self.waiting.store(jobs.len(), Relaxed);
        self.ending.store(jobs.iter().filter(|job| !job.is_endless).count(), Relaxed);
    }

    /// Waits for the next search; `None` once the queue is closed.
    fn next(&self) -> Option<Job> {
        let mut queue = self.lock();
        loop {
            if queue.is_closed {
                queue.jobs.clear();
                return None;
            }
            if let Some(job) = queue.jobs.pop_front() {
                self.count(&queue.jobs);
                queue.running = Some(job.stop_handle());
                return Some(job);
            }
            queue = self.wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends a turn; the search goes behind the others if it is not over.
    fn put_back(&self, job: Option<Job>) {
        let mut queue = self.lock();
        queue.running = None;
        if let Some(job) = job {
            queue.push(job);
        }
        self.count(&queue.jobs);
    }
}

impl Others for Shared {
    fn wait(&self) -> bool {
        self.waiting.load(Relaxed) > 0
    }

    fn that_end_wait(&self) -> bool {
        self.ending.load(Relaxed) > 0
    }
}

/// The way to the engine.
#[derive(Clone, Debug)]
pub(crate) struct Searcher(Arc<Shared>);

impl Searcher {
    /// Whether the server ends.
    pub fn is_closed(&self) -> bool {
        self.0.lock().is_closed
    }

    /// Stops a search. One that waits in the queue is answered now, not at its turn.
    pub fn stop(&self, search: &StopHandle) {
        search.stop();
        let mut queue = self.0.lock();
        let (stopped, others) = mem::take(&mut queue.jobs).into_iter().partition(Job::is_stopped);
        queue.jobs = others;
        self.0.count(&queue.jobs);
        drop(queue);
        VecDeque::into_iter(stopped).for_each(|job| job.finish(true));
    }

    /// Puts a search into the queue, or refuses it where too many wait or the server ends.
    pub fn begin(
        &self,
        position: Position,
        limits: Limits,
        is_endless: bool,
        stop: StopHandle,
    ) -> Result<Waiting, ApiError> {
        let (job, waiting) = Job::new(position, limits, is_endless, stop);
        let mut queue = self.0.lock();
        if queue.is_closed {
            return Err(ApiError::closing());
        }
        if queue.jobs.len() >= MAX_WAITING {
            return Err(ApiError::busy());
        }
        queue.push(job);
        self.0.count(&queue.jobs);
        drop(queue);
        self.0.wake.notify_one();
        Ok(waiting)
    }
}

/// The thread that owns the engine; it ends with its owner.
#[derive(Debug)]
pub(crate) struct SearcherThread {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl SearcherThread {
    /// Starts the thread. The engine is warmed up meanwhile.
    pub fn start(mut engine: Engine) -> std::io::Result<SearcherThread> {
        let shared = Arc::<Shared>::default();
        let own = Arc::clone(&shared);
        let serve = move || {
            engine.warm_up();
            while let Some(job) = own.next() {
                own.put_back(job.turn(&mut engine, &*own));
            }
        };
        let thread = std::thread::Builder::new().name("searches".into()).spawn(serve)?;
        Ok(SearcherThread { shared, thread: Some(thread) })
    }

    pub fn searcher(&self) -> Searcher {
        Searcher(Arc::clone(&self.shared))
    }
}

impl Drop for SearcherThread {
    fn drop(&mut self) {
        let mut queue = self.shared.lock();
        queue.is_closed = true;
        if let Some(running) = &queue.running {
            running.stop();
        }
        drop(queue);
        self.shared.wake.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic in it was reported where it happened.
            let _ = thread.join();
        }
    }
}
