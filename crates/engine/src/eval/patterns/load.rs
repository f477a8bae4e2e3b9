//! Filling the tables: soon enough that nobody waits for it at the start.

use super::layout::{BLOCKS, PACKING, RAW, block};
use super::tables::{ConfigurationWeights, STAGES, Tables};
use crate::threads::share_out;

/// A block's share of the tables, stage by stage.
type Part<'a> = Vec<&'a mut [i16]>;

impl Tables {
    /// The tables of packed weights, [`STAGES`] stages of
    /// [`super::layout::Packing::len`] each; `None` where there are more or
    /// fewer.
    pub fn new(packed: &[i16]) -> Option<Tables> {
        let stages: Vec<&[i16]> = packed.chunks(PACKING.len).collect();
        if packed.len() != STAGES * PACKING.len {
            return None;
        }
        let line = |place: usize| std::array::from_fn(|stage| stages[stage][place]);
        Tables::from_blocks(|at| Ok::<_, ()>(PACKING.block(at).map(line).collect())).ok()
    }

    /// Returns the tables of blocks of packed weights.
    ///
    /// # Errors
    /// The first error of `weights`.
    pub fn from_blocks<E: Send>(
        weights: impl Fn(usize) -> Result<Vec<ConfigurationWeights>, E> + Sync,
    ) -> Result<Tables, E> {
        let mut tables = Tables::zeroes();
        let mut parts = parts(tables.weights());
        // The largest last: they are taken first.
        parts.sort_by_key(|(at, _)| block(*at).len());
        share_out(parts, |(at, mut part)| {
            spread(&weights(at)?, at, &mut part);
            Ok(())
        })?;
        Ok(tables)
    }
}

/// Each block's share of the tables.
fn parts(weights: &mut [i16]) -> Vec<(usize, Part<'_>)> {
    let mut parts: Vec<(usize, Part<'_>)> = (0..BLOCKS).map(|at| (at, Vec::new())).collect();
    for mut rest in weights.chunks_mut(RAW) {
        for (at, part) in &mut parts {
            let (own, others) = rest.split_at_mut(block(*at).len());
            part.push(own);
            rest = others;
        }
    }
    parts
}

/// Configurations whose weights lie in the nearest cache while they are
/// taken apart by stage.
const AT_ONCE: usize = 128;

/// Puts the packed weights of a block where evaluation looks them up.
fn spread(lines: &[ConfigurationWeights], at: usize, part: &mut Part<'_>) {
    let first = PACKING.block(at).start;
    for (chunk, places) in PACKING.packed[block(at)].chunks(AT_ONCE).enumerate() {
        for (i, stage) in part.iter_mut().enumerate() {
            let stage = &mut stage[chunk * AT_ONCE..][..places.len()];
            for (raw, &place) in stage.iter_mut().zip(places) {
                *raw = lines[place as usize - first][i];
            }
        }
    }
}
