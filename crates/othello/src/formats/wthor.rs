//! WTHOR, the game archive of the French federation: games (`.wtb`), players (`.jou`) and
//! tournaments (`.trn`). Read one record at a time, written from an [`Archive`].
//!
//! A header of 16 bytes, then records of one size; numbers are little-endian. A game has up to 60
//! squares without passes; replaying adds the passes. Errors name the byte of the file.

mod archive;

use std::io::Read;

use crate::{Color, IllegalMove, Move, Position, Score, Square};

use crate::record::{GameOutcome, Record, Turn};
use crate::replay::Replay;
pub use archive::{Archive, NotStorable};
use archive::{GAME_BYTES, PLAYER_NAME_BYTES, TOURNAMENT_NAME_BYTES};

const HEADER_BYTES: usize = 16;
/// Bytes of a game before its moves.
const GAME_HEADER_BYTES: usize = 8;

/// An error in a WTHOR file. Offsets count bytes from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WthorError {
    /// Reading failed.
    #[error("byte {offset}: cannot read on: {why}")]
    Read {
        /// The byte where it failed.
        offset: u64,
        /// The message of the operating system.
        why: String,
    },
    /// The file ends within its header or within a record that the header promises.
    #[error("byte {offset}: the file ends in {what}")]
    TooShort {
        /// The end of the file.
        offset: u64,
        /// The incomplete part.
        what: String,
    },
    /// The file goes on after the records that the header promises.
    #[error("byte {offset}: more follows the {count} records of the header")]
    TooLong {
        /// The expected end of the file.
        offset: u64,
        /// Number of records by the header.
        count: u32,
    },
    /// A board other than eight by eight.
    #[error("byte 12: unsupported size {0}: expected 8, or 0 for the same")]
    UnsupportedSize(u8),
    /// A byte that is no square, or a square after the last move.
    #[error(
        "byte {offset}, game {game}: {found} is no square: expected 11 to 88, or 0 after the last"
    )]
    BadSquare {
        /// Its place.
        offset: u64,
        /// Number of the game, from 1.
        game: u32,
        /// The byte.
        found: u8,
    },
    /// A disc count above 64.
    #[error("byte {offset}, game {game}: {found} discs: expected 64 at most")]
    BadCount {
        /// Its place.
        offset: u64,
        /// Number of the game, from 1.
        game: u32,
        /// The byte.
        found: u8,
    },
    /// An illegal move.
    #[error("byte {offset}, game {game}: {why}")]
    Illegal {
        /// Its place.
        offset: u64,
        /// Number of the game, from 1.
        game: u32,
        /// The reason.
        why: IllegalMove,
    },
}

/// The header of any of the three kinds of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Year, month and day of the file.
    pub created: (u16, u8, u8),
    /// Number of games, in a file of games.
    pub games: u32,
    /// Number of names, in a file of names.
    pub names: u16,
    /// The year of the games.
    pub year: u16,
    /// Squares of a side: 8; older files have 0, which also means 8.
    pub size: u8,
    /// True if the games are solitaires.
    pub solitaires: bool,
    /// Empties at which the theoretical score was computed, as stored; 0 means 22.
    pub theory_depth: u8,
}

/// A reader and its place in the file.
#[derive(Debug)]
struct Source<R> {
    reader: R,
    offset: u64,
}

impl<R: Read> Source<R> {
    /// Reads the next `N` bytes. `what` names them in an error.
    fn record<const N: usize>(
        &mut self,
        what: impl FnOnce() -> String,
    ) -> Result<[u8; N], WthorError> {
        let mut record = Vec::with_capacity(N);
        let read = self.reader.by_ref().take(N as u64).read_to_end(&mut record);
        read.map_err(|error| WthorError::Read { offset: self.offset, why: error.to_string() })?;
        let end = self.offset + record.len() as u64;
        let short = |_| WthorError::TooShort { offset: end, what: what() };
        let record = record.try_into().map_err(short)?;
        self.offset = end;
        Ok(record)
    }

    fn header(&mut self) -> Result<Header, WthorError> {
        let bytes: [u8; HEADER_BYTES] = self.record(|| "the header".to_string())?;
        let [century, year, month, day, g0, g1, g2, g3, n0, n1, y0, y1, size, kind, depth, _] =
            bytes;
        Ok(Header {
            created: (u16::from(century) * 100 + u16::from(year), month, day),
            games: u32::from_le_bytes([g0, g1, g2, g3]),
            names: u16::from_le_bytes([n0, n1]),
            year: u16::from_le_bytes([y0, y1]),
            size,
            solitaires: kind == 1,
            theory_depth: depth,
        })
    }

    /// Checks that the file ends here.
    fn end(&mut self, count: u32) -> Result<(), WthorError> {
        match self.record::<1>(String::new) {
            Err(WthorError::TooShort { .. }) => Ok(()),
            Err(error) => Err(error),
            Ok(_) => Err(WthorError::TooLong { offset: self.offset - 1, count }),
        }
    }
}

/// The names of a `.jou` or `.trn` file, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(Vec<String>);

impl Names {
    /// Reads a file of players (`.jou`).
    ///
    /// # Errors
    /// [`WthorError`] if the file is shorter or longer than its header says.
    pub fn players(reader: impl Read) -> Result<Names, WthorError> {
        Names::read::<PLAYER_NAME_BYTES>(reader)
    }

    /// Reads a file of tournaments (`.trn`).
    ///
    /// # Errors
    /// As [`Names::players`].
    pub fn tournaments(reader: impl Read) -> Result<Names, WthorError> {
        Names::read::<TOURNAMENT_NAME_BYTES>(reader)
    }

    fn read<const N: usize>(reader: impl Read) -> Result<Names, WthorError> {
        let mut source = Source { reader, offset: 0 };
        let header = source.header()?;
        let mut names = Vec::new();
        for number in 0..header.names {
            let bytes: [u8; N] = source.record(|| format!("name {number} of {}", header.names))?;
            let used = bytes.iter().take_while(|&&byte| byte != 0);
            // Latin-1 bytes are the first 256 characters.
            names.push(used.map(|&byte| char::from(byte)).collect());
        }
        source.end(u32::from(header.names))?;
        Ok(Names(names))
    }

    /// Returns the name with a number.
    pub fn get(&self, number: u16) -> Option<&str> {
        self.0.get(usize::from(number)).map(String::as_str)
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there are no names.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn name_or_number(&self, number: u16) -> String {
        self.get(number).map_or_else(|| format!("#{number}"), str::to_string)
    }
}

/// A game as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WthorGame {
    /// Number of the game in the file, from 1.
    pub number: u32,
    /// Byte of the file where the game begins.
    pub offset: u64,
    /// Number of the tournament in the `.trn` file.
    pub tournament: u16,
    /// Number of Black in the `.jou` file.
    pub black: u16,
    /// Number of White in the `.jou` file.
    pub white: u16,
    /// Black's discs at the end, the winner taking the empties.
    pub black_discs: u8,
    /// Black's discs at the end under perfect play from the header's `theory_depth` empties.
    pub theoretical_discs: u8,
    squares: [Square; 60],
    count: u8,
}

impl WthorGame {
    fn read(number: u32, offset: u64, bytes: [u8; GAME_BYTES]) -> Result<WthorGame, WthorError> {
        let [t0, t1, b0, b1, w0, w1, black_discs, theoretical_discs, moves @ ..] = bytes;
        for (at, found) in [(6, black_discs), (7, theoretical_discs)] {
            if usize::from(found) > Square::COUNT {
                return Err(WthorError::BadCount { offset: offset + at, game: number, found });
            }
        }
        let mut game = WthorGame {
            number,
            offset,
            tournament: u16::from_le_bytes([t0, t1]),
            black: u16::from_le_bytes([b0, b1]),
            white: u16::from_le_bytes([w0, w1]),
            black_discs,
            theoretical_discs,
            squares: [Square::A1; 60],
            count: 0,
        };
        let mut room = game.squares.iter_mut();
        let mut over = false;
        for (index, &byte) in moves.iter().enumerate() {
            match (byte, square_of(byte), room.next()) {
                (0, ..) => over = true,
                (_, Some(square), Some(free)) if !over => {
                    *free = square;
                    game.count += 1;
                }
                _ => {
                    let offset = offset + (GAME_HEADER_BYTES + index) as u64;
                    return Err(WthorError::BadSquare { offset, game: number, found: byte });
                }
            }
        }
        Ok(game)
    }

    /// Returns the squares in the order of play, without passes.
    pub fn squares(&self) -> &[Square] {
        self.squares.get(..usize::from(self.count)).unwrap_or(&self.squares)
    }

    /// Returns Black's score at the end.
    pub fn score_for_black(&self) -> Score {
        Score::saturating(2 * i32::from(self.black_discs) - 64)
    }

    /// Returns Black's score under perfect play from the header's `theory_depth` empties.
    pub fn theoretical_score_for_black(&self) -> Score {
        Score::saturating(2 * i32::from(self.theoretical_discs) - 64)
    }

    /// Returns the moves, passes included.
    ///
    /// # Errors
    /// [`WthorError::Illegal`] with the place of the move.
    pub fn turns(&self) -> Result<Vec<Turn>, WthorError> {
        let mut replay = Replay::new(Position::START, Color::Black);
        for (index, &square) in self.squares().iter().enumerate() {
            if let Err(why) = replay.play_passing(Turn::from(Move::Place(square))) {
                let offset = self.offset + (GAME_HEADER_BYTES + index) as u64;
                return Err(WthorError::Illegal { offset, game: self.number, why });
            }
        }
        Ok(replay.into_turns())
    }

    /// Returns the game with its names; a missing name becomes `#` and its number.
    ///
    /// # Errors
    /// [`WthorError::Illegal`] with the place of the move.
    pub fn record(&self, header: &Header, names: &WthorNames) -> Result<Record, WthorError> {
        let mut record = Record { turns: self.turns()?, ..Record::default() };
        let [black, white] = &mut record.players;
        black.name = names.players.name_or_number(self.black);
        white.name = names.players.name_or_number(self.white);
        record.place = names.tournaments.name_or_number(self.tournament);
        record.date = header.year.to_string();
        record.outcome = Some(GameOutcome::of(self.score_for_black()));
        Ok(record)
    }
}

/// Reads a square stored as `10 * row + column`, both from 1.
fn square_of(byte: u8) -> Option<Square> {
    let (row, column) = (byte / 10, byte % 10);
    let on_board = (1..=8).contains(&row) && (1..=8).contains(&column);
    if on_board { Square::at(column as i8 - 1, row as i8 - 1) } else { None }
}

/// The games of a `.wtb` file, read one by one.
#[derive(Debug)]
pub struct Games<R> {
    header: Header,
    source: Source<R>,
    number: u32,
    ended: bool,
}

/// Reads the header of a file of games.
///
/// # Errors
/// [`WthorError`] if the header is incomplete or the board has another size.
pub fn games<R: Read>(reader: R) -> Result<Games<R>, WthorError> {
    let mut source = Source { reader, offset: 0 };
    let header = source.header()?;
    if !matches!(header.size, 0 | 8) {
        return Err(WthorError::UnsupportedSize(header.size));
    }
    Ok(Games { header, source, number: 0, ended: false })
}

impl<R: Read> Games<R> {
    /// Returns the header of the file.
    pub fn header(&self) -> &Header {
        &self.header
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<WthorGame, WthorError>;

    /// Reads the next game. The next game follows a faulty one; no game follows the end of the file
    /// or a failure to read it.
    fn next(&mut self) -> Option<Result<WthorGame, WthorError>> {
        if self.ended {
            return None;
        }
        let total = self.header.games;
        if self.number == total {
            self.ended = true;
            return self.source.end(total).err().map(Err);
        }
        self.number += 1;
        let offset = self.source.offset;
        let bytes = self.source.record(|| format!("game {} of {total}", self.number));
        let game = bytes.and_then(|bytes| WthorGame::read(self.number, offset, bytes));
        self.ended = matches!(game, Err(WthorError::Read { .. } | WthorError::TooShort { .. }));
        Some(game)
    }
}

/// The names that the games of an archive refer to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WthorNames {
    /// From the `.jou` file.
    pub players: Names,
    /// From the `.trn` file.
    pub tournaments: Names,
}
