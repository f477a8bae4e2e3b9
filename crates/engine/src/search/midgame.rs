//! The middle game: principal variation search to a depth, then the
//! evaluation. Values are centidiscs for the side to move.

use super::confidence::Confidence;
use super::hash::Hash;
use super::move_picker::{MovePicker, ScoredMove};
use super::ordering::{mobility_score_after, order, square_score, weighted_mobility};
use super::parallel::SplitNode;
use super::table::{SearchDepth, decided};
use super::variation::Variation;
use super::worker::{Searched, Stopped, Worker};
use crate::eval::MidBoard;
use umigame_othello::{C_SQUARES, CORNERS, Move, Square, X_SQUARES, squares};

/// SplitNode every value there is.
const NEG_INFINITY: i32 = -6401;
/// A won wipe-out.
pub(super) const WIPE_OUT: i32 = 6400;
/// To this depth there is no table: writing it costs more than it saves.
const SHALLOW_MAX_DEPTH: u32 = 2;
/// To this depth moves are ordered without evaluation: it would cost more than
/// the order saves.
const MOBILITY_ORDER_MAX_DEPTH: u32 = 3;
/// From this depth on, the table is asked about every move before any is
/// searched.
const ETC_MIN_DEPTH: u32 = 4;
/// From this depth on, a node may be shared among threads.
const SPLIT_MIN_DEPTH: u32 = 7;
/// From this depth on, late moves are searched less deeply.
const LMR_MIN_DEPTH: u32 = 5;
/// Moves of a node that are not late.
const LMR_FULL_DEPTH_MOVES: u32 = 3;
/// What a move of the opponent weighs in ordering, in hundredths of a disc.
const MOBILITY_CENTIDISCS: i32 = 50;

impl Worker<'_> {
    /// The value of a position to a small depth, without tables or limits;
    /// fail-soft.
    pub(super) fn shallow_search(
        &mut self,
        board: &MidBoard,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
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
            return -self.shallow_search(&board.passed(), depth, -beta, -alpha);
        }
        if depth == 1 {
            self.search_leaves(board, legal, alpha, beta)
        } else {
            self.search_moves(board, legal, depth, alpha, beta)
        }
    }

    /// [`Worker::shallow_search`] to depth 1.
    #[inline(always)]
    fn search_leaves(&mut self, board: &MidBoard, legal: u64, alpha: i32, beta: i32) -> i32 {
        let position = board.position();
        let beside_corners = C_SQUARES | X_SQUARES;
        let mut best = NEG_INFINITY;
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

    /// [`Worker::shallow_search`] to depth 2 and more.
    #[inline(always)]
    fn search_moves(
        &mut self,
        board: &MidBoard,
        legal: u64,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let position = board.position();
        let mut picker = MovePicker::default();
        picker.fill(position, legal, None);
        order(&mut picker, position, mobility_score_after);
        let mut best = NEG_INFINITY;
        while let Some(ScoredMove { square, flips, .. }) = picker.take() {
            if flips == position.opponent {
                return WIPE_OUT;
            }
            let next = board.after(square, flips);
            let value = -self.shallow_search(&next, depth - 1, -beta, -alpha.max(best));
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
    pub(super) fn ordering_eval(&mut self, board: &MidBoard, move_: &ScoredMove) -> i32 {
        self.nodes += 1;
        self.shared.evaluation.pattern_eval_after(board, (move_.square, move_.flips))
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
    ) -> Searched {
        let (alpha, beta) = window;
        if !PV && depth <= SHALLOW_MAX_DEPTH {
            return Ok(self.shallow_search(board, depth, alpha, beta));
        }
        variation.clear();
        if depth == 0 {
            self.nodes += 1;
            return Ok(self.shared.evaluation.evaluate(board));
        }
        self.poll()?;
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
        let mut picker = MovePicker::default();
        picker.fill(position, legal, entry.as_ref());
        if !PV
            && depth >= ETC_MIN_DEPTH
            && let Some(value) =
                picker.etc_cutoff(position, self.shared.table, wanted.below(), beta)
        {
            return Ok(value);
        }
        if !PV && let Some(value) = self.probcut(board, depth, beta)? {
            return Ok(value);
        }
        let (best, square) =
            self.midgame_moves::<PV>(board, depth, window, &mut picker, variation)?;
        self.shared.table.store(hash, wanted, window, best, square);
        Ok(best)
    }

    fn midgame_pass<const PV: bool>(
        &mut self,
        board: &MidBoard,
        depth: u32,
        (alpha, beta): (i32, i32),
        variation: &mut Variation,
    ) -> Searched {
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
    pub(super) fn midgame_null(&mut self, board: &MidBoard, depth: u32, beta: i32) -> Searched {
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
    ) -> Searched {
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
        if depth < LMR_MIN_DEPTH || self.confidence == Confidence::FULL {
            return 0;
        }
        u32::from(tried > LMR_FULL_DEPTH_MOVES)
            + u32::from(depth >= 2 * LMR_MIN_DEPTH && tried > 2 * LMR_FULL_DEPTH_MOVES)
    }

    fn midgame_moves<const PV: bool>(
        &mut self,
        board: &MidBoard,
        depth: u32,
        (alpha, beta): (i32, i32),
        picker: &mut MovePicker,
        variation: &mut Variation,
    ) -> Result<(i32, Option<Square>), Stopped> {
        let (mut best, mut square) = (NEG_INFINITY, None);
        let mut rest = Variation::default();
        while let Some(candidate) = picker.next(|moves| self.order_midgame(moves, board, depth)) {
            let floor = alpha.max(best);
            let value = if candidate.flips == board.position().opponent {
                rest.clear();
                WIPE_OUT
            } else {
                let next = &board.after(candidate.square, candidate.flips);
                let mut value = best;
                if !PV || square.is_some() {
                    value = self.midgame_child(next, depth, floor, picker.taken())?;
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
            if !PV && depth >= SPLIT_MIN_DEPTH && picker.len() > 0 && self.may_split() {
                picker.put_in_order(|moves| self.order_midgame(moves, board, depth));
                let below = SplitNode::Midgame(depth);
                return self.split(board, below, alpha, (best, square), std::mem::take(picker));
            }
        }
        Ok((best, square))
    }

    /// Gives each move its worth: what the patterns say of the position after
    /// it, and how few moves it leaves the opponent.
    fn order_midgame(&mut self, picker: &mut MovePicker, board: &MidBoard, depth: u32) {
        let position = board.position();
        if depth <= MOBILITY_ORDER_MAX_DEPTH {
            return order(picker, position, mobility_score_after);
        }
        order(picker, position, |candidate, next| {
            -self.ordering_eval(board, candidate)
                - MOBILITY_CENTIDISCS * weighted_mobility(next.moves())
                + square_score(candidate.square)
        });
    }
}
