//! The FFO test: endings 40 to 59 of the French federation's magazine, the customary benchmark of
//! endgame solvers since the 1990s.

use std::sync::LazyLock;
use std::time::Duration;

use serde::Serialize;
use umigame_engine::{Engine, Limits};
use umigame_othello::formats::obf;
use umigame_othello::{Position, Score};

use super::timing::{TimedSearch, median_by, nodes_per_second, time_searches};

/// An ending of the FFO test.
#[derive(Clone, Copy, Debug)]
pub struct FfoEnding {
    /// Number, 40 to 59.
    pub number: u32,
    /// Position.
    pub position: Position,
    /// Score under perfect play in discs, for the side to move.
    pub score: i32,
}

/// The endings, in order of their numbers.
pub static FFO_ENDINGS: LazyLock<Vec<FfoEnding>> = LazyLock::new(|| {
    let ending = |(number, line)| {
        let problem = obf::parse_line(line).ok()??;
        let score = problem.best_score()?.discs();
        Some(FfoEnding { number, position: problem.position, score })
    };
    (40..).zip(include_str!("ffo-40-59.obf").lines()).filter_map(ending).collect()
});

/// Returns the endings numbered `from` to `to`, both included; `None` unless both are numbers
/// from 40 to 59 in order.
pub fn ffo_endings(from: u32, to: u32) -> Option<&'static [FfoEnding]> {
    let index = |number: u32| number.checked_sub(40).map(|index| index as usize);
    FFO_ENDINGS.get(index(from)?..=index(to)?.min(FFO_ENDINGS.len())).filter(|it| !it.is_empty())
}

/// A solved ending; a row of `bench ffo`.
#[derive(Serialize, Clone, Debug)]
pub struct FfoRow {
    /// Number of the ending.
    pub number: u32,
    /// Empties of the position.
    pub empties: u32,
    /// Score found, in discs; none if runs disagree.
    pub score: Option<i32>,
    /// Score under perfect play, in discs.
    pub expected: i32,
    /// Whether both are the same.
    pub right: bool,
    /// Nodes of the run of median time.
    pub nodes: u64,
    /// Median time in seconds.
    pub seconds: f64,
    /// Nodes per second.
    pub nodes_per_second: f64,
}

/// Solves an ending `runs` times with an empty table and returns the run of median time.
pub fn solve_ending(engine: &mut Engine, ending: &FfoEnding, runs: usize) -> FfoRow {
    let position = ending.position;
    let searches = time_searches(engine, position, &Limits::exact(), runs);
    let score = |search: &TimedSearch| search.report.best().map(|line| line.eval().round());
    let disagree = searches.windows(2).any(|two| score(&two[0]) != score(&two[1]));
    let search = median_by(searches, |search| search.time).unwrap_or_default();
    // A disagreement is wrong whatever the median run found.
    let score = score(&search).filter(|_| !disagree).map(Score::discs);
    FfoRow {
        number: ending.number,
        empties: position.empties(),
        score,
        expected: ending.score,
        right: score == Some(ending.score),
        nodes: search.report.nodes,
        seconds: search.time.as_secs_f64(),
        nodes_per_second: nodes_per_second(search.report.nodes, search.time),
    }
}

impl FfoRow {
    /// Returns the time.
    pub fn time(&self) -> Duration {
        Duration::from_secs_f64(self.seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_othello::formats::obf::problems;
    use umigame_othello::testing::reference;

    #[test]
    fn the_endings_are_those_of_the_published_file() {
        let Some(path) = reference("problems/fforum-40-59.obf") else { return };
        let file = std::fs::File::open(path).expect("a readable file");
        let published: Vec<_> = problems(std::io::BufReader::new(file)).collect();
        assert_eq!(published.len(), FFO_ENDINGS.len());
        for ((_, problem), ending) in published.into_iter().zip(FFO_ENDINGS.iter()) {
            let problem = problem.expect("a problem");
            assert_eq!(problem.position, ending.position, "{ending:?}");
            assert_eq!(problem.best_score().map(Score::discs), Some(ending.score), "{ending:?}");
        }
        assert!(FFO_ENDINGS.iter().map(|ending| ending.number).eq(40..60));
    }

    #[test]
    fn endings_are_chosen_by_their_numbers() {
        let numbers = |from, to| {
            let endings = ffo_endings(from, to)?;
            Some(endings.iter().map(|ending| ending.number).collect::<Vec<_>>())
        };
        assert_eq!(numbers(40, 42), Some(vec![40, 41, 42]));
        assert_eq!(numbers(59, 59), Some(vec![59]));
        for (from, to) in [(39, 40), (59, 60), (50, 49), (0, 0), (u32::MAX, u32::MAX), (45, 43)] {
            assert_eq!(numbers(from, to), None, "{from} {to}");
        }
    }
}
