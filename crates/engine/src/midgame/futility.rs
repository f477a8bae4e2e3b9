//! Margins of futility cuts: one or two plies above the leaves, the evaluation alone cuts a node whose value it
//! puts far outside the window.
//!
//! "Far" is a number of standard deviations, as in ProbCut (see `probcut`), of the difference
//! between the evaluation and a search of the plies left. A search of full confidence makes no such
//! cuts.
//!
//! After: E. A. Heinz, "Extended futility pruning", 1998.

use crate::limits::confidence::Confidence;
use crate::tunable::tunable;
use umigame_eval::probcut_model::ProbCutModel;
use umigame_eval::value::{Centidiscs, NullWindow, Window};

/// Maximum depth of a node that the evaluation alone may cut.
const FUTILITY_MAX_DEPTH: u32 = 2;

tunable! {
    /// Factor of the sigmas at depth 1. These four have the least error against exact scores at
    /// equal nodes.
    Accuracy FACTOR_1: f64 = 1.3 in 0.3..=4.0 by 0.1;
    /// Factor of the sigmas at depth 2.
    Accuracy FACTOR_2: f64 = 1.6 in 0.3..=4.0 by 0.1;
    /// Added to the error model's mean at depth 1, in centidiscs: the model is fitted to positions
    /// of games, and nodes of a tree differ.
    Accuracy MEAN_1: i32 = 0 in -300..=300 by 30;
    /// Added to the error model's mean at depth 2, in centidiscs.
    Accuracy MEAN_2: i32 = 90 in -300..=300 by 30;
}

/// Distance of the evaluation from beta that is enough for a cut.
#[derive(Clone, Copy, Default, Debug)]
struct Margin {
    /// Mean of the value after a search less the evaluation, in centidiscs.
    mean: i32,
    /// Standard deviations around the mean, in centidiscs.
    width: i32,
}

/// The margins of an iteration, by depth and empties.
#[derive(Clone, Debug)]
pub(crate) struct FutilityMargins([[Margin; 61]; FUTILITY_MAX_DEPTH as usize]);

impl FutilityMargins {
    /// Computes the margins at a confidence; `None` if nothing is cut.
    pub fn new(model: &ProbCutModel, confidence: Confidence) -> Option<FutilityMargins> {
        let margin = |depth: usize, empties: usize| {
            let spread = model.midgame(empties as u32, 0, depth as u32);
            let (factor, mean) = match depth {
                1 => (FACTOR_1.get(), MEAN_1.get()),
                _ => (FACTOR_2.get(), MEAN_2.get()),
            };
            let width = factor * confidence.sigmas() * spread.sigma;
            Margin { mean: spread.mean as i32 + mean, width: width as i32 }
        };
        (confidence != Confidence::FULL).then(|| {
            let of_depth = |at| std::array::from_fn(|empties| margin(at + 1, empties));
            FutilityMargins(std::array::from_fn(of_depth))
        })
    }

    /// Returns the window outside of which the evaluation cuts a null-window node searched to
    /// `depth`, at least 1; `None` if it is too far from the leaves.
    #[inline(always)]
    pub fn shallow_window(
        &self,
        depth: u32,
        empties: u32,
        window: NullWindow<Centidiscs>,
    ) -> Option<Window<Centidiscs>> {
        if depth > FUTILITY_MAX_DEPTH {
            return None;
        }
        let Margin { mean, width } = self.get(depth, empties);
        Some(window.for_shallow(Centidiscs(mean), Centidiscs(width)))
    }

    #[inline(always)]
    fn get(&self, depth: u32, empties: u32) -> Margin {
        self.0[(depth as usize).wrapping_sub(1) % self.0.len()][(empties as usize).min(60)]
    }
}
