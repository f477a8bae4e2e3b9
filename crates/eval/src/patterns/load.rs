//! Filling of the tables, block by block on several threads: it is on the way to the first search.

use super::layout::{BLOCKS, PACKING, RAW, block, by_block};
use super::tables::{ConfigurationWeights, PHASES, Tables};
use crate::unpack::share_out;

/// A block's part of the tables, phase by phase.
type BlockTables<'a> = Vec<&'a mut [i16]>;

impl Tables {
    /// Returns the tables of packed weights: [`PHASES`] phases of `PACKING.len` weights each.
    /// `None` if there are more or fewer.
    pub fn new(packed: &[i16]) -> Option<Tables> {
        let phases: Vec<&[i16]> = packed.chunks(PACKING.len).collect();
        if packed.len() != PHASES * PACKING.len {
            return None;
        }
        let weights = |place: usize| std::array::from_fn(|phase| phases[phase][place]);
        let block = |at: usize| Ok::<_, ()>(PACKING.block(at).map(weights).collect());
        Tables::from_blocks(block).ok()
    }

    /// Returns the tables of blocks of packed weights.
    ///
    /// # Errors
    /// The first error of `weights`.
    pub fn from_blocks<E: Send>(
        weights: impl Fn(usize) -> Result<Vec<ConfigurationWeights>, E> + Sync,
    ) -> Result<Tables, E> {
        let mut tables = Tables::zeros();
        let mut blocks = split_blocks(tables.weights());
        // `share_out` begins at the end: the largest first.
        blocks.sort_by_key(|(at, _)| block(*at).len());
        share_out(blocks, |(at, mut tables)| {
            spread(&weights(at)?, at, &mut tables);
            Ok(())
        })?;
        Ok(tables)
    }
}

/// Splits raw weights into the parts of each block.
fn split_blocks(weights: &mut [i16]) -> Vec<(usize, BlockTables<'_>)> {
    let mut blocks: Vec<_> = (0..BLOCKS).map(|at| (at, BlockTables::new())).collect();
    for phase in weights.chunks_mut(RAW) {
        for ((_, tables), own) in blocks.iter_mut().zip(by_block(phase)) {
            tables.push(own);
        }
    }
    blocks
}

/// Configurations spread at a time: their weights stay in the first-level cache.
const SPREAD_CHUNK: usize = 128;

/// Copies the packed weights of a block to their raw places.
fn spread(weights: &[ConfigurationWeights], at: usize, tables: &mut BlockTables<'_>) {
    let first = PACKING.block(at).start;
    for (chunk, places) in PACKING.packed[block(at)].chunks(SPREAD_CHUNK).enumerate() {
        for (phase, table) in tables.iter_mut().enumerate() {
            let table = &mut table[chunk * SPREAD_CHUNK..][..places.len()];
            for (raw, &place) in table.iter_mut().zip(places) {
                *raw = weights[place as usize - first][phase];
            }
        }
    }
}
