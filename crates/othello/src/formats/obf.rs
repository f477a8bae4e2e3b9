//! OBF: positions with the scores of their moves, one a line.
//!
//! `<64 squares> X; A2:+38; C7:+36; % comment`. Scores are discs from the mover's point of view. A
//! bare score, or nothing, may replace the moves. Moves come in any order: the best score is the
//! highest.

use std::fmt;
use std::io::BufRead;

use crate::notation::parse_position_prefix;
use crate::text::quote;
use crate::{Board, Color, Move, ParsePositionError, Position, Score, position_text};

use super::lines::{LineError, TextLines};
use crate::clock::decimal;

/// The score of a meaningless last move that some writers add to a line.
const SENTINEL_SCORE: &str = "-127";

/// A position and its known scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The discs.
    pub position: Position,
    /// The side to move.
    pub side: Color,
    /// Moves with their scores, in the order of the line.
    pub answers: Vec<(Move, Score)>,
    /// A score without a move.
    pub bare_score: Option<Score>,
}

impl Problem {
    /// Returns the position of a board, without scores.
    pub fn from_board(board: &Board) -> Problem {
        let (position, side) = (board.position(), board.side_to_move());
        Problem { position, side, answers: Vec::new(), bare_score: None }
    }

    /// Returns the best score, for the side to move.
    pub fn best_score(&self) -> Option<Score> {
        self.answers.iter().map(|&(_, score)| score).chain(self.bare_score).max()
    }

    /// Returns the score of a move.
    pub fn score_of(&self, played: Move) -> Option<Score> {
        self.answers.iter().find(|(answer, _)| *answer == played).map(|&(_, score)| score)
    }

    /// Returns the position as a board with an empty history.
    pub fn board(&self) -> Board {
        Board::from_position(self.position, self.side)
    }
}

/// An error in a line of OBF. Columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ObfError {
    /// The line cannot be read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// A fault in the board or the side to move.
    #[error("{0}")]
    Position(#[from] ParsePositionError),
    /// A text between the side to move and the first `;`.
    #[error("column {column}: `{found}` after the side to move: expected `;`")]
    NoSemicolon {
        /// Its column.
        column: usize,
        /// The text there.
        found: String,
    },
    /// An answer that cannot be read.
    #[error("column {column}: `{found}` is no answer: expected MOVE:SCORE or a score, -64 to 64")]
    BadAnswer {
        /// Its column.
        column: usize,
        /// The text there.
        found: String,
    },
    /// An illegal move.
    #[error("column {column}: {played} is not legal here")]
    Illegal {
        /// Its column.
        column: usize,
        /// The move.
        played: Move,
    },
}

impl ObfError {
    /// Returns the column of the fault, where it is known.
    pub fn column(&self) -> Option<usize> {
        match self {
            ObfError::Position(error) => error.column(),
            ObfError::NoSemicolon { column, .. }
            | ObfError::BadAnswer { column, .. }
            | ObfError::Illegal { column, .. } => Some(*column),
            _ => None,
        }
    }
}

/// Reads a line; `None` if it is blank or a comment, which begins with `%`, or with `#` at the
/// start of the line.
///
/// # Errors
/// [`ObfError`] with the column.
pub fn parse_line(line: &str) -> Result<Option<Problem>, ObfError> {
    let line = line.split('%').next().unwrap_or("");
    if line.trim().is_empty() || line.trim_start().starts_with('#') {
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
    if score.trim() == SENTINEL_SCORE {
        return Ok(());
    }
    let played: Move = played.trim().parse().map_err(|_| bad())?;
    let score = score_of(score).ok_or_else(bad)?;
    let legal = match played {
        Move::Place(square) => problem.position.play(square).is_some(),
        Move::Pass => problem.position.legal_moves().is_empty(),
    };
    if !legal {
        return Err(ObfError::Illegal { column, played });
    }
    problem.answers.push((played, score));
    Ok(())
}

/// Reads a whole number of discs; decimals must be zero.
fn score_of(text: &str) -> Option<Score> {
    let discs = decimal(text).filter(|discs| discs.fract() == 0.0 && discs.abs() <= 64.0)?;
    Score::new(discs as i32)
}

/// Writes the line of a problem, without a line end.
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

/// Reads the problems of a text one by one, with their line numbers. A faulty line is reported in its
/// place; blank lines and comments are skipped.
pub fn problems<R: BufRead>(reader: R) -> impl Iterator<Item = (usize, Result<Problem, ObfError>)> {
    TextLines::new(reader).filter_map(|(number, line)| {
        let problem = match line {
            Ok(line) => parse_line(&line).transpose()?,
            Err(error) => Err(ObfError::Line(error)),
        };
        Some((number, problem))
    })
}
