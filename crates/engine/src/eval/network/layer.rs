//! The head of a stage: from the sum of rows to a correction.
//!
//! With `x` the sum of a position's rows, in parts of which
//! [`super::ROW_PARTS`] are one, for channel `c`, kind `k` and symmetry `g`:
//!
//! - `y[c][g] = squeeze(x[c][g] + bias[c])`: what is below 0 or above 4 counts
//!   for a 32nd part, and what is beyond 16 for nothing,
//! - `z[k][g] = max(0, mix_bias[k] + sum of mix[k][c][e] * y[c][g after e])`
//!   over all channels and symmetries `e`,
//! - the correction in discs is `shift`, the sum of `skip[c] * y[c][g]`, and
//!   the sum of `out[k] * z[k][g]`.

use super::embedding::BLOCKS;
use super::{CHANNELS, HIDDEN, KINDS, ROW_PARTS, Sum, TURNS, WIDTH};
use umigame_othello::kernels;

/// Numbers of a head.
pub const NUMBERS: usize = SHIFT + 1;
/// Where the biases of the channels are.
pub const BIAS: usize = 0;
/// Where the numbers of the mixture are: for each kind a number for each of
/// a sum's.
pub const MIX: usize = BIAS + CHANNELS;
/// Where the biases of the kinds are.
pub const MIX_BIAS: usize = MIX + KINDS * WIDTH;
/// Where the weights of the kinds are.
pub const OUT: usize = MIX_BIAS + KINDS;
/// Where the weights of the channels are.
pub const SKIP: usize = OUT + KINDS;
/// Where the constant is.
pub const SHIFT: usize = SKIP + CHANNELS;

/// Parts of one in the numbers of a head, but for the biases of channels.
pub const HEAD_PARTS: i32 = 1024;
/// No number of a head is larger, but for the shift: three for most. Then no
/// sum overflows.
pub const LARGEST: i32 = 3 * HEAD_PARTS;

/// A sum beyond this counts for little more.
pub const FULL: i32 = 4 * ROW_PARTS;
/// For how much of itself a number beyond the bounds counts, as a divisor.
pub const LEAK: i32 = 32;
/// A sum beyond this counts for no more at all.
pub const MOST: i32 = 16 * ROW_PARTS;
/// Parts of one in a squeezed number.
const SQUEEZED_PARTS: i32 = ROW_PARTS * LEAK;
/// Mixed numbers are kept in 256 parts: so much less than products.
const MIXED_SHIFT: u32 = 14;
/// No mixed number counts for more: 32.
const MOST_MIXED: i32 = 32 * 256 - 1;
/// Products of `skip` have so many bits more than those of `out`.
const SKIP_SHIFT: u32 = 4;
/// Bits behind the point of the sum at the end.
const POINT: u32 = 18;

const _: () = assert!(SQUEEZED_PARTS * HEAD_PARTS == 256 << MIXED_SHIFT);
const _: () = assert!(256 * HEAD_PARTS == 1 << POINT);
const _: () = assert!(SQUEEZED_PARTS * HEAD_PARTS == 1 << (POINT + SKIP_SHIFT));

/// The numbers of a stage, in [`HEAD_PARTS`] and, the biases of the channels,
/// in [`ROW_PARTS`] of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head(pub [i16; NUMBERS]);

impl Head {
    /// Whether no number is larger than [`largest`] allows.
    pub fn is_sound(&self) -> bool {
        self.0.iter().enumerate().all(|(at, &number)| i32::from(number).abs() <= largest(at))
    }

    /// The head whose corrections are so many hundredths of a disc larger.
    #[must_use]
    pub fn shifted(mut self, centidiscs: f64) -> Head {
        let (parts, largest) = (f64::from(HEAD_PARTS) / 100.0, f64::from(largest(SHIFT)));
        let shift = f64::from(self.0[SHIFT]) + centidiscs * parts;
        self.0[SHIFT] = shift.round().clamp(-largest, largest) as i16;
        self
    }

    /// The head whose corrections are so many times as large, as far as
    /// [`largest`] allows.
    #[must_use]
    pub fn scaled(mut self, scale: f64) -> Head {
        for (at, number) in self.0.iter_mut().enumerate().skip(OUT) {
            let largest = f64::from(largest(at));
            *number = (f64::from(*number) * scale).round().clamp(-largest, largest) as i16;
        }
        self
    }
}

/// The largest that a number of a head may be.
pub const fn largest(at: usize) -> i32 {
    if at == SHIFT { i16::MAX as i32 } else { LARGEST }
}

/// A sum's number with its bias, squeezed: less than 18,000 either way.
#[inline(always)]
fn squeezed(number: i16) -> i16 {
    let within = number.clamp(0, FULL as i16);
    LEAK as i16 * within + (number.clamp(-(MOST as i16), MOST as i16) - within)
}

/// A head with its mixture written out for every symmetry.
#[derive(Clone, Debug)]
pub struct Mixer {
    bias: [i16; WIDTH],
    /// What each of a sum's numbers adds to each mixed one, as
    /// [`kernels::mixed`] takes it.
    mix: [[i16; 2 * HIDDEN]; WIDTH / 2],
    mix_bias: [i32; HIDDEN],
    out: [i32; HIDDEN],
    skip: [i32; WIDTH],
    shift: i32,
}

impl Mixer {
    /// The mixer of a head.
    pub fn new(Head(head): &Head) -> Mixer {
        let number = |at: usize| i32::from(head[at]);
        let mut mix = [[0; 2 * HIDDEN]; WIDTH / 2];
        for (hidden, turn) in (0..HIDDEN).map(|hidden| (hidden, hidden % TURNS)) {
            for (at, block) in (0..WIDTH).map(|at| (at, at / CHANNELS)) {
                let to = BLOCKS[turn][block] * CHANNELS + at % CHANNELS;
                mix[to / 2][2 * hidden + to % 2] = head[MIX + hidden / TURNS * WIDTH + at];
            }
        }
        Mixer {
            bias: std::array::from_fn(|i| head[BIAS + i % CHANNELS]),
            mix,
            mix_bias: std::array::from_fn(|i| number(MIX_BIAS + i / TURNS) * SQUEEZED_PARTS),
            out: std::array::from_fn(|i| number(OUT + i / TURNS)),
            skip: std::array::from_fn(|i| number(SKIP + i % CHANNELS)),
            shift: number(SHIFT) * ((1 << POINT) / HEAD_PARTS),
        }
    }

    /// The correction in hundredths of a disc.
    #[inline(always)]
    pub fn value(&self, sum: &Sum) -> i32 {
        let mut near = [0i16; WIDTH];
        for (near, (number, bias)) in near.iter_mut().zip(sum.iter().zip(&self.bias)) {
            // Far less than 16 bits hold.
            *near = squeezed(number + bias);
        }
        let mixed = kernels::mixed(&near, &self.mix, &self.mix_bias);
        let mut total = self.shift;
        for (near, weight) in near.iter().zip(&self.skip) {
            total += (i32::from(*near) * weight) >> SKIP_SHIFT;
        }
        for (mixed, weight) in mixed.iter().zip(&self.out) {
            total += (mixed >> MIXED_SHIFT).clamp(0, MOST_MIXED) * weight;
        }
        ((i64::from(total) * 100) >> POINT) as i32
    }
}
