//! Simulated processors: threads that take turns, each as if it had a processor of its own.
//!
//! Only one thread runs at a time, always the one that is furthest behind. So a search of any number
//! of threads can be followed on a machine of few processors, and visits the same nodes every time.
//! Time is counted in nodes. The simulation models neither shared memory and caches nor the time to
//! wake a thread.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

#[derive(Debug, Default)]
struct State {
    /// The time of each thread, in nodes; `None` once it has ended.
    clocks: Vec<Option<u64>>,
    /// The thread whose turn it is.
    turn: usize,
    /// The time of the first thread when it ended.
    finished: u64,
}

/// The threads of one search on simulated processors.
#[derive(Debug)]
pub(crate) struct Lockstep {
    state: Mutex<State>,
    /// Signalled when it is a thread's turn, one for each.
    turns: Vec<Condvar>,
}

impl Lockstep {
    /// Begins a search of `threads` threads; it is the turn of the first.
    pub fn new(threads: usize) -> Lockstep {
        let clocks = vec![Some(0); threads];
        let turns = (0..threads).map(|_| Condvar::new()).collect();
        Lockstep { state: Mutex::new(State { clocks, ..State::default() }), turns }
    }

    /// Returns the time of the search, in nodes, once it is over.
    pub fn nodes(&self) -> u64 {
        self.lock().finished
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the first turn of a thread.
    pub(super) fn enter(&self, thread: usize) {
        self.wait(thread, self.lock());
    }

    /// Ends a turn that took `nodes`, and waits for the next.
    pub(super) fn take(&self, thread: usize, nodes: u64) {
        let mut state = self.lock();
        if let Some(Some(clock)) = state.clocks.get_mut(thread) {
            *clock += nodes;
        }
        self.pass_on(&mut state);
        self.wait(thread, state);
    }

    /// Ends a thread.
    pub(super) fn leave(&self, thread: usize) {
        let mut state = self.lock();
        let clock = state.clocks.get_mut(thread).and_then(Option::take);
        if let (0, Some(clock)) = (thread, clock) {
            state.finished = clock;
        }
        self.pass_on(&mut state);
    }

    /// Gives the turn to the thread furthest behind, the first of several.
    fn pass_on(&self, state: &mut State) {
        let clocks = state.clocks.iter().enumerate();
        let next = clocks.filter_map(|(thread, clock)| Some(((*clock)?, thread))).min();
        if let Some((_, next)) = next
            && next != state.turn
            && let Some(turn) = self.turns.get(next)
        {
            state.turn = next;
            turn.notify_one();
        }
    }

    /// Waits until it is a thread's turn.
    fn wait(&self, thread: usize, state: MutexGuard<'_, State>) {
        if let Some(turn) = self.turns.get(thread) {
            drop(turn.wait_while(state, |state| state.turn != thread));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thread_that_is_furthest_behind_takes_the_next_turn() {
        let lockstep = Lockstep::new(3);
        let log = Mutex::new(Vec::new());
        let work = |thread: usize, turns: &[u64]| {
            lockstep.enter(thread);
            for &nodes in turns {
                log.lock().expect("no panic").push(thread);
                lockstep.take(thread, nodes);
            }
            lockstep.leave(thread);
        };
        std::thread::scope(|scope| {
            scope.spawn(|| work(2, &[1; 6]));
            scope.spawn(|| work(1, &[3, 3]));
            work(0, &[2, 3, 2]);
        });
        assert_eq!(log.into_inner().expect("no panic"), [0, 1, 2, 2, 0, 2, 1, 2, 2, 0, 2]);
        assert_eq!(lockstep.nodes(), 7);
    }
}
