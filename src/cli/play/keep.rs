//! Games kept in files: `save`, `load` and `--save`.

use std::path::{Path, PathBuf};

use umigame_othello::{Board, Color, GameEnd, GameOutcome, Move, Record, Score, formats::Format};
use umigame_support::{exit::shown, files};

use super::mode::EnginePlays;
use crate::cli::convert::GameReader;

/// Returns the format of a file to save in.
///
/// # Errors
/// The name has no extension of a format that holds a game as one text.
fn format_of(path: &Path) -> Result<Format, String> {
    match Format::of(path) {
        Some(format @ (Format::Ggf | Format::Sgf | Format::Pgn | Format::Transcript)) => Ok(format),
        _ => Err(format!("{}: expected a name in .ggf, .sgf, .pgn or .txt", shown(path))),
    }
}

/// A game of the prompt.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayedGame<'a> {
    pub board: &'a Board,
    pub mode: EnginePlays,
    /// The side that resigned.
    pub resigned: Option<Color>,
}

impl PlayedGame<'_> {
    fn has_moves(self) -> bool {
        self.board.history().any(|played| played != Move::Pass)
    }

    /// Returns the game with the names of its players, and its result where one side resigned.
    pub(super) fn record(self) -> Record {
        let mut record = Record::from_board(self.board);
        for (player, color) in record.players.iter_mut().zip(Color::ALL) {
            if self.mode.includes(color) {
                player.name = "umigame".to_owned();
            }
        }
        if let Some(color) = self.resigned {
            // As in SGF, a win by resignation counts all discs.
            let won = if color == Color::Black { Score::MIN } else { Score::MAX };
            record.outcome = Some(GameOutcome { end: GameEnd::Resigned, ..GameOutcome::of(won) });
        }
        record
    }

    fn text(self, format: Format) -> String {
        format.text(&self.record()).unwrap_or_default()
    }

    /// Returns the moves of the game as `setboard` and other commands read them; `None` without moves.
    pub(super) fn transcript(self) -> Option<String> {
        self.has_moves().then(|| self.text(Format::Transcript).trim_end().to_owned())
    }
}

/// Reads the first game of a file.
///
/// # Errors
/// A sentence that names the file and the fault.
pub(super) fn read(path: &Path) -> Result<Board, String> {
    // A pipe would keep the prompt waiting.
    if !path.is_file() {
        return Err(format!("{}: no such file", shown(path)));
    }
    let mut first = None;
    let mut take = |game| {
        first = Some(game);
        false
    };
    GameReader::default().read(path, &mut take).map_err(|error| error.to_string())?;
    let game = first.ok_or_else(|| format!("{}: no game in it", shown(path)))?;
    let record: Record = game.map_err(|error: crate::cli::convert::GameError| error.to_string())?;
    record.board().map_err(|error| format!("{}: {error}", shown(path)))
}

/// The file of the last `save`.
#[derive(Default, Debug)]
pub(super) struct SavedGame {
    path: Option<PathBuf>,
    record: Option<Record>,
}

impl SavedGame {
    /// Saves a game. A file that `save` has not written before is replaced with `force` only.
    ///
    /// # Errors
    /// The file exists, has no known format or cannot be written.
    pub(super) fn save(
        &mut self,
        game: PlayedGame<'_>,
        path: &Path,
        force: bool,
    ) -> Result<(), String> {
        let format = format_of(path)?;
        if !force && self.path.as_deref() != Some(path) && path.exists() {
            return Err(format!("{0}: exists already: `save! {0}` replaces it", shown(path)));
        }
        files::replace(path, game.text(format).as_bytes())
            .map_err(|error| format!("{}: {error}", shown(path)))?;
        *self = SavedGame { path: Some(path.to_owned()), record: Some(game.record()) };
        Ok(())
    }

    /// Returns whether this game was saved as it is.
    pub(super) fn is_current(&self, game: PlayedGame<'_>) -> bool {
        let record = game.record();
        let is_same =
            |saved: &Record| saved.turns == record.turns && saved.outcome == record.outcome;
        self.record.as_ref().is_some_and(is_same)
    }
}

/// The file of `--save`: every game of the prompt, the one in progress last.
#[derive(Debug)]
pub(super) struct GamesFile {
    path: PathBuf,
    format: Format,
    /// Text of the games before this one.
    earlier: String,
    /// Text of the game in progress, as it was written.
    current: String,
}

impl GamesFile {
    /// Prepares a new file.
    ///
    /// # Errors
    /// The file exists, has no known format or cannot be written.
    pub(super) fn new(path: &Path) -> Result<GamesFile, String> {
        let format = format_of(path)?;
        if path.exists() {
            return Err(format!("{}: exists already: expected a new file", shown(path)));
        }
        files::can_replace(path).map_err(|error| format!("{}: {error}", shown(path)))?;
        let (earlier, current) = (String::new(), String::new());
        Ok(GamesFile { path: path.to_owned(), format, earlier, current })
    }

    /// Keeps the game in progress whatever follows.
    pub(super) fn end_game(&mut self) {
        self.earlier.push_str(&std::mem::take(&mut self.current));
    }

    /// Writes the file where the game has changed.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn update(&mut self, game: PlayedGame<'_>) -> Result<(), String> {
        let now = if game.has_moves() { game.text(self.format) } else { String::new() };
        if now != self.current {
            self.current = now;
            let all = format!("{}{}", self.earlier, self.current);
            files::replace(&self.path, all.as_bytes())
                .map_err(|error| format!("--save {}: {error}", shown(&self.path)))?;
        }
        Ok(())
    }
}
