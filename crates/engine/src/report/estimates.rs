//! Estimates of the final score for the lines of a report, by the evaluation's score model.

use crate::limits::Goal;
use crate::report::{Bound, ReportLine, ScoreKind};
use crate::root::root_move::RootMove;
use crate::time::iteration::PROBCUT_MIN_DEPTH;
use umigame_eval::Evaluation;
use umigame_eval::estimate::{Certainty, Wdl};
use umigame_eval::score_model::{DepthFacts, EndingFacts, ScoreModel, SearchFacts};
use umigame_eval::uncertainty::Uncertainty;
use umigame_othello::{Eval, Move, Position};

/// Values of the last iterations of one search, from which the score model's inputs are made.
#[derive(Debug)]
pub struct ValueHistory {
    empties: u32,
    uncertainty: Uncertainty,
    /// Best moves of the last two iterations, the last one first.
    before: [Vec<(Move, Eval)>; 2],
}

impl ValueHistory {
    /// Makes the history of a search of `position` with `evaluation`, before any iteration.
    pub fn new(position: Position, evaluation: &Evaluation) -> ValueHistory {
        let (empties, uncertainty) = (position.empties(), evaluation.uncertainty(position));
        ValueHistory { empties, uncertainty, before: [Vec::new(), Vec::new()] }
    }

    /// Returns the inputs of the score model for the best moves of an iteration, given with their
    /// values on the search's own scale; `None` for proven ones. Call it for every iteration in turn.
    pub fn facts(&mut self, best: Vec<(Move, Eval)>, kind: ScoreKind) -> Vec<Option<SearchFacts>> {
        let lead = best.first().zip(best.get(1));
        let lead = lead.map(|((_, first), (_, second))| first.discs() - second.discs());
        let of_line = |(rank, &(played, value)): (usize, &(Move, Eval))| {
            self.facts_of(played, value, kind, lead.filter(|_| rank == 0))
        };
        let facts = best.iter().enumerate().map(of_line).collect();
        self.before.swap(0, 1);
        self.before[0] = best;
        facts
    }

    fn facts_of(
        &self,
        played: Move,
        value: Eval,
        kind: ScoreKind,
        lead: Option<f64>,
    ) -> Option<SearchFacts> {
        let (empties, uncertainty) = (self.empties, self.uncertainty);
        match kind {
            ScoreKind::Depth { plies, confidence } => {
                let is_cut = u32::from(plies) > PROBCUT_MIN_DEPTH;
                Some(SearchFacts::Depth(DepthFacts {
                    empties,
                    plies: plies.into(),
                    cut_sigmas: if is_cut { confidence.sigmas() } else { f64::INFINITY },
                    unrest: self.unrest(played, value),
                    lead,
                    uncertainty,
                }))
            }
            ScoreKind::Endgame { confidence } => Some(SearchFacts::Ending(EndingFacts {
                empties,
                cut_sigmas: confidence.sigmas(),
                unrest: self.distance(0, played, value),
                uncertainty,
            })),
            ScoreKind::Exact | ScoreKind::WinLossDraw => None,
        }
    }

    /// Returns the mean distance, in discs, of a move's value from those of the last two iterations.
    fn unrest(&self, played: Move, value: Eval) -> Option<f64> {
        let last = self.distance(0, played, value)?;
        Some(self.distance(1, played, value).map_or(last, |before| (last + before) / 2.0))
    }

    /// Returns the distance of a move's value from that of an earlier iteration: of the same move, or
    /// else of the best.
    fn distance(&self, iterations_ago: usize, played: Move, value: Eval) -> Option<f64> {
        let lines = self.before.get(iterations_ago)?;
        let same = lines.iter().find(|(before, _)| *before == played);
        let (_, before) = same.or(lines.first())?;
        Some((value.discs() - before.discs()).abs())
    }
}

/// Makes the lines of the reports of one search.
pub(crate) struct Estimator<'a> {
    model: &'a ScoreModel,
    goal: Goal,
    history: ValueHistory,
}

impl Estimator<'_> {
    /// Makes the lines of a search of `position`.
    pub fn new(evaluation: &Evaluation, goal: Goal, position: Position) -> Estimator<'_> {
        let history = ValueHistory::new(position, evaluation);
        Estimator { model: evaluation.score_model(), goal, history }
    }

    /// Returns the lines of the best moves of an iteration.
    pub fn lines(&mut self, best: &[RootMove], kind: ScoreKind) -> Vec<ReportLine> {
        let raw = |root: &RootMove| Eval::from_centidiscs(root.value.0);
        let values = best.iter().map(|root| (root.played, raw(root))).collect();
        let facts = self.history.facts(values, kind);
        let line = |(root, facts): (&RootMove, Option<SearchFacts>)| {
            let (raw, bound) = (raw(root), root.bound);
            let (eval, certainty) = match facts {
                // A selective search for less than the score has no value to convert.
                Some(SearchFacts::Ending(_)) if self.goal != Goal::Score => {
                    (raw, Certainty::UNKNOWN)
                }
                Some(facts) => {
                    let spread = self.model.spread(&facts, raw.discs());
                    // A bound on a value says little about the score.
                    let is_value = bound == Bound::Exact;
                    let certainty = if is_value { spread.certainty() } else { Certainty::UNKNOWN };
                    (spread.eval(), certainty)
                }
                None => (raw, proven(kind, bound, raw)),
            };
            ReportLine { moves: root.moves(), eval, certainty, raw, bound }
        };
        best.iter().zip(facts).map(line).collect()
    }
}

/// Returns the certainty of a proven line: of a score, its sign, or a bound on it.
fn proven(kind: ScoreKind, bound: Bound, eval: Eval) -> Certainty {
    let sign = eval.centidiscs().signum();
    let wdl = match (kind, bound) {
        (ScoreKind::Exact, Bound::Exact) => return Certainty::exact(eval.round()),
        (ScoreKind::Exact, Bound::Lower) if sign > 0 => Some(Wdl::certain(sign)),
        (ScoreKind::Exact, Bound::Upper) if sign < 0 => Some(Wdl::certain(sign)),
        (ScoreKind::WinLossDraw, _) => Some(Wdl::certain(sign)),
        _ => None,
    };
    Certainty { sigma: None, wdl }
}
