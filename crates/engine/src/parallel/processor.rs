//! The processor that a thread runs on: one of the machine, or a simulated one.

use super::lockstep::Lockstep;

/// Spins of a thread that waits for work before it sleeps: some 50 microseconds.
const MAX_SPINS: u32 = 2_000;
/// Nodes that a thread visits in one turn of its simulated processor. In longer turns it would finish
/// small subtrees, and the simulation would miss that several threads search them at once.
const TURN_NODES: u64 = 16;
/// Spins of a thread on a processor of the machine in the time of [`TURN_NODES`].
const TURN_SPINS: u32 = 90;

/// Counts the work of one thread, and lets it wait for others.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Processor<'a> {
    /// The simulated processor, and the thread's number; `None` on one of the machine.
    simulated: Option<(&'a Lockstep, usize)>,
}

impl<'a> Processor<'a> {
    /// The processor of a thread of a search.
    pub fn new(lockstep: Option<&'a Lockstep>, thread: usize) -> Processor<'a> {
        Processor { simulated: lockstep.map(|lockstep| (lockstep, thread)) }
    }

    /// Begins the thread.
    pub fn enter(self) {
        if let Some((lockstep, thread)) = self.simulated {
            lockstep.enter(thread);
        }
    }

    /// Ends the thread.
    pub fn leave(self) {
        if let Some((lockstep, thread)) = self.simulated {
            lockstep.leave(thread);
        }
    }

    /// Nodes after which the thread has to count them, to end its turn.
    pub fn turn_nodes(self) -> u64 {
        if self.simulated.is_some() { TURN_NODES } else { u64::MAX }
    }

    /// Counts nodes that the thread has visited.
    pub fn count_nodes(self, nodes: u64) {
        if let Some((lockstep, thread)) = self.simulated {
            lockstep.take(thread, nodes);
        }
    }

    /// Whether the thread may sleep until another wakes it.
    pub fn may_sleep(self) -> bool {
        self.simulated.is_none()
    }

    /// Waits a little for what another thread does.
    pub fn spin_until(self, is_done: impl Fn() -> bool) {
        let mut spins = 0;
        while spins < MAX_SPINS && !is_done() {
            match self.simulated {
                None => {
                    std::hint::spin_loop();
                    spins += 1;
                }
                Some((lockstep, thread)) => {
                    lockstep.take(thread, TURN_NODES);
                    spins += TURN_SPINS;
                }
            }
        }
    }
}
