//! Positions from files of several kinds.

use std::fmt::Display;
use std::io::{self, BufRead, BufReader};
use std::ops::RangeInclusive;
use std::path::Path;

use super::data::{self, Label, Record, Sample, fold};
use super::error::LearnError;
use super::starts::{each_wthor_game, hash_positions};
use umigame_othello::formats::obf::{self, Problem};
use umigame_othello::formats::wthor::WthorGame;
use umigame_othello::{Color, Position, Score};
use umigame_support::files;

/// Empties of the theoretical scores of a WTHOR file whose header does not say.
const DEFAULT_THEORY_DEPTH: u32 = 22;

/// Reads the positions of a file, folded.
///
/// The file is training data, OBF lines, whose scores count as exact, or lines of 64 squares and
/// White's disc difference, White to move, as in some test sets. Positions in which the side to
/// move must pass are left out.
///
/// # Errors
/// A file that cannot be read, and the first line that cannot be parsed.
pub fn read(path: &Path) -> Result<Vec<Sample>, LearnError> {
    let failed = |error: io::Error| LearnError::source(path, error);
    let mut file = BufReader::new(files::open(path).map_err(failed)?);
    let beginning = file.fill_buf().map_err(failed)?;
    if beginning.starts_with(b"UMIGDATA") {
        return Ok(data::load(&[path])?);
    }
    if beginning.contains(&0) {
        return Err(LearnError::source(path, "neither training data nor text"));
    }
    let mut samples = Vec::new();
    for (number, line) in umigame_othello::formats::lines::TextLines::new(file) {
        let wrong = |why: &dyn Display| LearnError::source(path, format!("line {number}: {why}"));
        let line = line.map_err(|error| wrong(&error))?;
        let problem = match parse_squares_and_score(&line) {
            Some(problem) => Some(problem),
            None => obf::parse_line(&line).map_err(|error| wrong(&error))?,
        };
        if let Some(problem) = problem.filter(|problem| !problem.position.legal_moves().is_empty())
        {
            let label = problem.best_score().map_or(Label::Searched, Label::Exact);
            samples.push(Record::new(problem.position, label, None).into());
        }
    }
    fold(&mut samples);
    Ok(samples)
}

/// Keeps at most `count` values, chosen at random; shuffles them in any case.
pub fn keep_random<T>(values: &mut Vec<T>, count: usize, seed: u64) {
    fastrand::Rng::with_seed(seed).shuffle(values);
    values.truncate(count);
}

/// Parses a line of 64 squares and White's disc difference; `None` if it is something else.
fn parse_squares_and_score(line: &str) -> Option<Problem> {
    let (squares, score) = line.trim().split_once(' ')?;
    let score = Score::new(score.trim().parse().ok()?)?;
    if squares.len() != 64 {
        return None;
    }
    let (position, side) = umigame_othello::parse_position(&format!("{squares} O")).ok()?;
    Some(Problem { position, side, answers: Vec::new(), bare_score: Some(score) })
}

/// One of several parts of all positions, which have none in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Number of the part, from 1.
    pub number: u32,
    /// Number of parts.
    pub of: u32,
}

impl Part {
    /// Returns whether a position belongs to the part. Its eight images belong to the same.
    pub fn holds(self, position: Position) -> bool {
        let mut hasher = crc32fast::Hasher::new();
        hash_positions(&mut hasher, &[position.canonical().0]);
        hasher.finalize() % self.of.max(1) == self.number.wrapping_sub(1)
    }
}

/// Selection from the games of the WTHOR archive.
#[derive(Clone, Debug)]
pub enum Selection {
    /// Every position with this many empties, without a score: the result of a game between
    /// people is none.
    Positions(RangeInclusive<u32>),
    /// The position for which the theoretical score was computed, with that score.
    Theoretical,
}

/// Reads positions from all `.wtb` files in a folder, folded.
///
/// # Errors
/// The first file that cannot be read or is malformed.
pub fn read_wthor(folder: &Path, selection: &Selection) -> Result<Vec<Sample>, LearnError> {
    let mut samples = Vec::new();
    each_wthor_game(folder, |game, header| match (selection, header.theory_depth) {
        (Selection::Positions(empties), _) => samples.extend(positions(game, empties)),
        (Selection::Theoretical, 0) => samples.extend(theoretical(game, DEFAULT_THEORY_DEPTH)),
        (Selection::Theoretical, depth) => samples.extend(theoretical(game, depth.into())),
    })?;
    fold(&mut samples);
    Ok(samples)
}

/// Returns the positions of a game in which the side to move has a move, with that side, up to the
/// first illegal move.
fn replay(game: &WthorGame) -> impl Iterator<Item = (Position, Color)> + '_ {
    let mut next = Some((Position::START, Color::Black));
    let mut squares = game.squares().iter();
    std::iter::from_fn(move || {
        let (position, side) = next?;
        let here = match position {
            _ if position.is_over() => return None,
            _ if position.must_pass() => (position.passed(), !side),
            _ => (position, side),
        };
        let played = squares.next().and_then(|&square| here.0.play(square));
        next = played.map(|position| (position, !here.1));
        Some(here)
    })
}

fn positions<'a>(
    game: &'a WthorGame,
    empties: &'a RangeInclusive<u32>,
) -> impl Iterator<Item = Sample> + 'a {
    replay(game)
        .filter(|(position, _)| empties.contains(&position.empties()))
        .map(|(position, _)| Record::new(position, Label::Searched, None).into())
}

fn theoretical(game: &WthorGame, empties: u32) -> Option<Sample> {
    let (position, side) = replay(game).find(|(position, _)| position.empties() == empties)?;
    let black = game.theoretical_score_for_black();
    let score = if side == Color::Black { black } else { -black };
    Some(Record::new(position, Label::Exact(score), None).into())
}
