//! `umigame solve`: the exact scores of a file of positions, compared with
//! the scores that the file expects.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use umigame::board::{Move, Score, position_text};
use umigame::game::obf::{Problem, problems};
use umigame::search::{Goal, Kind, Limits, Line, Report, Searcher, Silent};

use super::args::{EngineArgs, SolveArgs};
use super::hint::{bound_text, pv, score_text};
use super::{Outcome, bad_input, settings, shown};

/// Enough for every move of any position.
const ALL_MOVES: usize = 64;

/// What the whole file came to.
#[derive(Default, Debug)]
struct Summary {
    solved: u64,
    compared: u64,
    right: u64,
    unproven: u64,
    unreadable: u64,
    nodes: u64,
    time: Duration,
}

pub(super) fn run(args: &SolveArgs, outer: EngineArgs, out: &mut dyn Write) -> Result<Outcome> {
    let engine = args.engine.clone().or(outer)?;
    let limits = limits(&engine, args)?;
    let options = settings::options(&engine);
    let mut searcher = Searcher::new(options.search).map_err(settings::explain_table)?;
    let input = open(&args.file)?;
    let progress = progress(&args.file);
    let mut summary = Summary::default();
    if !args.jsonl {
        writeln!(out, "# line   score  move  depth        nodes   seconds  principal variation")?;
    }
    for (number, problem) in problems(input) {
        match problem {
            Ok(problem) => {
                let position = problem.position;
                searcher.clear();
                let report = searcher.search(position, &limits, &Silent::default());
                let verdict = Verdict::of(&problem, &report);
                summary.add(&report, &verdict);
                let record = Record { number, problem: &problem, report: &report, verdict };
                if args.jsonl {
                    record.json(out)?
                } else {
                    record.text(out)?
                }
                out.flush()?;
            }
            Err(error) => {
                summary.unreadable += 1;
                progress.suspend(|| {
                    eprintln!("umigame: {}, line {number}: {error}", shown(&args.file))
                });
            }
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    if !args.jsonl {
        summary.write(out)?;
    }
    Ok(summary.outcome())
}

/// Everything is read to its end; only a number of nodes may stop it.
fn limits(engine: &EngineArgs, args: &SolveArgs) -> Result<Limits> {
    let useless = EngineArgs { threads: None, hash: None, nodes: None, ..engine.clone() };
    useless.none_for("solve")?;
    Ok(Limits {
        goal: if args.wld { Goal::WinLossDraw } else { Goal::Score },
        lines: if args.all_moves { ALL_MOVES } else { 1 },
        nodes: engine.nodes,
        ..Limits::exact()
    })
}

fn open(path: &Path) -> Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let unreadable = |error: io::Error| bad_input(format!("{}: {error}", shown(path)));
    let file = File::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.is_dir() {
        return Err(bad_input(format!("{}: is a directory", shown(path))));
    }
    Ok(Box::new(BufReader::new(file)))
}

/// A bar on standard error where a person looks at it and the records do not
/// go to the same terminal.
fn progress(path: &Path) -> ProgressBar {
    if !io::stderr().is_terminal() || io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let lines = match File::open(path) {
        Ok(file) => BufReader::new(file).split(b'\n').count() as u64,
        Err(_) => 0,
    };
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len}  {elapsed} (eta {eta})");
    let style = style.map(|style| style.progress_chars("##-"));
    ProgressBar::new(lines).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// What the file expected of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Verdict {
    /// Nothing.
    NoExpectation,
    /// What was found.
    Right,
    /// Something else: the first move that differs, with what was expected.
    Wrong(Option<Move>, Score),
    /// The search was stopped before there was a proof.
    Unproven,
}

impl Verdict {
    fn of(problem: &Problem, report: &Report) -> Verdict {
        let over = problem.position.is_over();
        if !report.kind.is_proven() && !over {
            return Verdict::Unproven;
        }
        let found = match report.best() {
            Some(line) => line.eval.round(),
            None => problem.position.final_score(),
        };
        let Some(expected) = problem.best_score() else { return Verdict::NoExpectation };
        let differs = |expected: Score, found: Score| match report.kind {
            Kind::WinLossDraw => expected.discs().signum() != found.discs().signum(),
            _ => expected != found,
        };
        if differs(expected, found) {
            return Verdict::Wrong(None, expected);
        }
        // The other lines are exact only where they were asked for.
        let wrong = report.lines.iter().skip(1).find_map(|line| {
            let expected = problem.score_of(line.first())?;
            differs(expected, line.eval.round()).then_some((line.first(), expected))
        });
        match wrong {
            Some((played, expected)) => Verdict::Wrong(Some(played), expected),
            None => Verdict::Right,
        }
    }

    fn text(&self) -> String {
        match self {
            Verdict::NoExpectation => String::new(),
            Verdict::Right => "  ok".to_owned(),
            Verdict::Wrong(None, expected) => format!("  WRONG: expected {expected}"),
            Verdict::Wrong(Some(played), expected) => {
                format!("  WRONG: expected {played} {expected}")
            }
            Verdict::Unproven => "  not proven".to_owned(),
        }
    }
}

impl Summary {
    fn add(&mut self, report: &Report, verdict: &Verdict) {
        self.solved += 1;
        self.nodes += report.nodes;
        self.time += report.elapsed;
        self.unproven += u64::from(*verdict == Verdict::Unproven);
        self.right += u64::from(*verdict == Verdict::Right);
        self.compared += u64::from(matches!(verdict, Verdict::Right | Verdict::Wrong(..)));
    }

    fn write(&self, out: &mut dyn Write) -> Result<()> {
        let seconds = self.time.as_secs_f64();
        writeln!(
            out,
            "# {} positions: {} right, {} wrong, {} without an expected score, {} not proven, \
             {} lines not read",
            self.solved,
            self.right,
            self.compared - self.right,
            self.solved - self.compared - self.unproven,
            self.unproven,
            self.unreadable
        )?;
        let speed = self.nodes as f64 / seconds.max(1e-9);
        writeln!(out, "# {} nodes, {seconds:.3} s, {speed:.0} nodes/s", self.nodes)?;
        Ok(())
    }

    fn outcome(&self) -> Outcome {
        if self.unreadable > 0 {
            Outcome::BadInput
        } else if self.right < self.compared || self.unproven > 0 {
            Outcome::Failed
        } else {
            Outcome::Done
        }
    }
}

/// What is printed for one position.
struct Record<'a> {
    /// The line of the file, from 1.
    number: usize,
    problem: &'a Problem,
    report: &'a Report,
    verdict: Verdict,
}

impl Record<'_> {
    fn text(&self, out: &mut dyn Write) -> Result<()> {
        let report = self.report;
        let (kind, seconds) = (report.kind.to_string(), report.elapsed.as_secs_f64());
        let (first, verdict) = (report.best(), self.verdict.text());
        let score = match first {
            Some(line) => score_text(line, report.kind),
            None => self.problem.position.final_score().to_string(),
        };
        let played = first.map_or("-".to_owned(), |line| line.first().to_string());
        let moves = first.map_or(String::new(), |line| pv(&line.moves));
        writeln!(
            out,
            "{:6}  {score:>6}  {played:4}  {kind:>5}  {:11}  {seconds:8.3}  {moves}{verdict}",
            self.number, report.nodes
        )?;
        for line in report.lines.iter().skip(1) {
            let score = score_text(line, report.kind);
            writeln!(out, "{:6}  {score:>6}  {:4}  {}", "", line.first(), pv(&line.moves))?;
        }
        Ok(())
    }

    fn json(&self, out: &mut dyn Write) -> Result<()> {
        let report = self.report;
        let best = report.best();
        let record = SolveRecord {
            line: self.number,
            position: position_text(self.problem.position, self.problem.side),
            score: best.map_or(f64::from(self.problem.position.final_score().discs()), score_of),
            r#move: best.map(|line| line.first().to_string()),
            depth: report.kind.to_string(),
            pv: best.map_or(Vec::new(), |line| line.moves.iter().map(Move::to_string).collect()),
            nodes: report.nodes,
            seconds: report.elapsed.as_secs_f64(),
            expected: self.problem.best_score().map(Score::discs),
            right: match self.verdict {
                Verdict::NoExpectation => None,
                Verdict::Right => Some(true),
                Verdict::Wrong(..) | Verdict::Unproven => Some(false),
            },
            moves: report.lines.iter().map(MoveRecord::new).collect(),
        };
        serde_json::to_writer(&mut *out, &record)?;
        writeln!(out)?;
        Ok(())
    }
}

fn score_of(line: &Line) -> f64 {
    line.eval.discs()
}

/// One line of `--jsonl`. Scores are discs for the side to move; with
/// `--wld` only their sign counts.
#[derive(Serialize, Debug)]
struct SolveRecord {
    line: usize,
    position: String,
    score: f64,
    r#move: Option<String>,
    depth: String,
    pv: Vec<String>,
    nodes: u64,
    seconds: f64,
    expected: Option<i32>,
    right: Option<bool>,
    moves: Vec<MoveRecord>,
}

/// One move of `moves`.
#[derive(Serialize, Debug)]
struct MoveRecord {
    r#move: String,
    score: f64,
    bound: &'static str,
}

impl MoveRecord {
    fn new(line: &Line) -> MoveRecord {
        MoveRecord {
            r#move: line.first().to_string(),
            score: score_of(line),
            bound: bound_text(line.bound),
        }
    }
}
