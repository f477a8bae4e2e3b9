//! Scaling: the same searches with one thread, two, and more.

use std::time::Duration;

use serde::Serialize;
use umigame_engine::{Confidence, Engine};

use super::midgame::{MidgameRow, midgame_limits, midgame_positions};
use super::usage::Usage;
use umigame::bench::median_by;
use umigame::bench::{FfoEnding, solve_ending};

/// Searches whose time is measured.
#[derive(Clone, Copy, Debug)]
pub enum ScalingWork<'a> {
    /// Endings solved exactly.
    Endings(&'a [FfoEnding]),
    /// The midgame positions to a depth.
    Midgame(u32, Confidence),
}

/// Totals of some work with one number of threads.
#[derive(Serialize, Clone, Copy, Default, Debug)]
pub struct ScalingRow {
    /// Threads that searched.
    pub threads: usize,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Time of all searches in seconds.
    pub seconds: f64,
    /// Nodes that one thread visits in the time of all searches, if the processors are simulated.
    pub simulated_nodes: Option<u64>,
    /// Processors used on average.
    pub processors: Option<f64>,
    /// Times that a thread gave its processor up to wait.
    pub voluntary_switches: Option<u64>,
    /// Endings with a wrong score.
    pub wrong: u32,
}

impl ScalingRow {
    /// Does the work `runs` times, each search with an empty table, and returns the run of median
    /// time.
    pub fn measure(engine: &mut Engine, work: ScalingWork<'_>, runs: usize) -> ScalingRow {
        let rows = (0..runs.max(1)).map(|_| ScalingRow::once(engine, work)).collect();
        median_by(rows, |row| Duration::from_secs_f64(row.seconds)).unwrap_or_default()
    }

    fn once(engine: &mut Engine, work: ScalingWork<'_>) -> ScalingRow {
        let before = engine.simulated_nodes();
        let ((nodes, wrong), usage) = Usage::of(|| match work {
            ScalingWork::Endings(endings) => {
                endings.iter().fold((0, 0), |(nodes, wrong), ending| {
                    let row = solve_ending(engine, ending, 1);
                    (nodes + row.nodes, wrong + u32::from(!row.right))
                })
            }
            ScalingWork::Midgame(depth, confidence) => {
                let limits = midgame_limits(depth, confidence);
                let nodes = midgame_positions()
                    .into_iter()
                    .map(|position| MidgameRow::measure(engine, 0, position, &limits, 1).nodes);
                (nodes.sum(), 0)
            }
        });
        let simulated = engine.simulated_nodes().zip(before).map(|(now, before)| now - before);
        ScalingRow {
            threads: engine.threads(),
            nodes,
            seconds: usage.time.as_secs_f64(),
            simulated_nodes: simulated,
            processors: match simulated {
                Some(time) => Some(nodes as f64 / time.max(1) as f64),
                None => usage.processors(),
            },
            voluntary_switches: usage.voluntary_switches.filter(|_| simulated.is_none()),
            wrong,
        }
    }

    /// Returns the time of all searches: in seconds, or in million nodes of one thread if the
    /// processors are simulated.
    pub fn time(&self) -> f64 {
        self.simulated_nodes.map_or(self.seconds, |nodes| nodes as f64 / 1e6)
    }

    /// Returns the ratio of the time of one thread to this time.
    pub fn speedup(&self, one_thread: &ScalingRow) -> f64 {
        one_thread.time() / self.time().max(1e-9)
    }

    /// Returns the nodes beyond those of one thread, in percent of them.
    pub fn extra_nodes_percent(&self, one_thread: &ScalingRow) -> f64 {
        100.0 * (self.nodes as f64 / one_thread.nodes.max(1) as f64 - 1.0)
    }
}

/// Returns the numbers of threads to measure: 1 to 4, then each twice the last, and `most`.
pub fn thread_counts(most: usize) -> Vec<usize> {
    let doubling = std::iter::successors(Some(8), |count| Some(2 * count));
    let mut counts: Vec<_> = (1..=4).chain(doubling).take_while(|&count| count < most).collect();
    counts.push(most.max(1));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_threads_rise_to_the_largest() {
        assert_eq!(thread_counts(1), [1]);
        assert_eq!(thread_counts(4), [1, 2, 3, 4]);
        assert_eq!(thread_counts(20), [1, 2, 3, 4, 8, 16, 20]);
        assert_eq!(thread_counts(64), [1, 2, 3, 4, 8, 16, 32, 64]);
    }
}
