//! Thirteen empties and more, twelve where branches are cut: moves ordered by
//! evaluation, the shared table, and looks at the limits.

use super::ranked::worth_with_parity;
use super::{MEDIUM, medium, odd_squares};
use crate::eval::MidBoard;
use crate::search::candidates::{Candidate, Candidates};
use crate::search::confidence::Confidence;
use crate::search::hash::Hash;
use crate::search::ordering::{
    WIPE_OUT_WORTH, order, potential_mobility, square_worth, weighted_mobility,
};
use crate::search::parallel::Below;
use crate::search::stability::stability_cut;
use crate::search::table::{SearchDepth, decided};
use crate::search::worker::{Outcome, Stopped, Worker};
use umigame_othello::{Position, Square};

/// From two empties more than this on, moves are ordered by a look ahead: a
/// ply for every two empties.
const LOOK_AHEAD: u32 = 15;
/// The farthest look ahead, in plies.
const FARTHEST: u32 = 4;
/// So many moves are looked at, those that seem best without: a later one is
/// seldom needed.
const LOOKED_AT: usize = 5;
/// A move that a look finds so much worse than another (centidiscs) may be
/// worse still: it comes late in any case.
const BEHIND: i32 = 600;
/// So may one that is so far below the window.
const FAR_BELOW: i32 = 600;
/// What puts the other moves behind: more than any difference in worth.
const NOT_LOOKED_AT: i32 = 1 << 20;
/// With this many empties or fewer, evaluation is spared where the table's
/// moves were tried in vain: hardly any other will do, so their order matters
/// little.
const HOPELESS: u32 = 16;
/// From this many empties on, a node may be shared among threads.
const SPLIT: u32 = 16;
/// What a move of the opponent weighs, in hundredths of a disc.
const MOBILITY: i32 = 200;
/// What an empty square beside one's own discs weighs.
const POTENTIAL: i32 = 40;
/// What playing into an odd quadrant weighs.
const PARITY: i32 = 100;

/// What [`MEDIUM`] is where unlikely branches are cut: without evaluation none
/// would be.
const MEDIUM_CUT: u32 = MEDIUM - 1;

impl Worker<'_> {
    /// With so many empties or fewer, moves are ordered by mobility.
    #[inline(always)]
    fn medium(&self) -> u32 {
        if self.confidence == Confidence::FULL { MEDIUM } else { MEDIUM_CUT }
    }

    /// What the table stores of an ending: read to its end.
    pub(super) fn ending_depth(&self, empties: u32) -> SearchDepth {
        SearchDepth { plies: empties as u8, confidence: self.confidence }
    }

    /// The score of an ending in the null window `alpha..alpha + 1`,
    /// fail-soft, in discs.
    pub(in crate::search) fn ending_null(&mut self, board: &MidBoard, alpha: i32) -> Outcome {
        let position = board.position();
        let empties = position.empties();
        if empties <= self.medium() {
            return Ok(medium::by_stage(position, alpha, self.reader, &mut self.nodes));
        }
        self.tick()?;
        if let Some(score) = stability_cut(position, alpha) {
            return Ok(score);
        }
        let legal = position.moves();
        if legal == 0 {
            if position.passed().moves() == 0 {
                return Ok(position.final_score().discs());
            }
            return Ok(-self.ending_null(&board.passed(), -alpha - 1)?);
        }
        let hash = Hash::of(position);
        let entry = self.shared.table.probe(hash);
        let depth = self.ending_depth(empties);
        if let Some(bounds) = entry.and_then(|entry| entry.bounds(depth))
            && let Some(score) = decided(in_discs(bounds), alpha)
        {
            return Ok(score);
        }
        let mut candidates = Candidates::default();
        candidates.fill(position, legal, entry.as_ref());
        if let Some(score) = self.enhanced_cut(position, &candidates, alpha) {
            return Ok(score);
        }
        if let Some(value) = self.ending_probcut(board, 100 * alpha + 100)? {
            return Ok(value.div_euclid(100));
        }
        let (best, square) = self.best_of(board, alpha, &mut candidates)?;
        let window = (100 * alpha, 100 * alpha + 100);
        self.shared.table.store(hash, depth, window, 100 * best, square);
        Ok(best)
    }

    fn best_of(
        &mut self,
        board: &MidBoard,
        alpha: i32,
        candidates: &mut Candidates,
    ) -> Result<(i32, Option<Square>), Stopped> {
        let position = board.position();
        let empties = position.empties();
        let mut best = (-65, None);
        while let Some(candidate) = candidates.next(|moves| self.order_ending(moves, board, alpha))
        {
            let score = -if empties - 1 <= self.medium() {
                let next = candidate.after(position);
                medium::by_stage(next, -alpha - 1, self.reader, &mut self.nodes)
            } else {
                let next = board.after(candidate.square, candidate.flips);
                self.ending_null(&next, -alpha - 1)?
            };
            if score > best.0 {
                best = (score, Some(candidate.square));
                if score > alpha {
                    break;
                }
            }
            if empties >= SPLIT && candidates.len() > 0 && self.may_split() {
                candidates.put_in_order(|moves| self.order_ending(moves, board, alpha));
                return self.split(board, Below::Ending, alpha, best, std::mem::take(candidates));
            }
        }
        Ok(best)
    }

    /// A score above `alpha` that the table already holds for some move.
    fn enhanced_cut(&self, position: Position, moves: &Candidates, alpha: i32) -> Option<i32> {
        if position.empties() - 1 <= self.medium() {
            let after = moves.iter().map(|move_| (move_.square, move_.after(position)));
            return medium::enhanced_cut(after, alpha, self.reader).map(|cut| cut.0);
        }
        let needed = self.ending_depth(position.empties()).below();
        moves
            .known_after(position, self.shared.table, needed, 100 * alpha + 100)
            .map(|value| value / 100)
    }

    /// Gives each move its worth: what the patterns say of the position after
    /// it, and how few moves it leaves the opponent; with more empties, what a
    /// look ahead says of those that seem best.
    pub(super) fn order_ending(
        &mut self,
        candidates: &mut Candidates,
        board: &MidBoard,
        alpha: i32,
    ) {
        let position = board.position();
        let empties = position.empties();
        let odd = odd_squares(position.empty());
        if empties <= HOPELESS && candidates.taken() > 0 {
            order(candidates, position, |candidate, next| {
                worth_with_parity(candidate.square, next, next.moves(), odd)
            });
            return;
        }
        order(candidates, position, |candidate, next| {
            -self.glance_after(board, candidate) + stage_worth(candidate, next, odd)
        });
        let ahead = (empties.saturating_sub(LOOK_AHEAD) / 2).min(FARTHEST);
        if ahead > 0 {
            self.look_ahead(candidates, board, ahead, alpha);
        }
    }

    /// Gives the moves that seem best the worth that a look to this depth finds.
    /// How far above the window a move is counts as well: the more it wins, the
    /// fewer nodes prove it.
    fn look_ahead(
        &mut self,
        candidates: &mut Candidates,
        board: &MidBoard,
        ahead: u32,
        alpha: i32,
    ) {
        let odd = odd_squares(board.position().empty());
        let mut least = (100 * alpha - FAR_BELOW).max(-6400);
        for (at, candidate) in candidates.best_first().enumerate() {
            if candidate.worth == WIPE_OUT_WORTH {
                return;
            }
            if at >= LOOKED_AT {
                candidate.worth -= NOT_LOOKED_AT;
                continue;
            }
            let next = board.after(candidate.square, candidate.flips);
            let value = -self.look(&next, ahead, -6400, -least);
            least = least.max(value - BEHIND);
            candidate.worth = value + stage_worth(candidate, next.position(), odd);
        }
    }
}

fn stage_worth(candidate: &Candidate, next: Position, odd: u64) -> i32 {
    let parity = if candidate.square.bit() & odd != 0 { PARITY } else { 0 };
    parity + square_worth(candidate.square)
        - MOBILITY * weighted_mobility(next.moves())
        - POTENTIAL * potential_mobility(next.opponent, next.empty())
}

/// Bounds from the table, which of endings are whole discs.
fn in_discs((lower, upper): (i32, i32)) -> (i32, i32) {
    (lower / 100, upper / 100)
}
