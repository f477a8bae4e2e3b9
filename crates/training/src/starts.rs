//! Starts of self-play: random moves, beginnings of human games, openings.
//!
//! The moves to a start are not labelled, so they may be bad: an evaluation must know bad positions
//! too.

use std::io::BufReader;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use fastrand::Rng;

use super::error::LearnError;
use crate::wthor::has_extension;
use umigame_othello::formats::wthor::{self, Header, WthorError, WthorGame};
use umigame_othello::{Position, Square};
use umigame_support::files;

/// Shares of the kinds of start, and their lengths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mix {
    /// Share of random moves from the initial position. The sum of all shares fits 32 bits.
    pub random: u32,
    /// Share of beginnings of human games.
    pub wthor: u32,
    /// Share of openings followed by up to 6 random moves.
    pub openings: u32,
    /// Number of random moves, uniformly distributed; at most 60.
    pub random_plies: RangeInclusive<u32>,
    /// Number of moves of a human game, uniformly distributed.
    pub wthor_plies: RangeInclusive<u32>,
}

impl Default for Mix {
    fn default() -> Mix {
        Mix { random: 50, wthor: 35, openings: 15, random_plies: 6..=44, wthor_plies: 8..=40 }
    }
}

/// Distribution of the positions where games begin.
#[derive(Clone, Debug)]
pub struct Starts {
    mix: Mix,
    /// Games as squares without passes.
    games: Vec<Vec<Square>>,
    openings: Vec<Position>,
}

/// Draws before the initial position is taken instead.
const MAX_DRAWS: u32 = 100;
/// Maximum number of random moves after an opening.
const MAX_PLIES_AFTER_OPENING: u32 = 6;

impl Starts {
    /// Returns the starts from games, as squares without passes, and openings. Without games or
    /// openings, their share goes to random moves.
    pub fn new(mix: Mix, games: Vec<Vec<Square>>, openings: Vec<Position>) -> Starts {
        Starts { mix, games, openings }
    }

    /// Returns a checksum: with equal ones, equal random numbers choose equal starts.
    pub fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        let mut number = |number: u32| hasher.update(&number.to_le_bytes());
        let Mix { random, wthor, openings, random_plies, wthor_plies } = &self.mix;
        for shares in [*random, *wthor, *openings, MAX_PLIES_AFTER_OPENING] {
            number(shares);
        }
        for range in [random_plies, wthor_plies] {
            number(*range.start());
            number(*range.end());
        }
        for game in &self.games {
            let bytes: Vec<u8> = game.iter().map(|square| square.index() as u8).collect();
            hasher.update(&bytes);
            hasher.update(&[64]);
        }
        hash_positions(&mut hasher, &self.openings);
        hasher.finalize()
    }

    /// Chooses a position in which the side to move has a move.
    pub fn choose(&self, random: &mut Rng) -> Position {
        // All games may be too short, and all openings over.
        (0..MAX_DRAWS).find_map(|_| self.draw(random).and_then(to_move)).unwrap_or(Position::START)
    }

    /// Draws once; `None` if the game ends too soon.
    fn draw(&self, random: &mut Rng) -> Option<Position> {
        let Mix { random: random_share, wthor, openings, .. } = self.mix;
        let all = (random_share + wthor + openings).max(1);
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
            let plies = random.u32(0..=MAX_PLIES_AFTER_OPENING);
            return random_moves(opening, plies, random);
        }
        let plies = random.u32(self.mix.random_plies.clone());
        random_moves(Position::START, plies, random)
    }
}

/// Adds positions to a checksum.
pub fn hash_positions(hasher: &mut crc32fast::Hasher, positions: &[Position]) {
    for position in positions {
        hasher.update(&position.player().bits().to_le_bytes());
        hasher.update(&position.opponent().bits().to_le_bytes());
    }
}

/// Returns the position seen by the side that has a move; `None` if the game is over.
fn to_move(position: Position) -> Option<Position> {
    match position {
        _ if !position.legal_moves().is_empty() => Some(position),
        _ if !position.passed().legal_moves().is_empty() => Some(position.passed()),
        _ => None,
    }
}

/// Plays `plies` random moves, passes not counted; `None` if the game ends before.
fn random_moves(start: Position, plies: u32, random: &mut Rng) -> Option<Position> {
    (0..plies).try_fold(start, |position, _| {
        let position = to_move(position)?;
        position.play(random_square(position, random)?)
    })
}

/// Returns a random legal square.
pub(super) fn random_square(position: Position, random: &mut Rng) -> Option<Square> {
    let legal = position.legal_moves();
    let count = legal.count() as usize;
    (count > 0).then(|| legal.iter().nth(random.usize(0..count))).flatten()
}

fn replay(game: &[Square]) -> Option<Position> {
    game.iter().try_fold(Position::START, |position, &square| to_move(position)?.play(square))
}

/// Passes every game of the `.wtb` files in a folder to `each`, with the header of its file; the files
/// are sorted by name.
///
/// # Errors
/// A folder without such a file, and the first file that cannot be read or is malformed.
pub(crate) fn each_wthor_game(
    folder: &Path,
    mut each: impl FnMut(&WthorGame, &Header),
) -> Result<(), LearnError> {
    let entries = folder.read_dir().map_err(|error| LearnError::source(folder, error))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut paths: Vec<PathBuf> = paths.filter(|path| has_extension(path, "wtb")).collect();
    paths.sort();
    if paths.is_empty() {
        return Err(LearnError::source(folder, "no .wtb file in it"));
    }
    for path in paths {
        let failed = |error: WthorError| LearnError::source(&path, error);
        let file = files::open(&path).map_err(|error| LearnError::source(&path, error))?;
        let games = wthor::games(BufReader::new(file)).map_err(failed)?;
        let header = *games.header();
        for game in games {
            each(&game.map_err(failed)?, &header);
        }
    }
    Ok(())
}

/// Returns the games of all `.wtb` files in a folder as squares.
///
/// # Errors
/// A folder without such a file, and the first file that cannot be read or is malformed.
pub fn wthor_games(folder: &Path) -> Result<Vec<Vec<Square>>, LearnError> {
    let mut all = Vec::new();
    each_wthor_game(folder, |game, _| all.push(game.squares().to_vec()))?;
    Ok(all)
}
