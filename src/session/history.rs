//! The board of a game with undo, redo and implied passes.
//!
//! Clients differ in who names a forced pass. NBoard and match runners send it; Quarry leaves it
//! out and lets the other colour move again. A pass that nobody named is *implied*: the history
//! inserts it before the move that made it necessary and remembers its ply, so that undo takes
//! back both with one step and redo plays both.

use umigame_othello::{Board, Color, IllegalMove, Move};

/// A move that was taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Undone {
    played: Move,
    /// Whether an implied pass before it was taken back too.
    implied_pass: bool,
}

/// A board, the moves that led to it and those taken back since.
#[derive(Debug)]
pub(super) struct History {
    board: Board,
    /// Plies of implied passes, ascending.
    implied: Vec<usize>,
    undone: Vec<Undone>,
}

impl History {
    /// Starts from `board`, whose own moves can be undone.
    pub fn new(board: Board) -> History {
        History { board, implied: Vec::new(), undone: Vec::new() }
    }

    /// Returns the board as it stands.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Plays a move of the side to move.
    ///
    /// # Errors
    /// The move is illegal; nothing has changed.
    pub fn play(&mut self, played: Move) -> Result<(), IllegalMove> {
        self.board.play(played)?;
        self.undone.clear();
        Ok(())
    }

    /// Makes `color` the side to move, by an implied pass if the other colour must pass.
    ///
    /// # Errors
    /// The other colour can move, or the game is over; nothing has changed.
    pub fn give_turn(&mut self, color: Color) -> Result<(), IllegalMove> {
        if self.board.side_to_move() != color {
            let ply = self.board.plies();
            self.play(Move::Pass)?;
            self.implied.push(ply);
        }
        Ok(())
    }

    /// Plays a move of `color`, after an implied pass if the other colour must pass.
    ///
    /// # Errors
    /// The move is illegal; nothing has changed.
    pub fn play_as(&mut self, color: Color, played: Move) -> Result<(), IllegalMove> {
        if self.board.side_to_move() == color {
            return self.play(played);
        }
        let mut after = self.board.clone();
        after.pass()?;
        after.play(played)?;
        self.implied.push(self.board.plies());
        self.board = after;
        self.undone.clear();
        Ok(())
    }

    /// Takes back the last move and an implied pass before it; `None` at the start.
    ///
    /// An implied pass that no move has followed yet is taken back alone and cannot be redone.
    pub fn undo(&mut self) -> Option<Move> {
        let played = self.board.undo()?;
        let ply = self.board.plies();
        let was_implied = self.implied.pop_if(|implied| *implied == ply).is_some();
        let implied_pass =
            !was_implied && ply > 0 && self.implied.pop_if(|implied| *implied == ply - 1).is_some();
        if implied_pass {
            self.board.undo();
        }
        if !was_implied {
            self.undone.push(Undone { played, implied_pass });
        }
        Some(played)
    }

    /// Plays the last undone move again; `None` if there is none or a move was played since.
    pub fn redo(&mut self) -> Option<Move> {
        let Undone { played, implied_pass } = self.undone.pop()?;
        let ply = self.board.plies();
        let replayed =
            (!implied_pass || self.board.pass().is_ok()) && self.board.play(played).is_ok();
        debug_assert!(replayed, "an undone move is legal where it was undone");
        if implied_pass {
            self.implied.push(ply);
        }
        replayed.then_some(played)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// White must pass and Black can play a1.
    fn white_must_pass() -> History {
        let text = "-OXXXXXX-------------------------------------------------------- O";
        let (position, side) = umigame_othello::parse_position(text).unwrap();
        History::new(Board::from_position(position, side))
    }

    #[test]
    fn undo_restores_every_position_of_a_random_game_and_redo_replays_it() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..50 {
            let mut history = History::new(Board::start());
            let mut boards = vec![history.board().clone()];
            while !history.board().is_over() {
                let legal: Vec<_> = history.board().legal_squares().collect();
                let played = random.choice(&legal).map_or(Move::Pass, |square| (*square).into());
                history.play(played).unwrap();
                boards.push(history.board().clone());
            }
            for board in boards.iter().rev().skip(1) {
                assert!(history.undo().is_some());
                assert_eq!(history.board(), board);
            }
            assert_eq!(history.undo(), None);
            for board in boards.iter().skip(1) {
                assert!(history.redo().is_some());
                assert_eq!(history.board(), board);
            }
            assert_eq!(history.redo(), None);
        }
    }

    #[test]
    fn an_implied_pass_is_undone_and_redone_with_the_move_after_it() {
        let mut history = white_must_pass();
        let before = history.board().clone();
        let a1: Move = "a1".parse().unwrap();
        history.play_as(Color::Black, a1).unwrap();
        let after = history.board().clone();
        assert_eq!(after.plies(), 2);
        assert_eq!(history.undo(), Some(a1));
        assert_eq!(history.board(), &before);
        assert_eq!(history.redo(), Some(a1));
        assert_eq!(history.board(), &after);
        assert!(history.undo().is_some());
        assert_eq!(history.undo(), None);
    }

    #[test]
    fn an_implied_pass_without_a_move_is_undone_alone() {
        let mut history = white_must_pass();
        let before = history.board().clone();
        history.give_turn(Color::Black).unwrap();
        assert_eq!(history.undo(), Some(Move::Pass));
        assert_eq!(history.board(), &before);
        assert_eq!(history.redo(), None);
    }

    #[test]
    fn an_illegal_move_changes_nothing_even_after_an_implied_pass() {
        let mut history = white_must_pass();
        let before = history.board().clone();
        assert!(history.play_as(Color::Black, "e5".parse().unwrap()).is_err());
        assert!(history.play_as(Color::White, "a1".parse().unwrap()).is_err());
        assert_eq!(history.board(), &before);
        let mut history = History::new(Board::start());
        assert!(history.play_as(Color::White, "c3".parse().unwrap()).is_err(), "Black can move");
        assert!(history.give_turn(Color::White).is_err(), "Black can move");
        assert_eq!(history.board(), &Board::start());
    }
}
