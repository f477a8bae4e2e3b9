//! Filling the tables: soon enough that nobody waits for it at the start.

use super::layout::{BLOCKS, PACKING, RAW, block};
use super::tables::{STAGES, Tables};
use crate::eval::file::{Line, WeightsError, WeightsFile};
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
        fill(|at| Ok(PACKING.block(at).map(line).collect())).ok()
    }

    /// The tables of a file.
    ///
    /// # Errors
    /// A file whose weights cannot be unpacked.
    pub fn unpack(file: &WeightsFile<'_>) -> Result<Tables, WeightsError> {
        fill(|at| file.lines(at))
    }
}

/// Tables from the packed weights of each block.
fn fill(
    lines: impl Fn(usize) -> Result<Vec<Line>, WeightsError> + Sync,
) -> Result<Tables, WeightsError> {
    let mut tables = Tables::zeroes();
    let mut parts = parts(tables.weights());
    // The largest last: they are taken first.
    parts.sort_by_key(|(at, _)| block(*at).len());
    share_out(parts, |(at, mut part)| {
        spread(&lines(at)?, at, &mut part);
        Ok(())
    })?;
    Ok(tables)
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
fn spread(lines: &[Line], at: usize, part: &mut Part<'_>) {
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
