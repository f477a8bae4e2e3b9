//! Pattern weights as they are learnt beside the network.

use rayon::prelude::*;

use super::input::{Gradients, Input, PARTS, part_len};
use umigame_eval::patterns::{PHASES, WEIGHT_SCALE, layout::PACKING};

/// A weight in discs and the sum of its squared gradients.
#[derive(Clone, Copy)]
pub struct LearntWeight {
    value: f32,
    squares: f32,
}

/// Weights of all phases; packed place `i` lies in part `i % PARTS`, as an embedding does.
pub struct LearntPatterns {
    pub parts: Vec<Vec<LearntWeight>>,
}

fn number(phase: usize, place: u32) -> usize {
    phase * part_len() + place as usize / PARTS
}

impl LearntPatterns {
    /// Returns the packed weights of all phases. `squares` is their initial sum of squared gradients.
    pub fn new(packed: &[i16], squares: f32) -> LearntPatterns {
        let weight = LearntWeight { value: 0.0, squares };
        let mut parts = vec![vec![weight; PHASES * part_len()]; PARTS];
        for (phase, weights) in packed.chunks_exact(PACKING.len).enumerate() {
            for (place, &weight) in (0u32..).zip(weights) {
                let value = f32::from(weight) / WEIGHT_SCALE as f32;
                parts[place as usize % PARTS][number(phase, place)].value = value;
            }
        }
        LearntPatterns { parts }
    }

    /// Returns the sum of the weights of an input, in discs.
    pub fn sum(&self, input: &Input) -> f32 {
        let weight =
            |&place: &u32| self.parts[place as usize % PARTS][number(input.phase, place)].value;
        input.places().iter().map(weight).sum()
    }

    /// Returns the packed weights of all phases, rounded.
    pub(crate) fn quantise(&self) -> Vec<i16> {
        let weight = |phase, place: u32| {
            let LearntWeight { value, .. } =
                self.parts[place as usize % PARTS][number(phase, place)];
            // `as` saturates at 16 bits.
            (value * WEIGHT_SCALE as f32).round() as i16
        };
        let places = 0..PACKING.len as u32;
        (0..PHASES)
            .into_par_iter()
            .flat_map_iter(|phase| places.clone().map(move |place| weight(phase, place)))
            .collect()
    }
}

/// Updates one part of the weights by the gradients of some positions, with AdaGrad.
pub(crate) fn update_patterns(
    part: usize,
    weights: &mut [LearntWeight],
    gradients: &Gradients,
    rate: f32,
) {
    for (phase, place, by) in gradients.by_patterns(part) {
        let LearntWeight { value, squares } = &mut weights[number(phase, place)];
        *squares += by * by;
        *value -= rate * by / squares.sqrt();
    }
}
