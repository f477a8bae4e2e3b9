//! How a thread keeps processor with the others: on a processor of its own, or on a simulated one.

use super::lockstep::Lockstep;

/// Nodes that a thread on a simulated processor could visit from one look to the next.
const TURN_NODES: u64 = 16;
/// Looks of a thread on a processor of its own in the same time.
const TURN_LOOKS: u32 = 90;

/// Counts the work of one thread, and lets it wait for others.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Processor<'a> {
    /// The simulated processor, and the thread's number; `None` on one of the machine.
    simulated: Option<(&'a Lockstep, usize)>,
}

impl<'a> Processor<'a> {
    /// Makes the processor of thread `thread` of a search.
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

    /// Waits for what another thread does, for at most `max_looks` looks.
    pub fn wait(self, max_looks: u32, is_done: impl Fn() -> bool) {
        let mut looks = 0;
        while looks < max_looks && !is_done() {
            match self.simulated {
                None => {
                    std::hint::spin_loop();
                    looks += 1;
                }
                Some((lockstep, thread)) => {
                    lockstep.take(thread, TURN_NODES);
                    looks += TURN_LOOKS;
                }
            }
        }
    }
}
