//! SGF for Othello (`GM[2]`), with moves spelled `f5`, as Edax does, or `fe`, as Quarry does.
//!
//! Reads the main line of a game only: the first variation at every branch. Nothing recurses, so
//! nesting costs no stack. Stones set up before the first move change the standard start. Passes may
//! be written or left out. Times are not kept; evals are, as `V`, from Black's point of view.

use std::fmt::Write as _;

use super::entry::{GameEntry, MAX_GAME_BYTES};
use crate::text::quote;
use crate::{Bitboard, Color, Eval, Move, Position, Square};

use crate::clock::{Clock, decimal, seconds, seconds_text};
use crate::record::{GameEnd, GameOutcome, Record, Turn};
use crate::replay::{MoveError, Replay};

/// An error in a game in SGF.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SgfError {
    /// The text has no `(`.
    #[error("no game: expected `(;`")]
    NoGame,
    /// The text ends within the game.
    #[error("the game does not end: expected `)`")]
    Unfinished,
    /// A text between the properties that is no property.
    #[error("character {at} of the game: `{found}` is no property: expected NAME[value]")]
    BadProperty {
        /// Its place, in characters from 1 at the opening `(`.
        at: usize,
        /// The text there.
        found: String,
    },
    /// A main line of too many bytes; reading goes on within the game.
    #[error("the game is longer than {MAX_GAME_BYTES} bytes")]
    TooLong,
    /// A game other than Othello.
    #[error("unsupported game `{0}`: expected GM[2]")]
    OtherGame(String),
    /// A board other than eight by eight.
    #[error("unsupported size `{0}`: expected 8")]
    UnsupportedSize(String),
    /// A setup with a text that is no square or no colour.
    #[error("setup {name}: `{found}` is no {expected}")]
    BadSetup {
        /// Its place, in characters from 1 at the opening `(`.
        at: usize,
        /// The property.
        name: String,
        /// The text there.
        found: String,
        /// The expected kind of text.
        expected: &'static str,
    },
    /// Stones set up in the middle of a game.
    #[error("setup {name} after move {number}: expected before the first move only")]
    LateSetup {
        /// Its place, in characters from 1 at the opening `(`.
        at: usize,
        /// The property.
        name: String,
        /// Number of moves before it, passes included.
        number: usize,
    },
    /// A move that cannot be read.
    #[error("move {number}: `{found}` is no move: expected f5 or fe, or a pass")]
    BadMove {
        /// Its place, in characters from 1 at the opening `(`.
        at: usize,
        /// Number of the move, from 1, passes included.
        number: usize,
        /// The text there.
        found: String,
    },
    /// An illegal move, or a move by the wrong side.
    #[error("move {number}: {error}")]
    Illegal {
        /// Its place, in characters from 1 at the opening `(`.
        at: usize,
        /// Number of the move, from 1, passes included.
        number: usize,
        /// The reason.
        error: MoveError,
    },
}

impl SgfError {
    /// Returns the place of the fault in characters from 1 at the opening `(`, where it is known.
    pub fn at(&self) -> Option<usize> {
        match *self {
            SgfError::BadProperty { at, .. }
            | SgfError::BadSetup { at, .. }
            | SgfError::LateSetup { at, .. }
            | SgfError::BadMove { at, .. }
            | SgfError::Illegal { at, .. } => Some(at),
            _ => None,
        }
    }
}

/// Reads the first game of a text.
///
/// # Errors
/// [`SgfError`].
pub fn parse(text: &str) -> Result<Record, SgfError> {
    games(text).next().map_or(Err(SgfError::NoGame), |entry| entry.record)
}

/// Reads the games of a text one by one. A faulty game is reported in its place; reading goes on
/// behind it.
pub fn games(text: &str) -> impl Iterator<Item = GameEntry<SgfError>> + '_ {
    let (mut at, mut game, mut line, mut counted) = (0, 0, 1, 0);
    std::iter::from_fn(move || {
        let start = at + text.get(at..)?.find('(')?;
        line += text.get(counted..start)?.matches('\n').count();
        counted = start;
        game += 1;
        let tree = text.get(start..)?;
        let (properties, length) = main_line(tree);
        at = start + length.max(1);
        let record = properties.and_then(|properties| record(tree, properties));
        Some(GameEntry { game, line, record })
    })
}

/// A property of the main line: its name, the byte of one of its values, and the value as written.
type Property<'a> = (String, usize, &'a str);

/// Returns the place of a byte of a game, in characters from 1.
fn place(game: &str, byte: usize) -> usize {
    game.get(..byte).map_or(0, |before| before.chars().count()) + 1
}

/// Reads the properties of the main line of the game tree at the beginning of a text. Returns the
/// bytes of the whole tree too; after an error, the byte where reading stopped.
fn main_line(text: &str) -> (Result<Vec<Property<'_>>, SgfError>, usize) {
    let mut found = Vec::new();
    let mut name = String::new();
    let (mut depth, mut left_main_line) = (0usize, false);
    let (mut nodes, mut last_open, mut kept) = (0usize, 0, 0usize);
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let at = text.len() - rest.len();
        let Some(letter) = rest.chars().next() else {
            return (Err(SgfError::Unfinished), text.len());
        };
        match letter {
            '(' => {
                depth += 1;
                last_open = at;
            }
            // The first variation ends here; other variations follow.
            ')' => {
                left_main_line = true;
                depth -= 1;
                if depth == 0 {
                    return (Ok(found), at + 1);
                }
            }
            ';' => {
                nodes += 1;
                name.clear();
            }
            // GM or FF begins a new game: the game before it lacks its closing bracket.
            '[' if matches!(name.as_str(), "GM" | "FF") && nodes > 1 && last_open > 0 => {
                return (Err(SgfError::Unfinished), last_open);
            }
            '[' if !name.is_empty() => {
                let inside = rest.get(1..).unwrap_or("");
                let Some(length) = value_length(inside) else {
                    return (Err(SgfError::Unfinished), text.len());
                };
                if !left_main_line {
                    // The shortest property takes three bytes: `C[]`.
                    kept += name.len() + length + 2;
                    if kept > MAX_GAME_BYTES {
                        return (Err(SgfError::TooLong), at);
                    }
                    found.push((name.clone(), at + 1, inside.get(..length).unwrap_or("")));
                }
                rest = inside.get(length..).unwrap_or("");
            }
            'A'..='Z' | 'a'..='z' => {
                let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
                // Old files write long names, whose capitals are the name.
                let (word, after) = rest.split_at(letters);
                name = word.chars().filter(char::is_ascii_uppercase).take(8).collect();
                rest = after;
                continue;
            }
            _ => {
                let error = SgfError::BadProperty { at: place(text, at), found: quote(rest) };
                return (Err(error), at);
            }
        }
        rest = rest.get(1..).unwrap_or("");
    }
}

/// Returns the bytes of a value before its closing bracket; `\` escapes the next character.
fn value_length(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let closes = byte == b']' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

fn unescaped(value: &str) -> String {
    let mut escaped = false;
    let mut text = String::with_capacity(value.len());
    for letter in value.chars() {
        escaped = letter == '\\' && !escaped;
        if !escaped {
            text.push(letter);
        }
    }
    text.trim().to_string()
}

/// A game while it is read.
struct SgfReader {
    record: Record,
    /// The discs of Black and White.
    discs: [Bitboard; 2],
    /// The side to move first, if the file states it.
    side: Option<Color>,
    /// The moves, from the first one on.
    replay: Option<Replay>,
    clock: Option<Clock>,
}

fn record(game: &str, properties: Vec<Property<'_>>) -> Result<Record, SgfError> {
    let start = Position::START;
    let mut reader = SgfReader {
        record: Record::default(),
        discs: [start.player(), start.opponent()],
        side: None,
        replay: None,
        clock: None,
    };
    for (name, byte, value) in properties {
        reader.property(&name, value, &|| place(game, byte))?;
    }
    let replay = reader.replay(Color::Black);
    let turns = std::mem::replace(replay, Replay::new(start, Color::Black)).into_turns();
    reader.record.turns = turns;
    for player in &mut reader.record.players {
        player.clock = reader.clock;
    }
    Ok(reader.record)
}

impl SgfReader {
    /// Ends the setup and returns the moves so far. `first` moves first if the file does not state
    /// the side.
    fn replay(&mut self, first: Color) -> &mut Replay {
        let [black, white] = self.discs;
        let record = &mut self.record;
        let side = self.side.unwrap_or(first);
        self.replay.get_or_insert_with(|| {
            record.side = side;
            record.start = match side {
                Color::Black => Position::new_unchecked(black, white),
                Color::White => Position::new_unchecked(white, black),
            };
            Replay::new(record.start, side)
        })
    }

    /// Takes a property. `at` is the place of its value, which takes time to count.
    fn property(
        &mut self,
        name: &str,
        value: &str,
        at: &dyn Fn() -> usize,
    ) -> Result<(), SgfError> {
        let text = unescaped(value);
        let [black, white] = &mut self.record.players;
        match name {
            "GM" if !matches!(text.as_str(), "" | "2") => {
                return Err(SgfError::OtherGame(quote(&text)));
            }
            "SZ" if !matches!(text.as_str(), "" | "8" | "8:8") => {
                return Err(SgfError::UnsupportedSize(quote(&text)));
            }
            // Facts about the writer and the format.
            "GM" | "SZ" | "FF" | "CA" | "AP" | "ST" | "KM" => {}
            "PB" => black.name = text,
            "PW" => white.name = text,
            "BR" => black.rating = decimal(&text),
            "WR" => white.rating = decimal(&text),
            "PC" => self.record.place = text,
            "DT" => self.record.date = text,
            "RE" => self.record.outcome = outcome(&text),
            "TM" => self.clock = seconds(&text).map(Clock::new),
            "B" => self.play(Color::Black, &text, at)?,
            "W" => self.play(Color::White, &text, at)?,
            "V" => self.evaluate(&text),
            "AB" | "AW" | "AE" | "PL" => self.set_up(name, &text, at)?,
            _ => self.record.tags.push((name.to_string(), text)),
        }
        Ok(())
    }

    fn set_up(&mut self, name: &str, text: &str, at: &dyn Fn() -> usize) -> Result<(), SgfError> {
        if let Some(replay) = &self.replay {
            let (name, number) = (name.to_string(), replay.plies());
            return Err(SgfError::LateSetup { at: at(), name, number });
        }
        let bad = |expected| {
            let (name, found) = (name.to_string(), quote(text));
            SgfError::BadSetup { at: at(), name, found, expected }
        };
        if name == "PL" {
            self.side = match text.chars().next() {
                Some('B' | 'b' | '1') => Some(Color::Black),
                Some('W' | 'w' | '2') => Some(Color::White),
                _ => return Err(bad("side: expected B or W")),
            };
            return Ok(());
        }
        let squares = area(text).ok_or_else(|| bad("square: expected f5 or fe"))?;
        let [black, white] = &mut self.discs;
        *black &= !squares;
        *white &= !squares;
        match name {
            "AB" => *black |= squares,
            "AW" => *white |= squares,
            _ => {}
        }
        Ok(())
    }

    fn play(&mut self, mover: Color, text: &str, at: &dyn Fn() -> usize) -> Result<(), SgfError> {
        let replay = self.replay(mover);
        let Some(played) = move_of(text) else {
            let number = replay.plies() + 1;
            return Err(SgfError::BadMove { at: at(), number, found: quote(text) });
        };
        if played == Move::Pass && replay.position().is_over() {
            return Ok(());
        }
        let played = replay.play_as(mover, Turn::from(played));
        let number = replay.plies() + 1;
        played.map_err(|error| SgfError::Illegal { at: at(), number, error })
    }

    /// Sets the eval of the last move.
    fn evaluate(&mut self, text: &str) {
        let Some(discs) = decimal(text) else { return };
        let eval = Eval::from_centidiscs((discs * 100.0).round() as i32);
        if let Some(replay) = &mut self.replay {
            replay.set_last_eval_for_black(eval);
        }
    }
}

/// Reads a square in either spelling; the second character tells which.
fn square_of(text: &str) -> Option<Square> {
    let bytes = text.as_bytes();
    match *bytes {
        [_, digit] if digit.is_ascii_digit() => text.parse().ok(),
        [column, row] => {
            let index = |letter: u8| {
                i8::try_from(letter.to_ascii_lowercase()).ok()?.checked_sub(b'a' as i8)
            };
            Square::at(index(column)?, index(row)?)
        }
        _ => None,
    }
}

/// Reads a square or a rectangle of squares, `c3:f6`.
fn area(text: &str) -> Option<Bitboard> {
    let (first, last) = text.split_once(':').unwrap_or((text, text));
    let (first, last) = (square_of(first.trim())?, square_of(last.trim())?);
    let inside = |square: &Square| {
        (first.column()..=last.column()).contains(&square.column())
            && (first.row()..=last.row()).contains(&square.row())
    };
    Some(Square::all().filter(inside).collect())
}

fn move_of(text: &str) -> Option<Move> {
    match square_of(text) {
        Some(square) => Some(Move::Place(square)),
        None if matches!(text, "" | "tt") => Some(Move::Pass),
        None => text.parse().ok().filter(|&played| played == Move::Pass),
    }
}

/// Reads `B+12`, `W+3`, `0`, `Draw`; a win by resignation or on time counts 64 discs.
fn outcome(text: &str) -> Option<GameOutcome> {
    let lower = text.to_ascii_lowercase();
    if matches!(lower.as_str(), "0" | "draw") {
        return Some(GameOutcome { black_centidiscs: 0, end: GameEnd::Played });
    }
    let (sign, margin) = match lower.split_once('+')? {
        ("b" | "black", margin) => (1, margin),
        ("w" | "white", margin) => (-1, margin),
        _ => return None,
    };
    let (discs, end) = match margin.chars().next() {
        Some('r') => (64.0, GameEnd::Resigned),
        Some('t' | 'f') => (64.0, GameEnd::TimedOut),
        _ => (decimal(margin).filter(|discs| (0.0..=1000.0).contains(discs))?, GameEnd::Played),
    };
    Some(GameOutcome { black_centidiscs: sign * (discs * 100.0).round() as i32, end })
}

/// Writes a game as a tree without variations, moves as Edax spells them.
pub fn text(record: &Record) -> String {
    let mut text = String::from("(;FF[4]GM[2]CA[UTF-8]SZ[8]");
    let [black, white] = &record.players;
    let rating = |rating: Option<f64>| rating.map(|rating| rating.to_string()).unwrap_or_default();
    let clock = black.clock.filter(|_| black.clock == white.clock);
    let clock = clock.map(|clock| seconds_text(clock.main)).unwrap_or_default();
    for (name, value) in [
        ("PB", black.name.as_str()),
        ("PW", &white.name),
        ("BR", &rating(black.rating)),
        ("WR", &rating(white.rating)),
        ("PC", &record.place),
        ("DT", &record.date),
        ("RE", &record.outcome.map(outcome_text).unwrap_or_default()),
        ("TM", &clock),
    ] {
        if !value.is_empty() {
            push(&mut text, name, value);
        }
    }
    if !record.is_standard() {
        push_setup(&mut text, record);
    }
    for (index, turn) in record.turns.iter().enumerate() {
        let mover = record.mover(index);
        text.push(';');
        let name = if mover == Color::Black { "B" } else { "W" };
        push(
            &mut text,
            name,
            &turn.played.square().map_or("PA".to_string(), |square| square.to_string()),
        );
        if let Some(eval) = turn.eval {
            let black = if mover == Color::Black { eval } else { -eval };
            push(&mut text, "V", &format!("{:.2}", black.discs()));
        }
    }
    text.push(')');
    text
}

fn push(text: &mut String, name: &str, value: &str) {
    let value = value.replace('\\', "\\\\").replace(']', "\\]").replace(['\n', '\r'], " ");
    // Writing to a string cannot fail.
    let _ = write!(text, "{name}[{}]", value.trim());
}

/// Writes the discs of the start, and the squares of the standard start that it leaves empty.
fn push_setup(text: &mut String, record: &Record) {
    let board = record.start_board();
    let cleared = Position::START.empty() | !board.position().empty();
    for (name, color) in [("AB", Some(Color::Black)), ("AW", Some(Color::White)), ("AE", None)] {
        let named = |square: &Square| match color {
            Some(_) => board.get(*square) == color,
            None => !cleared.contains(*square),
        };
        let squares: String =
            Square::all().filter(named).map(|square| format!("[{square}]")).collect();
        if !squares.is_empty() {
            text.push_str(name);
            text.push_str(&squares);
        }
    }
    push(text, "PL", if record.side == Color::Black { "B" } else { "W" });
}

fn outcome_text(outcome: GameOutcome) -> String {
    let winner = match outcome.black_centidiscs {
        0 => return "0".to_string(),
        1.. => "B",
        _ => "W",
    };
    let margin = match (outcome.end, outcome.black_centidiscs.unsigned_abs()) {
        (GameEnd::Resigned, _) => "R".to_string(),
        (GameEnd::TimedOut, _) => "T".to_string(),
        (_, discs) if discs % 100 == 0 => (discs / 100).to_string(),
        (_, centidiscs) => format!("{}.{:02}", centidiscs / 100, centidiscs % 100),
    };
    format!("{winner}+{margin}")
}
