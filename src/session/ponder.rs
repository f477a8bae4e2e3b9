//! Searching on while the opponent thinks.
//!
//! What is searched is the position that the opponent is looking at: it
//! fills the table that the next search begins with, whatever the reply. No
//! answer comes of it, and it is over with the first line that comes in.

use super::{Fresh, Session};
use umigame_engine::search::{Limits, Listener};
use umigame_othello::{Board, Move};

/// A reply that is awaited.
#[derive(Clone)]
pub(super) struct Awaited {
    /// After the engine's own move.
    board: Board,
    /// The limits up to which everything has been searched.
    done: Option<Limits>,
}

impl Session {
    /// The engine's own move for the board as it stands has been given out;
    /// whether the client repeats it or not, a reply to it comes next. Until
    /// then [`Session::ponder`] has something to do, if the options want it
    /// and the game goes on.
    pub fn await_reply(&mut self, best: Move) {
        self.awaited = None;
        let mut after = self.board.clone();
        if self.options.ponder && after.play(best).is_ok() && !after.is_over() {
            self.awaited = Some(Awaited { board: after, done: None });
        }
    }

    /// Whether [`Session::ponder`] has something to do.
    pub fn can_ponder(&self) -> bool {
        let awaited = self.awaited.as_ref();
        awaited.is_some_and(|awaited| awaited.done != Some(self.limits_before(&awaited.board)))
    }

    /// Searches the position after the engine's own last move until the
    /// listener has enough or there is no more to find out than the next
    /// search will ask: first by the best reply, then by every one. What was
    /// cut short goes on at the next call, if the reply has not come by then.
    pub fn ponder(&mut self, listener: &dyn Listener) {
        let Some(Awaited { board, done }) = self.awaited.clone() else { return };
        let limits = self.limits_before(&board);
        if done.as_ref() == Some(&limits) {
            return;
        }
        for lines in [1, usize::MAX] {
            self.search_position(
                board.position(),
                &limits.clone().with_lines(lines),
                &Fresh::of(listener),
            );
            if !listener.go_on() {
                return;
            }
        }
        self.awaited = Some(Awaited { board, done: Some(limits) });
    }

    /// The limits of the next search but for time and nodes, a ply earlier.
    fn limits_before(&self, board: &Board) -> Limits {
        let own = !board.side_to_move();
        let next = self.options.limits(1, self.clock(own).allowance());
        let timed = next.clock.is_some() || next.move_time.is_some();
        // Where time alone is the bound, the end is read as surely as it allows.
        let solve_from = if timed && next.depth >= 60 { 60 } else { next.solve_from + 1 };
        Limits {
            depth: (next.depth + 1).min(60),
            solve_from: solve_from.min(60),
            nodes: None,
            move_time: None,
            clock: None,
            ..next
        }
    }

    /// The board has changed: the reply is here, unless the change was only
    /// that the client has repeated the engine's own move.
    pub(super) fn board_changed(&mut self) {
        let board = &self.board;
        self.awaited.take_if(|awaited| {
            awaited.board.position() != board.position()
                || awaited.board.side_to_move() != board.side_to_move()
        });
    }
}
