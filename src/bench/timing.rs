//! Timed searches and their medians.

use std::time::{Duration, Instant};

use umigame_engine::{Engine, Limits, Report, Silent};
use umigame_othello::Position;

/// A search and its wall-clock time.
#[derive(Clone, Default, Debug)]
pub struct TimedSearch {
    /// Wall-clock time.
    pub time: Duration,
    /// Result of the search.
    pub report: Report,
}

/// Searches a position `runs` times, at least once, each time with an empty table.
pub fn time_searches(
    engine: &mut Engine,
    position: Position,
    limits: &Limits,
    runs: usize,
) -> Vec<TimedSearch> {
    let search = |_| {
        engine.clear();
        let start = Instant::now();
        let report = engine.search(position, limits, &Silent::default());
        TimedSearch { time: start.elapsed(), report }
    };
    (0..runs.max(1)).map(search).collect()
}

/// Returns the item with the median duration; of an even number, the slower of the two middle
/// ones.
pub fn median_by<T>(mut items: Vec<T>, duration: impl Fn(&T) -> Duration) -> Option<T> {
    items.sort_by_key(duration);
    let middle = items.len() / 2;
    items.into_iter().nth(middle)
}

/// Returns the speed in nodes per second.
pub fn nodes_per_second(nodes: u64, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64().max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_is_the_slower_middle_one() {
        let seconds = |numbers: &[u64]| {
            let times = numbers.iter().map(|&n| Duration::from_secs(n)).collect();
            median_by(times, |&time| time).map(|time: Duration| time.as_secs())
        };
        assert_eq!(seconds(&[5, 1, 9]), Some(5));
        assert_eq!(seconds(&[3, 2]), Some(3));
        assert_eq!(seconds(&[]), None);
    }
}
