//! Samples: all records of a position brought together.

use std::path::Path;

use rayon::slice::ParallelSliceMut;

use super::error::DataError;
use super::read::DataReader;
use super::record::{Label, Record, Searched};
use umigame_othello::{Eval, Position, Score};

/// Everything that the records of a position say, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// Position, the least of its eight images.
    pub position: Position,
    /// Exact score or mean result of games; 0 if neither is known.
    score: Eval,
    /// Value of the deepest search.
    value: Eval,
    /// Plies of the deepest search; 0 if there was none.
    depth: u8,
    /// Kind of `score`, the most reliable first, as in the file.
    kind: u8,
    /// Number of records that `score` is the mean of.
    count: u16,
}

const _: () = assert!(size_of::<Sample>() == 24);

/// SampleOutcome of a sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SampleOutcome {
    /// Proven score under perfect play.
    Exact(Score),
    /// Mean score of the games that were played from here.
    Games(Eval),
    /// No score is known.
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
    /// Returns the ply of the position by its discs, 0 to 59.
    pub fn ply(&self) -> u32 {
        60u32.saturating_sub(self.position.empties())
    }

    /// Returns the outcome.
    pub fn outcome(&self) -> SampleOutcome {
        match self.kind {
            EXACT => SampleOutcome::Exact(self.score.round()),
            GAME => SampleOutcome::Games(self.score),
            _ => SampleOutcome::Unknown,
        }
    }

    /// Returns the value of the deepest search.
    pub fn searched(&self) -> Option<Searched> {
        (self.depth > 0).then_some(Searched { value: self.value, depth: self.depth })
    }

    /// Returns the number of records behind the outcome.
    pub fn count(&self) -> u16 {
        self.count
    }

    /// Merges another sample of the same position.
    fn merge(&mut self, other: &Sample) {
        if other.depth >= self.depth && other.depth > 0 {
            (self.value, self.depth) = (other.value, other.depth);
        }
        let sum = |sample: &Sample| sample.score.centidiscs() * i32::from(sample.count);
        if other.kind < self.kind {
            (self.score, self.kind, self.count) = (other.score, other.kind, other.count);
        } else if other.kind == self.kind {
            let count = i32::from(self.count) + i32::from(other.count);
            self.score = Eval::from_centidiscs((sum(self) + sum(other)) / count);
            self.count = count.min(i32::from(u16::MAX)) as u16;
        }
    }
}

/// Sorts samples by ply, then by position, and merges those of one position.
///
/// An exact score replaces results of games, which are averaged. The deepest search value is kept,
/// the last one among equally deep ones.
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
/// The first file that cannot be read or is damaged.
pub fn load<P: AsRef<Path>>(paths: &[P]) -> Result<Vec<Sample>, DataError> {
    let mut samples = Vec::new();
    for path in paths {
        for block in DataReader::open(path.as_ref())? {
            samples.extend(block?.records.into_iter().map(Sample::from));
        }
    }
    fold(&mut samples);
    Ok(samples)
}
