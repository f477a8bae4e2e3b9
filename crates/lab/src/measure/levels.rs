//! Time per move of each level.
//!
//! A search of the highest levels may take an hour. Fewer positions and a time limit give true
//! figures all the same: lower bounds where a search was stopped.

use std::time::{Duration, Instant};

use umigame_engine::{Engine, Level, Listener};
use umigame_othello::Position;

/// Stops a search after a time.
struct Stopwatch {
    start: Instant,
    max_time: Option<Duration>,
}

impl Stopwatch {
    fn is_over(&self) -> bool {
        self.max_time.is_some_and(|max_time| self.elapsed() >= max_time)
    }
}

impl Listener for Stopwatch {
    fn go_on(&self) -> bool {
        !self.is_over()
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

/// Searches of one level. If any was stopped, times and nodes are lower bounds.
#[derive(Clone, Copy, Debug)]
pub struct LevelRow {
    /// Level.
    pub level: Level,
    /// Mean time.
    pub mean: Duration,
    /// Longest time.
    pub longest: Duration,
    /// Mean number of nodes.
    pub mean_nodes: u64,
    /// Searches stopped by the time limit.
    pub stopped: u32,
}

impl LevelRow {
    /// Searches each position at a level, for at most `max_time`.
    pub fn measure(
        engine: &mut Engine,
        level: Level,
        positions: &[Position],
        max_time: Option<Duration>,
    ) -> LevelRow {
        let (mut nodes, mut stopped) = (0, 0);
        let (mut total, mut longest) = (Duration::ZERO, Duration::ZERO);
        for &position in positions {
            engine.clear();
            let watch = Stopwatch { start: Instant::now(), max_time };
            nodes += engine.search(position, &level.limits(), &watch).nodes;
            stopped += u32::from(watch.is_over());
            let time = watch.elapsed();
            total += time;
            longest = longest.max(time);
        }
        let count = positions.len().max(1);
        LevelRow {
            level,
            mean: total / count as u32,
            longest,
            mean_nodes: nodes / count as u64,
            stopped,
        }
    }
}
