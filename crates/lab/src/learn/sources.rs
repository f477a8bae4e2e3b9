//! Positions with what is known of them, from whatever file holds some.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::ops::RangeInclusive;
use std::path::Path;

use super::LearnError;
use super::data::{self, Label, Record, Sample, fold};
use super::starts::wthor_files;
use umigame_othello::game::obf::{self, Problem};
use umigame_othello::game::wthor::{self, Game};
use umigame_othello::{Color, Position, Score, Square};

/// Where the archive's theoretical scores begin if its header does not say.
const THEORY_DEPTH: u8 = 22;

/// The positions of a file, folded: training data, or lines of OBF, of which
/// a score counts as exact, or lines of 64 squares and White's disc
/// difference, White to move, as some test sets have them. Positions in
/// which the side to move has no move are left out.
///
/// # Errors
/// A file that cannot be read, and the first line that is neither.
pub fn read(path: &Path) -> Result<Vec<Sample>, LearnError> {
    let wrong = |why: String| LearnError::Source { path: path.to_owned(), why };
    let file = File::open(path).map_err(|error| wrong(error.to_string()))?;
    let mut file = BufReader::new(file);
    let beginning = file.fill_buf().map_err(|error| wrong(error.to_string()))?;
    if beginning.starts_with(b"UMIGDATA") {
        return Ok(data::load(&[path])?);
    }
    let mut samples = Vec::new();
    for (number, line) in umigame_othello::game::lines::Lines::new(file) {
        let wrong = |why: String| wrong(format!("line {number}: {why}"));
        let line = line.map_err(|error| wrong(error.to_string()))?;
        let problem = match of_white(&line) {
            Some(problem) => Some(problem),
            None => obf::parse_line(&line).map_err(|error| wrong(error.to_string()))?,
        };
        if let Some(problem) = problem.filter(|problem| problem.position.moves() != 0) {
            let label = problem.best_score().map_or(Label::Searched, Label::Exact);
            samples.push(Record::new(problem.position, label, None).into());
        }
    }
    fold(&mut samples);
    Ok(samples)
}

/// A line of 64 squares and White's disc difference.
fn of_white(line: &str) -> Option<Problem> {
    let (squares, score) = line.trim().split_once(' ')?;
    let score = Score::new(score.trim().parse().ok()?)?;
    if squares.len() != 64 {
        return None;
    }
    let (position, side) = umigame_othello::parse_position(&format!("{squares} O")).ok()?;
    Some(Problem { position, side, answers: Vec::new(), bare_score: Some(score) })
}

/// What is taken of the archive's games.
#[derive(Clone, Debug)]
pub enum Taken {
    /// Every position with so many empties, without a score: that of a game
    /// among people is none.
    Positions(RangeInclusive<u32>),
    /// The position from which the header says that the theoretical score was
    /// computed, with that score.
    Theoretical,
}

/// Positions of all `.wtb` files in a folder, folded.
///
/// # Errors
/// The first file that cannot be read, or is wrong.
pub fn read_wthor(folder: &Path, taken: &Taken) -> Result<Vec<Sample>, LearnError> {
    let mut samples = Vec::new();
    for path in wthor_files(folder)? {
        let wrong = |why: String| LearnError::Source { path: path.clone(), why };
        let file = File::open(&path).map_err(|error| wrong(error.to_string()))?;
        let games = wthor::games(BufReader::new(file)).map_err(|error| wrong(error.to_string()))?;
        let depth = match games.header().theory_depth {
            0 => THEORY_DEPTH,
            depth => depth,
        };
        for game in games {
            let game = game.map_err(|error| wrong(error.to_string()))?;
            match taken {
                Taken::Positions(empties) => samples.extend(positions(&game, empties)),
                Taken::Theoretical => samples.extend(theoretical(&game, u32::from(depth))),
            }
        }
    }
    fold(&mut samples);
    Ok(samples)
}

/// The positions of a game in which somebody can move, with who moves, as
/// far as the moves are legal.
fn replay(game: &Game) -> impl Iterator<Item = (Position, Color)> + '_ {
    let mut next = Some((Position::START, Color::Black));
    let mut squares = game.squares().iter();
    std::iter::from_fn(move || {
        let (position, side) = next?;
        let here = match position.moves() {
            0 if position.is_over() => return None,
            0 => (position.passed(), !side),
            _ => (position, side),
        };
        let place = |square: &Square| here.0.place(*square);
        next = squares.next().and_then(place).map(|position| (position, !here.1));
        Some(here)
    })
}

fn positions<'a>(
    game: &'a Game,
    empties: &'a RangeInclusive<u32>,
) -> impl Iterator<Item = Sample> + 'a {
    replay(game)
        .filter(|(position, _)| empties.contains(&position.empties()))
        .map(|(position, _)| Record::new(position, Label::Searched, None).into())
}

fn theoretical(game: &Game, empties: u32) -> Option<Sample> {
    let (position, side) = replay(game).find(|(position, _)| position.empties() == empties)?;
    let black = game.theoretical_score_for_black();
    let score = if side == Color::Black { black } else { -black };
    Some(Record::new(position, Label::Exact(score), None).into())
}
