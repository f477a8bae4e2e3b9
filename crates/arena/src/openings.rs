//! Openings of a match: transcripts (such as the XOT lists), positions, or random moves. The order
//! is reproducible.

use std::collections::HashSet;
use std::path::Path;

use umigame_othello::{
    Board, Move, Record, formats::transcript, notation::parse_position_prefix, text::quote,
};
use umigame_support::files;

/// An opening. After it, the side to move has a legal move.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// Name: its line, shortened.
    pub name: String,
    /// Start position and moves.
    pub record: Record,
}

impl Opening {
    /// Returns the board after the opening.
    pub fn board(&self) -> Board {
        // The moves have been checked when the opening was made.
        self.record.board().unwrap_or_default()
    }
}

/// Largest file of openings, in bytes; XOT's list has 0.4 MB.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// Reason why there are no openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OpeningError(String);

/// Reads the openings of a file of at most 64 MB, as [`read`].
///
/// # Errors
/// The file cannot be read, or a line of it.
pub fn load(path: &Path) -> Result<Vec<Opening>, OpeningError> {
    let text = files::text_at_most(path, MAX_FILE_BYTES);
    read(&text.map_err(|error| OpeningError(error.to_string()))?)
}

/// Reads openings, one per line: moves from the start position (`f5d6...`), or 64 squares and the
/// side to move, followed by moves, by the answers of an OBF problem, or by nothing. Empty lines
/// and comments after `%` or `#` are skipped.
///
/// # Errors
/// A line cannot be read, or there is no opening.
pub fn read(text: &str) -> Result<Vec<Opening>, OpeningError> {
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split(['%', '#']).next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let in_line = |why: String| OpeningError(format!("line {}: {why}", index + 1));
        openings.push(read_line(line).map_err(in_line)?);
    }
    if openings.is_empty() {
        let why = "no opening in it: expected moves such as f5d6c3, or positions, one a line";
        return Err(OpeningError(why.to_string()));
    }
    Ok(openings)
}

fn read_line(line: &str) -> Result<Opening, String> {
    let record = match parse_position_prefix(line) {
        // The answers of an OBF problem are not moves of the opening.
        Ok((start, side, rest, _)) if rest.contains(':') => Record::from_start(start, side),
        _ => transcript::parse(line).map_err(|error| error.to_string())?,
    };
    finish(record, quote(line))
}

/// Completes an opening by the pass that is due after its last move, if one is.
fn finish(mut record: Record, name: String) -> Result<Opening, String> {
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

/// Returns `count` different openings of `plies` random moves from the start position. The same
/// seed gives the same openings.
///
/// # Errors
/// There are fewer than `count` different openings of that length.
pub fn random(plies: usize, count: usize, seed: u64) -> Result<Vec<Opening>, OpeningError> {
    /// Attempts at one more opening before giving up.
    const MAX_ATTEMPTS: usize = 200;
    let mut source = fastrand::Rng::with_seed(seed);
    let mut seen = HashSet::new();
    let mut openings = Vec::new();
    let mut attempts = 0;
    while openings.len() < count {
        let board = random_board(plies, &mut source);
        attempts += 1;
        if let Some(board) = board.filter(|board| seen.insert(board.key())) {
            let record = Record::from_board(&board);
            let name = quote(&transcript::text(&record));
            if let Ok(opening) = finish(record, name) {
                openings.push(opening);
                attempts = 0;
            }
        }
        if attempts > MAX_ATTEMPTS {
            return Err(OpeningError(format!(
                "{plies} random moves do not make {count} openings: expected more moves or fewer games"
            )));
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

/// Shuffles openings; the same seed gives the same order.
pub fn shuffle(openings: &mut [Opening], seed: u64) {
    fastrand::Rng::with_seed(seed).shuffle(openings);
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_othello::Color;

    #[test]
    fn moves_positions_and_both_together_are_openings() {
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
    fn an_unreadable_line_is_named_by_its_number() {
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
    fn random_openings_differ_and_are_reproducible_by_their_seed() {
        let openings = random(8, 100, 7).unwrap();
        assert_eq!(openings, random(8, 100, 7).unwrap());
        assert_ne!(openings, random(8, 100, 8).unwrap());
        let keys: HashSet<u64> = openings.iter().map(|opening| opening.board().key()).collect();
        assert_eq!(keys.len(), 100);
        let error = random(1, 5, 1).unwrap_err().to_string();
        assert!(error.starts_with("1 random moves do not make 5 openings: "), "{error}");
    }

    #[test]
    fn a_pass_that_is_due_belongs_to_the_opening() {
        for seed in 0..200 {
            for opening in random(30, 1, seed).unwrap() {
                let board = opening.board();
                assert!(!board.must_pass() && !board.is_over(), "{}", opening.name);
            }
        }
    }
}
