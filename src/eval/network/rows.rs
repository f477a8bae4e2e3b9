//! Which row each configuration has, and how its blocks lie.
//!
//! Block `e` of the row of a placement that the symmetry `s` makes goes to
//! block `s after e` of the sum. A configuration whose row belongs to its
//! mirror image first takes the blocks through that mirror.

use std::sync::LazyLock;

use super::{CHANNELS, TURNS, WIDTH};
use crate::board::Symmetry;
use crate::eval::patterns::layout::{FIRST, PACKING};
use crate::eval::patterns::shapes::{SHAPE, Shape, images, mirrors};

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
pub static FROM: [[u32; TURNS]; TURNS] = {
    let mut from = [[0; TURNS]; TURNS];
    let mut i = 0;
    while i < TURNS * TURNS {
        from[i / TURNS][BLOCKS[i / TURNS][i % TURNS]] = (i % TURNS) as u32;
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

/// Whose row a raw place has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The packed place.
    pub packed: u32,
    /// What takes the blocks of the packed row to those of this place.
    pub turn: Symmetry,
}

/// The row of each raw place, computed once.
pub static PLACES: LazyLock<Vec<Place>> = LazyLock::new(|| {
    let straight = |&packed: &u32| Place { packed, turn: Symmetry::IDENTITY };
    let mut places: Vec<Place> = PACKING.packed.iter().map(straight).collect();
    for (shape, first) in SHAPE.iter().zip(FIRST) {
        let places = &mut places[first..first + shape.configurations()];
        // The row is that of the least image; what takes the image back
        // takes its blocks to where they are here.
        for (place, (_, symmetry)) in places.iter_mut().zip(least_images(shape)) {
            place.turn = symmetry.inverse();
        }
    }
    places
});

/// The least image of each configuration of a shape among those where the
/// shape lies on the same squares, and the symmetry that leads to it.
fn least_images(shape: &Shape) -> Vec<(u32, Symmetry)> {
    let own = |index| (index, Symmetry::IDENTITY);
    let mut least: Vec<_> = (0..shape.configurations() as u32).map(own).collect();
    for symmetry in mirrors(shape) {
        for (least, image) in least.iter_mut().zip(images(shape, symmetry)) {
            if image < least.0 {
                *least = (image, symmetry);
            }
        }
    }
    least
}

/// The packed places of configurations that are their own image under a
/// symmetry, each with that symmetry: so must their rows be.
pub fn symmetric() -> Vec<Place> {
    let mut found = Vec::new();
    for (shape, first) in SHAPE.iter().zip(FIRST) {
        for turn in mirrors(shape) {
            let images = images(shape, turn).into_iter().enumerate();
            let own = images.filter(|&(index, image)| image as usize == index);
            found.extend(own.map(|(i, _)| Place { packed: PACKING.packed[first + i], turn }));
        }
    }
    found.sort_by_key(|place| (place.packed, place.turn.index()));
    found.dedup();
    found
}
