//! What the options mean, checked once: nothing deeper sees an argument.

use std::time::Duration;

use anyhow::Result;
use umigame::search::{
    Allowance, Level, Limits, Megabytes, SearchOptions, Searcher, TableError, budget,
};

use super::args::EngineArgs;
use super::bad_input;

/// The clock that the options set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Clock {
    /// So long for each move.
    Move(Duration),
    /// So long for all moves of a game.
    Game(Duration),
}

/// The options of the engine, checked and complete.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// How far each search may go; the clock comes on top.
    pub limits: Limits,
    /// The clock, if one was set.
    pub clock: Option<Clock>,
    /// Threads and memory.
    pub search: SearchOptions,
}

impl Settings {
    /// What the options given mean.
    pub(super) fn new(args: &EngineArgs) -> Settings {
        let clock = match (args.move_time, args.game_time) {
            (Some(time), _) => Some(Clock::Move(time)),
            (None, Some(time)) => Some(Clock::Game(time)),
            (None, None) => None,
        };
        let level = args.level.and_then(Level::new);
        // Where only time or nodes are given, they alone bound the search.
        let bounded = clock.is_some() || args.nodes.is_some();
        let mut limits = match (level, args.depth) {
            (_, Some(depth)) => Limits::depth(depth),
            (Some(level), None) => level.limits(),
            (None, None) if bounded => Limits::exact(),
            (None, None) => Level::DEFAULT.limits(),
        };
        limits.solve_from = args.end_depth.unwrap_or(limits.solve_from);
        limits.nodes = args.nodes;
        let default = SearchOptions::default();
        let search = SearchOptions {
            hash: args.hash.map_or(default.hash, |mb| Megabytes(mb as usize)),
            threads: args.threads.map_or(default.threads, |n| n as usize),
        };
        Settings { limits, clock, search }
    }

    /// The limits of one search of a position with so many empties, the
    /// clock included.
    pub(super) fn limits_for(&self, empties: u32) -> Limits {
        let allowance = self.clock.map(|clock| match clock {
            Clock::Move(time) => Allowance::Move(time),
            Clock::Game(remaining) => Allowance::Game { remaining, increment: Duration::ZERO },
        });
        Limits {
            time: allowance.map(|allowance| budget(allowance, empties)),
            ..self.limits.clone()
        }
    }

    /// A searcher with these threads and this memory.
    ///
    /// # Errors
    /// More memory than the machine has.
    pub(super) fn searcher(&self) -> Result<Searcher> {
        Searcher::new(self.search).map_err(explain_table)
    }
}

/// A table that cannot be had is the fault of `--hash`.
pub(super) fn explain_table(error: TableError) -> anyhow::Error {
    bad_input(format!("--hash: {error}"))
}
