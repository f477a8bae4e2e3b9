//! PGN for Othello, as PlayOK and Edax write it.
//!
//! Tags such as `[Black "name"]`, then `1. f5 d6 2. c3 ...` with `--` for a pass, then the result:
//! `37-27`. Comments, variations and annotations are skipped. Times and evals are not kept.

use std::fmt::Write as _;

use super::entry::{GameEntry, MAX_GAME_BYTES};
use crate::text::quote;
use crate::{IllegalMove, Move, ParsePositionError, Score, parse_position, position_text};

use crate::clock::decimal;
use crate::record::{GameOutcome, Record, Turn};
use crate::replay::Replay;

/// An error in a game in PGN. Places count characters of the game from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PgnError {
    /// The text has neither tags nor moves.
    #[error("no game: expected tags such as [Black \"name\"], or moves")]
    NoGame,
    /// A tag that cannot be read.
    #[error("character {at} of the game: `{found}` is no tag: expected [Name \"value\"]")]
    BadTag {
        /// Its place.
        at: usize,
        /// The text there.
        found: String,
    },
    /// Tags of too many bytes; reading goes on with the next game.
    #[error("the tags of the game are longer than {MAX_GAME_BYTES} bytes")]
    TooLong,
    /// A comment or a variation that does not end.
    #[error("character {at} of the game: `{found}` does not end")]
    Unfinished {
        /// The place of its beginning.
        at: usize,
        /// The text there.
        found: String,
    },
    /// A fault in the start position.
    #[error("the position of FEN: {0}")]
    Position(ParsePositionError),
    /// A text that is no move.
    #[error("character {at} of the game: `{found}` is no move: expected a square or --")]
    BadMove {
        /// Its place.
        at: usize,
        /// The text there.
        found: String,
    },
    /// An illegal move.
    #[error("character {at} of the game: move {number} is illegal: {why}")]
    Illegal {
        /// Its place.
        at: usize,
        /// Number of the move, from 1, passes included.
        number: usize,
        /// The reason.
        why: IllegalMove,
    },
}

impl PgnError {
    /// Returns the place of the fault in characters from 1 at the beginning of the game, where it is
    /// known.
    pub fn at(&self) -> Option<usize> {
        match *self {
            PgnError::BadTag { at, .. }
            | PgnError::Unfinished { at, .. }
            | PgnError::BadMove { at, .. }
            | PgnError::Illegal { at, .. } => Some(at),
            _ => None,
        }
    }
}

/// Reads the first game of a text.
///
/// # Errors
/// [`PgnError`].
pub fn parse(text: &str) -> Result<Record, PgnError> {
    games(text).next().map_or(Err(PgnError::NoGame), |entry| entry.record)
}

/// Reads the games of a text one by one. A tag after moves begins a game, and so does any text after
/// a result. After a fault, reading goes on at the next line that begins with a tag, behind the
/// moves of the faulty game.
pub fn games(text: &str) -> impl Iterator<Item = GameEntry<PgnError>> + '_ {
    let (mut rest, mut game, mut line) = (text, 0, 1);
    std::iter::from_fn(move || {
        let start = rest.trim_start();
        line += newlines(rest, start);
        if start.is_empty() {
            return None;
        }
        game += 1;
        let begins = line;
        let (record, after) = read_game(start);
        let after = if record.is_err() { next_game(after) } else { after };
        line += newlines(start, after);
        rest = after;
        Some(GameEntry { game, line: begins, record })
    })
}

/// Counts the line breaks of a text before its tail.
fn newlines(text: &str, tail: &str) -> usize {
    text.get(..text.len() - tail.len()).map_or(0, |between| between.matches('\n').count())
}

/// Returns the text from the next game on: from a line that begins with a tag, behind the tags of
/// this game.
fn next_game(text: &str) -> &str {
    let mut rest = text;
    let mut in_tags = true;
    while let Some((line, after)) = rest.split_once('\n') {
        let is_tag = after.trim_start_matches([' ', '\t']).starts_with('[');
        in_tags &= line.trim_start().starts_with('[') || line.trim().is_empty();
        if is_tag && !in_tags {
            return after;
        }
        rest = after;
    }
    ""
}

/// A game while it is read.
#[derive(Default)]
struct PgnReader<'a> {
    game: &'a str,
    rest: &'a str,
    record: Record,
    /// Day and time of day, which a record keeps as one text.
    day: String,
    time: String,
    result: String,
}

/// Reads a game. Returns the text behind it too; after an error, the text behind the fault.
fn read_game(game: &str) -> (Result<Record, PgnError>, &str) {
    let mut reader = PgnReader { game, rest: game, ..PgnReader::default() };
    let turns = reader.tags().and_then(|()| reader.moves());
    let rest = reader.rest;
    (turns.map(|(turns, over)| reader.finish(turns, over)), rest)
}

/// Black's score of a finished game; `None` while it goes on.
type FinalScore = Option<Score>;

impl<'a> PgnReader<'a> {
    /// Returns the place of the rest, in characters from 1.
    fn at(&self) -> usize {
        let before = self.game.get(..self.game.len() - self.rest.len());
        before.map_or(0, |before| before.chars().count()) + 1
    }

    fn tags(&mut self) -> Result<(), PgnError> {
        loop {
            self.rest = self.rest.trim_start();
            let Some(inside) = self.rest.strip_prefix('[') else { return Ok(()) };
            if self.game.len() - self.rest.len() > MAX_GAME_BYTES {
                return Err(PgnError::TooLong);
            }
            let Some((name, value, after)) = tag(inside) else {
                let error = PgnError::BadTag { at: self.at(), found: quote(self.rest) };
                self.rest = inside;
                return Err(error);
            };
            self.rest = after;
            self.tag(name, value)?;
        }
    }

    fn tag(&mut self, name: &str, value: String) -> Result<(), PgnError> {
        let [black, white] = &mut self.record.players;
        let known = |value: String| if value.starts_with('?') { String::new() } else { value };
        match name {
            "Site" => self.record.place = known(value),
            "Date" => self.day = known(value),
            "Time" => self.time = known(value),
            "Black" => black.name = known(value),
            "White" => white.name = known(value),
            "BlackElo" => black.rating = decimal(&value),
            "WhiteElo" => white.rating = decimal(&value),
            "Result" => self.result = value,
            "FEN" => {
                let start = parse_position(&expanded(&value)).map_err(PgnError::Position)?;
                (self.record.start, self.record.side) = start;
            }
            _ => self.record.tags.push((name.to_string(), value)),
        }
        Ok(())
    }

    fn moves(&mut self) -> Result<(Vec<Turn>, FinalScore), PgnError> {
        let mut replay = Replay::new(self.record.start, self.record.side);
        loop {
            self.rest = self.rest.trim_start();
            let Some(first) = self.rest.chars().next().filter(|&c| c != '[') else { break };
            if matches!(first, '{' | '(' | ';') {
                self.skip_comment(first)?;
                continue;
            }
            let end = |c: char| c.is_whitespace() || matches!(c, '{' | '(' | ';' | '[');
            let length = self.rest.find(end).unwrap_or(self.rest.len());
            let (mut word, after) = self.rest.split_at(length.max(1).min(self.rest.len()));
            if is_result(word) {
                self.result = word.to_string();
                self.rest = after;
                break;
            }
            // A number may precede its move without a blank.
            let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
            if digits.starts_with('.') || digits.is_empty() {
                word = digits.trim_start_matches('.');
            }
            if !word.is_empty() && !word.starts_with('$') {
                self.play(&mut replay, word.trim_end_matches(['!', '?', '+', '#']))?;
            }
            self.rest = after;
        }
        let position = replay.position();
        let over = position.is_over().then(|| replay.score_for_black());
        Ok((replay.into_turns(), over))
    }

    fn play(&mut self, replay: &mut Replay, word: &str) -> Result<(), PgnError> {
        let Ok(played) = word.parse::<Move>() else {
            return Err(PgnError::BadMove { at: self.at(), found: quote(word) });
        };
        let at = self.at();
        let played = replay.play_passing(Turn::from(played));
        played.map_err(|why| PgnError::Illegal { at, number: replay.plies() + 1, why })
    }

    /// Skips a comment or a variation; variations may nest.
    fn skip_comment(&mut self, first: char) -> Result<(), PgnError> {
        let mut depth = 0usize;
        let end = match first {
            ';' => Some(self.rest.find('\n').unwrap_or(self.rest.len())),
            '{' => self.rest.find('}').map(|at| at + 1),
            _ => self
                .rest
                .bytes()
                .position(|byte| {
                    depth = match byte {
                        b'(' => depth + 1,
                        b')' => depth - 1,
                        _ => depth,
                    };
                    depth == 0
                })
                .map(|at| at + 1),
        };
        let Some(after) = end.and_then(|end| self.rest.get(end..)) else {
            let error = PgnError::Unfinished { at: self.at(), found: quote(self.rest) };
            // It does not end in the rest of the text either, so no game can follow.
            self.rest = "";
            return Err(error);
        };
        self.rest = after;
        Ok(())
    }

    fn finish(mut self, turns: Vec<Turn>, over: FinalScore) -> Record {
        self.record.turns = turns;
        self.record.date = format!("{} {}", self.day, self.time).trim().to_string();
        let counted = discs_of(&self.result).map(outcome_of);
        // `1-0` states the winner only; the final board has the margin.
        let empty = matches!(self.result.as_str(), "" | "*" | "?");
        self.record.outcome = counted.or_else(|| over.map(GameOutcome::of));
        if self.record.outcome.is_none() && !empty {
            self.record.tags.push(("Result".to_string(), self.result));
        }
        self.record
    }
}

/// Reads `Name "value"]`: name, value and the text behind it. `\` escapes a quote or itself.
fn tag(inside: &str) -> Option<(&str, String, &str)> {
    let inside = inside.trim_start();
    let letters = inside.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
    let (name, after) = inside.split_at_checked(letters).filter(|(name, _)| !name.is_empty())?;
    let quoted = after.trim_start().strip_prefix('"')?;
    let mut value = String::new();
    let mut letters = quoted.char_indices();
    loop {
        match letters.next()? {
            (at, '"') => {
                let after = quoted.get(at + 1..)?.trim_start().strip_prefix(']')?;
                return Some((name, value.trim().to_string(), after));
            }
            (_, '\n') => return None,
            (_, '\\') => value.push(letters.next()?.1),
            (_, letter) => value.push(letter),
        }
    }
}

/// Expands a board: drops slashes between rows, and writes numbers as that many empty squares.
fn expanded(fen: &str) -> String {
    let mut text = String::with_capacity(fen.len().min(80));
    for letter in fen.chars().take(200) {
        match letter {
            '/' => {}
            '1'..='8' => text.extend((0..letter as u8 - b'0').map(|_| '-')),
            _ => text.push(letter),
        }
    }
    text
}

fn is_result(word: &str) -> bool {
    matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") || discs_of(word).is_some()
}

/// Reads the discs of Black and White in `37-27`.
fn discs_of(result: &str) -> Option<(u32, u32)> {
    let (black, white) = result.split_once('-')?;
    let count = |text: &str| {
        let digits = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        text.parse::<u32>().ok().filter(|_| digits)
    };
    let (black, white) = (count(black.trim())?, count(white.trim())?);
    // 1-0 is a win in chess; no game of Othello ends so.
    (black + white <= 64 && black + white > 1).then_some((black, white))
}

fn outcome_of((black, white): (u32, u32)) -> GameOutcome {
    GameOutcome::of(Score::of_finished(black, white))
}

/// Writes a game, and an empty line behind it to separate it from the next.
pub fn text(record: &Record) -> String {
    let [black, white] = &record.players;
    let (day, time) = record.date.split_once(' ').unwrap_or((&record.date, ""));
    let rating = |rating: Option<f64>| rating.map_or(String::new(), |rating| rating.to_string());
    let result = result_text(record);
    let fen = position_text(record.start, record.side);
    let mut text = String::new();
    for (name, value) in [
        ("Event", record.tag("Event").unwrap_or("?")),
        ("Site", or_unknown(&record.place)),
        ("Date", or_unknown(day)),
        ("Time", or_unknown(time)),
        ("Black", or_unknown(&black.name)),
        ("White", or_unknown(&white.name)),
        ("BlackElo", or_unknown(&rating(black.rating))),
        ("WhiteElo", or_unknown(&rating(white.rating))),
        ("Result", &result),
        ("FEN", if record.is_standard() { "" } else { &fen }),
    ] {
        if !value.is_empty() {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
            // Writing to a string cannot fail.
            let _ = writeln!(text, "[{name} \"{value}\"]");
        }
    }
    text.push('\n');
    push_moves(&mut text, record);
    let _ = write!(text, "{result}\n\n");
    text
}

fn or_unknown(value: &str) -> &str {
    if value.is_empty() { "?" } else { value }
}

/// Writes moves in numbered pairs, eight pairs a line.
fn push_moves(text: &mut String, record: &Record) {
    for (index, turn) in record.turns.iter().enumerate() {
        if index % 2 == 0 {
            let _ = write!(text, "{}. ", index / 2 + 1);
        }
        let _ = match turn.played {
            Move::Place(square) => write!(text, "{square}"),
            Move::Pass => write!(text, "--"),
        };
        text.push(if index % 16 == 15 { '\n' } else { ' ' });
    }
}

/// Writes the discs of both sides, if they are known and whole numbers.
fn result_text(record: &Record) -> String {
    let discs = record.outcome.and_then(GameOutcome::score_for_black).map(Score::discs);
    match (discs, record.tag("Result")) {
        (Some(discs), _) if discs % 2 == 0 => format!("{}-{}", (64 + discs) / 2, (64 - discs) / 2),
        (None, Some(result)) if is_result(result) => result.to_string(),
        _ => "*".to_string(),
    }
}
