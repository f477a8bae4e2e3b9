//! Where games begin: lists of transcripts (XOT among them), positions, or
//! random moves from a seed. The order is reproducible.

use std::collections::HashSet;

use umigame_othello::game::{Record, transcript};
use umigame_othello::notation::parse_position_prefix;
use umigame_othello::text::quote;
use umigame_othello::{Board, Move};

/// An opening: the position after it has a legal move for the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// What it is called: its line, shortened.
    pub name: String,
    /// The start and the moves of the opening.
    pub record: Record,
}

/// A line that is no opening.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// Neither moves nor a position.
    #[error("line {line}: {why}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// Nothing in it.
    #[error("no opening in it: expected moves such as f5d6c3, or positions, one a line")]
    Empty,
    /// Not so many different openings of that length.
    #[error("{0} random moves do not make {1} openings: expected more moves or fewer games")]
    TooFew(usize, usize),
}

/// Reads openings, one a line: moves from the start (`f5d6...`), or 64
/// squares and the side to move, followed by moves, by the answers of an OBF
/// file, or by nothing. Empty lines and what follows `%` or `#` do not count.
///
/// # Errors
/// The first line that is none, and an empty list.
pub fn read(text: &str) -> Result<Vec<Opening>, OpeningError> {
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split(['%', '#']).next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let opening = read_line(line)
            .map_err(|why| OpeningError::Line { line: index + 1, why: format!("{why:#}") })?;
        openings.push(opening);
    }
    if openings.is_empty() { Err(OpeningError::Empty) } else { Ok(openings) }
}

fn read_line(line: &str) -> Result<Opening, String> {
    let record = match parse_position_prefix(line) {
        // The answers of a problem are no moves of an opening.
        Ok((start, side, rest, _)) if rest.contains(':') => Record::from_start(start, side),
        _ => transcript::parse(line).map_err(|error| error.to_string())?,
    };
    with_passes(record, quote(line))
}

/// Adds the pass that is due after the last move.
fn with_passes(mut record: Record, name: String) -> Result<Opening, String> {
    let mut board = record.board().map_err(|error| error.to_string())?;
    if board.is_over() {
        return Err(format!("`{name}`: the game is over after it"));
    }
    if board.must_pass() {
        board.pass().map_err(|error| error.to_string())?;
        record.turns.push(Move::Pass.into());
    }
    Ok(Opening { name, record })
}

/// As many different openings of so many random moves from the start, the
/// same ones for the same seed.
///
/// # Errors
/// So short openings are not so many.
pub fn random(plies: usize, count: usize, seed: u64) -> Result<Vec<Opening>, OpeningError> {
    /// Tries for each opening before it is given up that there is another.
    const TRIES: usize = 200;
    let mut source = fastrand::Rng::with_seed(seed);
    let mut seen = HashSet::new();
    let mut openings = Vec::new();
    let mut tries = 0;
    while openings.len() < count {
        let board = random_board(plies, &mut source);
        tries += 1;
        if let Some(board) = board.filter(|board| seen.insert(board.key())) {
            let record = Record::from_board(&board);
            let name = quote(&transcript::text(&record));
            if let Ok(opening) = with_passes(record, name) {
                openings.push(opening);
                tries = 0;
            }
        }
        if tries > TRIES {
            return Err(OpeningError::TooFew(plies, count));
        }
    }
    Ok(openings)
}

fn random_board(plies: usize, source: &mut fastrand::Rng) -> Option<Board> {
    let mut board = Board::start();
    for _ in 0..plies {
        let squares: Vec<_> = board.legal_squares().collect();
        let played = match squares.get(source.usize(..squares.len().max(1))) {
            Some(&square) => Move::Place(square),
            None => Move::Pass,
        };
        board.play(played).ok()?;
    }
    Some(board)
}

/// Puts openings into the order of a seed.
pub fn shuffle(openings: &mut [Opening], seed: u64) {
    fastrand::Rng::with_seed(seed).shuffle(openings);
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_othello::Color;

    #[test]
    fn every_kind_of_line_is_an_opening() {
        let text = "% a list\nf5d6c3d3c4f4c5b3\n\n\
            ---------------------------OX------XO--------------------------- X; F5:+0; D6:-2;\n\
            ---------------------------OX------XO--------------------------- X; f5d6\n\
            ---------------------------OX------XO--------------------------- O  % White moves\n";
        let openings = read(text).unwrap();
        let plies: Vec<usize> = openings.iter().map(|o| o.record.turns.len()).collect();
        assert_eq!(plies, [8, 0, 2, 0]);
        assert_eq!(openings[3].record.side, Color::White);
        assert!(openings[0].record.is_standard());
    }

    #[test]
    fn a_line_that_is_none_is_named() {
        for (text, part) in [
            ("f5\nd6\n", "line 2: character 1: move 1 is illegal"),
            ("f5d6x9", "line 1: character 5: `x9` is no move"),
            ("\n% nothing\n", "no opening"),
            ("f5d6c5f4e7f6g5e6e3", "line 1: `f5d6c5f4e7f6g5e6e3`: the game is over"),
        ] {
            let message = read(text).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn random_openings_differ_and_repeat_with_their_seed() {
        let openings = random(8, 100, 7).unwrap();
        assert_eq!(openings, random(8, 100, 7).unwrap());
        assert_ne!(openings, random(8, 100, 8).unwrap());
        let keys: HashSet<u64> =
            openings.iter().map(|opening| opening.record.board().unwrap().key()).collect();
        assert_eq!(keys.len(), 100);
        assert_eq!(random(1, 5, 1), Err(OpeningError::TooFew(1, 5)));
    }

    #[test]
    fn a_pass_that_is_due_belongs_to_the_opening() {
        for seed in 0..200 {
            for opening in random(30, 1, seed).unwrap() {
                let board = opening.record.board().unwrap();
                assert!(!board.must_pass() && !board.is_over(), "{}", opening.name);
            }
        }
    }
}
