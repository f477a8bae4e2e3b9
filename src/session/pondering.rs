//! Pondering: searching while the opponent thinks.
//!
//! The position after the engine's own move is searched, whichever reply may come: that fills the
//! transposition table for the next search. Pondering reports nothing, and ends where the engine is
//! needed or the game changes.

use umigame_engine::{Engine, Limits, RunningSearch};
use umigame_othello::{Board, Move};

/// A position to ponder: the board after the engine's own move.
#[derive(Debug)]
pub(super) struct AwaitedReply {
    board: Board,
    /// The searches of the position that were begun last, and their limits.
    pub(super) pondering: Option<(Limits, RunningSearch)>,
}

impl AwaitedReply {
    /// Returns the position after `own` is played on `board`; `None` if the game ends with it.
    pub fn after(board: &Board, own: Move) -> Option<AwaitedReply> {
        let mut after = board.clone();
        let goes_on = after.play(own).is_ok() && !after.is_over();
        goes_on.then_some(AwaitedReply { board: after, pondering: None })
    }

    /// Returns the board after the engine's own move.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns whether `board` is the awaited position, so that the reply has not come yet.
    pub fn is_at(&self, board: &Board) -> bool {
        self.board.position() == board.position()
            && self.board.side_to_move() == board.side_to_move()
    }

    /// Returns whether the position was searched to these limits, or is being searched.
    pub fn is_pondered_to(&self, limits: &Limits) -> bool {
        self.pondering.as_ref().is_some_and(|(pondered, running)| {
            pondered == limits && (running.has_finished() || !running.has_ended())
        })
    }

    /// Begins to search the position to these limits, first for the best reply, then for every
    /// reply. Searches that were stopped before have left their part in the table.
    pub fn ponder(&mut self, engine: &mut Engine, limits: Limits) {
        let series = [1, usize::MAX].map(|lines| limits.clone().with_lines(lines));
        self.pondering = None;
        match engine.start_with(self.board.position(), series, ()) {
            Ok(running) => self.pondering = Some((limits, running)),
            Err(error) => log::warn!("no pondering: {error}"),
        }
    }
}
