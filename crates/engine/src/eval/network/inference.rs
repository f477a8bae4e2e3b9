//! The network laid out for evaluation.

use super::dimensions::{Embedding, EmbeddingSum, SYMMETRIES, WIDTH};
use super::embedding::{BLOCK_SOURCES, permuted};
use super::layer::Layer;
use super::parameters::Parameters;
use crate::eval::patterns::layout::{COUNTED, LANE_FIRST, PACKING, PADDED, RAW};
use crate::eval::patterns::shapes::PLACEMENT;
use crate::eval::patterns::{Lanes, PHASES};
use crate::memory::Memory;
use umigame_othello::kernels::RowSum;

/// Embedding of every raw place, padded.
type Embeddings = [Embedding; PADDED];

/// A network laid out for evaluation.
pub struct Network {
    /// An [`Embeddings`].
    embeddings: Memory,
    layers: Vec<Layer>,
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Network({RAW} embeddings of {WIDTH}, {} layers)", self.layers.len())
    }
}

impl Network {
    /// Lays out a network. `None` unless there are an embedding for each packed place and a layer
    /// for each phase.
    pub fn new(parameters: &Parameters) -> Option<Network> {
        if parameters.embeddings.len() != PACKING.len || parameters.layers.len() != PHASES {
            return None;
        }
        let mut embeddings = Memory::new(size_of::<Embeddings>()).expect("11 MB of memory");
        let places = PACKING.packed.iter().zip(&PACKING.symmetries);
        for (raw, (&packed, &symmetry)) in embeddings.values::<Embedding>().iter_mut().zip(places) {
            *raw = permuted(&parameters.embeddings[packed as usize], symmetry);
        }
        Some(Network { embeddings, layers: parameters.layers.iter().map(Layer::new).collect() })
    }

    /// Returns the correction, in centidiscs for the side to move.
    ///
    /// The position is given by its phase, its indices and the raw places of its counted features.
    #[inline(never)]
    pub fn value(&self, phase: usize, lanes: &Lanes, counted: &[usize; COUNTED]) -> i32 {
        self.layers[phase].value(&self.sum(lanes, counted))
    }

    /// Returns the sum of the embeddings of a position.
    #[inline(always)]
    pub fn sum(&self, lanes: &Lanes, counted: &[usize; COUNTED]) -> EmbeddingSum {
        let embeddings: &Embeddings = self.embeddings.value(0).expect("room for all");
        let mut sums = [RowSum::zero(); SYMMETRIES];
        macro_rules! add {
            ($($lane:literal)*) => {
                $({
                    let embedding = &embeddings[LANE_FIRST[$lane] + usize::from(lanes.0[$lane])];
                    let sum = &mut sums[PLACEMENT[$lane].symmetry.index()];
                    *sum = sum.with(embedding);
                })*
            };
        }
        add!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
            31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58
            59 60 61);
        // Counted features are the same under all symmetries.
        let mut total = counted.iter().fold(sums[0], |sum, &place| sum.with(&embeddings[place]));
        for symmetry in 1..SYMMETRIES {
            total = total.plus(sums[symmetry].ordered(&BLOCK_SOURCES[symmetry]));
        }
        total.numbers()
    }
}
