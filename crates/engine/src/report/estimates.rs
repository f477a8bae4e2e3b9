//! Estimates of the final score for the lines of a report, by the evaluation's score model.

use crate::limits::Goal;
use crate::report::{Bound, ReportLine, ScoreKind};
use crate::root::root_move::RootMove;
use crate::time::iteration::PROBCUT_MIN_DEPTH;
use umigame_eval::Evaluation;
use umigame_eval::estimate::{Estimate, Wdl};
use umigame_eval::score_calibration::ScoreFeatures;
use umigame_othello::{Eval, Position};

/// Returns the features by which the values of a search of `position` are calibrated; `None` if the search
/// proves what it reports.
pub fn score_features(
    position: Position,
    kind: ScoreKind,
    evaluation: &Evaluation,
) -> Option<ScoreFeatures> {
    let (plies, confidence) = match kind {
        ScoreKind::Depth { plies, confidence } => (Some(u32::from(plies)), confidence),
        ScoreKind::Endgame { confidence } => (None, confidence),
        ScoreKind::Exact | ScoreKind::WinLossDraw => return None,
    };
    let is_cut = plies.is_none_or(|plies| plies > PROBCUT_MIN_DEPTH);
    Some(ScoreFeatures {
        empties: position.empties(),
        plies,
        cut_sigmas: if is_cut { confidence.sigmas() } else { f64::INFINITY },
        noise: evaluation.noise(position),
    })
}

/// Returns the lines of moves of a search of `position` with this goal.
pub(crate) fn report_lines(
    position: Position,
    goal: Goal,
    best: &[RootMove],
    evaluation: &Evaluation,
) -> Vec<ReportLine> {
    let line = |root: &RootMove| {
        let kind = root.kind.unwrap_or_default();
        let features = score_features(position, kind, evaluation);
        let (raw, bound) = (Eval::from_centidiscs(root.value.0), root.bound);
        let estimate = match &features {
            None => proven(kind, bound, raw),
            // A selective search for less than the score has no value to convert.
            Some(ScoreFeatures { plies: None, .. }) if goal != Goal::Score => Estimate::unsure(raw),
            Some(features) => {
                let estimate = evaluation.score_calibration().estimate(features, raw);
                // A bound on a value says little about the score.
                if bound == Bound::Exact { estimate } else { Estimate::unsure(estimate.eval) }
            }
        };
        ReportLine { moves: root.moves(), estimate, raw, bound, kind }
    };
    best.iter().map(line).collect()
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
