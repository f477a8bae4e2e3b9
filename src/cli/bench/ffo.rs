//! `umigame bench ffo`: the endings 40 to 59 of the French federation's
//! magazine, by which solvers have been compared since the nineties.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use umigame_engine::eval::SharedEvaluation;
use umigame_engine::search::{Engine, EngineOptions, Limits, Megabytes, Report};
use umigame_othello::Score;

use super::{median, read, speed, timed};
use crate::cli::args::{FfoArgs, RepeatArgs, SearchArgs};
use crate::cli::json::write_line;
use crate::cli::{Outcome, bad_input, settings};

/// Number, position, and the score under perfect play.
pub(super) const ENDINGS: [(u32, &str, i32); 20] = [
    (40, "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38),
    (41, "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", 0),
    (42, "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", 6),
    (43, "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", -12),
    (44, "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", -14),
    (45, "---XXXX-X-XXXO--XXOXOO--XXXOXO--XXOXXO---OXXXOO-O-OOOO------OO-- X", 6),
    (46, "---XXX----OOOX----OOOXX--OOOOXXX--OOOOXX--OXOXXX--XXOO---XXXX-O- X", -8),
    (47, "-OOOOO----OOOO---OOOOX--XXXXXX---OXOOX--OOOXOX----OOXX----XXXX-- O", 4),
    (48, "-----X--X-XXX---XXXXOO--XOXOOXX-XOOXXX--XOOXX-----OOOX---XXXXXX- O", 28),
    (49, "--OX-O----XXOO--OOOOOXX-OOOOOX--OOOXOXX-OOOOXX-----OOX----X-O--- X", 16),
    (50, "----X-----XXX----OOOXOOO-OOOXOOO-OXOXOXO-OOXXOOO--OOXO----O--O-- X", 10),
    (51, "----O-X------X-----XXXO-OXXXXXOO-XXOOXOOXXOXXXOO--OOOO-O----OO-- O", 6),
    (52, "---X-------OX--X--XOOXXXXXXOXXXXXXXOOXXXXXXOOOXX--XO---X-------- O", 0),
    (53, "----OO-----OOO---XXXXOOO--XXOOXO-XXXXXOO--OOOXOO--X-OX-O-----X-- X", -2),
    (54, "--OOO---XXOO----XXXXOOOOXXXXOX--XXXOXX--XXOOO------OOO-----O---- X", -2),
    (55, "--------X-X------XXXXOOOOOXOXX--OOOXXXX-OOXXXX--O-OOOX-----OO--- O", 0),
    (56, "--XXXXX---XXXX---OOOXX---OOXOX---OXXXXX-OOOOOXO----OXX---------- O", 2),
    (57, "-------------------XXOOO--XXXOOO--XXOXOO-OOOXXXO--OXOO-O-OOOOO-- X", -10),
    (58, "--XOOO----OOO----OOOXOO--OOOOXO--OXOXXX-OOXXXX----X-XX---------- X", 4),
    (59, "-----------------------O--OOOOO---OOOOOXOOOOXXXX--XXOOXX--XX-O-X X", 64),
];

/// One solved ending.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solved {
    pub score: Option<Score>,
    pub nodes: u64,
    pub time: Duration,
}

/// Solves an ending a few times with nothing in the table and returns the
/// run of median time.
pub(super) fn solve(engine: &mut Engine, text: &str, runs: usize) -> Result<Solved> {
    let position = read(text)?;
    let reports = timed(engine, position, &Limits::exact(), runs);
    let score = |report: &Report| report.best().map(|line| line.eval.round());
    let contradicted = reports.windows(2).any(|two| score(&two[0].1) != score(&two[1].1));
    let (time, report) = median(reports, |&(time, _)| time).unwrap_or_default();
    // Runs that contradict each other are wrong, whatever the median says.
    let score = score(&report).filter(|_| !contradicted);
    Ok(Solved { score, nodes: report.nodes, time })
}

/// The endings from one number to another.
pub(super) fn chosen(from: u32, to: u32) -> Result<&'static [(u32, &'static str, i32)]> {
    let index = |number: u32| (number as usize).wrapping_sub(40);
    let wrong = || bad_input(format!("--from {from} --to {to}: expected numbers from 40 to 59"));
    ENDINGS
        .get(index(from)..=index(to).min(ENDINGS.len()))
        .filter(|endings| !endings.is_empty())
        .ok_or_else(wrong)
}

#[derive(Serialize, Debug)]
struct Row {
    number: u32,
    empties: u32,
    score: Option<i32>,
    expected: i32,
    right: bool,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &FfoArgs,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let endings = chosen(args.from, args.to)?;
    let SearchArgs { threads, repeat: RepeatArgs { hash, runs }, jsonl } = args.search;
    let mut engine = engine(evaluation, hash, threads)?;
    if !jsonl {
        writeln!(out, "# {threads} threads, {hash} MB, median of {runs} runs")?;
        writeln!(out, "# no.  empties  score          nodes    seconds      nodes/s")?;
    }
    let (mut nodes, mut time, mut wrong) = (0, Duration::ZERO, 0);
    for &(number, text, expected) in endings {
        let solved = solve(&mut engine, text, runs)?;
        let row = Row {
            number,
            empties: read(text)?.empties(),
            score: solved.score.map(Score::discs),
            expected,
            right: solved.score.map(Score::discs) == Some(expected),
            nodes: solved.nodes,
            seconds: solved.time.as_secs_f64(),
            nodes_per_second: speed(solved.nodes, solved.time),
        };
        wrong += u32::from(!row.right);
        (nodes, time) = (nodes + solved.nodes, time + solved.time);
        if jsonl {
            write_line(&row, out)?;
        } else {
            row.text(out)?;
        }
        out.flush()?;
    }
    if !jsonl {
        let (seconds, speed) = (time.as_secs_f64(), speed(nodes, time));
        writeln!(out, "# all {nodes:25} {seconds:10.3} {speed:12.0}, {wrong} wrong")?;
    }
    Ok(if wrong == 0 { Outcome::Done } else { Outcome::Failed })
}

impl Row {
    fn text(&self, out: &mut dyn Write) -> Result<()> {
        let Row { number, empties, nodes, seconds, nodes_per_second, .. } = self;
        let score = self.score.map_or("-".to_owned(), |score| format!("{score:+}"));
        let verdict = match self.right {
            true => String::new(),
            false => format!("  WRONG: expected {:+}", self.expected),
        };
        writeln!(
            out,
            "{number:5} {empties:8} {score:>6} {nodes:14} {seconds:10.3} {nodes_per_second:12.0}\
             {verdict}"
        )?;
        Ok(())
    }
}

pub(super) fn engine(evaluation: &SharedEvaluation, hash: u32, threads: u32) -> Result<Engine> {
    let options = EngineOptions { hash: Megabytes(hash as usize), threads: threads as usize };
    settings::engine(evaluation, options)
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_othello::game::obf::problems;

    #[test]
    fn the_endings_are_those_of_the_published_file() {
        let path = "../shared/data/problems/fforum-40-59.obf";
        let Ok(file) = std::fs::File::open(path) else {
            println!("skipped: there is no {path}");
            return;
        };
        let published: Vec<_> = problems(std::io::BufReader::new(file)).collect();
        assert_eq!(published.len(), ENDINGS.len());
        for ((_, problem), (number, text, score)) in published.into_iter().zip(ENDINGS) {
            let problem = problem.expect("a problem");
            assert_eq!(problem.position, read(text).expect("a position"), "{number}");
            assert_eq!(problem.best_score().map(Score::discs), Some(score), "{number}");
        }
        assert!(ENDINGS.iter().map(|ending| ending.0).eq(40..60));
    }

    #[test]
    fn endings_are_chosen_by_their_numbers() {
        let numbers = |from, to| {
            let endings = chosen(from, to).ok()?;
            Some(endings.iter().map(|ending| ending.0).collect::<Vec<_>>())
        };
        assert_eq!(numbers(40, 42), Some(vec![40, 41, 42]));
        assert_eq!(numbers(59, 59), Some(vec![59]));
        for (from, to) in [(39, 40), (59, 60), (50, 49), (0, 0), (u32::MAX, u32::MAX), (45, 43)] {
            assert_eq!(numbers(from, to), None, "{from} {to}");
        }
    }

    #[test]
    fn the_median_is_the_middle_one() {
        let seconds = |numbers: &[u64]| {
            let times = numbers.iter().map(|&n| Duration::from_secs(n)).collect();
            median(times, |&time| time).map(|time: Duration| time.as_secs())
        };
        assert_eq!(seconds(&[5, 1, 9]), Some(5));
        assert_eq!(seconds(&[3, 2]), Some(3));
        assert_eq!(seconds(&[]), None);
    }
}
