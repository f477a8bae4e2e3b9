//! Shapes of the patterns.
//!
//! A shape is an ordered list of two to ten squares: 3^10 - 1 fits 16 bits. Each square is empty, the player's or the
//! opponent's, so a shape of n squares has 3^n configurations. The images of a shape under the
//! eight symmetries are its placements, which share the weights of the shape. A placement is one
//! lane of the index vectors of [`super::MidBoard`].
//!
//! After: M. Buro, "Improving heuristic mini-max search by supervised learning", 2002 (table
//! lookups of configurations), and the shapes that Othello programs have used since.

use umigame_othello::{Bitboard, Square, Symmetry};

/// An ordered list of squares.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Name of the shape.
    pub name: &'static str,
    /// Squares in order, two characters each, separated by spaces.
    text: &'static str,
}

/// Number of shapes.
pub const SHAPES: usize = 15;

/// All shapes.
pub const SHAPE: [Shape; SHAPES] = [
    Shape { name: "edge and X squares", text: "B2 A1 B1 C1 D1 E1 F1 G1 H1 G2" },
    Shape { name: "edge block", text: "A1 C1 D1 C2 D2 E2 F2 E1 F1 H1" },
    Shape { name: "corner, 3 by 3", text: "A1 B1 C1 A2 B2 C2 A3 B3 C3" },
    Shape { name: "corner triangle", text: "A1 B1 C1 D1 A2 B2 C2 A3 B3 A4" },
    Shape { name: "corner angle", text: "A5 A4 A3 A2 A1 B2 B1 C1 D1 E1" },
    Shape { name: "corner cross", text: "A1 B2 C3 D4 B1 C2 D3 A2 B3 C4" },
    Shape { name: "corner, 5 by 2", text: "A1 B1 C1 D1 E1 A2 B2 C2 D2 E2" },
    Shape { name: "second row", text: "A2 B2 C2 D2 E2 F2 G2 H2" },
    Shape { name: "third row", text: "A3 B3 C3 D3 E3 F3 G3 H3" },
    Shape { name: "fourth row", text: "A4 B4 C4 D4 E4 F4 G4 H4" },
    Shape { name: "diagonal of 8", text: "A1 B2 C3 D4 E5 F6 G7 H8" },
    Shape { name: "diagonal of 7 and its corners", text: "A1 B1 C2 D3 E4 F5 G6 H7 H8" },
    Shape { name: "diagonal of 6", text: "C1 D2 E3 F4 G5 H6" },
    Shape { name: "diagonal of 5", text: "D1 E2 F3 G4 H5" },
    Shape { name: "diagonal of 4", text: "E1 F2 G3 H4" },
];

impl Shape {
    /// Returns the number of squares.
    pub const fn len(&self) -> usize {
        self.text.len().div_ceil(3)
    }

    /// Returns whether there are no squares, which is true of no shape.
    pub const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns square `i`, which is less than [`Shape::len`].
    pub const fn square(&self, i: usize) -> Square {
        let text = self.text.as_bytes();
        let (file, rank) = (text[3 * i] - b'A', text[3 * i + 1] - b'1');
        Bitboard::from_bits(1 << (8 * rank + file)).lowest()
    }

    /// Returns the number of configurations.
    pub const fn configurations(&self) -> usize {
        3usize.pow(self.len() as u32)
    }

    const fn image(&self, symmetry: Symmetry) -> Bitboard {
        let mut squares = Bitboard::EMPTY;
        let mut i = 0;
        while i < self.len() {
            squares.insert(symmetry.of_square(self.square(i)));
            i += 1;
        }
        squares
    }
}

/// A shape where it lies on the board.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    /// Index of the shape in [`SHAPE`].
    pub shape: usize,
    /// Symmetry that takes the shape there.
    pub symmetry: Symmetry,
}

/// Number of placements of all shapes.
pub const PLACEMENTS: usize = 62;

/// Lanes of the index vectors: the placements, padded to whole vectors.
pub const LANES: usize = 64;

/// Placement of each lane; lanes beyond the last are unused.
pub const PLACEMENT: [Placement; PLACEMENTS] = placements();

const fn placements() -> [Placement; PLACEMENTS] {
    let mut found = [Placement { shape: 0, symmetry: Symmetry::IDENTITY }; PLACEMENTS];
    let (mut count, mut shape) = (0, 0);
    while shape < SHAPES {
        let first = count;
        let mut s = 0;
        while s < 8 {
            let symmetry = Symmetry::ALL[s];
            let image = SHAPE[shape].image(symmetry).bits();
            let (mut known, mut i) = (false, first);
            while i < count {
                known |= SHAPE[shape].image(found[i].symmetry).bits() == image;
                i += 1;
            }
            if !known {
                found[count] = Placement { shape, symmetry };
                count += 1;
            }
            s += 1;
        }
        shape += 1;
    }
    assert!(count == PLACEMENTS);
    found
}

/// Summand of an own disc on each square to the index of each lane: a power of 3 if the placement
/// has the square, otherwise 0. The last row, for no square, is all zeros.
pub static POWERS: [[u16; LANES]; 65] = powers();

const fn powers() -> [[u16; LANES]; 65] {
    let mut powers = [[0; LANES]; 65];
    let placements = placements();
    let mut lane = 0;
    while lane < PLACEMENTS {
        let Placement { shape, symmetry } = placements[lane];
        let (mut power, mut i) = (1u16, 0);
        while i < SHAPE[shape].len() {
            let square = symmetry.of_square(SHAPE[shape].square(i));
            powers[square.index()][lane] = power;
            power = power.wrapping_mul(3);
            i += 1;
        }
        lane += 1;
    }
    powers
}

/// Returns, for each configuration of a shape, the least of its images under the symmetries that
/// map the shape onto itself, and the first symmetry that leads to it.
pub fn folds(shape: &Shape) -> Vec<(u32, Symmetry)> {
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

/// Returns the symmetries that map a shape onto itself, except the identity.
pub fn mirrors(shape: &Shape) -> impl Iterator<Item = Symmetry> {
    let squares = shape.image(Symmetry::IDENTITY);
    Symmetry::ALL[1..].iter().copied().filter(move |symmetry| symmetry.of_set(squares) == squares)
}

/// Returns the image of each configuration under a symmetry that maps the shape onto itself.
pub fn images(shape: &Shape, symmetry: Symmetry) -> Vec<u32> {
    let mut images = vec![0];
    for i in 0..shape.len() {
        let image = symmetry.of_square(shape.square(i));
        let to = (0..shape.len()).find(|&to| shape.square(to) == image).unwrap_or(i);
        let power = 3u32.pow(to as u32);
        for digit in 1..3 {
            images.extend_from_within(..3usize.pow(i as u32));
            let new = images.iter_mut().skip(digit * 3usize.pow(i as u32));
            new.for_each(|image| *image += digit as u32 * power);
        }
    }
    images
}
