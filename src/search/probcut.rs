//! Multi-ProbCut: where a shallow search says that a position is far outside
//! the window, the deep one is not made.
//!
//! After: M. Buro, "ProbCut: an effective selective extension of the
//! alpha-beta algorithm", 1995.

use super::selectivity::Selectivity;
use super::worker::{Stopped, Worker};
use crate::eval::MidBoard;

/// The least depth at which a middle game is probed.
pub(super) const LEAST_DEPTH: u32 = 4;
/// The least number of empties at which an ending is probed.
const LEAST_ENDING: u32 = 14;
/// Probes within probes: a probe leaves nothing out itself.
const NESTED: u32 = 1;
/// How far the evaluation may be from the bound for a probe to be worth its
/// while, in sums of the deviations.
const NEAR: f64 = 0.4;

/// The standard deviation of a search to depth `deep` from one to depth
/// `shallow`, with so many empties, in centidiscs.
///
/// Fitted to searches without selectivity of 4,564 positions from games with
/// 6 to 14 random plies and then the best move at depth 2; the fit is within
/// 6 % of the deviations of single cells. Only operations that every machine
/// rounds alike: the tree must be the same everywhere.
fn deviation(empties: u32, shallow: u32, deep: u32) -> f64 {
    let (e, s, d) = (f64::from(empties), f64::from(shallow), f64::from(deep));
    ((d - s + 0.5) / (s + 3.0)).sqrt() * (767.8 - 13.16 * e + 0.0846 * e * e)
}

/// The standard deviation of the exact score from a search to depth
/// `shallow`, with so many empties, in centidiscs. Fitted to 850 of the same
/// positions with 12 to 19 empties.
fn ending_deviation(empties: u32, shallow: u32) -> f64 {
    let (e, s) = (f64::from(empties), f64::from(shallow));
    (841.5 + 14.7 * e - 77.3 * s + 0.70 * s * e).max(300.0)
}

/// The depth of the probe: about half, of the same parity, since odd and
/// even depths see different numbers of moves for either side.
const fn probe_depth(depth: u32) -> u32 {
    2 * (depth / 4) + (depth & 1)
}

/// The depth of the probe of an ending: two fifths.
const fn ending_probe_depth(empties: u32) -> u32 {
    2 * (empties / 5) + (empties & 1)
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
        let now = deviation(empties, 0, depth);
        self.probe(board, shallow, (now, deviation(empties, shallow, depth)), beta)
    }

    /// The same for an ending that is read to its end.
    pub(super) fn ending_probcut(
        &mut self,
        board: &MidBoard,
        beta: i32,
    ) -> Result<Option<i32>, Stopped> {
        let empties = board.position().empties();
        if empties < LEAST_ENDING || !self.may_probe() {
            return Ok(None);
        }
        let shallow = ending_probe_depth(empties);
        let deviations = (ending_deviation(empties, 0), ending_deviation(empties, shallow));
        self.probe(board, shallow, deviations, beta)
    }

    /// Whether this search leaves anything out, and is not a probe itself.
    #[inline(always)]
    fn may_probe(&self) -> bool {
        self.selectivity != Selectivity::NONE && self.probing < NESTED
    }

    /// Probes a node to a depth, given the deviations of the evaluation and
    /// of that depth from the search that is to be saved.
    fn probe(
        &mut self,
        board: &MidBoard,
        shallow: u32,
        (at_once, deviation): (f64, f64),
        beta: i32,
    ) -> Result<Option<i32>, Stopped> {
        let margin = (self.selectivity.deviations() * deviation) as i32;
        // Where the evaluation is not even near the bound, a probe is
        // unlikely to reach it.
        let near = (NEAR * self.selectivity.deviations() * (at_once + deviation)) as i32;
        self.nodes += 1;
        let now = self.shared.evaluation.evaluate(board);
        let (high, low) = (beta + margin, beta - 1 - margin);
        if now >= beta {
            let worthwhile = high < 6400 && now + near >= high;
            if worthwhile && self.probed(board, shallow, high)? >= high {
                return Ok(Some(beta));
            }
        } else {
            let worthwhile = low > -6400 && now - near <= low;
            if worthwhile && self.probed(board, shallow, low + 1)? <= low {
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
