//! Which row each configuration has, and how its blocks lie.
//!
//! Block `e` of the row of a placement that the symmetry `s` makes goes to
//! block `s after e` of the sum. A configuration whose row belongs to its
//! mirror image first takes the blocks through that mirror
//! ([`PACKING`]'s turns).

use super::{CHANNELS, TURNS, WIDTH};
use crate::eval::patterns::layout::{FIRST, PACKING};
use crate::eval::patterns::shapes::{SHAPE, images, mirrors};
use umigame_othello::Symmetry;

/// Where the blocks of a row go under each symmetry.
pub const BLOCKS: [[usize; TURNS]; TURNS] = {
    let mut blocks = [[0; TURNS]; TURNS];
    let mut turn = 0;
    while turn < TURNS {
        let mut block = 0;
        while block < TURNS {
            blocks[turn][block] = Symmetry::ALL[turn].after(Symmetry::ALL[block]).index();
            block += 1;
        }
        turn += 1;
    }
    blocks
};

/// Which block comes to each place under each symmetry.
pub static FROM: [[u64; TURNS]; TURNS] = {
    let mut from = [[0; TURNS]; TURNS];
    let mut i = 0;
    while i < TURNS * TURNS {
        from[i / TURNS][BLOCKS[i / TURNS][i % TURNS]] = (i % TURNS) as u64;
        i += 1;
    }
    from
};

/// Numbers in blocks for each symmetry, as a symmetry takes them.
#[inline(always)]
pub fn turned<T: Copy>(numbers: &[T; WIDTH], turn: Symmetry) -> [T; WIDTH] {
    let mut turned = *numbers;
    for block in 0..TURNS {
        let to = BLOCKS[turn.index()][block];
        for channel in 0..CHANNELS {
            turned[to * CHANNELS + channel] = numbers[block * CHANNELS + channel];
        }
    }
    turned
}

/// The packed places of configurations that are their own image under a
/// symmetry, each with that symmetry: so must their rows be.
pub fn symmetric() -> Vec<(u32, Symmetry)> {
    let mut found = Vec::new();
    for (shape, first) in SHAPE.iter().zip(FIRST) {
        for turn in mirrors(shape) {
            let images = images(shape, turn).into_iter().enumerate();
            let own = images.filter(|&(index, image)| image as usize == index);
            found.extend(own.map(|(index, _)| (PACKING.packed[first + index], turn)));
        }
    }
    found.sort_by_key(|&(packed, turn)| (packed, turn.index()));
    found.dedup();
    found
}
