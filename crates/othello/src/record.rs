//! Records: a game with its players, clocks and result, independent of any file format.
//!
//! A record holds the start position (any discs, any side to move) and every move, passes included.
//! It holds no board: [`Record::board`] replays the moves, and [`Record::from_board`] takes them
//! from a board's history.

use std::time::Duration;

use crate::board::{Board, IllegalMove};
use crate::clock::Clock;
use crate::color::Color;
use crate::moves::Move;
use crate::position::Position;
use crate::score::{Eval, Score};

/// A move of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The disc or the pass.
    pub played: Move,
    /// The mover's eval after the move, from the mover's point of view, if known.
    pub eval: Option<Eval>,
    /// Time used, to the millisecond, if known.
    pub time: Option<Duration>,
}

impl From<Move> for Turn {
    fn from(played: Move) -> Turn {
        Turn { played, eval: None, time: None }
    }
}

/// One side of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Player {
    /// The name; empty if unknown.
    pub name: String,
    /// The rating before the game, if known.
    pub rating: Option<f64>,
    /// The clock at the start of the game, if there was one.
    pub clock: Option<Clock>,
}

/// The way a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum GameEnd {
    /// Played until neither side could move.
    #[default]
    Played,
    /// One side resigned.
    Resigned,
    /// One side ran out of time.
    TimedOut,
    /// The players agreed on a score.
    Agreed,
}

/// The result of a game as a file states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameOutcome {
    /// Black's score in hundredths of a disc, the winner taking the empties. Games with komi have
    /// fractions.
    pub black_centidiscs: i32,
    /// The way it ended.
    pub end: GameEnd,
}

impl GameOutcome {
    /// Returns the outcome of a game played to the end, from Black's score.
    pub const fn of(black: Score) -> GameOutcome {
        GameOutcome { black_centidiscs: black.discs() * 100, end: GameEnd::Played }
    }

    /// Returns Black's score, or `None` if it has a fraction or exceeds 64 discs.
    pub const fn score_for_black(self) -> Option<Score> {
        match self.black_centidiscs % 100 {
            0 => Score::new(self.black_centidiscs / 100),
            _ => None,
        }
    }
}

/// A game: start, moves, players, result.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The discs at the start.
    pub start: Position,
    /// The side to move at the start.
    pub side: Color,
    /// The moves in order, passes included.
    pub turns: Vec<Turn>,
    /// Black, then White.
    pub players: [Player; 2],
    /// The server, city or tournament; empty if unknown.
    pub place: String,
    /// The date as the file spells it; empty if unknown.
    pub date: String,
    /// The stated result, if any; not checked against the moves.
    pub outcome: Option<GameOutcome>,
    /// The kind of game as GGF spells it: `8` standard, `8r18` random start, `8k` komi, `s8r20`
    /// synchro.
    pub kind: String,
    /// Tags without a field of their own, in the order of the file: komi (`KB`, `KW`, `KM`),
    /// comments, unknown tags.
    pub tags: Vec<(String, String)>,
}

impl Default for Record {
    /// Returns a game from the standard start, without moves.
    fn default() -> Record {
        Record::from_start(Position::START, Color::Black)
    }
}

/// The first illegal move of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number} ({played}) is illegal: {why}")]
pub struct ReplayError {
    /// Number of the move, from 1, passes included.
    pub number: usize,
    /// The move.
    pub played: Move,
    /// The reason.
    pub why: IllegalMove,
}

impl Record {
    /// Returns a game from any position, without moves.
    pub fn from_start(start: Position, side: Color) -> Record {
        Record {
            start,
            side,
            turns: Vec::new(),
            players: Default::default(),
            place: String::new(),
            date: String::new(),
            outcome: None,
            kind: "8".to_string(),
            tags: Vec::new(),
        }
    }

    /// Returns the game in a board's history, from the board's first position.
    pub fn from_board(board: &Board) -> Record {
        let mut first = board.clone();
        while first.undo().is_some() {}
        let mut record = Record::from_start(first.position(), first.side_to_move());
        record.turns = board.history().map(Turn::from).collect();
        record
    }

    /// Returns a side's player.
    pub const fn player(&self, color: Color) -> &Player {
        let [black, white] = &self.players;
        match color {
            Color::Black => black,
            Color::White => white,
        }
    }

    /// Returns true if the game begins from the standard start.
    pub fn is_standard(&self) -> bool {
        self.start == Position::START && self.side == Color::Black
    }

    /// Returns the board before the first move.
    pub fn start_board(&self) -> Board {
        Board::from_position(self.start, self.side)
    }

    /// Returns the board after the last move, with all moves in its history.
    ///
    /// # Errors
    /// [`ReplayError`] with the first illegal move.
    pub fn board(&self) -> Result<Board, ReplayError> {
        let mut board = self.start_board();
        for (index, turn) in self.turns.iter().enumerate() {
            board.play(turn.played).map_err(|why| ReplayError {
                number: index + 1,
                played: turn.played,
                why,
            })?;
        }
        Ok(board)
    }

    /// Returns the side that makes the move with an index: sides alternate, since passes are moves.
    pub fn mover(&self, index: usize) -> Color {
        if index.is_multiple_of(2) { self.side } else { !self.side }
    }

    /// Returns the time left on a side's clock after the moves: main time, plus an increment for each
    /// of its moves, less the time of each; zero if it ran out, `None` without a clock. Grace is not
    /// included.
    pub fn time_left(&self, color: Color) -> Option<Duration> {
        let clock = self.player(color).clock?;
        let own = self.turns.iter().skip(usize::from(color != self.side)).step_by(2);
        let (mut spent, mut gained) = (Duration::ZERO, Duration::ZERO);
        for turn in own {
            spent = spent.saturating_add(turn.time.unwrap_or_default());
            gained = gained.saturating_add(clock.increment);
        }
        Some(clock.main.saturating_add(gained).saturating_sub(spent))
    }

    /// Returns the first value of a tag that has no field of its own.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }
}

/// Returns the year of a date in any spelling: its first number of four digits.
pub fn year_of_date(date: &str) -> Option<u16> {
    let mut numbers = date.split(|char: char| !char.is_ascii_digit());
    numbers.find(|number| number.len() == 4)?.parse().ok()
}
