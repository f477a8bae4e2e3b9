//! Training data for tests of fits.

use super::data::{Label, Record, Sample, Searched, fold};
use crate::board::testing::random_positions;
use crate::board::{Eval, Position};

/// Samples of random positions with values in centidiscs, as if they had been
/// searched.
pub fn samples(seed: u64, count: usize, value: impl Fn(Position) -> i32) -> Vec<Sample> {
    let mut samples = Vec::new();
    random_positions(seed, count, |position| {
        if position.moves() != 0 && position.empties() > 0 {
            let value = Eval::from_centidiscs(value(position));
            let record = Record::new(position, Label::Searched, Some(Searched { value, depth: 1 }));
            samples.push(Sample::from(record));
        }
    });
    fold(&mut samples);
    samples
}
