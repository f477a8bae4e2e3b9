//! Writing: games collected into the three files of an archive.

use std::collections::HashMap;

use crate::record::{Record, year_of_date};
use crate::{ReplayError, Square};

pub(super) const GAME_BYTES: usize = 68;
pub(super) const PLAYER_NAME_BYTES: usize = 20;
pub(super) const TOURNAMENT_NAME_BYTES: usize = 26;

/// Empties for which the theoretical scores of written games hold. With one, the result is settled,
/// so it is the score itself.
const THEORY_DEPTH: u8 = 1;

/// The reason why WTHOR cannot hold a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotStorable {
    /// A game from another position, or with White to move.
    #[error("WTHOR holds only games from the start of Othello, Black to move")]
    OtherStart,
    /// A game with an illegal move.
    #[error(transparent)]
    Illegal(#[from] ReplayError),
    /// A game that has neither ended nor a stated result in whole discs.
    #[error("WTHOR holds only games with a result in discs, and this one has not ended")]
    NoResult,
    /// More names than the format can number.
    #[error("more than 65,535 names of {0}")]
    TooManyNames(&'static str),
}

/// Games to be written as WTHOR.
///
/// The format holds moves, results, names and one year, that of the first game with a date. Names are
/// in Latin-1, those of players at most 19 characters and those of tournaments 25: longer ones are cut,
/// other characters become `?`.
///
/// ```
/// use umigame_othello::formats::wthor::{Archive, games};
/// use umigame_othello::{GameOutcome, Record, Score};
///
/// let mut record = umigame_othello::formats::transcript::parse("f5d6c3")?;
/// record.outcome = Score::new(6).map(GameOutcome::of);
/// let mut archive = Archive::default();
/// archive.add(&record)?;
/// let file = archive.games((2026, 11, 25));
/// assert_eq!(games(&file[..])?.next().unwrap()?.score_for_black().discs(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Archive {
    games: Vec<u8>,
    year: Option<u16>,
    players: NameList<PLAYER_NAME_BYTES>,
    tournaments: NameList<TOURNAMENT_NAME_BYTES>,
}

impl Default for Archive {
    fn default() -> Archive {
        Archive {
            games: Vec::new(),
            year: None,
            players: NameList::new("players"),
            tournaments: NameList::new("tournaments"),
        }
    }
}

impl Archive {
    /// Adds a game.
    ///
    /// # Errors
    /// [`NotStorable`]; the game is left out.
    pub fn add(&mut self, record: &Record) -> Result<(), NotStorable> {
        if !record.is_standard() {
            return Err(NotStorable::OtherStart);
        }
        let board = record.board()?;
        let stated = record.outcome.and_then(|outcome| outcome.score_for_black());
        let score = stated.or_else(|| board.result_for_black()).ok_or(NotStorable::NoResult)?;
        let black_discs = ((score.discs() + 64) / 2) as u8;
        let [black, white] = &record.players;
        let numbers = [
            self.tournaments.number(&record.place)?,
            self.players.number(&black.name)?,
            self.players.number(&white.name)?,
        ];
        self.games.extend(numbers.into_iter().flat_map(u16::to_le_bytes));
        self.games.extend([black_discs; 2]);
        let squares = record.turns.iter().filter_map(|turn| turn.played.square());
        self.games.extend(squares.map(byte_of));
        self.games.resize(self.games.len().next_multiple_of(GAME_BYTES), 0);
        self.year = self.year.or_else(|| year_of_date(&record.date));
        Ok(())
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.games.len() / GAME_BYTES
    }

    /// Returns true if there are no games.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Returns the file of games (`.wtb`), created on a date: year, month, day.
    pub fn games(&self, created: (u16, u8, u8)) -> Vec<u8> {
        let count = u32::try_from(self.len()).unwrap_or(u32::MAX);
        let year = self.year.unwrap_or(created.0);
        file(created, count, 0, year, [8, 0, THEORY_DEPTH, 0], &self.games)
    }

    /// Returns the file of players (`.jou`).
    pub fn players(&self, created: (u16, u8, u8)) -> Vec<u8> {
        self.players.file(created)
    }

    /// Returns the file of tournaments (`.trn`).
    pub fn tournaments(&self, created: (u16, u8, u8)) -> Vec<u8> {
        self.tournaments.file(created)
    }
}

/// Names with their numbers, each `N` bytes with a zero at the end.
#[derive(Clone, Debug)]
struct NameList<const N: usize> {
    what: &'static str,
    numbers: HashMap<[u8; N], u16>,
    bytes: Vec<u8>,
}

impl<const N: usize> NameList<N> {
    fn new(what: &'static str) -> NameList<N> {
        NameList { what, numbers: HashMap::new(), bytes: Vec::new() }
    }

    /// Returns the number of a name, a new one if it has none.
    fn number(&mut self, name: &str) -> Result<u16, NotStorable> {
        let mut bytes = [0; N];
        let latin = name.chars().map(|char| u8::try_from(char).unwrap_or(b'?'));
        // A zero would end the name.
        let latin = latin.map(|byte| if byte == 0 { b'?' } else { byte });
        for (byte, latin) in bytes.iter_mut().take(N - 1).zip(latin) {
            *byte = latin;
        }
        if let Some(&number) = self.numbers.get(&bytes) {
            return Ok(number);
        }
        // The header counts the names in 16 bits.
        let number = u16::try_from(self.numbers.len()).ok().filter(|number| *number < u16::MAX);
        let number = number.ok_or(NotStorable::TooManyNames(self.what))?;
        self.numbers.insert(bytes, number);
        self.bytes.extend(bytes);
        Ok(number)
    }

    fn file(&self, created: (u16, u8, u8)) -> Vec<u8> {
        let count = u16::try_from(self.numbers.len()).unwrap_or(u16::MAX);
        file(created, 0, count, 0, [0; 4], &self.bytes)
    }
}

/// Returns a file: the header of 16 bytes and the records.
fn file(
    (year, month, day): (u16, u8, u8),
    games: u32,
    names: u16,
    played: u16,
    kind: [u8; 4],
    records: &[u8],
) -> Vec<u8> {
    let mut file = vec![(year / 100) as u8, (year % 100) as u8, month, day];
    file.extend(games.to_le_bytes());
    file.extend(names.to_le_bytes());
    file.extend(played.to_le_bytes());
    file.extend(kind);
    file.extend(records);
    file
}

/// Returns a square as it is stored: `10 * row + column`, both from 1.
fn byte_of(square: Square) -> u8 {
    let index = square.index() as u8;
    10 * (index / 8 + 1) + index % 8 + 1
}
