//! What the model and the patterns share: a position as features, and gradients sorted by part.

use umigame_eval::network::WIDTH;
use umigame_eval::network::embedding::BLOCK_IMAGES;
use umigame_eval::patterns::layout::{FEATURES, PACKING, raw_features};
use umigame_eval::patterns::shapes::PLACEMENT;
use umigame_eval::patterns::{MidBoard, phase_of};
use umigame_othello::Position;

/// An embedding or a sum of embeddings.
pub(crate) type Wide = [f32; WIDTH];

/// Parts of the embeddings; each is changed by one thread.
pub const PARTS: usize = 8;

/// Returns the packed places of a part.
pub(crate) fn part_len() -> usize {
    PACKING.len.div_ceil(PARTS)
}

/// Input of the model: a position.
pub struct Input {
    /// Packed place of each feature.
    pub places: [u32; FEATURES],
    /// Index of the symmetry that permutes the embedding of each feature.
    pub symmetries: [u8; FEATURES],
    /// Phase of the position.
    pub phase: usize,
}

impl Input {
    /// Returns the input of a position.
    pub fn new(position: Position) -> Input {
        let board = MidBoard::new(position);
        let raw = raw_features(position, board.indices());
        let (mut places, mut symmetries) = ([0; FEATURES], [0; FEATURES]);
        for (i, &raw) in raw.iter().enumerate() {
            places[i] = PACKING.packed[raw];
            if let Some(placement) = PLACEMENT.get(i) {
                let symmetry = PACKING.symmetries[raw].index();
                symmetries[i] = BLOCK_IMAGES[placement.symmetry.index()][symmetry] as u8;
            }
        }
        Input { places, symmetries, phase: phase_of(position.empties()) }
    }

    /// Returns the packed place of each feature.
    pub fn places(&self) -> &[u32; FEATURES] {
        &self.places
    }
}

/// Gradient of the loss of one position by its sum of embeddings and by its pattern sum.
pub struct Gradient {
    pub input: Input,
    pub by_sum: Wide,
    pub by_patterns: f32,
}

/// Gradients of some positions, with the features that change each part of the embeddings.
pub struct Gradients {
    pub of_positions: Vec<Gradient>,
    /// For each part, the features of the positions that lie in it: the number of the position and
    /// that of the feature.
    pub parts: [Vec<(u16, u8)>; PARTS],
}

impl Gradients {
    /// Sorts the features of positions, at most 65,536, by part.
    pub fn new(of_positions: Vec<Gradient>) -> Gradients {
        let room = 2 * of_positions.len() * FEATURES / PARTS;
        let mut parts = std::array::from_fn(|_| Vec::with_capacity(room));
        for (position, gradient) in of_positions.iter().enumerate() {
            for (feature, &place) in gradient.input.places.iter().enumerate() {
                parts[place as usize % PARTS].push((position as u16, feature as u8));
            }
        }
        Gradients { of_positions, parts }
    }

    /// Returns the phase and the place of each feature of a part with its gradient by the weight
    /// there.
    pub(crate) fn by_patterns(&self, part: usize) -> impl Iterator<Item = (usize, u32, f32)> {
        self.parts[part].iter().map(|&(position, feature)| {
            let Gradient { input, by_patterns, .. } = &self.of_positions[usize::from(position)];
            (input.phase, input.places[usize::from(feature)], *by_patterns)
        })
    }
}
