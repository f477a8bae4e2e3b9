//! Any format: detection by extension, reading and writing.

use std::fmt::Write as _;
use std::io::{BufRead, Read};
use std::path::Path;

use super::entry::GameEntry;
use super::ggf::{self, GgfError};
use super::lines::{LineError, TextLines};
use super::obf::{self, ObfError, Problem};
use super::pgn::{self, PgnError};
use super::sgf::{self, SgfError};
use super::transcript::{self, TranscriptError};
use super::wthor::{self, WthorError, WthorNames};
use crate::record::Record;

/// A format of files of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// `.ggf`: holds every field of a record.
    Ggf,
    /// `.sgf`: no times.
    Sgf,
    /// `.pgn`: neither times nor evals.
    Pgn,
    /// `.txt`: the moves alone, one game a line.
    Transcript,
    /// `.obf`: positions, one a line; of a game, its last position.
    Obf,
    /// `.wtb`, with names in `.jou` and `.trn` files.
    Wthor,
}

/// Extension of each format.
const EXTENSIONS: [(Format, &str); 6] = [
    (Format::Ggf, "ggf"),
    (Format::Sgf, "sgf"),
    (Format::Pgn, "pgn"),
    (Format::Transcript, "txt"),
    (Format::Obf, "obf"),
    (Format::Wthor, "wtb"),
];

impl Format {
    /// Returns the format of a file by the extension of its name, in either case.
    pub fn of(path: &Path) -> Option<Format> {
        Format::named(&path.extension()?.to_str()?.to_ascii_lowercase())
    }

    /// Returns the format with an extension, in lower case and without a dot.
    pub fn named(extension: &str) -> Option<Format> {
        EXTENSIONS.iter().find(|(_, known)| *known == extension).map(|(format, _)| *format)
    }

    /// Returns the extension of the format's files, without a dot.
    pub fn extension(self) -> &'static str {
        EXTENSIONS.iter().find(|(format, _)| *format == self).map_or("", |(_, extension)| extension)
    }

    /// Detects the format of a text from its beginning: GGF and SGF begin with `(`, PGN with `[`, and an
    /// OBF line gives scores after a colon. All else is transcripts, one game a line.
    pub fn detect(text: &str) -> Format {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let is_comment = |line: &&str| line.is_empty() || line.starts_with(['#', '%']);
        let line = text.lines().map(str::trim).find(|line| !is_comment(line)).unwrap_or("");
        match text.chars().next() {
            Some('(') if text.contains("GM[Othello]") => Format::Ggf,
            Some('(') => Format::Sgf,
            Some('[') => Format::Pgn,
            _ if line.contains(':') => Format::Obf,
            _ => Format::Transcript,
        }
    }

    /// Writes a game as it stands in a file of the format, line end included. Returns `None` for
    /// WTHOR, which is three files ([`Archive`](wthor::Archive)), and in OBF for a record with an
    /// illegal move.
    pub fn text(self, record: &Record) -> Option<String> {
        let mut text = match self {
            Format::Ggf => ggf::text(record),
            Format::Sgf => sgf::text(record),
            Format::Pgn => return Some(pgn::text(record)),
            Format::Transcript => transcript::text(record),
            Format::Obf => Problem::from_board(&record.board().ok()?).to_string(),
            Format::Wthor => return None,
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text);
        Some(text)
    }
}

/// An error in a file of games, or in one of its games.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Reading failed, for this reason.
    #[error("{0}")]
    Io(String),
    /// A text of too many bytes, or without an end.
    #[error("the text is longer than {} MiB", MAX_TEXT_BYTES >> 20)]
    TooLong,
    /// A line that cannot be read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// A fault in GGF.
    #[error(transparent)]
    Ggf(#[from] GgfError),
    /// A fault in SGF.
    #[error(transparent)]
    Sgf(#[from] SgfError),
    /// A fault in PGN.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// A fault in a transcript.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    /// A fault in OBF.
    #[error(transparent)]
    Obf(#[from] ObfError),
    /// A fault in WTHOR.
    #[error(transparent)]
    Wthor(#[from] WthorError),
}

/// Reads the games of a file in any format and passes each to `each`, in order, until there are no
/// more or `each` returns false. `names` holds the names that WTHOR games refer to; other formats
/// do not need them.
///
/// ```
/// use umigame_othello::formats::{Format, read_games};
///
/// let mut plies = Vec::new();
/// read_games(Format::Transcript, &b"f5d6c3\nf5f6\n"[..], &Default::default(), &mut |entry| {
///     plies.push(entry.record.map_or(0, |record| record.turns.len()));
///     true
/// })?;
/// assert_eq!(plies, [3, 2]);
/// # Ok::<(), umigame_othello::formats::ReadError>(())
/// ```
///
/// # Errors
/// [`ReadError`] if the file cannot be read at all; faults of single games go to `each`.
pub fn read_games(
    format: Format,
    reader: impl BufRead,
    names: &WthorNames,
    each: &mut dyn FnMut(GameEntry<ReadError>) -> bool,
) -> Result<(), ReadError> {
    match format {
        Format::Ggf => ggf::games(&text_of(reader)?).all(|entry| each(widen(entry))),
        Format::Sgf => sgf::games(&text_of(reader)?).all(|entry| each(widen(entry))),
        Format::Pgn => pgn::games(&text_of(reader)?).all(|entry| each(widen(entry))),
        Format::Transcript => transcripts(reader).all(each),
        Format::Obf => obf::problems(reader).enumerate().all(|(index, (line, problem))| {
            let record = problem.map(|problem| Record::from_start(problem.position, problem.side));
            each(widen(GameEntry { game: index + 1, line, record }))
        }),
        Format::Wthor => {
            let games = wthor::games(reader)?;
            let header = *games.header();
            games.enumerate().all(|(index, game)| {
                let record = game.and_then(|game| game.record(&header, names));
                each(widen(GameEntry { game: index + 1, line: 0, record }))
            })
        }
    };
    Ok(())
}

fn widen<E: Into<ReadError>>(entry: GameEntry<E>) -> GameEntry<ReadError> {
    let GameEntry { game, line, record } = entry;
    GameEntry { game, line, record: record.map_err(E::into) }
}

/// Maximum bytes of a text that is read as a whole.
const MAX_TEXT_BYTES: u64 = 256 << 20;

/// Reads a whole text: UTF-8, or else Latin-1, in which every byte is a character.
fn text_of(reader: impl Read) -> Result<String, ReadError> {
    let mut bytes = Vec::new();
    let read = reader.take(MAX_TEXT_BYTES + 1).read_to_end(&mut bytes);
    if read.map_err(|error| ReadError::Io(error.to_string()))? as u64 > MAX_TEXT_BYTES {
        return Err(ReadError::TooLong);
    }
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| error.as_bytes().iter().copied().map(char::from).collect()))
}

/// Reads one game a line. Skips empty lines and comments after `#` or `%`.
fn transcripts(reader: impl BufRead) -> impl Iterator<Item = GameEntry<ReadError>> {
    let is_comment =
        |line: &str| matches!(line.trim_start().chars().next(), None | Some('#' | '%'));
    let lines = TextLines::new(reader)
        .filter(move |(_, text)| !text.as_ref().is_ok_and(|text| is_comment(text)));
    lines.enumerate().map(|(index, (line, text))| {
        let record = match text {
            Ok(text) => transcript::parse(&text).map_err(ReadError::from),
            Err(error) => Err(ReadError::from(error)),
        };
        GameEntry { game: index + 1, line, record }
    })
}
