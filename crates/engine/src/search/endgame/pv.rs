//! The principal variation of an ending: the few positions where the window
//! is open, read move by move to the last disc.

use super::MOBILITY_MAX_EMPTIES;
use crate::eval::MidBoard;
use crate::search::hash::Hash;
use crate::search::move_picker::MovePicker;
use crate::search::variation::Variation;
use crate::search::worker::{Searched, Worker};
use umigame_othello::Move;

impl Worker<'_> {
    /// The score of an ending in the window `alpha..beta`, fail-soft, in
    /// discs; inside the window, `variation` holds the play that leads to it,
    /// to the end of the game.
    pub(in crate::search) fn endgame(
        &mut self,
        board: &MidBoard,
        (alpha, beta): (i32, i32),
        variation: &mut Variation,
    ) -> Searched {
        self.poll()?;
        variation.clear();
        let position = board.position();
        let legal = position.moves();
        if legal == 0 {
            if position.passed().moves() == 0 {
                return Ok(position.final_score().discs());
            }
            let mut rest = Variation::default();
            let score = -self.endgame(&board.passed(), (-beta, -alpha), &mut rest)?;
            variation.set(Move::Pass, &rest);
            return Ok(score);
        }
        let hash = Hash::of(position);
        let stored = position.empties() > MOBILITY_MAX_EMPTIES;
        let entry = if stored { self.shared.table.probe(hash) } else { None };
        let mut picker = MovePicker::default();
        picker.fill(position, legal, entry.as_ref());

        let (mut best, mut square) = (-65, None);
        let mut rest = Variation::default();
        while let Some(candidate) = picker.next(|moves| self.order_endgame(moves, board, alpha)) {
            let next = &board.after(candidate.square, candidate.flips);
            let floor = alpha.max(best);
            let mut score = best;
            if square.is_some() {
                score = -self.endgame_null(next, -floor - 1)?;
            }
            if square.is_none() || (score > floor && score < beta) {
                score = -self.endgame(next, (-beta, -floor), &mut rest)?;
                if score > floor {
                    variation.set(Move::Place(candidate.square), &rest);
                }
            }
            if score > best {
                (best, square) = (score, Some(candidate.square));
                if score >= beta {
                    break;
                }
            }
        }
        if stored {
            let window = (100 * alpha, 100 * beta);
            self.shared.table.store(
                hash,
                self.endgame_depth(position.empties()),
                window,
                100 * best,
                square,
            );
        }
        Ok(best)
    }
}
