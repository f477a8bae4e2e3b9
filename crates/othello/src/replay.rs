//! Replay: builds the moves of a record from a file, with the passes that the file leaves out.

use crate::board::{Board, IllegalMove};
use crate::color::Color;
use crate::moves::Move;
use crate::position::Position;
use crate::record::Turn;
use crate::score::{Eval, Score};

/// The moves of a game so far, each one checked, and the position that they lead to.
#[derive(Clone, Debug)]
pub(crate) struct Replay {
    position: Position,
    side: Color,
    turns: Vec<Turn>,
}

impl Replay {
    pub(crate) fn new(start: Position, side: Color) -> Replay {
        Replay { position: start, side, turns: Vec::new() }
    }

    /// Returns the number of plies so far, passes included.
    pub(crate) fn plies(&self) -> usize {
        self.turns.len()
    }

    pub(crate) fn position(&self) -> Position {
        self.position
    }

    /// Returns Black's score if the game ends here.
    pub(crate) fn score_for_black(&self) -> Score {
        let score = self.position.final_score();
        if self.side == Color::Black { score } else { -score }
    }

    /// Sets the eval of the last move, given from Black's point of view.
    pub(crate) fn set_last_eval_for_black(&mut self, eval: Eval) {
        let mover = !self.side;
        if let Some(turn) = self.turns.last_mut() {
            turn.eval = Some(if mover == Color::Black { eval } else { -eval });
        }
    }

    pub(crate) fn into_turns(self) -> Vec<Turn> {
        self.turns
    }

    fn push(&mut self, turn: Turn, position: Position) {
        self.turns.push(turn);
        self.position = position;
        self.side = !self.side;
    }

    /// Plays a pass if the side to move must pass.
    fn pass_if_forced(&mut self) {
        if self.position.must_pass() {
            self.push(Turn::from(Move::Pass), self.position.passed());
        }
    }

    /// Plays a move. Inserts no pass.
    pub(crate) fn play(&mut self, turn: Turn) -> Result<(), IllegalMove> {
        let Some(position) = self.position.play(turn.played) else {
            // The mailbox board knows the reason.
            return Board::from_position(self.position, self.side).play(turn.played);
        };
        self.push(turn, position);
        Ok(())
    }

    /// Plays a move; before a disc, inserts the pass that is forced.
    pub(crate) fn play_passing(&mut self, turn: Turn) -> Result<(), IllegalMove> {
        if turn.played != Move::Pass {
            self.pass_if_forced();
        }
        self.play(turn)
    }

    /// Plays a move of `mover`; inserts the forced pass that gives `mover` the turn.
    pub(crate) fn play_as(&mut self, mover: Color, turn: Turn) -> Result<(), MoveError> {
        if mover != self.side {
            self.pass_if_forced();
        }
        if mover != self.side {
            return Err(MoveError::WrongSide { played: turn.played, mover });
        }
        Ok(self.play(turn)?)
    }
}

/// The reason why a move of a file cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MoveError {
    /// The other side is to move.
    #[error("{played} is by {mover}, but the other side is to move")]
    WrongSide {
        /// The move.
        played: Move,
        /// The side that made it, by the file.
        mover: Color,
    },
    /// The move is illegal.
    #[error("illegal: {0}")]
    Illegal(#[from] IllegalMove),
}
