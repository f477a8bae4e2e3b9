//! Scaling: FFO endings solved with one thread, two, and so on.

use std::time::Duration;

use umigame_engine::Engine;

use super::ffo::{FfoEnding, solve_ending};

/// Totals over the endings with one number of threads.
#[derive(Clone, Copy, Default, Debug)]
pub struct ScalingRow {
    /// Nodes of all endings.
    pub nodes: u64,
    /// Sum of the median times.
    pub time: Duration,
    /// Endings with a wrong score.
    pub wrong: u32,
}

impl ScalingRow {
    /// Solves the endings with the engine's threads; the time of each is the median of `runs`.
    pub fn measure(engine: &mut Engine, endings: &[FfoEnding], runs: usize) -> ScalingRow {
        let mut total = ScalingRow::default();
        for ending in endings {
            let row = solve_ending(engine, ending, runs);
            total.nodes += row.nodes;
            total.time += row.time();
            total.wrong += u32::from(!row.right);
        }
        total
    }

    /// Returns the ratio of the time of one thread to this time.
    pub fn speedup(&self, one_thread: &ScalingRow) -> f64 {
        one_thread.time.as_secs_f64() / self.time.as_secs_f64().max(1e-9)
    }

    /// Returns the nodes beyond those of one thread, in percent of them.
    pub fn extra_nodes_percent(&self, one_thread: &ScalingRow) -> f64 {
        100.0 * (self.nodes as f64 / one_thread.nodes.max(1) as f64 - 1.0)
    }
}
