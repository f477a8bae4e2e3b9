//! `Report` and `Line`: the result of a search.

use pyo3::prelude::*;
use umigame_engine::{self as engine, Bound as ScoreBound, Certainty, ReportLine, ScoreKind};
use umigame_othello::Position;

use crate::moves::texts;

/// Returns a sigma in discs.
pub(crate) fn sigma(certainty: Certainty) -> Option<f64> {
    certainty.sigma.map(|sigma| sigma.discs())
}

/// Returns the odds of win, draw and loss.
pub(crate) fn odds(certainty: Certainty) -> Option<(f64, f64, f64)> {
    certainty.odds.map(|odds| (odds.win(), odds.draw(), odds.loss()))
}

/// A move with its eval and the play expected to follow.
#[pyclass(module = "umigame", frozen)]
#[derive(Clone)]
pub(crate) struct Line(ReportLine);

#[pymethods]
impl Line {
    /// The move.
    #[getter]
    fn r#move(&self) -> String {
        self.0.first().to_string()
    }

    /// The move and the play expected to follow.
    #[getter]
    fn pv(&self) -> Vec<String> {
        texts(&self.0.moves)
    }

    /// The estimate of the score under perfect play, in discs for the side to move.
    #[getter]
    fn eval(&self) -> f64 {
        self.0.eval.discs()
    }

    /// The discs around the eval within which the score lies in two of three positions: 0 if it is
    /// exact, None if unknown.
    #[getter]
    fn sigma(&self) -> Option<f64> {
        sigma(self.0.certainty)
    }

    /// The odds of win, draw and loss for the side to move, which add up to 1; None if unknown.
    #[getter]
    fn odds(&self) -> Option<(f64, f64, f64)> {
        odds(self.0.certainty)
    }

    /// How the eval bounds the value: "exact", "lower" (at least) or "upper" (at most).
    #[getter]
    fn bound(&self) -> &'static str {
        match self.0.bound {
            ScoreBound::Exact => "exact",
            ScoreBound::Lower => "lower",
            ScoreBound::Upper => "upper",
        }
    }

    fn __repr__(&self) -> String {
        format!("Line({} {})", self.0.eval, texts(&self.0.moves).join(" "))
    }
}

/// The result of a search, or of one of its iterations. Evals are in discs for the side to move.
///
/// `str` gives one line: kind, eval and moves.
#[pyclass(module = "umigame", frozen)]
#[derive(Clone)]
pub(crate) struct Report {
    pub report: engine::Report,
    pub position: Position,
}

impl Report {
    /// How sure the eval is; a finished game is.
    fn certainty(&self) -> Certainty {
        let over = || Certainty::exact(self.position.final_score());
        self.report.best().map_or_else(over, |line| line.certainty)
    }
}

#[pymethods]
impl Report {
    /// The best moves, best first; empty only if the game is over.
    #[getter]
    fn lines(&self) -> Vec<Line> {
        self.report.lines.iter().cloned().map(Line).collect()
    }

    /// The best move; None if the game is over.
    #[getter]
    fn r#move(&self) -> Option<String> {
        self.report.best().map(|line| line.first().to_string())
    }

    /// The eval of the best move; the final score if the game is over.
    #[getter]
    pub(crate) fn eval(&self) -> f64 {
        let over = || f64::from(self.position.final_score().discs());
        self.report.best().map_or_else(over, |line| line.eval.discs())
    }

    /// The sigma of the best move's eval, see `Line.sigma`.
    #[getter]
    fn sigma(&self) -> Option<f64> {
        sigma(self.certainty())
    }

    /// The odds of the best move, see `Line.odds`.
    #[getter]
    fn odds(&self) -> Option<(f64, f64, f64)> {
        odds(self.certainty())
    }

    /// The best move and the play expected to follow.
    #[getter]
    fn pv(&self) -> Vec<String> {
        self.report.best().map_or(Vec::new(), |line| texts(&line.moves))
    }

    /// The kind of search behind the evals: "12" plies, "18@73%" plies at a confidence, "73%" to
    /// the end of the game at a confidence, "100%" exact, "100%W" exact in its sign alone.
    #[getter]
    fn kind(&self) -> String {
        self.report.kind.to_string()
    }

    /// The plies searched; the number of empties if to the end of the game.
    #[getter]
    fn depth(&self) -> u32 {
        match self.report.kind {
            ScoreKind::Depth { plies, .. } => plies.into(),
            _ => self.position.empties(),
        }
    }

    /// The confidence of the search's cuts in percent; 100 if nothing was cut.
    #[getter]
    fn confidence(&self) -> u8 {
        match self.report.kind {
            ScoreKind::Depth { percent, .. } | ScoreKind::Ending { percent } => percent,
            ScoreKind::Exact | ScoreKind::WinLossDraw => 100,
        }
    }

    /// Whether the evals are proven.
    #[getter]
    fn is_proven(&self) -> bool {
        self.report.kind.is_proven()
    }

    /// The positions visited by all threads.
    #[getter]
    fn nodes(&self) -> u64 {
        self.report.nodes
    }

    /// The seconds since the search began.
    #[getter]
    fn time(&self) -> f64 {
        self.report.elapsed.as_secs_f64()
    }

    fn __str__(&self) -> String {
        match self.report.best() {
            Some(line) => format!("{} {} {}", self.report.kind, line.eval, self.pv().join(" ")),
            None => format!("over {}", self.position.final_score()),
        }
    }

    fn __repr__(&self) -> String {
        format!("Report({}, {} nodes)", self.__str__(), self.report.nodes)
    }
}
