//! Parallel search: all threads search the same root and meet in the transposition table.
//!
//! In a large iteration every thread begins at the root. At each node of some depth it defers the moves
//! that another thread is searching ([`CurrentlySearching`], [`DeferredMoves`]): by the time it comes
//! back to them, the table knows most of their values, and with the rest it helps. So threads part at
//! every node where several moves have to be searched, those of the principal variation and the root
//! included, and none waits for another. A thread whose work has become useless finds that out by
//! looking up the nodes above it in the table ([`Ancestors`]). Nodes of the principal variation, which
//! the table does not decide, are shared by what each thread hands in ([`PvNode`]). The first to finish
//! the iteration finishes it for all ([`SharedIteration`]).
//!
//! With one thread nothing of this changes the order of the moves. This room runs closures and knows
//! neither midgame nor endgame; `threads` starts and joins the threads.
//!
//! After: J.-C. Weill, "The ABDADA distributed minimax search algorithm", 1996, in the simpler form
//! by T. Kerrigan.

mod ancestors;
mod currently_searching;
mod deferred_moves;
mod idle;
#[cfg(feature = "simulate")]
mod lockstep;
#[cfg(not(feature = "simulate"))]
#[path = "no_lockstep.rs"]
mod lockstep;
mod processor;
mod pv_nodes;
mod shared_iteration;
mod team;

use crate::threads::{self, OnDrop, ThreadPool};
pub(crate) use ancestors::Ancestors;
pub(crate) use currently_searching::CurrentlySearching;
pub(crate) use deferred_moves::{Deferral, DeferredMoves, Turn};
pub(crate) use idle::IdleThreads;
pub(crate) use lockstep::Lockstep;
pub(crate) use processor::Processor;
pub(crate) use pv_nodes::{PvKey, PvMove, PvNode, PvPath};
pub(crate) use shared_iteration::{HelperTask, Membership, SharedIteration};
pub(crate) use team::Team;

/// What the threads of a search do, each with its memory `S` on its processor.
pub(crate) struct Roles<Own, Help, Close> {
    /// The search of the calling thread.
    pub search: Own,
    /// Helps thread 0 until the search is over; the first argument is the helper's number from 1.
    pub help: Help,
    /// Ends the search for every thread.
    pub close: Close,
}

/// Runs the search on the calling thread with the first of `memories` while helpers help with the
/// others; idle threads of a batch join in. Returns `None` without a memory.
///
/// # Panics
/// With the panic of a thread, once all have ended the search.
pub(crate) fn run<'a, S, R, Own, Help, Close>(
    team: &'a Team<'a>,
    memories: &mut [S],
    helpers: &ThreadPool,
    idle: Option<&IdleThreads<S>>,
    roles: Roles<Own, Help, Close>,
) -> Option<R>
where
    S: Send,
    Own: FnOnce(&mut S, Processor<'a>) -> R,
    Help: Fn(usize, &mut S, Processor<'a>) + Sync,
    Close: Fn() + Sync,
{
    let Roles { search, help, close } = roles;
    let (help, close) = (&help, &close);
    let (first, others) = memories.split_first_mut()?;
    let own = || {
        let processor = team.processor(0);
        processor.enter();
        let _close = OnDrop(|| {
            team.close();
            close();
            if let Some(idle) = idle {
                idle.wake();
            }
            processor.leave();
        });
        search(first, processor)
    };
    let help = move |index: usize, memory: &mut S| {
        let processor = team.processor(index);
        processor.enter();
        team.add_helper();
        let _leave = OnDrop(|| {
            team.remove_helper();
            if std::thread::panicking() {
                team.close();
                close();
            }
            processor.leave();
        });
        help(index, memory, processor);
    };
    let others = others.iter_mut().enumerate();
    Some(match idle {
        None => helpers.run(others.map(|(at, memory)| move || help(at + 1, memory)), own),
        Some(idle) => threads::scope(|scope| {
            scope.spawn(move || {
                let mut index = 0;
                while let Some(mut memory) = idle.borrow(team) {
                    index += 1;
                    scope.spawn(move || {
                        help(index, &mut memory);
                        idle.offer([memory]);
                    });
                }
            });
            own()
        }),
    })
}
