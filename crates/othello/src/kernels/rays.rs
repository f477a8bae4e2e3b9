//! Rays: the squares in each direction from a square, out to the edge.

/// The eight rays of a square, in one cache line: four along which the index of the square rises
/// and four along which it falls.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Rays {
    /// East, south-west, south, south-east.
    pub rising: [u64; 4],
    /// West, north-east, north, north-west.
    pub falling: [u64; 4],
}

const RISING: [(i8, i8); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];

const fn ray(square: i8, dx: i8, dy: i8) -> u64 {
    let (mut column, mut row) = (square % 8 + dx, square / 8 + dy);
    let mut bits = 0;
    while column >= 0 && column < 8 && row >= 0 && row < 8 {
        bits |= 1u64 << (row * 8 + column);
        column += dx;
        row += dy;
    }
    bits
}

/// The rays of every square.
pub static RAYS: [Rays; 64] = {
    let mut table = [Rays { rising: [0; 4], falling: [0; 4] }; 64];
    let mut square = 0;
    while square < 64 {
        let mut k = 0;
        while k < 4 {
            let (dx, dy) = RISING[k];
            table[square].rising[k] = ray(square as i8, dx, dy);
            table[square].falling[k] = ray(square as i8, -dx, -dy);
            k += 1;
        }
        square += 1;
    }
    table
};
