//! The record of a position: the result of its search, compared with the scores of the file.

use std::io::Write;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use umigame_analysis::estimate::{EstimateRecord, std_dev_text};
use umigame_engine::{Bound, Estimate, Report, ReportLine, ScoreKind};
use umigame_othello::formats::obf::Problem;
use umigame_othello::{Move, Score, position_text};

use umigame_analysis::values::score_text;

use crate::cli::format::{bound_text, pv};

/// A line of `--jsonl`. Scores are discs for the side to move; with `--wld` only their sign counts.
#[derive(Serialize, Deserialize, Debug)]
pub(super) struct SolveRecord {
    /// Line of the file, from 1.
    pub line: usize,
    pub position: String,
    /// Description of the search; `--resume` compares it.
    pub task: String,
    pub score: f64,
    #[serde(flatten)]
    pub estimate: EstimateRecord,
    /// `exact`, `lower`, `upper`; `estimate` where the search does not prove a score.
    pub bound: String,
    pub r#move: Option<String>,
    pub depth: String,
    pub proven: bool,
    pub pv: Vec<String>,
    pub nodes: u64,
    pub seconds: f64,
    pub expected: Option<i32>,
    /// Whether a proven score is the expected one.
    pub right: Option<bool>,
    /// Eval minus expected score.
    pub error: Option<f64>,
    /// Whether the move has the highest of the expected scores.
    pub best_found: Option<bool>,
    /// Discs that the move loses against the best, by the expected scores.
    pub lost: Option<i32>,
    pub moves: Vec<MoveRecord>,
    /// Comparison with the file, for the table.
    #[serde(skip)]
    verdict: String,
}

/// A move of [`SolveRecord::moves`].
#[derive(Serialize, Deserialize, Debug)]
pub(super) struct MoveRecord {
    r#move: String,
    score: f64,
    #[serde(flatten)]
    estimate: EstimateRecord,
    bound: String,
}

impl MoveRecord {
    fn new(line: &ReportLine, kind: ScoreKind) -> MoveRecord {
        MoveRecord {
            r#move: line.first().to_string(),
            score: line.eval().discs(),
            estimate: line.estimate.into(),
            bound: bound_word(line, kind).to_owned(),
        }
    }
}

/// Returns the bound of a score, `estimate` where the search does not prove one.
fn bound_word(line: &ReportLine, kind: ScoreKind) -> &'static str {
    if line.bound == Bound::Exact && !kind.is_proven() {
        "estimate"
    } else {
        bound_text(line.bound)
    }
}

impl SolveRecord {
    /// Makes a record of a search, not yet compared with the file.
    pub(super) fn new(
        number: usize,
        problem: &Problem,
        report: &Report,
        task: &str,
    ) -> SolveRecord {
        let best = report.best();
        let over = f64::from(problem.position.final_score().discs());
        let over_estimate = Estimate::exact(problem.position.final_score());
        SolveRecord {
            line: number,
            position: position_text(problem.position, problem.side),
            task: task.to_owned(),
            score: best.map_or(over, |line| line.eval().discs()),
            estimate: best.map_or(over_estimate, |line| line.estimate).into(),
            bound: best.map_or("exact", |line| bound_word(line, report.kind)).to_owned(),
            r#move: best.map(|line| line.first().to_string()),
            depth: report.kind.to_string(),
            proven: report.kind.is_proven() || best.is_none(),
            pv: best.map_or(Vec::new(), |line| line.moves.iter().map(Move::to_string).collect()),
            nodes: report.nodes,
            seconds: report.elapsed.as_secs_f64(),
            expected: problem.best_score().map(Score::discs),
            right: None,
            error: None,
            best_found: None,
            lost: None,
            moves: report.lines.iter().map(|line| MoveRecord::new(line, report.kind)).collect(),
            verdict: String::new(),
        }
    }

    /// Compares a score with the file; a score that is not proven is not right.
    pub(super) fn compare(&mut self, problem: &Problem, report: &Report) {
        let verdict = Verdict::of(problem, report);
        self.right = match verdict {
            Verdict::NoExpectation => None,
            Verdict::Right => Some(true),
            Verdict::Wrong(..) | Verdict::Unproven => Some(false),
        };
        self.verdict = verdict.text();
    }

    /// Compares an eval with the file.
    pub(super) fn compare_estimate(&mut self, problem: &Problem, report: &Report) {
        let Some(expected) = problem.best_score() else { return };
        let error = self.score - f64::from(expected.discs());
        self.error = Some(error);
        self.verdict = format!("  error {error:+.2}");
        if let Some(line) = report.best()
            && let Some(best) = problem.answers.iter().map(|&(_, score)| score).max()
        {
            let score = problem.score_of(line.first());
            let found = score == Some(best);
            self.best_found = Some(found);
            self.lost = score.map(|score| best.discs() - score.discs());
            self.verdict.push_str(if found { "" } else { ", not the best move" });
        }
    }

    /// Writes a line of the table, and one for each further move.
    pub(super) fn text(&self, report: &Report, out: &mut dyn Write) -> Result<()> {
        let first = report.best();
        let score = match first {
            Some(line) => sure_score_text(line, report.kind),
            None => Score::saturating(self.score as i32).to_string(),
        };
        let moves = first.map_or(String::new(), |line| pv(&line.moves));
        let SolveRecord { line, depth, nodes, seconds, verdict, .. } = self;
        let best = self.r#move.as_deref().unwrap_or("-");
        write!(out, "{line:6}  {score:>6}  {best:4}  {depth:>5}  {nodes:11}  {seconds:8.3}  ")?;
        writeln!(out, "{moves}{verdict}")?;
        for line in report.lines.iter().skip(1) {
            let score = sure_score_text(line, report.kind);
            writeln!(out, "{:6}  {score:>6}  {:4}  {}", "", line.first(), pv(&line.moves))?;
        }
        Ok(())
    }

    /// Writes a line of JSON, in one write.
    pub(super) fn json(&self, out: &mut dyn Write) -> Result<()> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        Ok(out.write_all(&line)?)
    }
}

/// Returns a score with its standard deviation.
fn sure_score_text(line: &ReportLine, kind: ScoreKind) -> String {
    let score = score_text(line, kind);
    format!("{score} {}", std_dev_text(line.estimate)).trim_end().to_owned()
}

/// Result of the comparison of a score with the file.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Verdict {
    /// The file gives no score.
    NoExpectation,
    /// The scores agree.
    Right,
    /// The scores differ: the first move with another score, `None` for the best move, and the
    /// score expected of it.
    Wrong(Option<Move>, Score),
    /// The search ended before the score was proven.
    Unproven,
}

impl Verdict {
    fn of(problem: &Problem, report: &Report) -> Verdict {
        let over = problem.position.is_over();
        if !report.kind.is_proven() && !over {
            return Verdict::Unproven;
        }
        let Some(expected) = problem.best_score() else { return Verdict::NoExpectation };
        let fits = match report.best() {
            Some(line) => fits(expected, line, report.kind),
            None => expected == problem.position.final_score(),
        };
        if !fits {
            return Verdict::Wrong(None, expected);
        }
        // Further lines are there only with --all-moves.
        let wrong = report.lines.iter().skip(1).find_map(|line| {
            let expected = problem.score_of(line.first())?;
            (!self::fits(expected, line, report.kind)).then_some((line.first(), expected))
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

/// Returns whether the score of a line agrees with an expected score.
fn fits(expected: Score, line: &ReportLine, kind: ScoreKind) -> bool {
    let found = line.eval().round();
    match (kind, line.bound) {
        (ScoreKind::WinLossDraw, _) => expected.discs().signum() == found.discs().signum(),
        (_, Bound::Exact) => expected == found,
        (_, Bound::Lower) => expected >= found,
        (_, Bound::Upper) => expected <= found,
    }
}
