//! GGF, the game format of GGS and of the NBoard protocol.
//!
//! `(;GM[Othello]PC[...]...BO[8 <64 squares> *]B[F5//27.379]W[F4/1.25/0.1];)`
//!
//! Reads tags in any order, keeps unknown ones and does without missing ones; writes one line, in
//! NBoard's order. A value cannot hold `]`: the format has no escape for it. The error of an illegal
//! move carries the game up to that move.

use std::fmt::Write as _;

use super::entry::{GameEntry, MAX_GAME_BYTES};
use crate::text::quote;
use crate::{Color, Eval, IllegalMove, Move, ParsePositionError, parse_position, position_text};

use crate::clock::{decimal, seconds, seconds_text};
use crate::record::{GameEnd, GameOutcome, Record, Turn};
use crate::replay::{MoveError, Replay};

/// An error in a game in GGF.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GgfError {
    /// The text has no `(;`.
    #[error("no game: expected `(;`")]
    NoGame,
    /// A text between the tags that is no tag.
    #[error(
        "character {at} of the game: `{found}` is no tag: expected letters and a value in brackets"
    )]
    BadTag {
        /// Its place, in characters from 1 at the opening `(`.
        at: usize,
        /// The text there.
        found: String,
    },
    /// The text ends within the game.
    #[error("the game does not end: expected `;)`")]
    Unfinished,
    /// A game of too many bytes; reading goes on within it.
    #[error("the game is longer than {MAX_GAME_BYTES} bytes")]
    TooLong,
    /// A game other than Othello.
    #[error("unsupported game `{0}`: expected GM[Othello]")]
    OtherGame(String),
    /// A board other than eight by eight.
    #[error("unsupported size `{0}`: expected 8")]
    UnsupportedSize(String),
    /// The board cannot be read.
    #[error("the board: {0}")]
    Board(ParsePositionError),
    /// A move that cannot be read.
    #[error("move {number}: `{found}` is no move: expected a square or PA, then /eval/time")]
    BadMove {
        /// Its place, in characters from 1 at the opening `(`.
        at: usize,
        /// Number of the move, from 1, passes included.
        number: usize,
        /// The text there.
        found: String,
        /// The game before it.
        prefix: Box<Record>,
    },
    /// A move by the side that is not to move.
    #[error("move {number}: {played} is by {mover}, but the other side is to move")]
    WrongSide {
        /// Its place, in characters from 1 at the opening `(`.
        at: usize,
        /// Number of the move, from 1, passes included.
        number: usize,
        /// The move.
        played: Move,
        /// The side that made it, by the file.
        mover: Color,
        /// The game before it.
        prefix: Box<Record>,
    },
    /// An illegal move.
    #[error("move {number} is illegal: {why}")]
    Illegal {
        /// Its place, in characters from 1 at the opening `(`.
        at: usize,
        /// Number of the move, from 1, passes included.
        number: usize,
        /// The reason.
        why: IllegalMove,
        /// The game before it.
        prefix: Box<Record>,
    },
}

impl GgfError {
    /// Returns the game before the faulty move, if the fault is a move.
    pub fn prefix(&self) -> Option<&Record> {
        match self {
            GgfError::BadMove { prefix, .. }
            | GgfError::WrongSide { prefix, .. }
            | GgfError::Illegal { prefix, .. } => Some(prefix),
            _ => None,
        }
    }

    /// Returns the place of the fault in characters from 1 at the opening `(`, where it is known.
    pub fn at(&self) -> Option<usize> {
        match *self {
            GgfError::BadTag { at, .. }
            | GgfError::BadMove { at, .. }
            | GgfError::WrongSide { at, .. }
            | GgfError::Illegal { at, .. } => Some(at),
            _ => None,
        }
    }
}

/// Reads the first game of a text and ignores the rest.
///
/// # Errors
/// [`GgfError`]; if a move is faulty, with the game before it.
pub fn parse(text: &str) -> Result<Record, GgfError> {
    match text.find(OPEN) {
        Some(start) => parse_at(text, start).0,
        None => Err(GgfError::NoGame),
    }
}

/// Reads the games of a text one by one: single games and synchro pairs, with or without a count
/// before them. A faulty game is reported in its place; reading goes on behind it.
pub fn games(text: &str) -> impl Iterator<Item = GameEntry<GgfError>> + '_ {
    let (mut at, mut game, mut line, mut counted) = (0, 0, 1, 0);
    std::iter::from_fn(move || {
        let start = at + text.get(at..)?.find(OPEN)?;
        line += text.get(counted..start)?.matches('\n').count();
        counted = start;
        game += 1;
        let (record, end) = parse_at(text, start);
        at = end;
        Some(GameEntry { game, line, record })
    })
}

const OPEN: &str = "(;";
const CLOSE: &str = ";)";

/// Reads the game that opens at byte `start`. Returns the byte behind it too; after an error, the
/// byte where reading stopped, so that a text of opening brackets only is read once and not once a
/// bracket.
fn parse_at(text: &str, start: usize) -> (Result<Record, GgfError>, usize) {
    let game = text.get(start..).unwrap_or("");
    let (tags, end) = tags(game);
    (tags.and_then(|tags| record(game, tags)), start + end)
}

/// The name of a tag, the byte of its value in the game, and the value.
type Tag<'a> = (String, usize, &'a str);

/// Returns the place of a byte of a game, in characters from 1.
fn place(game: &str, byte: usize) -> usize {
    game.get(..byte).map_or(0, |before| before.chars().count()) + 1
}

/// Reads the tags from `(;` to `;)`. Returns the byte where reading stopped too.
fn tags(game: &str) -> (Result<Vec<Tag<'_>>, GgfError>, usize) {
    let mut found = Vec::new();
    let mut rest = game.strip_prefix(OPEN).unwrap_or("");
    loop {
        rest = rest.trim_start();
        let at = game.len() - rest.len();
        if let Some(after) = rest.strip_prefix(CLOSE) {
            return (Ok(found), game.len() - after.len());
        }
        if rest.is_empty() {
            return (Err(GgfError::Unfinished), game.len());
        }
        if at > MAX_GAME_BYTES {
            return (Err(GgfError::TooLong), at);
        }
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (name, after) = rest.split_at(letters);
        let Some(value) = after.trim_start().strip_prefix('[').filter(|_| letters > 0) else {
            let error = GgfError::BadTag { at: place(game, at), found: quote(rest) };
            return (Err(error), at);
        };
        let Some((value, after)) = value.split_once(']') else {
            return (Err(GgfError::Unfinished), game.len());
        };
        if value.len() > MAX_GAME_BYTES {
            return (Err(GgfError::TooLong), game.len() - after.len());
        }
        let byte = game.len() - after.len() - 1 - value.len();
        found.push((name.to_ascii_uppercase(), byte, value));
        rest = after;
    }
}

fn record(game: &str, tags: Vec<Tag<'_>>) -> Result<Record, GgfError> {
    let mut record = Record::default();
    let mut items = Vec::new();
    let mut board = None;
    let [mut black, mut white] = std::mem::take(&mut record.players);
    let [mut shared_clock, mut black_clock, mut white_clock] = [None; 3];
    for (name, byte, value) in tags {
        let text = || value.trim().to_string();
        match name.as_str() {
            "GM" if !matches!(text().to_ascii_lowercase().as_str(), "" | "othello" | "reversi") => {
                return Err(GgfError::OtherGame(quote(value)));
            }
            "GM" => {}
            "PC" => record.place = text(),
            "DT" => record.date = text(),
            "PB" => black.name = text(),
            "PW" => white.name = text(),
            "RB" => black.rating = decimal(value),
            "RW" => white.rating = decimal(value),
            "TI" => shared_clock = value.parse().ok(),
            "TB" => black_clock = value.parse().ok(),
            "TW" => white_clock = value.parse().ok(),
            "TY" => record.kind = text(),
            "RE" => record.outcome = outcome(value),
            "BO" => board = Some(value),
            "B" => items.push((Color::Black, byte, value)),
            "W" => items.push((Color::White, byte, value)),
            _ => record.tags.push((name, text())),
        }
    }
    black.clock = black_clock.or(shared_clock);
    white.clock = white_clock.or(shared_clock);
    record.players = [black, white];
    check_kind(&record.kind)?;
    if let Some(board) = board {
        (record.start, record.side) =
            parse_position(squares_of(board)?).map_err(GgfError::Board)?;
    }
    play(game, record, &items)
}

/// Checks the board size of a kind of game: its first digits, unless an `r` comes before them.
fn check_kind(kind: &str) -> Result<(), GgfError> {
    let size: String = kind
        .chars()
        .skip_while(|c| !c.is_ascii_digit() && *c != 'r')
        .take_while(char::is_ascii_digit)
        .collect();
    if matches!(size.as_str(), "" | "8") {
        Ok(())
    } else {
        Err(GgfError::UnsupportedSize(quote(kind)))
    }
}

/// Returns the squares of a `BO` value, which stand after the size `8`.
fn squares_of(board: &str) -> Result<&str, GgfError> {
    let board = board.trim();
    // In `80---` the 0 is a white disc; in `80 ---` it belongs to the size.
    let size = board.split_whitespace().next().unwrap_or("");
    let is_size = !size.is_empty() && size.bytes().all(|b| b.is_ascii_digit());
    match board.strip_prefix('8') {
        Some(squares) if !is_size || size == "8" => Ok(squares),
        _ => {
            let digits: String = board.chars().take_while(char::is_ascii_digit).collect();
            Err(GgfError::UnsupportedSize(quote(if digits.is_empty() { size } else { &digits })))
        }
    }
}

/// Reads `+64.00:r`; `None` for `?` and anything else.
fn outcome(value: &str) -> Option<GameOutcome> {
    let (discs, end) = value.split_once(':').unwrap_or((value, ""));
    let discs = decimal(discs)?;
    if discs.abs() > 1000.0 {
        return None;
    }
    let end = match end.trim().to_ascii_lowercase().as_str() {
        "r" => GameEnd::Resigned,
        "t" | "l" => GameEnd::TimedOut,
        "s" => GameEnd::Agreed,
        _ => GameEnd::Played,
    };
    Some(GameOutcome { black_centidiscs: (discs * 100.0).round() as i32, end })
}

/// Plays the moves of a game. Drops passes after its end, which some servers write.
fn play(
    game: &str,
    mut record: Record,
    items: &[(Color, usize, &str)],
) -> Result<Record, GgfError> {
    let mut replay = Replay::new(record.start, record.side);
    for &(mover, byte, item) in items {
        let at = || place(game, byte);
        let Some(turn) = turn(item) else {
            let found = quote(item);
            let (number, prefix) = error_prefix(record, replay);
            return Err(GgfError::BadMove { at: at(), number, found, prefix });
        };
        if turn.played == Move::Pass && replay.position().is_over() {
            continue;
        }
        if let Err(error) = replay.play_as(mover, turn) {
            let (number, prefix) = error_prefix(record, replay);
            return Err(match error {
                MoveError::WrongSide { played, mover } => {
                    GgfError::WrongSide { at: at(), number, played, mover, prefix }
                }
                MoveError::Illegal(why) => GgfError::Illegal { at: at(), number, why, prefix },
            });
        }
    }
    record.turns = replay.into_turns();
    Ok(record)
}

/// Returns the number of the faulty move and the game before it.
fn error_prefix(mut record: Record, replay: Replay) -> (usize, Box<Record>) {
    let number = replay.plies() + 1;
    record.turns = replay.into_turns();
    (number, Box::new(record))
}

/// Reads a move with eval and time, `F5`, `F5/1.25`, `F5//2.3`, `PA/-0.50/12.04`, as in a move tag
/// and in NBoard's `move` command. Ignores an eval or a time that cannot be read.
pub fn turn(item: &str) -> Option<Turn> {
    let mut fields = item.split('/').map(str::trim);
    let played = match fields.next()? {
        "p" | "P" => Move::Pass,
        text => text.parse().ok()?,
    };
    let eval = fields.next().and_then(decimal);
    let time = fields.next().and_then(seconds);
    let eval = eval.map(|discs| Eval::from_centidiscs((discs * 100.0).round() as i32));
    Some(Turn { played, eval, time })
}

/// Writes a move as [`turn`] reads it; positive evals have no sign.
fn turn_text(turn: &Turn) -> String {
    let mut text = format!("{:#}", turn.played);
    // Writing to a string cannot fail.
    if let Some(eval) = turn.eval {
        let _ = write!(text, "/{:.2}", eval.discs());
    } else if turn.time.is_some() {
        text.push('/');
    }
    if let Some(time) = turn.time {
        let _ = write!(text, "/{}", seconds_text(time));
    }
    text
}

/// Writes a game in one line, as NBoard does. A `]` or a line break in a value becomes a blank.
pub fn text(record: &Record) -> String {
    let mut text = String::from("(;GM[Othello]");
    let mut tag = |name: &str, value: &str| {
        let value = value.replace([']', '\n', '\r'], " ");
        let _ = write!(text, "{name}[{}]", value.trim());
    };
    let [black, white] = &record.players;
    tag("PC", &record.place);
    if !record.date.is_empty() {
        tag("DT", &record.date);
    }
    tag("PB", &black.name);
    tag("PW", &white.name);
    tag("RE", &record.outcome.map_or("?".to_string(), outcome_text));
    for (name, player) in [("RB", black), ("RW", white)] {
        if let Some(rating) = player.rating {
            tag(name, &rating.to_string());
        }
    }
    if let (Some(clock), true) = (black.clock, black.clock == white.clock) {
        tag("TI", &clock.to_string());
    } else {
        for (name, player) in [("TB", black), ("TW", white)] {
            if let Some(clock) = player.clock {
                tag(name, &clock.to_string());
            }
        }
    }
    tag("TY", &record.kind);
    let board = position_text(record.start, record.side).replace('X', "*");
    tag("BO", &format!("8 {board}"));
    for name in ["KB", "KW", "KM"] {
        if let Some(value) = record.tag(name) {
            tag(name, value);
        }
    }
    for (index, turn) in record.turns.iter().enumerate() {
        let name = if record.mover(index) == Color::Black { "B" } else { "W" };
        tag(name, &turn_text(turn));
    }
    text.push_str(CLOSE);
    text
}

fn outcome_text(outcome: GameOutcome) -> String {
    let discs = match outcome.score_for_black() {
        Some(score) => score.discs().to_string(),
        None => format!("{:.2}", f64::from(outcome.black_centidiscs) / 100.0),
    };
    let end = match outcome.end {
        GameEnd::Played => "",
        GameEnd::Resigned => ":r",
        GameEnd::TimedOut => ":t",
        GameEnd::Agreed => ":s",
    };
    format!("{discs}{end}")
}
