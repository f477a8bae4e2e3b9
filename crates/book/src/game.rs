//! Games as the book keeps them, and what makes two of them the same.
//!
//! A game is the same as another where everything that the book keeps of it
//! is: first position, moves, players, place, date and result. Players who
//! repeat a game of others have played another game.

use umigame_othello::game::{Record, ReplayError, transcript};
use umigame_othello::{Color, Move, Position, Score, Square, position_text};

use super::canonical::{CanonicalPosition, code_of};

/// A game as the book keeps it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookGame {
    /// The first position.
    pub start: Position,
    /// Who is to move there.
    pub side: Color,
    /// The moves without the passes.
    pub squares: Vec<Square>,
    /// Black's name, empty where unknown.
    pub black: String,
    /// White's name, empty where unknown.
    pub white: String,
    /// Where it was played, empty where unknown.
    pub place: String,
    /// When, empty where unknown.
    pub date: String,
    /// Black's score: that of the board where the game was played to its end,
    /// otherwise what the file says.
    pub result: Option<Score>,
}

/// A text without what no database but SQLite would keep in it, and what
/// parts one text from the next in [`BookGame::identity`].
fn kept(text: &str) -> String {
    text.replace('\0', " ").trim().to_owned()
}

/// What stands for a game: two games with one identity are the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameId(i64, i64);

impl GameId {
    pub(super) fn of_columns(high: i64, low: i64) -> GameId {
        GameId(high, low)
    }

    pub(super) fn high(self) -> i64 {
        self.0
    }

    pub(super) fn low(self) -> i64 {
        self.1
    }
}

/// A position that a game met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    /// CanonicalPosition.
    pub position: Position,
    /// The move that followed, folded; none where the game ends.
    pub played: Option<u8>,
    /// The result for the side to move.
    pub result: Option<i8>,
}

impl BookGame {
    /// The game of a record.
    ///
    /// # Errors
    /// The first move that is illegal.
    pub fn of(record: &Record) -> Result<BookGame, ReplayError> {
        let mut game = BookGame {
            start: record.start,
            side: record.side,
            squares: transcript::squares(record).collect(),
            black: kept(&record.player(Color::Black).name),
            white: kept(&record.player(Color::White).name),
            place: kept(&record.place),
            date: kept(&record.date),
            result: record.outcome.and_then(|outcome| outcome.score_for_black()),
        };
        let Some((last, side)) = game.replay(|_, _, _| {}) else {
            // The mailbox says what is wrong; it knows no more moves than
            // the bitboards.
            return record.board().map(|_| game);
        };
        if last.is_over() {
            let score = last.final_score();
            game.result = Some(if side == Color::Black { score } else { -score });
        }
        Ok(game)
    }

    /// Hands every position with the move that follows to `each`, and
    /// returns the last with its side to move; `None` at an illegal move.
    fn replay(&self, mut each: impl FnMut(Position, Color, Move)) -> Option<(Position, Color)> {
        let (mut position, mut side) = (self.start, self.side);
        for &square in &self.squares {
            if position.must_pass() {
                each(position, side, Move::Pass);
                (position, side) = (position.passed(), !side);
            }
            each(position, side, Move::Place(square));
            (position, side) = (position.place(square)?, !side);
        }
        // A pass that leads to nothing is no move of the game.
        Some((position, side))
    }

    /// The positions of the game, folded, up to the one with this many
    /// empties.
    pub(super) fn steps(&self, min_empties: u32, mut each: impl FnMut(Step)) {
        let black = self.result.map(|score| score.discs() as i8);
        let result =
            |side: Color| black.map(|discs| if side == Color::Black { discs } else { -discs });
        let mut hand = |position: Position, side: Color, played: Option<Move>| {
            if position.empties() < min_empties {
                return;
            }
            let folded = CanonicalPosition::of(position);
            let played = played.map(|played| code_of(folded.fold(played)));
            each(Step { position: folded.position(), played, result: result(side) });
        };
        let last = self.replay(|position, side, played| hand(position, side, Some(played)));
        if let Some((position, side)) = last {
            hand(position, side, None);
        }
    }

    /// What stands for the game.
    pub fn identity(&self) -> GameId {
        // FNV-1a, 128 bits: public domain, by Fowler, Noll and Vo.
        const PRIME: u128 = (1 << 88) + 0x13b;
        let mut hash: u128 = 0x6c62272e07bb014262b821756295c58d;
        let mut take = |text: &str| {
            for byte in text.bytes().chain([0]) {
                hash = (hash ^ u128::from(byte)).wrapping_mul(PRIME);
            }
        };
        take(&self.first_text());
        take(&self.moves_text());
        for text in [&self.black, &self.white, &self.place, &self.date] {
            take(text);
        }
        take(&self.result.map_or(String::new(), |score| score.discs().to_string()));
        GameId((hash >> 64) as i64, hash as i64)
    }

    /// The first position as text, empty for the standard one.
    pub(super) fn first_text(&self) -> String {
        let standard = self.start == Position::START && self.side == Color::Black;
        if standard { String::new() } else { position_text(self.start, self.side) }
    }

    /// The moves as a transcript.
    pub(super) fn moves_text(&self) -> String {
        let mut text = String::with_capacity(2 * self.squares.len());
        for square in &self.squares {
            text.push(char::from(b'a' + square.column()));
            text.push(char::from(b'1' + square.row()));
        }
        text
    }

    /// The game of its columns: first position, moves, Black, White, place,
    /// date; and the result.
    pub(super) fn of_columns(texts: [String; 6], result: Option<i32>) -> Result<BookGame, String> {
        let [first, moves, black, white, place, date] = texts;
        let (start, side) = match first.as_str() {
            "" => (Position::START, Color::Black),
            text => umigame_othello::parse_position(text).map_err(|error| error.to_string())?,
        };
        let squares = moves
            .as_bytes()
            .chunks(2)
            .map(|pair| std::str::from_utf8(pair).unwrap_or("").parse())
            .collect::<Result<Vec<Square>, _>>()
            .map_err(|error| format!("a game has no moves: {error}"))?;
        let result = match result {
            None => None,
            Some(discs) => {
                Some(Score::new(discs).ok_or_else(|| format!("a game has the result {discs}"))?)
            }
        };
        let game = BookGame { start, side, squares, black, white, place, date, result };
        match game.replay(|_, _, _| {}) {
            Some(_) => Ok(game),
            None => Err(format!("a game has an illegal move: {}", game.moves_text())),
        }
    }

    /// The game as a record, for writing it into a file of games.
    pub fn record(&self) -> Record {
        let mut record = Record::from_start(self.start, self.side);
        self.replay(|_, _, played| record.turns.push(played.into()));
        let [black, white] = &mut record.players;
        black.name.clone_from(&self.black);
        white.name.clone_from(&self.white);
        record.place.clone_from(&self.place);
        record.date.clone_from(&self.date);
        record.outcome = self.result.map(umigame_othello::game::Outcome::of);
        record
    }
}
