//! Multi-ProbCut: where a shallow search says that a position is far outside
//! the window, the deep one is not made.
//!
//! After: M. Buro, "ProbCut: an effective selective extension of the
//! alpha-beta algorithm", 1995.

use super::confidence::Confidence;
use super::worker::{Stopped, Worker};
use crate::eval::MidBoard;
use crate::eval::error_model::ErrorSpread;

/// The least depth at which a middle game is probed.
pub(super) const LEAST_DEPTH: u32 = 3;
/// The least number of empties at which an ending is probed.
const LEAST_ENDING: u32 = 12;
/// Probes within probes: a probe leaves nothing out itself.
const NESTED: u32 = 1;
/// How far the evaluation may be from the bound for a probe to be worth its
/// while, in sums of the deviations.
const NEAR: f64 = 0.4;

/// The depth of the probe: about a quarter, of the same parity, since odd and
/// even depths see different numbers of moves for either side. A deeper probe
/// is surer, but costs more than what its cuts are worth.
const fn probe_depth(depth: u32) -> u32 {
    2 * (depth / 8) + (depth & 1)
}

/// The depth of the probe of an ending: two or three plies, of the parity of
/// the empties. With an evaluation as good as a network's, deeper probes cost
/// more than the cuts they are sure of save.
const fn ending_probe_depth(empties: u32) -> u32 {
    2 + (empties & 1)
}

impl Worker<'_> {
    /// The bound that a probe proves for a search to `depth` in the null
    /// window below `beta` (centidiscs), if it proves one.
    pub(super) fn probcut(
        &mut self,
        board: &MidBoard,
        depth: u32,
        beta: i32,
    ) -> Result<Option<i32>, Stopped> {
        if depth < LEAST_DEPTH || !self.may_probe() {
            return Ok(None);
        }
        let shallow = probe_depth(depth);
        let empties = board.position().empties();
        let known = self.shared.evaluation.error_model();
        let (at_once, probed) =
            (known.midgame(empties, 0, depth), known.midgame(empties, shallow, depth));
        self.probe(board, shallow, (at_once, probed), beta)
    }

    /// The same for an ending that is read to its end.
    pub(super) fn endgame_probcut(
        &mut self,
        board: &MidBoard,
        beta: i32,
    ) -> Result<Option<i32>, Stopped> {
        let empties = board.position().empties();
        if empties < LEAST_ENDING || !self.may_probe() {
            return Ok(None);
        }
        let shallow = ending_probe_depth(empties);
        let known = self.shared.evaluation.error_model();
        let (at_once, probed) = (known.ending(empties, 0), known.ending(empties, shallow));
        self.probe(board, shallow, (at_once, probed), beta)
    }

    /// Whether this search leaves anything out, and is not a probe itself.
    #[inline(always)]
    fn may_probe(&self) -> bool {
        self.confidence != Confidence::FULL && self.probing < NESTED
    }

    /// Probes a node to a depth, given how far the evaluation and that depth
    /// are from the search that is to be saved.
    fn probe(
        &mut self,
        board: &MidBoard,
        shallow: u32,
        (at_once, probed): (ErrorSpread, ErrorSpread),
        beta: i32,
    ) -> Result<Option<i32>, Stopped> {
        let sure = self.confidence.sigmas();
        let margin = (sure * probed.sigma) as i32;
        // Where the evaluation is not even near the bound, a probe is
        // unlikely to reach it.
        let near = (NEAR * sure * (at_once.sigma + probed.sigma)) as i32;
        let beta_probed = beta - probed.mean as i32;
        let (high, low) = (beta_probed + margin, beta_probed - 1 - margin);
        self.nodes += 1;
        let now = self.shared.evaluation.evaluate_within(board, (low, high));
        let expected = now + (at_once.mean - probed.mean) as i32;
        let mut value =
            |beta| if shallow == 0 { Ok(now) } else { self.probed(board, shallow, beta) };
        if expected >= beta_probed {
            let worthwhile = high < 6400 && expected + near >= high;
            if worthwhile && value(high)? >= high {
                return Ok(Some(beta));
            }
        } else {
            let worthwhile = low > -6400 && expected - near <= low;
            if worthwhile && value(low + 1)? <= low {
                return Ok(Some(beta - 1));
            }
        }
        Ok(None)
    }

    fn probed(&mut self, board: &MidBoard, depth: u32, beta: i32) -> Result<i32, Stopped> {
        self.probing += 1;
        let value = self.midgame_null(board, depth, beta);
        self.probing -= 1;
        value
    }
}
