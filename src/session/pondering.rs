//! Pondering: searching while the opponent thinks.
//!
//! The position after the engine's own move is searched, whichever reply may come: that fills the
//! transposition table for the next search. Pondering reports nothing, and any line of input ends
//! it.

use umigame_engine::{Limits, MAX_DEPTH};
use umigame_othello::{Board, Move};

/// A position to ponder: the board after the engine's own move.
#[derive(Clone, Debug)]
pub(super) struct AwaitedReply {
    board: Board,
    /// Limits to which the position has been searched with every move.
    searched: Option<Limits>,
}

impl AwaitedReply {
    /// Returns the position after `own` is played on `board`; `None` if the game ends with it.
    pub fn after(board: &Board, own: Move) -> Option<AwaitedReply> {
        let mut after = board.clone();
        let goes_on = after.play(own).is_ok() && !after.is_over();
        goes_on.then_some(AwaitedReply { board: after, searched: None })
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

    /// Returns whether the position has been searched to these limits.
    pub fn is_searched_to(&self, limits: &Limits) -> bool {
        self.searched.as_ref() == Some(limits)
    }

    /// Records that the position has been searched to these limits.
    pub fn set_searched_to(&mut self, limits: Limits) {
        self.searched = Some(limits);
    }
}

/// Returns the limits of pondering: those of the next search a ply deeper, without nodes and time.
///
/// `next` are the limits of the engine's next search.
pub(super) fn pondering_limits(next: Limits) -> Limits {
    let timed = next.clock.is_some() || next.move_time.is_some();
    // If time is the only bound, the next search may solve the ending too.
    let solve_from = if timed && next.depth >= MAX_DEPTH { MAX_DEPTH } else { next.solve_from + 1 };
    Limits {
        depth: (next.depth + 1).min(MAX_DEPTH),
        solve_from: solve_from.min(MAX_DEPTH),
        nodes: None,
        move_time: None,
        clock: None,
        ..next
    }
}
