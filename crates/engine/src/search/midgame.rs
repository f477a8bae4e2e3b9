//! The middle game: principal variation search to a depth, then the
//! evaluation. Values are centidiscs for the side to move.

use super::candidates::{Candidate, Candidates};
use super::confidence::Confidence;
use super::hash::Hash;
use super::ordering::{order, quick_worth, square_worth, weighted_mobility};
use super::parallel::Below;
use super::table::{SearchDepth, decided};
use super::variation::Variation;
use super::worker::{Outcome, Stopped, Worker};
use crate::eval::MidBoard;
use umigame_othello::{C_SQUARES, CORNERS, Move, Square, X_SQUARES, squares};

/// Below every value there is.
const NONE: i32 = -6401;
/// A won wipe-out.
pub(super) const WIPE_OUT: i32 = 6400;
/// To this depth there is no table: writing it costs more than it saves.
const SHALLOW: u32 = 2;
/// To this depth moves are ordered without evaluation: it would cost more than
/// the order saves.
const BY_MOBILITY: u32 = 3;
/// From this depth on, the table is asked about every move before any is
/// searched.
const ENHANCED: u32 = 4;
/// From this depth on, a node may be shared among threads.
const SPLIT: u32 = 7;
/// From this depth on, late moves are searched less deeply.
const REDUCED: u32 = 5;
/// Moves of a node that are not late.
const LATE: u32 = 3;
/// What a move of the opponent weighs in ordering, in hundredths of a disc.
const MOBILITY: i32 = 50;

impl Worker<'_> {
    /// The value of a position to a small depth, without tables or limits;
    /// fail-soft.
    pub(super) fn look(&mut self, board: &MidBoard, depth: u32, alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        if depth == 0 {
            return self.shared.evaluation.evaluate_within(board, (alpha, beta));
        }
        let position = board.position();
        let legal = position.moves();
        if legal == 0 {
            let passed = position.passed();
            if passed.moves() == 0 {
                return position.final_score().to_eval().centidiscs();
            }
            return -self.look(&board.passed(), depth, -beta, -alpha);
        }
        if depth == 1 {
            self.look_at_leaves(board, legal, alpha, beta)
        } else {
            self.look_at_moves(board, legal, depth, alpha, beta)
        }
    }

    /// [`Worker::look`] to depth 1.
    #[inline(always)]
    fn look_at_leaves(&mut self, board: &MidBoard, legal: u64, alpha: i32, beta: i32) -> i32 {
        let position = board.position();
        let beside_corners = C_SQUARES | X_SQUARES;
        let mut best = NONE;
        // Any finer order costs more than it saves.
        for part in [CORNERS, !(CORNERS | beside_corners), beside_corners] {
            for square in squares(legal & part) {
                let flips = position.flips(square);
                if flips == position.opponent {
                    return WIPE_OUT;
                }
                self.nodes += 1;
                let window = (-beta, -alpha.max(best));
                let value = -self.shared.evaluation.evaluate_after(board, (square, flips), window);
                best = best.max(value);
                if value >= beta {
                    return best;
                }
            }
        }
        best
    }

    /// [`Worker::look`] to depth 2 and more.
    #[inline(always)]
    fn look_at_moves(
        &mut self,
        board: &MidBoard,
        legal: u64,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let position = board.position();
        let mut candidates = Candidates::default();
        candidates.fill(position, legal, None);
        order(&mut candidates, position, quick_worth);
        let mut best = NONE;
        while let Some(Candidate { square, flips, .. }) = candidates.take() {
            if flips == position.opponent {
                return WIPE_OUT;
            }
            let next = board.after(square, flips);
            let value = -self.look(&next, depth - 1, -beta, -alpha.max(best));
            best = best.max(value);
            if value >= beta {
                break;
            }
        }
        best
    }

    /// What the patterns alone say of the position after a move, for the side
    /// that moves there.
    #[inline(always)]
    pub(super) fn glance_after(&mut self, board: &MidBoard, move_: &Candidate) -> i32 {
        self.nodes += 1;
        self.shared.evaluation.estimate_after(board, (move_.square, move_.flips))
    }

    /// The value of a position to a depth less than its empties, in the
    /// window `window.0..window.1`, fail-soft. Inside the window `variation`
    /// holds the expected play. `PV` says whether the window is open.
    pub(super) fn midgame<const PV: bool>(
        &mut self,
        board: &MidBoard,
        depth: u32,
        window: (i32, i32),
        variation: &mut Variation,
    ) -> Outcome {
        let (alpha, beta) = window;
        if !PV && depth <= SHALLOW {
            return Ok(self.look(board, depth, alpha, beta));
        }
        variation.clear();
        if depth == 0 {
            self.nodes += 1;
            return Ok(self.shared.evaluation.evaluate(board));
        }
        self.tick()?;
        let position = board.position();
        let legal = position.moves();
        if legal == 0 {
            return self.midgame_pass::<PV>(board, depth, window, variation);
        }
        let hash = Hash::of(position);
        let wanted = SearchDepth { plies: depth as u8, confidence: self.confidence };
        let entry = self.shared.table.probe(hash);
        // Where it is not open, the window is null.
        if !PV
            && let Some(bounds) = entry.and_then(|entry| entry.bounds(wanted))
            && let Some(value) = decided(bounds, alpha)
        {
            return Ok(value);
        }
        let mut candidates = Candidates::default();
        candidates.fill(position, legal, entry.as_ref());
        if !PV
            && depth >= ENHANCED
            && let Some(value) =
                candidates.known_after(position, self.shared.table, wanted.below(), beta)
        {
            return Ok(value);
        }
        if !PV && let Some(value) = self.probcut(board, depth, beta)? {
            return Ok(value);
        }
        let (best, square) =
            self.midgame_moves::<PV>(board, depth, window, &mut candidates, variation)?;
        self.shared.table.store(hash, wanted, window, best, square);
        Ok(best)
    }

    fn midgame_pass<const PV: bool>(
        &mut self,
        board: &MidBoard,
        depth: u32,
        (alpha, beta): (i32, i32),
        variation: &mut Variation,
    ) -> Outcome {
        let passed = board.passed();
        if passed.position().moves() == 0 {
            return Ok(board.position().final_score().to_eval().centidiscs());
        }
        let mut rest = Variation::default();
        let value = -self.midgame::<PV>(&passed, depth, (-beta, -alpha), &mut rest)?;
        variation.set(Move::Pass, &rest);
        Ok(value)
    }

    /// The value in the null window below `beta`.
    pub(super) fn midgame_null(&mut self, board: &MidBoard, depth: u32, beta: i32) -> Outcome {
        self.midgame::<false>(board, depth, (beta - 1, beta), &mut Variation::default())
    }

    /// The value of a node of this depth, as the move to `next` makes it, in
    /// the null window above `floor`; so many of the node's moves have been
    /// tried, this one with them.
    #[inline(always)]
    pub(super) fn midgame_child(
        &mut self,
        next: &MidBoard,
        depth: u32,
        floor: i32,
        tried: u32,
    ) -> Outcome {
        let less = self.reduction(depth, tried);
        if less > 0 {
            let value = -self.midgame_null(next, depth - 1 - less, -floor)?;
            if value <= floor {
                return Ok(value);
            }
        }
        Ok(-self.midgame_null(next, depth - 1, -floor)?)
    }

    /// Late-move reduction: how many plies a move is searched less deeply
    /// that comes late in the order, unless it turns out to be good.
    #[inline(always)]
    fn reduction(&self, depth: u32, tried: u32) -> u32 {
        if depth < REDUCED || self.confidence == Confidence::FULL {
            return 0;
        }
        u32::from(tried > LATE) + u32::from(depth >= 2 * REDUCED && tried > 2 * LATE)
    }

    fn midgame_moves<const PV: bool>(
        &mut self,
        board: &MidBoard,
        depth: u32,
        (alpha, beta): (i32, i32),
        candidates: &mut Candidates,
        variation: &mut Variation,
    ) -> Result<(i32, Option<Square>), Stopped> {
        let (mut best, mut square) = (NONE, None);
        let mut rest = Variation::default();
        while let Some(candidate) = candidates.next(|moves| self.order_midgame(moves, board, depth))
        {
            let floor = alpha.max(best);
            let value = if candidate.flips == board.position().opponent {
                rest.clear();
                WIPE_OUT
            } else {
                let next = &board.after(candidate.square, candidate.flips);
                let mut value = best;
                if !PV || square.is_some() {
                    value = self.midgame_child(next, depth, floor, candidates.taken())?;
                }
                if PV && (square.is_none() || (value > floor && value < beta)) {
                    value = -self.midgame::<true>(next, depth - 1, (-beta, -floor), &mut rest)?;
                }
                value
            };
            if value > best {
                if PV && value > floor {
                    variation.set(Move::Place(candidate.square), &rest);
                }
                (best, square) = (value, Some(candidate.square));
                if value >= beta {
                    break;
                }
            }
            if !PV && depth >= SPLIT && candidates.len() > 0 && self.may_split() {
                candidates.put_in_order(|moves| self.order_midgame(moves, board, depth));
                let below = Below::Midgame(depth);
                return self.split(board, below, alpha, (best, square), std::mem::take(candidates));
            }
        }
        Ok((best, square))
    }

    /// Gives each move its worth: what the patterns say of the position after
    /// it, and how few moves it leaves the opponent.
    fn order_midgame(&mut self, candidates: &mut Candidates, board: &MidBoard, depth: u32) {
        let position = board.position();
        if depth <= BY_MOBILITY {
            return order(candidates, position, quick_worth);
        }
        order(candidates, position, |candidate, next| {
            -self.glance_after(board, candidate) - MOBILITY * weighted_mobility(next.moves())
                + square_worth(candidate.square)
        });
    }
}
