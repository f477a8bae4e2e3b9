//! The network laid out for evaluation.

use super::dimensions::{
    EMBEDDED_PLACEMENTS, Embedding, EmbeddingSum, HALF_WIDTH, SYMMETRIES, WIDTH,
};
use super::embedding::{BLOCK_SOURCES, permuted};
use super::layer::{Layer, LayerParameters};
use super::parameters::Parameters;
use crate::kernels::{self, PairSum};
use crate::memory::Memory;
use crate::patterns::layout::{COUNTED, LANE_FIRST, PACKING, PADDED, RAW, block, by_block};
use crate::patterns::shapes::PLACEMENT;
use crate::patterns::{Lanes, PHASES};
use crate::position_noise::{PositionNoise, PositionNoiseModel, TERMS};
use crate::unpack::share_out;

/// Embedding of every raw place, padded; each is a cache line.
type Embeddings = [Row; PADDED];

/// An embedding in pairs of a value of each half.
type Row = [i16; HALF_WIDTH];

/// A network laid out for evaluation.
#[derive(derive_more::Debug)]
#[debug("Network({RAW} embeddings of {WIDTH}, {} layers)", layers.len())]
pub struct Network {
    /// An [`Embeddings`].
    embeddings: Memory,
    layers: Vec<Layer>,
}

impl Network {
    /// Lays out a network without noise. `None` unless there are an embedding for each packed
    /// place and a layer for each phase.
    pub fn new(parameters: &Parameters) -> Option<Network> {
        if parameters.embeddings.len() != PACKING.len || parameters.layers.len() != PHASES {
            return None;
        }
        let embeddings = |block| Ok::<_, ()>(&parameters.embeddings[PACKING.block(block)]);
        Network::from_blocks(embeddings, &parameters.layers, &PositionNoiseModel::AVERAGE).ok()
    }

    /// Lays out a network of an embedding for each packed place, block by block on several threads,
    /// and a layer for each phase, with the noise of that phase.
    ///
    /// # Errors
    /// The first error of `embeddings`.
    pub fn from_blocks<E: Send, B: AsRef<[Embedding]>>(
        embeddings: impl Fn(usize) -> Result<B, E> + Sync,
        layers: &[LayerParameters],
        noise: &PositionNoiseModel,
    ) -> Result<Network, E> {
        let mut memory = Memory::new(size_of::<Embeddings>()).expect("31 MB of memory");
        let mut blocks: Vec<_> = by_block(memory.values::<Row>()).enumerate().collect();
        // `share_out` begins at the end: the largest first.
        blocks.sort_by_key(|(_, rows)| rows.len());
        share_out(blocks, |(at, rows)| {
            lay_out(embeddings(at)?.as_ref(), at, rows);
            Ok(())
        })?;
        let layers = layers.iter().zip(&noise.0);
        let layers = layers.map(|(layer, noise)| Layer::new(layer, noise)).collect();
        Ok(Network { embeddings: memory, layers })
    }

    /// Returns the correction, in centidiscs for the side to move.
    ///
    /// The position is given by its phase, its indices and the raw places of its counted features.
    #[inline(never)]
    pub fn value(&self, phase: usize, lanes: &Lanes, counted: &[usize; COUNTED]) -> i32 {
        self.layers[phase].value(&self.sum(lanes, counted))
    }

    /// Returns the correction as [`Network::value`], and the noise.
    #[inline(never)]
    pub fn value_and_noise(
        &self,
        phase: usize,
        lanes: &Lanes,
        counted: &[usize; COUNTED],
    ) -> (i32, PositionNoise) {
        self.layers[phase].value_and_noise(&self.sum(lanes, counted))
    }

    /// Returns the terms of the noise's logarithm.
    pub fn noise_terms(
        &self,
        phase: usize,
        lanes: &Lanes,
        counted: &[usize; COUNTED],
    ) -> [f64; TERMS] {
        self.layers[phase].noise_terms(&self.sum(lanes, counted))
    }

    /// Returns the sum of the embeddings of a position.
    #[inline(always)]
    pub fn sum(&self, lanes: &Lanes, counted: &[usize; COUNTED]) -> EmbeddingSum {
        let embeddings: &Embeddings = self.embeddings.value(0).expect("room for all");
        // Counted features are the same under all symmetries.
        let mut total = counted.iter().fold(PairSum::zero(), |sum, &at| sum.with(&embeddings[at]));
        macro_rules! add {
            ($($at:literal)*) => {{
                let mut sum = PairSum::zero();
                $({
                    const LANE: usize = LANES_BY_SYMMETRY[$at];
                    const SYMMETRY: usize = PLACEMENT[LANE].symmetry.index();
                    const IS_LAST: bool = $at + 1 == EMBEDDED_PLACEMENTS
                        || PLACEMENT[LANES_BY_SYMMETRY[$at + 1]].symmetry.index() != SYMMETRY;
                    sum = sum.with(&embeddings[LANE_FIRST[LANE] + usize::from(lanes.0[LANE])]);
                    if IS_LAST {
                        total = total.plus(sum.ordered(&BLOCK_SOURCES[SYMMETRY]));
                        sum = PairSum::zero();
                    }
                })*
                let _ = sum;
            }};
        }
        add!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
            31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49);
        let mut numbers = [0; WIDTH];
        let (halves, _) = numbers.as_chunks_mut::<HALF_WIDTH>();
        let total = total.halves((COUNTED + EMBEDDED_PLACEMENTS) as i16);
        halves.iter_mut().zip(total).for_each(|(half, sum)| *half = sum.numbers());
        numbers
    }
}

/// Writes the embeddings of a block to its raw places.
fn lay_out(embeddings: &[Embedding], at: usize, rows: &mut [Row]) {
    let first = PACKING.block(at).start;
    let places = PACKING.packed[block(at)].iter().zip(&PACKING.symmetries[block(at)]);
    for (row, (&packed, &symmetry)) in rows.iter_mut().zip(places) {
        *row = paired(&permuted(&embeddings[packed as usize - first], symmetry));
    }
}

/// Returns the values of the two halves of an embedding in pairs.
fn paired(embedding: &Embedding) -> Row {
    std::array::from_fn(|i| kernels::pair(embedding[i], embedding[HALF_WIDTH + i]))
}

/// Lanes with embeddings, those of each symmetry together, so that only one sum needs registers. The
/// last entry is unused.
const LANES_BY_SYMMETRY: [usize; EMBEDDED_PLACEMENTS + 1] = {
    let mut lanes = [0; EMBEDDED_PLACEMENTS + 1];
    let (mut count, mut symmetry) = (0, 0);
    while symmetry < SYMMETRIES {
        let mut lane = 0;
        while lane < EMBEDDED_PLACEMENTS {
            if PLACEMENT[lane].symmetry.index() == symmetry {
                lanes[count] = lane;
                count += 1;
            }
            lane += 1;
        }
        symmetry += 1;
    }
    assert!(count == EMBEDDED_PLACEMENTS);
    lanes
};
