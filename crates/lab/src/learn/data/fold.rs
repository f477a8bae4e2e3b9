//! Records of one position brought together.

use std::path::Path;

use rayon::slice::ParallelSliceMut;

use super::{DataError, Label, Reader, Record, Searched};
use umigame_othello::{Eval, Position, Score};

/// What all records of a position say of it, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The least of its eight images.
    pub position: Position,
    /// Its exact score or the mean result of the games through it; zero
    /// where neither is known.
    score: Eval,
    /// Of the deepest search.
    value: Eval,
    /// Of the deepest search, 0 where there was none.
    depth: u8,
    /// How well `score` is known, best first, as in the file.
    kind: u8,
    /// How many records `score` is the mean of.
    count: u16,
}

const _: () = assert!(size_of::<Sample>() == 24);

/// What a sample's score is, as [`Label`] with the mean of several games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The score under perfect play, proven.
    Exact(Score),
    /// The mean score of the games that were played on from here.
    Games(Eval),
    /// Nothing is known of the outcome.
    Unknown,
}

const EXACT: u8 = 0;
const GAME: u8 = 1;
const SEARCHED: u8 = 2;

impl From<Record> for Sample {
    fn from(record: Record) -> Sample {
        let (kind, score) = match record.label {
            Label::Exact(score) => (EXACT, score),
            Label::Game(score) => (GAME, score),
            Label::Searched => (SEARCHED, Score::DRAW),
        };
        let (value, depth) =
            record.searched.map_or((Eval::default(), 0), |found| (found.value, found.depth));
        Sample { position: record.position, score: score.to_eval(), value, depth, kind, count: 1 }
    }
}

impl Sample {
    /// The ply of the game at which the position stands, by its discs: 0 to
    /// 59.
    pub fn ply(&self) -> u32 {
        60u32.saturating_sub(self.position.empties())
    }

    /// What is known of the outcome.
    pub fn outcome(&self) -> Outcome {
        match self.kind {
            EXACT => Outcome::Exact(self.score.round()),
            GAME => Outcome::Games(self.score),
            _ => Outcome::Unknown,
        }
    }

    /// What the deepest search said.
    pub fn searched(&self) -> Option<Searched> {
        (self.depth > 0).then_some(Searched { value: self.value, depth: self.depth })
    }

    /// How many records stand behind the outcome.
    pub fn count(&self) -> u16 {
        self.count
    }

    /// Takes in what another sample says of the same position.
    fn merge(&mut self, other: &Sample) {
        if other.depth >= self.depth && other.depth > 0 {
            (self.value, self.depth) = (other.value, other.depth);
        }
        let sum = |sample: &Sample| sample.score.centidiscs() * i32::from(sample.count);
        if other.kind < self.kind {
            (self.score, self.kind, self.count) = (other.score, other.kind, other.count);
        } else if other.kind == self.kind {
            let count = i32::from(self.count) + i32::from(other.count);
            // Half a centidisc is no matter.
            self.score = Eval::from_centidiscs((sum(self) + sum(other)) / count);
            self.count = count.min(i32::from(u16::MAX)) as u16;
        }
    }
}

/// Sorts samples by ply, then by position, and merges those of one position:
/// an exact score stands before results of games, of which the mean is
/// taken; of search values the deepest stays, and of equally deep ones the
/// last.
pub fn fold(samples: &mut Vec<Sample>) {
    samples.par_sort_by_key(|sample| (sample.ply(), sample.position));
    samples.dedup_by(|next, kept| {
        let same = next.position == kept.position;
        if same {
            kept.merge(next);
        }
        same
    });
}

/// Reads files into memory and folds them.
///
/// # Errors
/// The first file that cannot be read, or is damaged.
pub fn load<P: AsRef<Path>>(paths: &[P]) -> Result<Vec<Sample>, DataError> {
    let mut samples = Vec::new();
    for path in paths {
        for block in Reader::open(path.as_ref())? {
            samples.extend(block?.records.into_iter().map(Sample::from));
        }
    }
    fold(&mut samples);
    Ok(samples)
}
