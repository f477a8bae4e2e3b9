//! The FFO test: endings 40 to 59 of the French federation's magazine, the customary benchmark of
//! endgame solvers since the 1990s.

use std::time::Duration;

use serde::Serialize;
use umigame_engine::{Engine, Limits};
use umigame_othello::{Position, Score, parse_position};

use super::timing::{TimedSearch, median_by, nodes_per_second, time_searches};

/// An ending of the FFO test.
#[derive(Clone, Copy, Debug)]
pub struct FfoEnding {
    /// Number, 40 to 59.
    pub number: u32,
    /// 64 squares and the side to move.
    text: &'static str,
    /// Score under perfect play in discs, for the side to move.
    pub score: i32,
}

const fn ending(number: u32, text: &'static str, score: i32) -> FfoEnding {
    FfoEnding { number, text, score }
}

/// The endings, in order of their numbers.
pub const FFO_ENDINGS: [FfoEnding; 20] = [
    ending(40, "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38),
    ending(41, "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", 0),
    ending(42, "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", 6),
    ending(43, "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", -12),
    ending(44, "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", -14),
    ending(45, "---XXXX-X-XXXO--XXOXOO--XXXOXO--XXOXXO---OXXXOO-O-OOOO------OO-- X", 6),
    ending(46, "---XXX----OOOX----OOOXX--OOOOXXX--OOOOXX--OXOXXX--XXOO---XXXX-O- X", -8),
    ending(47, "-OOOOO----OOOO---OOOOX--XXXXXX---OXOOX--OOOXOX----OOXX----XXXX-- O", 4),
    ending(48, "-----X--X-XXX---XXXXOO--XOXOOXX-XOOXXX--XOOXX-----OOOX---XXXXXX- O", 28),
    ending(49, "--OX-O----XXOO--OOOOOXX-OOOOOX--OOOXOXX-OOOOXX-----OOX----X-O--- X", 16),
    ending(50, "----X-----XXX----OOOXOOO-OOOXOOO-OXOXOXO-OOXXOOO--OOXO----O--O-- X", 10),
    ending(51, "----O-X------X-----XXXO-OXXXXXOO-XXOOXOOXXOXXXOO--OOOO-O----OO-- O", 6),
    ending(52, "---X-------OX--X--XOOXXXXXXOXXXXXXXOOXXXXXXOOOXX--XO---X-------- O", 0),
    ending(53, "----OO-----OOO---XXXXOOO--XXOOXO-XXXXXOO--OOOXOO--X-OX-O-----X-- X", -2),
    ending(54, "--OOO---XXOO----XXXXOOOOXXXXOX--XXXOXX--XXOOO------OOO-----O---- X", -2),
    ending(55, "--------X-X------XXXXOOOOOXOXX--OOOXXXX-OOXXXX--O-OOOX-----OO--- O", 0),
    ending(56, "--XXXXX---XXXX---OOOXX---OOXOX---OXXXXX-OOOOOXO----OXX---------- O", 2),
    ending(57, "-------------------XXOOO--XXXOOO--XXOXOO-OOOXXXO--OXOO-O-OOOOO-- X", -10),
    ending(58, "--XOOO----OOO----OOOXOO--OOOOXO--OXOXXX-OOXXXX----X-XX---------- X", 4),
    ending(59, "-----------------------O--OOOOO---OOOOOXOOOOXXXX--XXOOXX--XX-O-X X", 64),
];

/// Returns the endings numbered `from` to `to`, both included; `None` unless both are numbers
/// from 40 to 59 in order.
pub fn ffo_endings(from: u32, to: u32) -> Option<&'static [FfoEnding]> {
    let index = |number: u32| number.checked_sub(40).map(|index| index as usize);
    FFO_ENDINGS.get(index(from)?..=index(to)?.min(FFO_ENDINGS.len())).filter(|it| !it.is_empty())
}

impl FfoEnding {
    /// Returns the position.
    pub fn position(&self) -> Position {
        parse_position(self.text).expect("a position of the table").0
    }
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
    let position = ending.position();
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
        for ((_, problem), ending) in published.into_iter().zip(FFO_ENDINGS) {
            let problem = problem.expect("a problem");
            assert_eq!(problem.position, ending.position(), "{ending:?}");
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
