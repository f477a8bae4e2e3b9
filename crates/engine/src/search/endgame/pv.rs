//! The principal variation of an endgame: the few nodes with an open window, searched move by move
//! to the last disc.

use super::move_list::MOBILITY_MAX_EMPTIES;
use crate::eval::MidBoard;
use crate::search::hash::Hash;
use crate::search::move_picker::MovePicker;
use crate::search::value::{BestMove, Discs};
use crate::search::variation::Variation;
use crate::search::window::Window;
use crate::search::worker::{Searched, Worker};
use umigame_othello::Move;

impl Worker<'_> {
    /// Searches a node to the end of the game in an open window. Fail-soft.
    ///
    /// If the score lies inside the window, `variation` holds the play to the end of the game.
    pub(in crate::search) fn endgame(
        &mut self,
        board: &MidBoard,
        window: Window<Discs>,
        variation: &mut Variation,
    ) -> Searched<Discs> {
        self.poll()?;
        variation.clear();
        let position = board.position();
        let legal = position.moves();
        if legal == 0 {
            if position.passed().moves() == 0 {
                return Ok(position.final_score().into());
            }
            let mut rest = Variation::default();
            let score = -self.endgame(&board.passed(), -window, &mut rest)?;
            variation.set(Move::Pass, &rest);
            return Ok(score);
        }
        let hash = Hash::of(position);
        let is_stored = position.empties() > MOBILITY_MAX_EMPTIES;
        let entry = if is_stored { self.shared.table.probe(hash) } else { None };
        let mut picker = MovePicker::default();
        picker.fill(position, legal, entry.as_ref());

        let mut best = BestMove::UNSEARCHED;
        let mut rest = Variation::default();
        let alpha = window.alpha;
        while let Some(candidate) = picker.next(|moves| self.order_endgame(moves, board, alpha)) {
            let next = &board.after(candidate.square, candidate.flips);
            let window = window.raise_alpha(best.value);
            let is_first = best.square.is_none();
            let mut score = best.value;
            if !is_first {
                score = -self.endgame_null(next, -window.lower_end())?;
            }
            if is_first || window.contains(score) {
                score = -self.endgame(next, -window, &mut rest)?;
                if score > window.alpha {
                    variation.set(Move::Place(candidate.square), &rest);
                }
            }
            if score > best.value {
                best = BestMove::new(score, candidate.square);
                if score >= window.beta {
                    break;
                }
            }
        }
        if is_stored {
            let depth = self.endgame_depth(position.empties());
            self.shared.table.store(hash, depth, window.to_centidiscs(), best.to_centidiscs());
        }
        Ok(best.value)
    }
}
