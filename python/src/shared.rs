//! An engine and what its users share: who uses it, and how they are stopped.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use pyo3::prelude::*;
use umigame_engine::{self as engine, EngineOptions, SharedEvaluation, StopHandle, WeakPlayer};

use crate::errors;
use crate::interrupt::{self, LOCK_INTERVAL};

/// The exception for a call that was stopped before it had a result.
pub(crate) fn stopped() -> PyErr {
    errors::engine("the call was stopped before it had a result")
}

/// The exception for an engine that serves a search that `start` began.
fn busy() -> PyErr {
    errors::engine("a search runs on the engine: stop it first")
}

/// An engine and what its users share.
pub(crate) struct Shared {
    /// `None` once closed.
    engine: Mutex<Option<engine::Engine>>,
    /// The search of one position that began last.
    search: Mutex<Option<StopHandle>>,
    /// The flags of other calls in progress.
    calls: Mutex<Vec<Arc<AtomicBool>>>,
    pub weak: Mutex<WeakPlayer>,
    pub evaluation: SharedEvaluation,
    pub options: EngineOptions,
}

/// An engine in use.
pub(crate) struct InUse<'a>(MutexGuard<'a, Option<engine::Engine>>);

impl InUse<'_> {
    /// The engine, unless it was closed, or serves a search that `start` began.
    pub(crate) fn engine(&mut self) -> PyResult<&mut engine::Engine> {
        match self.0.as_mut() {
            None => Err(errors::engine("the engine was closed")),
            Some(engine) if engine.is_searching() => Err(busy()),
            Some(engine) => Ok(engine),
        }
    }
}

/// A call in progress, until dropped.
pub(crate) struct Call<'a> {
    shared: &'a Shared,
    pub stop: Arc<AtomicBool>,
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        hold(&self.shared.calls).retain(|stop| !Arc::ptr_eq(stop, &self.stop));
    }
}

/// Locks a mutex whose data is valid even if a thread has panicked while holding it.
pub(crate) fn hold<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// Shares a new engine.
    pub(crate) fn new(
        engine: engine::Engine,
        evaluation: SharedEvaluation,
        options: EngineOptions,
    ) -> Shared {
        let (search, calls) = (Mutex::default(), Mutex::default());
        let weak = Mutex::new(WeakPlayer::new(evaluation.clone()));
        Shared { engine: Mutex::new(Some(engine)), search, calls, weak, evaluation, options }
    }

    /// Waits until no other thread uses the engine, or for a stop.
    pub(crate) fn lock(&self, stop: &AtomicBool) -> PyResult<InUse<'_>> {
        interrupt::lock(&self.engine, stop).map(InUse).ok_or_else(stopped)
    }

    /// Waits until no other thread uses the engine, without the interpreter's lock.
    ///
    /// # Errors
    /// A signal's, or a stop.
    pub(crate) fn acquire(&self, py: Python<'_>) -> PyResult<InUse<'_>> {
        let call = self.call()?;
        loop {
            match self.engine.try_lock() {
                Ok(guard) => return Ok(InUse(guard)),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(InUse(poisoned.into_inner())),
                Err(TryLockError::WouldBlock) if call.stop.load(Relaxed) => {
                    return Err(stopped());
                }
                Err(TryLockError::WouldBlock) => {
                    py.detach(|| std::thread::sleep(LOCK_INTERVAL));
                    py.check_signals()?;
                }
            }
        }
    }

    /// Begins a call that [`Shared::stop`] can stop.
    ///
    /// # Errors
    /// The engine serves a search that `start` began.
    pub(crate) fn call(&self) -> PyResult<Call<'_>> {
        if let Ok(engine) = self.engine.try_lock()
            && engine.as_ref().is_some_and(engine::Engine::is_searching)
        {
            return Err(busy());
        }
        let stop = Arc::<AtomicBool>::default();
        hold(&self.calls).push(Arc::clone(&stop));
        Ok(Call { shared: self, stop })
    }

    /// Remembers the search that the engine has begun; those before it have ended.
    pub(crate) fn note_search(&self, stop: StopHandle) {
        *hold(&self.search) = Some(stop);
    }

    /// Stops all that the engine does.
    pub(crate) fn stop(&self) {
        hold(&self.search).iter().for_each(StopHandle::stop);
        hold(&self.calls).iter().for_each(|stop| stop.store(true, Relaxed));
    }

    /// Frees the engine, once no thread uses it.
    pub(crate) fn close(&self, stop: &AtomicBool) -> PyResult<()> {
        self.lock(stop)?.0.take();
        *hold(&self.weak) = WeakPlayer::new(self.evaluation.clone());
        Ok(())
    }
}
