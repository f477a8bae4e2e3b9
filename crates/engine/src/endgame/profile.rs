//! Counts of the endgame search by number of empties, for `umigame-lab profile`.
//!
//! Counts are those of the whole process, and right for one searching thread.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// Empties that are told apart; larger numbers count as the last.
const LEVELS: usize = 32;
/// Number of [`Event`]s.
const EVENTS: usize = 8;

/// What can happen at a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    /// The node was visited.
    Visit,
    /// Stable discs cut it off.
    Stability,
    /// A cache or the transposition table cut it off.
    Cache,
    /// The table cut it off by the position after a move.
    Etc,
    /// ProbCut cut it off.
    ProbCut,
    /// A move was above the window.
    Cut,
    /// That was the first move searched.
    FirstCut,
    /// No move was above the window.
    All,
}

/// What happened at the nodes of one number of empties.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LevelProfile {
    /// Empties.
    pub empties: u32,
    /// Nodes visited.
    pub visits: u64,
    /// Nodes cut by stable discs.
    pub stability_cuts: u64,
    /// Nodes cut by a cache or the transposition table.
    pub cache_cuts: u64,
    /// Nodes cut by the table after a move.
    pub etc_cuts: u64,
    /// Nodes cut by ProbCut.
    pub probcut_cuts: u64,
    /// Nodes where a move was above the window.
    pub fail_high: u64,
    /// Those where it was the first move.
    pub first_move_cuts: u64,
    /// Nodes where no move was.
    pub fail_low: u64,
}

static COUNTS: [[AtomicU64; EVENTS]; LEVELS] =
    [const { [const { AtomicU64::new(0) }; EVENTS] }; LEVELS];
static CURRENT: AtomicU8 = AtomicU8::new(0);

/// Counts an event.
#[inline(always)]
pub(crate) fn note(empties: u32, event: Event) {
    let count = &COUNTS[(empties as usize).min(LEVELS - 1)][event as usize];
    // One thread writes: no addition in one step is needed.
    count.store(count.load(Relaxed) + 1, Relaxed);
}

/// Counts how the moves of a node ended: `searched` of them, the last above the window or not.
#[inline(always)]
pub(crate) fn note_moves(empties: u32, searched: u32, is_cut: bool) {
    note(empties, if is_cut { Event::Cut } else { Event::All });
    if is_cut && searched == 1 {
        note(empties, Event::FirstCut);
    }
}

/// Restores the level around a node.
pub(crate) struct Inside(u8);

impl Drop for Inside {
    #[inline(always)]
    fn drop(&mut self) {
        CURRENT.store(self.0, Relaxed);
    }
}

/// Counts a visit, and says where the search is until the value is dropped.
#[inline(always)]
pub(crate) fn enter(empties: u32) -> Inside {
    note(empties, Event::Visit);
    let outer = CURRENT.load(Relaxed);
    CURRENT.store(empties as u8, Relaxed);
    Inside(outer)
}

/// Returns the empties of the innermost node being searched; 0 outside the endgame.
pub fn current_empties() -> u32 {
    u32::from(CURRENT.load(Relaxed))
}

/// Returns the counts since the last call, the fewest empties first, and begins anew.
pub fn take_profile() -> Vec<LevelProfile> {
    let levels = COUNTS.iter().zip(0..).map(|(counts, empties)| {
        let count = |event: Event| counts[event as usize].swap(0, Relaxed);
        LevelProfile {
            empties,
            visits: count(Event::Visit),
            stability_cuts: count(Event::Stability),
            cache_cuts: count(Event::Cache),
            etc_cuts: count(Event::Etc),
            probcut_cuts: count(Event::ProbCut),
            fail_high: count(Event::Cut),
            first_move_cuts: count(Event::FirstCut),
            fail_low: count(Event::All),
        }
    });
    levels.filter(|level| level.visits > 0).collect()
}
