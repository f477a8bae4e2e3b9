//! Where self-play begins: random moves, human games broken off, and
//! openings. Nothing that led there is labelled, so it may be as bad as
//! random moves are: an evaluation has to know bad positions too.

use std::fs::File;
use std::io::BufReader;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use fastrand::Rng;

use super::LearnError;
use umigame_othello::game::wthor;
use umigame_othello::{Position, Square, squares};

/// How often each kind of start is chosen, in proportion, and how far it
/// goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mix {
    /// Random moves from the start of the game; all shares together fit 32
    /// bits.
    pub random: u32,
    /// The beginning of a human game.
    pub wthor: u32,
    /// An opening, and up to six random moves.
    pub openings: u32,
    /// How many random moves, all numbers equally often; at most 60.
    pub random_plies: RangeInclusive<u32>,
    /// How many moves of a human game.
    pub wthor_plies: RangeInclusive<u32>,
}

impl Default for Mix {
    fn default() -> Mix {
        Mix { random: 50, wthor: 35, openings: 15, random_plies: 6..=44, wthor_plies: 8..=40 }
    }
}

/// All the places where games can begin.
#[derive(Clone, Debug)]
pub struct Starts {
    mix: Mix,
    /// Games as squares without passes.
    games: Vec<Vec<Square>>,
    openings: Vec<Position>,
}

/// Draws before a game begins at the very beginning instead.
const DRAWS: u32 = 100;
/// Random moves after an opening, at most.
const AFTER_OPENING: u32 = 6;

impl Starts {
    /// Starts from these games (squares without passes) and these openings;
    /// the share of what is empty goes to random moves.
    pub fn new(mix: Mix, games: Vec<Vec<Square>>, openings: Vec<Position>) -> Starts {
        Starts { mix, games, openings }
    }

    /// A checksum of all of it: with the same one, the same random numbers
    /// choose the same starts.
    pub fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        let mut number = |number: u32| hasher.update(&number.to_le_bytes());
        let plies = [&self.mix.random_plies, &self.mix.wthor_plies];
        for shares in [self.mix.random, self.mix.wthor, self.mix.openings, AFTER_OPENING] {
            number(shares);
        }
        plies.iter().for_each(|range| {
            number(*range.start());
            number(*range.end());
        });
        for game in &self.games {
            let bytes: Vec<u8> = game.iter().map(|square| square.index() as u8).collect();
            hasher.update(&bytes);
            hasher.update(&[64]);
        }
        for opening in &self.openings {
            hasher.update(&opening.player.to_le_bytes());
            hasher.update(&opening.opponent.to_le_bytes());
        }
        hasher.finalize()
    }

    /// A position in which the side to move has a move.
    pub fn choose(&self, random: &mut Rng) -> Position {
        // Games too short and openings that are over may be all there is.
        (0..DRAWS).find_map(|_| self.draw(random).and_then(to_move)).unwrap_or(Position::START)
    }

    /// One draw; `None` where the game is over too soon.
    fn draw(&self, random: &mut Rng) -> Option<Position> {
        let Mix { random: others, wthor, openings, .. } = self.mix;
        let all = (others + wthor + openings).max(1);
        let wthor = if self.games.is_empty() { 0 } else { wthor };
        let openings = if self.openings.is_empty() { 0 } else { openings };
        let drawn = random.u32(0..all);
        if drawn < wthor {
            let game = random.choice(&self.games)?;
            let plies = random.u32(self.mix.wthor_plies.clone()) as usize;
            return replay(game.get(..plies)?);
        }
        if drawn < wthor + openings {
            let opening = *random.choice(&self.openings)?;
            let plies = random.u32(0..=AFTER_OPENING);
            return random_moves(opening, plies, random);
        }
        let plies = random.u32(self.mix.random_plies.clone());
        random_moves(Position::START, plies, random)
    }
}

/// The position with the side to move that has a move, unless the game is
/// over.
fn to_move(position: Position) -> Option<Position> {
    match position {
        _ if position.moves() != 0 => Some(position),
        _ if position.passed().moves() != 0 => Some(position.passed()),
        _ => None,
    }
}

/// The position after so many random moves, passes not counted.
fn random_moves(start: Position, plies: u32, random: &mut Rng) -> Option<Position> {
    (0..plies).try_fold(start, |position, _| {
        let position = to_move(position)?;
        position.place(random_square(position, random)?)
    })
}

/// A random legal square.
pub(super) fn random_square(position: Position, random: &mut Rng) -> Option<Square> {
    let legal = position.moves();
    let count = legal.count_ones() as usize;
    (count > 0).then(|| squares(legal).nth(random.usize(0..count))).flatten()
}

fn replay(game: &[Square]) -> Option<Position> {
    game.iter().try_fold(Position::START, |position, &square| to_move(position)?.place(square))
}

/// The files of games (`.wtb`) in a folder, by name.
///
/// # Errors
/// A folder that cannot be read, or has none.
pub fn wthor_files(folder: &Path) -> Result<Vec<PathBuf>, LearnError> {
    let wrong = |why: String| LearnError::Source { path: folder.to_owned(), why };
    let entries = folder.read_dir().map_err(|error| wrong(error.to_string()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("wtb")))
        .collect();
    files.sort();
    if files.is_empty() { Err(wrong("no .wtb file in it".to_owned())) } else { Ok(files) }
}

/// The games of all `.wtb` files in a folder, in the order of their names.
///
/// # Errors
/// The first file that cannot be read, or is wrong.
pub fn wthor_games(folder: &Path) -> Result<Vec<Vec<Square>>, LearnError> {
    let mut all = Vec::new();
    for path in wthor_files(folder)? {
        let wrong = |why: String| LearnError::Source { path: path.clone(), why };
        let file = File::open(&path).map_err(|error| wrong(error.to_string()))?;
        let games = wthor::games(BufReader::new(file)).map_err(|error| wrong(error.to_string()))?;
        for game in games {
            let game = game.map_err(|error| wrong(error.to_string()))?;
            all.push(game.squares().to_vec());
        }
    }
    Ok(all)
}
