//! Estimates of the final score for the lines of a report, by the evaluation's score model.

use crate::limits::Goal;
use crate::report::{Bound, ReportLine, ScoreKind};
use crate::root::root_move::RootMove;
use crate::time::iteration::PROBCUT_MIN_DEPTH;
use umigame_eval::Evaluation;
use umigame_eval::estimate::{Estimate, Wdl};
use umigame_eval::position_noise::PositionNoise;
use umigame_eval::score_calibration::ScoreFeatures;
use umigame_othello::{Eval, Move, Position};

/// Values of the last iterations of one search, from which the score model's inputs are made.
#[derive(Debug)]
pub struct IterationHistory {
    empties: u32,
    noise: PositionNoise,
    /// Best moves of the last two iterations, the last one first.
    before: [Vec<(Move, Eval)>; 2],
}

impl IterationHistory {
    /// Makes the history of a search of `position` with `evaluation`, before any iteration.
    pub fn new(position: Position, evaluation: &Evaluation) -> IterationHistory {
        let (empties, noise) = (position.empties(), evaluation.noise(position));
        IterationHistory { empties, noise, before: [Vec::new(), Vec::new()] }
    }

    /// Returns the features of the best moves of an iteration, given with their values on the search's
    /// own scale; `None` for proven ones. Call it for every iteration in turn.
    pub fn features(
        &mut self,
        best: Vec<(Move, Eval)>,
        kind: ScoreKind,
    ) -> Vec<Option<ScoreFeatures>> {
        let margin = best.first().zip(best.get(1));
        let margin = margin.map(|((_, first), (_, second))| first.discs() - second.discs());
        let of_line = |(rank, &(played, value)): (usize, &(Move, Eval))| {
            self.features_of(played, value, kind, margin.filter(|_| rank == 0))
        };
        let features = best.iter().enumerate().map(of_line).collect();
        self.before.swap(0, 1);
        self.before[0] = best;
        features
    }

    fn features_of(
        &self,
        played: Move,
        value: Eval,
        kind: ScoreKind,
        margin: Option<f64>,
    ) -> Option<ScoreFeatures> {
        let (plies, confidence) = match kind {
            ScoreKind::Depth { plies, confidence } => (Some(u32::from(plies)), confidence),
            ScoreKind::Endgame { confidence } => (None, confidence),
            ScoreKind::Exact | ScoreKind::WinLossDraw => return None,
        };
        let is_cut = plies.is_none_or(|plies| plies > PROBCUT_MIN_DEPTH);
        let instability = match plies {
            Some(_) => self.instability(played, value),
            None => self.distance(0, played, value),
        };
        Some(ScoreFeatures {
            empties: self.empties,
            plies,
            cut_sigmas: if is_cut { confidence.sigmas() } else { f64::INFINITY },
            instability,
            margin,
            noise: self.noise,
        })
    }

    /// Returns the mean distance, in discs, of a move's value from those of the last two iterations.
    fn instability(&self, played: Move, value: Eval) -> Option<f64> {
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

/// Returns the lines of the best moves of an iteration of a search with this goal.
pub(crate) fn report_lines(
    history: &mut IterationHistory,
    evaluation: &Evaluation,
    goal: Goal,
    best: &[RootMove],
    kind: ScoreKind,
) -> Vec<ReportLine> {
    let raw = |root: &RootMove| Eval::from_centidiscs(root.value.0);
    let values = best.iter().map(|root| (root.played, raw(root))).collect();
    let features = history.features(values, kind);
    let calibration = evaluation.score_calibration();
    let line = |(root, features): (&RootMove, Option<ScoreFeatures>)| {
        let (raw, bound) = (raw(root), root.bound);
        let estimate = match features {
            None => proven(kind, bound, raw),
            // A selective search for less than the score has no value to convert.
            Some(ScoreFeatures { plies: None, .. }) if goal != Goal::Score => Estimate::unsure(raw),
            Some(features) => {
                let estimate = calibration.estimate(&features, raw);
                // A bound on a value says little about the score.
                if bound == Bound::Exact { estimate } else { Estimate::unsure(estimate.eval) }
            }
        };
        ReportLine { moves: root.moves(), estimate, raw, bound }
    };
    best.iter().zip(features).map(line).collect()
}

/// Returns the estimate of a proven line: of a score, its sign, or a bound on it.
fn proven(kind: ScoreKind, bound: Bound, eval: Eval) -> Estimate {
    let sign = eval.centidiscs().signum();
    let wdl = match (kind, bound) {
        (ScoreKind::Exact, Bound::Exact) => return Estimate::exact(eval.round()),
        (ScoreKind::Exact, Bound::Lower) if sign > 0 => Some(Wdl::certain(sign)),
        (ScoreKind::Exact, Bound::Upper) if sign < 0 => Some(Wdl::certain(sign)),
        (ScoreKind::WinLossDraw, _) => Some(Wdl::certain(sign)),
        _ => None,
    };
    Estimate { eval, std_dev: None, wdl }
}
