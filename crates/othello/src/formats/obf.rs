//! OBF: positions with the scores of their moves, one a line.
//!
//! `<64 squares> X; A2:+38; C7:+36; % comment`. Scores are discs from the
//! mover's view; instead of moves there may be one bare score, or nothing.
//! The answers come in any order, so the best score is the greatest of them.

use std::fmt;
use std::io::BufRead;

use crate::notation::parse_position_prefix;
use crate::text::quote;
use crate::{Board, Color, Move, ParsePositionError, Position, Score, position_text};

use super::lines::{LineError, Lines};
use crate::clock::decimal;

/// A move with its score, which some writers put at the end of a line and
/// which means nothing.
const SENTINEL: &str = "-127";

/// A position and what is known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The discs.
    pub position: Position,
    /// Who is to move.
    pub side: Color,
    /// Moves with their scores, in the order of the line.
    pub answers: Vec<(Move, Score)>,
    /// A score that stands without a move.
    pub bare_score: Option<Score>,
}

impl Problem {
    /// The best score that the line states, for the side to move.
    pub fn best_score(&self) -> Option<Score> {
        self.answers.iter().map(|&(_, score)| score).chain(self.bare_score).max()
    }

    /// The score stated for a move.
    pub fn score_of(&self, played: Move) -> Option<Score> {
        self.answers.iter().find(|(answer, _)| *answer == played).map(|&(_, score)| score)
    }

    /// The position as a game board.
    pub fn board(&self) -> Board {
        Board::from_position(self.position, self.side)
    }
}

/// Why a line is no problem. Columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ObfError {
    /// The line could not be had.
    #[error(transparent)]
    Line(#[from] LineError),
    /// The board or the side to move cannot be read.
    #[error("{0}")]
    Position(#[from] ParsePositionError),
    /// Something between the side to move and the first `;`.
    #[error("column {column}: `{found}` after the side to move: expected `;`")]
    NoSemicolon {
        /// Where it stands.
        column: usize,
        /// What stands there.
        found: String,
    },
    /// An answer that cannot be read.
    #[error("column {column}: `{found}` is no answer: expected MOVE:SCORE or a score, -64 to 64")]
    BadAnswer {
        /// Where it stands.
        column: usize,
        /// What stands there.
        found: String,
    },
    /// An answer that the rules forbid.
    #[error("column {column}: {played} is not legal here")]
    Illegal {
        /// Where it stands.
        column: usize,
        /// The move.
        played: Move,
    },
}

/// Reads one line; `None` where it is blank or only a comment.
///
/// # Errors
/// [`ObfError`], which names the column.
pub fn parse_line(line: &str) -> Result<Option<Problem>, ObfError> {
    let line = line.split('%').next().unwrap_or("");
    if line.trim().is_empty() {
        return Ok(None);
    }
    let (position, side, rest, mut column) = parse_position_prefix(line)?;
    let mut problem = Problem { position, side, answers: Vec::new(), bare_score: None };
    for (index, field) in rest.split(';').enumerate() {
        let blanks = field.chars().take_while(|c| c.is_whitespace()).count();
        let (at, answer) = (column + blanks, field.trim());
        column += field.chars().count() + 1;
        if answer.is_empty() {
            continue;
        }
        if index == 0 {
            return Err(ObfError::NoSemicolon { column: at, found: quote(answer) });
        }
        read_answer(&mut problem, at, answer)?;
    }
    Ok(Some(problem))
}

fn read_answer(problem: &mut Problem, column: usize, answer: &str) -> Result<(), ObfError> {
    let bad = || ObfError::BadAnswer { column, found: quote(answer) };
    let Some((played, score)) = answer.split_once(':') else {
        problem.bare_score = Some(score_of(answer).ok_or_else(bad)?);
        return Ok(());
    };
    if score.trim() == SENTINEL {
        return Ok(());
    }
    let played: Move = played.trim().parse().map_err(|_| bad())?;
    let score = score_of(score).ok_or_else(bad)?;
    let legal = match played {
        Move::Place(square) => problem.position.place(square).is_some(),
        Move::Pass => problem.position.moves() == 0,
    };
    if !legal {
        return Err(ObfError::Illegal { column, played });
    }
    problem.answers.push((played, score));
    Ok(())
}

/// A whole number of discs, with or without decimals that are zero.
fn score_of(text: &str) -> Option<Score> {
    let discs = decimal(text).filter(|discs| discs.fract() == 0.0 && discs.abs() <= 64.0)?;
    Score::new(discs as i32)
}

/// The line of a problem.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};", position_text(self.position, self.side))?;
        if let Some(score) = self.bare_score {
            write!(f, " {:+};", score.discs())?;
        }
        for (played, score) in &self.answers {
            match played {
                Move::Place(square) => write!(f, " {square:#}:{:+};", score.discs())?,
                Move::Pass => write!(f, " --:{:+};", score.discs())?,
            }
        }
        Ok(())
    }
}

/// The problems of a file with their line numbers, read as they are asked
/// for. A line that is wrong is reported in its place and the next one is
/// read; blank lines and comments are passed over.
pub fn problems<R: BufRead>(reader: R) -> impl Iterator<Item = (usize, Result<Problem, ObfError>)> {
    Lines::new(reader).filter_map(|(number, line)| {
        let problem = match line {
            Ok(line) => parse_line(&line).transpose()?,
            Err(error) => Err(ObfError::Line(error)),
        };
        Some((number, problem))
    })
}
