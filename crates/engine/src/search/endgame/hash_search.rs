//! Thirteen empties and more, twelve where branches are cut: moves ordered by
//! evaluation, the shared table, and looks at the limits.

use super::move_list::parity_score;
use super::{MOBILITY_MAX_EMPTIES, mobility_search, odd_squares};
use crate::eval::MidBoard;
use crate::search::confidence::Confidence;
use crate::search::hash::Hash;
use crate::search::move_picker::{MovePicker, ScoredMove};
use crate::search::ordering::{
    WIPE_OUT_SCORE, order, potential_mobility, square_score, weighted_mobility,
};
use crate::search::parallel::SplitNode;
use crate::search::stability::stability_cut;
use crate::search::table::{SearchDepth, decided};
use crate::search::worker::{Searched, Stopped, Worker};
use umigame_othello::{Position, Square};

/// From two empties more than this on, moves are ordered by a look ahead: a
/// ply for every two empties.
const LOOKAHEAD_ABOVE_EMPTIES: u32 = 15;
/// The farthest look ahead, in plies.
const LOOKAHEAD_MAX_PLIES: u32 = 4;
/// So many moves are looked at, those that seem best without: a later one is
/// seldom needed.
const LOOKAHEAD_MOVES: usize = 5;
/// A move that a look finds so much worse than another (centidiscs) may be
/// worse still: it comes late in any case.
const LOOKAHEAD_MARGIN: i32 = 600;
/// So may one that is so far below the window.
const LOOKAHEAD_ALPHA_MARGIN: i32 = 600;
/// What puts the other moves behind: more than any difference in worth.
const NO_LOOKAHEAD_PENALTY: i32 = 1 << 20;
/// With this many empties or fewer, evaluation is spared where the table's
/// moves were tried in vain: hardly any other will do, so their order matters
/// little.
const FAIL_LOW_MAX_EMPTIES: u32 = 16;
/// From this many empties on, a node may be shared among threads.
const SPLIT_MIN_EMPTIES: u32 = 16;
/// What a move of the opponent weighs, in hundredths of a disc.
const MOBILITY_CENTIDISCS: i32 = 200;
/// What an empty square beside one's own discs weighs.
const POTENTIAL_MOBILITY_CENTIDISCS: i32 = 40;
/// What playing into an odd quadrant weighs.
const PARITY_CENTIDISCS: i32 = 100;

/// What [`MOBILITY_MAX_EMPTIES`] is where unlikely branches are cut: without evaluation none
/// would be.
const SELECTIVE_MOBILITY_MAX_EMPTIES: u32 = MOBILITY_MAX_EMPTIES - 1;

impl Worker<'_> {
    /// With so many empties or fewer, moves are ordered by mobility.
    #[inline(always)]
    fn mobility_max_empties(&self) -> u32 {
        if self.confidence == Confidence::FULL {
            MOBILITY_MAX_EMPTIES
        } else {
            SELECTIVE_MOBILITY_MAX_EMPTIES
        }
    }

    /// What the table stores of an ending: read to its end.
    pub(super) fn endgame_depth(&self, empties: u32) -> SearchDepth {
        SearchDepth { plies: empties as u8, confidence: self.confidence }
    }

    /// The score of an ending in the null window `alpha..alpha + 1`,
    /// fail-soft, in discs.
    pub(in crate::search) fn endgame_null(&mut self, board: &MidBoard, alpha: i32) -> Searched {
        let position = board.position();
        let empties = position.empties();
        if empties <= self.mobility_max_empties() {
            return Ok(mobility_search::solve_small(
                position,
                alpha,
                self.endgame,
                &mut self.nodes,
            ));
        }
        self.poll()?;
        if let Some(score) = stability_cut(position, alpha) {
            return Ok(score);
        }
        let legal = position.moves();
        if legal == 0 {
            if position.passed().moves() == 0 {
                return Ok(position.final_score().discs());
            }
            return Ok(-self.endgame_null(&board.passed(), -alpha - 1)?);
        }
        let hash = Hash::of(position);
        let entry = self.shared.table.probe(hash);
        let depth = self.endgame_depth(empties);
        if let Some(bounds) = entry.and_then(|entry| entry.bounds(depth))
            && let Some(score) = decided(in_discs(bounds), alpha)
        {
            return Ok(score);
        }
        let mut picker = MovePicker::default();
        picker.fill(position, legal, entry.as_ref());
        if let Some(score) = self.etc_cutoff(position, &picker, alpha) {
            return Ok(score);
        }
        if let Some(value) = self.endgame_probcut(board, 100 * alpha + 100)? {
            return Ok(value.div_euclid(100));
        }
        let (best, square) = self.best_of(board, alpha, &mut picker)?;
        let window = (100 * alpha, 100 * alpha + 100);
        self.shared.table.store(hash, depth, window, 100 * best, square);
        Ok(best)
    }

    fn best_of(
        &mut self,
        board: &MidBoard,
        alpha: i32,
        picker: &mut MovePicker,
    ) -> Result<(i32, Option<Square>), Stopped> {
        let position = board.position();
        let empties = position.empties();
        let mut best = (-65, None);
        while let Some(candidate) = picker.next(|moves| self.order_endgame(moves, board, alpha)) {
            let score = -if empties - 1 <= self.mobility_max_empties() {
                let next = candidate.after(position);
                mobility_search::solve_small(next, -alpha - 1, self.endgame, &mut self.nodes)
            } else {
                let next = board.after(candidate.square, candidate.flips);
                self.endgame_null(&next, -alpha - 1)?
            };
            if score > best.0 {
                best = (score, Some(candidate.square));
                if score > alpha {
                    break;
                }
            }
            if empties >= SPLIT_MIN_EMPTIES && picker.len() > 0 && self.may_split() {
                picker.put_in_order(|moves| self.order_endgame(moves, board, alpha));
                return self.split(board, SplitNode::Endgame, alpha, best, std::mem::take(picker));
            }
        }
        Ok(best)
    }

    /// A score above `alpha` that the table already holds for some move.
    fn etc_cutoff(&self, position: Position, moves: &MovePicker, alpha: i32) -> Option<i32> {
        if position.empties() - 1 <= self.mobility_max_empties() {
            let after = moves.iter().map(|move_| (move_.square, move_.after(position)));
            return mobility_search::etc_cutoff(after, alpha, self.endgame).map(|cut| cut.0);
        }
        let needed = self.endgame_depth(position.empties()).below();
        moves
            .etc_cutoff(position, self.shared.table, needed, 100 * alpha + 100)
            .map(|value| value / 100)
    }

    /// Gives each move its worth: what the patterns say of the position after
    /// it, and how few moves it leaves the opponent; with more empties, what a
    /// look ahead says of those that seem best.
    pub(super) fn order_endgame(&mut self, picker: &mut MovePicker, board: &MidBoard, alpha: i32) {
        let position = board.position();
        let empties = position.empties();
        let odd = odd_squares(position.empty());
        if empties <= FAIL_LOW_MAX_EMPTIES && picker.taken() > 0 {
            order(picker, position, |candidate, next| {
                parity_score(candidate.square, next, next.moves(), odd)
            });
            return;
        }
        order(picker, position, |candidate, next| {
            -self.ordering_eval(board, candidate) + positional_score(candidate, next, odd)
        });
        let ahead = (empties.saturating_sub(LOOKAHEAD_ABOVE_EMPTIES) / 2).min(LOOKAHEAD_MAX_PLIES);
        if ahead > 0 {
            self.look_ahead(picker, board, ahead, alpha);
        }
    }

    /// Gives the moves that seem best the worth that a look to this depth finds.
    /// How far above the window a move is counts as well: the more it wins, the
    /// fewer nodes prove it.
    fn look_ahead(&mut self, picker: &mut MovePicker, board: &MidBoard, ahead: u32, alpha: i32) {
        let odd = odd_squares(board.position().empty());
        let mut least = (100 * alpha - LOOKAHEAD_ALPHA_MARGIN).max(-6400);
        for (at, candidate) in picker.best_first().enumerate() {
            if candidate.score == WIPE_OUT_SCORE {
                return;
            }
            if at >= LOOKAHEAD_MOVES {
                candidate.score -= NO_LOOKAHEAD_PENALTY;
                continue;
            }
            let next = board.after(candidate.square, candidate.flips);
            let value = -self.shallow_search(&next, ahead, -6400, -least);
            least = least.max(value - LOOKAHEAD_MARGIN);
            candidate.score = value + positional_score(candidate, next.position(), odd);
        }
    }
}

fn positional_score(candidate: &ScoredMove, next: Position, odd: u64) -> i32 {
    let parity = if candidate.square.bit() & odd != 0 { PARITY_CENTIDISCS } else { 0 };
    parity + square_score(candidate.square)
        - MOBILITY_CENTIDISCS * weighted_mobility(next.moves())
        - POTENTIAL_MOBILITY_CENTIDISCS * potential_mobility(next.opponent, next.empty())
}

/// Bounds from the table, which of endings are whole discs.
fn in_discs((lower, upper): (i32, i32)) -> (i32, i32) {
    (lower / 100, upper / 100)
}
