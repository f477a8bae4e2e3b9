//! Games as a book stores them.
//!
//! Two games are the same where everything stored is the same: first position, moves, players,
//! place, date and result.

use umigame_othello::formats::transcript;
use umigame_othello::{Color, Move, Position, Record, ReplayError, Score, Square, position_text};

use crate::canonical::{CanonicalPosition, code_of};

/// A game as a book stores it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookGame {
    /// First position.
    pub start: Position,
    /// Side to move in the first position.
    pub side: Color,
    /// Moves without passes.
    pub squares: Vec<Square>,
    /// Name of Black, empty where unknown.
    pub black: String,
    /// Name of White, empty where unknown.
    pub white: String,
    /// Place, empty where unknown.
    pub place: String,
    /// Date, empty where unknown.
    pub date: String,
    /// Score for Black: that of the board where the game was played to its end, else that of the
    /// record.
    pub result: Option<Score>,
}

/// Returns a text without NUL: SQLite alone stores it, and it separates the texts hashed by
/// [`BookGame::id`].
fn without_nul(text: &str) -> String {
    text.replace('\0', " ").trim().to_owned()
}

/// A 128-bit hash of a game: games with the same id are the same game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameId {
    pub(crate) high: i64,
    pub(crate) low: i64,
}

/// A position met by a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Visit {
    /// Canonical.
    pub position: Position,
    /// Code of the canonical move played next; `None` where the game ends.
    pub played: Option<u8>,
    /// Result in discs for the side to move.
    pub result: Option<i8>,
}

impl BookGame {
    /// Takes the stored part of a record.
    ///
    /// # Errors
    /// The record has an illegal move.
    pub fn of(record: &Record) -> Result<BookGame, ReplayError> {
        let mut game = BookGame {
            start: record.start,
            side: record.side,
            squares: transcript::squares(record).collect(),
            black: without_nul(&record.player(Color::Black).name),
            white: without_nul(&record.player(Color::White).name),
            place: without_nul(&record.place),
            date: without_nul(&record.date),
            result: record.outcome.and_then(|outcome| outcome.score_for_black()),
        };
        let Some((last, side)) = game.replay(|_, _, _| {}) else {
            // The mailbox board names the illegal move.
            return record.board().map(|_| game);
        };
        if last.is_over() {
            let score = last.final_score();
            game.result = Some(if side == Color::Black { score } else { -score });
        }
        Ok(game)
    }

    /// Calls `each` with every position and its move, and returns the last position with its side
    /// to move; `None` at an illegal move.
    fn replay(&self, each: impl FnMut(Position, Color, Move)) -> Option<(Position, Color)> {
        replay(self.start, self.side, &self.squares, each)
    }

    /// Calls `each` with the positions of the game down to `min_empties`.
    pub(crate) fn visits(&self, min_empties: u32, mut each: impl FnMut(Visit)) {
        let black = self.result.map(|score| score.discs() as i8);
        let result =
            |side: Color| black.map(|discs| if side == Color::Black { discs } else { -discs });
        let mut visit = |position: Position, side: Color, played: Option<Move>| {
            if position.empties() < min_empties {
                return;
            }
            let canonical = CanonicalPosition::of(position);
            let played = played.map(|played| code_of(canonical.canonical_move(played)));
            each(Visit { position: canonical.position(), played, result: result(side) });
        };
        let last = self.replay(|position, side, played| visit(position, side, Some(played)));
        if let Some((position, side)) = last {
            visit(position, side, None);
        }
    }

    /// Returns the id of the game.
    pub fn id(&self) -> GameId {
        // FNV-1a, 128 bits: public domain, by Fowler, Noll and Vo.
        const PRIME: u128 = (1 << 88) + 0x13b;
        let mut hash: u128 = 0x6c62272e07bb014262b821756295c58d;
        let mut take = |text: &str| {
            for byte in text.bytes().chain([0]) {
                hash = (hash ^ u128::from(byte)).wrapping_mul(PRIME);
            }
        };
        take(&self.start_text());
        take(&self.moves_text());
        for text in [&self.black, &self.white, &self.place, &self.date] {
            take(text);
        }
        take(&self.result.map_or(String::new(), |score| score.discs().to_string()));
        GameId { high: (hash >> 64) as i64, low: hash as i64 }
    }

    /// Returns the first position as text, empty for the standard start.
    pub(crate) fn start_text(&self) -> String {
        let standard = self.start == Position::START && self.side == Color::Black;
        if standard { String::new() } else { position_text(self.start, self.side) }
    }

    /// Returns the moves as a transcript.
    pub(crate) fn moves_text(&self) -> String {
        let mut text = String::with_capacity(2 * self.squares.len());
        for square in &self.squares {
            text.push(char::from(b'a' + square.column()));
            text.push(char::from(b'1' + square.row()));
        }
        text
    }

    /// Builds a game from its columns: first position, moves, Black, White, place and date; and
    /// the result in discs.
    pub(crate) fn of_columns(texts: [String; 6], result: Option<i32>) -> Result<BookGame, String> {
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
            .map_err(|error| format!("the moves of a game cannot be read: {error}"))?;
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
}

/// Plays squares with the passes between them: calls `each` with every position and its move, and
/// returns the last position with its side to move; `None` at an illegal move.
pub(crate) fn replay(
    start: Position,
    side: Color,
    squares: &[Square],
    mut each: impl FnMut(Position, Color, Move),
) -> Option<(Position, Color)> {
    let (mut position, mut side) = (start, side);
    for &square in squares {
        if position.must_pass() {
            each(position, side, Move::Pass);
            (position, side) = (position.passed(), !side);
        }
        each(position, side, Move::Place(square));
        (position, side) = (position.play(square)?, !side);
    }
    // A pass at the end of a record is not a move of the game.
    Some((position, side))
}
