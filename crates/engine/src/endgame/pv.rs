//! The principal variation of an endgame: the few nodes with an open window, searched move by move
//! to the last disc.

use super::hash_search::SHARED_MIN_EMPTIES;
use super::move_list::MOBILITY_MAX_EMPTIES;
use crate::moves::move_picker::MovePicker;
use crate::parallel::deferred_moves::DeferredMoves;
use crate::report::variation::Variation;
use crate::table::hash::Hash;
use crate::worker::{Searched, Worker};
use umigame_eval::MidBoard;
use umigame_eval::value::Window;
use umigame_eval::value::{BestMove, Discs};
use umigame_othello::Move;

impl Worker<'_> {
    /// Searches a node to the end of the game in an open window. Fail-soft.
    ///
    /// If the score lies inside the window, `variation` holds the play to the end of the game.
    pub(crate) fn endgame(
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
        let mut deferred =
            DeferredMoves::new(self.deferral(position.empties(), SHARED_MIN_EMPTIES));
        while let Some(taken) = deferred.next(
            || picker.next(|moves| self.order_endgame(moves, board, alpha)),
            |candidate| candidate.after(position),
        ) {
            let played = taken.played;
            let next = &board.after(played.square, played.flips);
            let window = window.raise_alpha(best.value);
            let searched = self.endgame_pvs(next, taken.number == 1, window, &mut rest);
            deferred.finished(&taken);
            let (score, is_open) = searched?;
            if is_open && score > window.alpha {
                variation.set(Move::Place(played.square), &rest);
            }
            if score > best.value {
                best = BestMove::new(score, played.square);
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

    /// Searches the move to `next`: unless it is the first, in a null window, then in the open one
    /// if it raises alpha. Returns the score, and whether the open window was searched.
    fn endgame_pvs(
        &mut self,
        next: &MidBoard,
        is_first: bool,
        window: Window<Discs>,
        rest: &mut Variation,
    ) -> Searched<(Discs, bool)> {
        if !is_first {
            let score = -self.endgame_null(next, -window.lower_end())?;
            if !window.contains(score) {
                return Ok((score, false));
            }
        }
        Ok((-self.endgame(next, -window, rest)?, true))
    }
}
