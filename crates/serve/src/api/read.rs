//! `read`: recognises a game or a position in whatever form it was pasted.

use axum::response::Response;
use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};
use umigame_othello::formats::{Format, drawing, ggf, obf, pgn, sgf, transcript};
use umigame_othello::{Color, Move, ParsePositionError, Record, position_text};

use crate::body::LargeJson;
use crate::error::ApiError;
use crate::events::json;

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadRequest {
    text: String,
}

#[derive(Serialize)]
struct ReadRecord {
    form: &'static str,
    start: String,
    moves: Vec<String>,
    /// Names of Black and White, where the text has any.
    players: Option<[String; 2]>,
}

/// A game, and the form that it was found in.
#[derive(Debug)]
pub(crate) struct FoundGame {
    pub form: &'static str,
    pub record: Record,
}

pub(crate) async fn reply(
    LargeJson(request): LargeJson<ReadRequest>,
) -> Result<Response, ApiError> {
    let FoundGame { form, record } = read_game(&request.text)?;
    let players = record.players.map(|player| player.name);
    Ok(json(&ReadRecord {
        form,
        start: position_text(record.start, record.side),
        moves: record.turns.iter().map(|turn| turn.played.to_string()).collect(),
        players: Some(players).filter(|[black, white]| !black.is_empty() || !white.is_empty()),
    }))
}

/// Reads a game or a position in any form.
///
/// # Errors
/// The fault, with its line and column.
pub(crate) fn read_game(text: &str) -> Result<FoundGame, ApiError> {
    let word = text.trim_start_matches('\u{feff}').trim();
    if word.is_empty() {
        let message = "the text is empty: expected a game, or 64 squares and the side to move";
        return Err(ApiError::bad(message).at(1, 1));
    }
    if word.starts_with("http://") || word.starts_with("https://") {
        return read_address(word);
    }
    if let Some(squares) = drawing::squares(text) {
        let record = transcript::parse(&with_side(&squares));
        let record = record.map_err(|error| ApiError::bad(error.to_string()).at(1, 1))?;
        return Ok(FoundGame { form: "board", record });
    }
    match Format::detect(text) {
        Format::Ggf => {
            let start = text.find("(;").unwrap_or(0);
            let record = ggf::parse(text);
            let at = |error: &ggf::GgfError| error.at();
            placed("ggf", record, |error| place(text, start, at(error)))
        }
        Format::Sgf => {
            let start = text.find('(').unwrap_or(0);
            placed("sgf", sgf::parse(text), |error| place(text, start, error.at()))
        }
        Format::Pgn => {
            let start = text.find('[').unwrap_or(0);
            placed("pgn", pgn::parse(text), |error| place(text, start, error.at()))
        }
        Format::Obf => read_obf(text).or_else(|error| read_lines_of_moves(text).ok_or(error)),
        _ => read_transcript(text).or_else(|error| read_lines_of_moves(text).ok_or(error)),
    }
}

fn placed<E: std::fmt::Display>(
    form: &'static str,
    record: Result<Record, E>,
    place: impl FnOnce(&E) -> (usize, usize),
) -> Result<FoundGame, ApiError> {
    match record {
        Ok(record) => Ok(FoundGame { form, record }),
        Err(error) => {
            let (line, column) = place(&error);
            Err(ApiError::bad(error.to_string()).at(line, column))
        }
    }
}

/// Returns line and column of a character of the text from byte `start` on, counted from 1; of its
/// beginning without one.
fn place(text: &str, start: usize, at: Option<usize>) -> (usize, usize) {
    let (before, from) = text.split_at_checked(start).unwrap_or(("", text));
    let within = from.chars().take(at.unwrap_or(1).saturating_sub(1));
    before.chars().chain(within).fold((1, 1), |(line, column), letter| match letter {
        '\n' => (line + 1, 1),
        _ => (line, column + 1),
    })
}

fn read_transcript(text: &str) -> Result<FoundGame, ApiError> {
    let text = &without_comments(text);
    let record = transcript::parse(text).or_else(|error| match error {
        transcript::TranscriptError::Position(ParsePositionError::NoSide(_)) => {
            transcript::parse(&with_side(text))
        }
        error => Err(error),
    });
    let end = text.trim_end().chars().count();
    let found = placed("transcript", record, |error| {
        // A board that is too short lacks something at its end.
        place(text, 0, error.at().or(Some(end + 1)))
    })?;
    let is_position = found.record.turns.is_empty();
    Ok(FoundGame { form: if is_position { "position" } else { found.form }, ..found })
}

/// Replaces the lines of comments by blanks, so that places stay.
fn without_comments(text: &str) -> String {
    let blank = |line: &str| -> String {
        let is_comment = line.trim_start().starts_with(['#', '%']);
        let hide = |letter| if is_comment && letter != '\n' { ' ' } else { letter };
        line.chars().map(hide).collect()
    };
    text.split_inclusive('\n').map(blank).collect()
}

/// Adds the side to move to 64 squares: with an even number of discs it is Black's turn, as long as
/// nobody has passed.
fn with_side(squares: &str) -> String {
    let discs =
        squares.chars().filter(|&c| umigame_othello::notation::color_of(c).is_some()).count();
    let is_whole = squares.chars().filter(|c| !c.is_whitespace()).count() == 64;
    let side = if discs.is_multiple_of(2) { Color::Black } else { Color::White };
    if is_whole { format!("{squares} {}", side.letter()) } else { squares.to_owned() }
}

fn read_obf(text: &str) -> Result<FoundGame, ApiError> {
    match obf::problems(text.as_bytes()).next() {
        Some((_, Ok(problem))) => Ok(FoundGame {
            form: "obf",
            record: Record::from_start(problem.position, problem.side),
        }),
        Some((line, Err(error))) => {
            Err(ApiError::bad(error.to_string()).at(line, error.column().unwrap_or(1)))
        }
        None => {
            Err(ApiError::bad("no position: expected 64 squares and the side to move").at(1, 1))
        }
    }
}

/// Reads the lines that have nothing but moves, between lines with names and results, as programs copy
/// them. A line that begins with a move and goes on with something else is a damaged line of moves.
fn read_lines_of_moves(text: &str) -> Option<FoundGame> {
    let (lines, others): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| has_only_moves(line));
    let is_damaged = |line: &&str| line.trim_start().get(..2).is_some_and(has_only_moves);
    if others.iter().any(is_damaged) {
        return None;
    }
    let record =
        transcript::parse(&lines.join(" ")).ok().filter(|record| !record.turns.is_empty())?;
    Some(FoundGame { form: "copy", record })
}

fn has_only_moves(line: &str) -> bool {
    let squares: String = line.chars().filter(|letter| !letter.is_whitespace()).collect();
    let pairs = squares.as_bytes().chunks(2);
    let is_move =
        |pair: &[u8]| std::str::from_utf8(pair).is_ok_and(|word| word.parse::<Move>().is_ok());
    !squares.is_empty() && pairs.into_iter().all(is_move)
}

/// Reads the address of a page: `#f5d6c3`, with `@2` for the place shown, or `#board=SQUARES;MOVES`.
fn read_address(address: &str) -> Result<FoundGame, ApiError> {
    let shown = address.split_once('#').map_or("", |(_, shown)| shown);
    let shown = percent_decode_str(shown).decode_utf8_lossy();
    let place = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    let game = match shown.rsplit_once('@') {
        Some((game, rest)) if place(rest) => game,
        _ => &*shown,
    };
    let game = game.strip_prefix("board=").unwrap_or(game);
    if game.trim().is_empty() {
        let message = "the address has no game: expected one behind `#`";
        return Err(ApiError::bad(message).at(1, 1));
    }
    let found = read_transcript(game).map_err(|error| error.at(1, 1))?;
    Ok(FoundGame { form: "address", ..found })
}

#[cfg(test)]
mod tests;
