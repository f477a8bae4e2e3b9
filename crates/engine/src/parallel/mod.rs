//! Parallel search: all threads search the same root and meet in the transposition table.
//!
//! In a large iteration every thread begins at the root. At each node of some depth it first takes
//! the moves that no other thread is searching ([`currently_searching::CurrentlySearching`]), and comes back to the others
//! last: by then the table knows most of their values, and with the rest it helps. So threads part
//! at every node where several moves have to be searched, those of the principal variation and the
//! root included, and none waits for another. A thread whose work has become useless finds that out
//! by looking up the nodes above it in the table ([`ancestors::Ancestors`]). The first to finish the iteration
//! finishes it for all ([`shared_iteration::SharedIteration`]). Of several helpers, every second one searches a
//! ply ahead of the others before it joins them.
//!
//! With one thread nothing of this changes the order of the moves. `threads` starts and joins the
//! threads; nothing else of the search knows of them.
//!
//! After: J.-C. Weill, "The ABDADA distributed minimax search algorithm", 1996, in the simpler form
//! by T. Kerrigan.

pub(crate) mod ancestors;
mod currently_searching;
pub(crate) mod deferred_moves;
mod idle;
mod lockstep;
mod processor;
pub(crate) mod shared;
pub(crate) mod shared_iteration;

use crate::endgame::EndgameState;
use crate::threads::{self, ThreadPool};
use crate::worker::Worker;
pub(crate) use currently_searching::CurrentlySearching;
pub(crate) use idle::IdleThreads;
pub(crate) use lockstep::Lockstep;
pub(crate) use processor::Processor;
use shared::Shared;

/// Ends a search for its helpers when the owner is done, and for everyone if a thread panics.
struct CloseOnDrop<'a> {
    shared: &'a Shared<'a>,
    idle: Option<&'a IdleThreads>,
    processor: Processor<'a>,
}

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.shared.close();
        if let Some(idle) = self.idle {
            idle.wake();
        }
        self.processor.leave();
    }
}

/// Runs `search` on the calling thread with the first of `states` while helpers search with the
/// others; idle threads of a batch join in. Returns `None` without a state.
///
/// # Panics
/// With the panic of a thread, once all have ended the search.
pub(crate) fn run<R>(
    shared: &Shared<'_>,
    states: &mut [EndgameState],
    helpers: &ThreadPool,
    idle: Option<&IdleThreads>,
    search: impl FnOnce(&mut Worker<'_>) -> R,
) -> Option<R> {
    let (first, others) = states.split_first_mut()?;
    let own = || {
        let mut worker = Worker::new(shared, first, 0);
        worker.processor.enter();
        let _close = CloseOnDrop { shared, idle, processor: worker.processor };
        search(&mut worker)
    };
    let help = |(index, state)| move || Worker::new(shared, state, index + 1).help();
    Some(match idle {
        None => helpers.run(others.iter_mut().enumerate().map(help), own),
        Some(idle) => threads::scope(|scope| {
            scope.spawn(move || {
                let mut index = 0;
                while let Some(mut state) = idle.borrow(shared) {
                    index += 1;
                    scope.spawn(move || {
                        Worker::new(shared, &mut state, index).help();
                        idle.offer([state]);
                    });
                }
            });
            own()
        }),
    })
}

/// Counts a helper, and ends the search if it panics.
struct HelperGuard<'a> {
    shared: &'a Shared<'a>,
    processor: Processor<'a>,
}

impl<'a> HelperGuard<'a> {
    fn begin(shared: &'a Shared<'a>, processor: Processor<'a>) -> HelperGuard<'a> {
        processor.enter();
        shared.add_helper();
        HelperGuard { shared, processor }
    }
}

impl Drop for HelperGuard<'_> {
    fn drop(&mut self) {
        self.shared.remove_helper();
        if std::thread::panicking() {
            self.shared.close();
        }
        self.processor.leave();
    }
}

impl Worker<'_> {
    /// Joins in the iterations of other threads until the search is over.
    fn help(&mut self) {
        let shared = self.shared;
        let _guard = HelperGuard::begin(shared, self.processor);
        let mut last = 0;
        while let Some(task) = shared.joint.next(last, self.processor) {
            last = task.number;
            self.help_with(task);
            self.flush_nodes();
        }
    }
}
