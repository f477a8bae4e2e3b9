//! Symmetries of embeddings.
//!
//! Block `e` of the embedding of a placement that is made by symmetry `s` goes to block `s after
//! e` of the sum. A configuration that shares the embedding of its mirror image first has its
//! blocks permuted by that mirror ([`PACKING`]'s symmetries).

use super::dimensions::{CHANNELS, SYMMETRIES, WIDTH, place};
use crate::patterns::layout::{FIRST, PACKING};
use crate::patterns::shapes::{SHAPE, images, mirrors};
use umigame_othello::Symmetry;

/// Destination of each block under each symmetry.
pub const BLOCK_IMAGES: [[usize; SYMMETRIES]; SYMMETRIES] = {
    let mut images = [[0; SYMMETRIES]; SYMMETRIES];
    let mut symmetry = 0;
    while symmetry < SYMMETRIES {
        let mut block = 0;
        while block < SYMMETRIES {
            images[symmetry][block] = Symmetry::ALL[symmetry].after(Symmetry::ALL[block]).index();
            block += 1;
        }
        symmetry += 1;
    }
    images
};

/// Source of each block under each symmetry: the inverse of [`BLOCK_IMAGES`].
pub static BLOCK_SOURCES: [[u64; SYMMETRIES]; SYMMETRIES] = {
    let mut sources = [[0; SYMMETRIES]; SYMMETRIES];
    let mut i = 0;
    while i < SYMMETRIES * SYMMETRIES {
        let (symmetry, block) = (i / SYMMETRIES, i % SYMMETRIES);
        sources[symmetry][BLOCK_IMAGES[symmetry][block]] = block as u64;
        i += 1;
    }
    sources
};

/// Returns values in blocks for each symmetry, permuted by `symmetry`.
#[inline(always)]
pub fn permuted<T: Copy>(values: &[T; WIDTH], symmetry: Symmetry) -> [T; WIDTH] {
    let mut permuted = *values;
    for block in 0..SYMMETRIES {
        let to = BLOCK_IMAGES[symmetry.index()][block];
        for channel in 0..CHANNELS {
            permuted[place(to, channel)] = values[place(block, channel)];
        }
    }
    permuted
}

/// Returns the packed places of configurations that are their own image under a symmetry, each
/// with that symmetry: their embeddings must be their own image too.
pub fn self_images() -> Vec<(u32, Symmetry)> {
    let mut found = Vec::new();
    for (shape, first) in SHAPE.iter().zip(FIRST) {
        for symmetry in mirrors(shape) {
            let images = images(shape, symmetry).into_iter().enumerate();
            let own = images.filter(|&(index, image)| image as usize == index);
            found.extend(own.map(|(index, _)| (PACKING.packed[first + index], symmetry)));
        }
    }
    found.sort_by_key(|&(packed, symmetry)| (packed, symmetry.index()));
    found.dedup();
    found
}
