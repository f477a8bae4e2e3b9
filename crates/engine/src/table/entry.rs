//! What the transposition table holds of a position, and its 64 bits.

use crate::limits::confidence::Confidence;
use umigame_eval::value::{BestMove, Bounds, Centidiscs, NullWindow, Unit, Window};
use umigame_othello::Square;

/// How well a value is known. Ordered by plies, then by confidence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct SearchDepth {
    /// Plies searched; the empties for a search to the end of the game.
    pub plies: u8,
    /// Confidence of the cuts.
    pub confidence: Confidence,
}

impl SearchDepth {
    /// Whether a value of this depth serves where `needed` is asked for.
    #[inline(always)]
    pub const fn reaches(self, needed: SearchDepth) -> bool {
        self.plies >= needed.plies && self.confidence.index() >= needed.confidence.index()
    }

    /// The depth after a move.
    #[inline(always)]
    pub const fn below(self) -> SearchDepth {
        SearchDepth { plies: self.plies - 1, ..self }
    }
}

/// Bounds and moves of a position. The bounds are centidiscs for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TableEntry {
    pub lower: i16,
    pub upper: i16,
    pub depth: SearchDepth,
    /// The best move of the latest search that found one, then the best move before it.
    pub moves: [Option<Square>; 2],
}

/// Stands for no move in the seven bits of a square.
const NO_SQUARE: u64 = 64;

const fn pack_square(square: Option<Square>) -> u64 {
    match square {
        Some(square) => square.index() as u64,
        None => NO_SQUARE,
    }
}

/// Bits of a bound, which is -6400 to 6400.
const BOUND_BITS: u32 = 14;

const fn pack_bound(bound: i16) -> u64 {
    bound as u16 as u64 & ((1 << BOUND_BITS) - 1)
}

/// Unpacks the bound in the lowest bits.
#[inline(always)]
const fn unpack_bound(data: u64) -> i16 {
    ((data << (64 - BOUND_BITS)) as i64 >> (64 - BOUND_BITS)) as i16
}

impl TableEntry {
    /// The entry of a search in `window` that found `best`.
    #[inline(always)]
    pub(super) fn new<V: Unit>(
        depth: SearchDepth,
        window: Window<V>,
        best: BestMove<V>,
    ) -> TableEntry {
        let (window, best) = (window.to_centidiscs(), best.to_centidiscs());
        let value = best.value.0 as i16;
        TableEntry {
            lower: if best.value > window.alpha { value } else { -6400 },
            upper: if best.value < window.beta { value } else { 6400 },
            depth,
            moves: [best.square, None],
        }
    }

    /// Returns the bounds if they are known to the depth `needed`.
    #[inline(always)]
    pub fn bounds(&self, needed: SearchDepth) -> Option<Bounds<Centidiscs>> {
        self.depth.reaches(needed).then_some(Bounds {
            lower: Centidiscs(self.lower.into()),
            upper: Centidiscs(self.upper.into()),
        })
    }

    /// Returns a bound known to the depth `needed` that decides the window, if there is one.
    #[inline(always)]
    pub fn cutoff<V: Unit>(&self, needed: SearchDepth, window: NullWindow<V>) -> Option<V> {
        self.bounds(needed)?.to_unit().cutoff(window)
    }

    /// Returns the value within the bounds, of whatever depth, that is nearest to `value`.
    #[inline(always)]
    pub fn nearest(&self, value: Centidiscs) -> Centidiscs {
        value.max(Centidiscs(self.lower.into())).min(Centidiscs(self.upper.into()))
    }

    /// Packs the entry: bits 0-13 lower, 14-27 upper, 28-33 plies, 34-39 confidence, 40-46 and
    /// 47-53 moves, 54-63 generation.
    #[inline(always)]
    pub(super) const fn pack(self, generation: u16) -> u64 {
        pack_bound(self.lower)
            | pack_bound(self.upper) << BOUND_BITS
            | (self.depth.plies as u64 & 63) << 28
            | (self.depth.confidence.index() as u64 & 63) << 34
            | pack_square(self.moves[0]) << 40
            | pack_square(self.moves[1]) << 47
            | (generation as u64) << 54
    }

    #[inline(always)]
    pub(super) const fn unpack(data: u64) -> TableEntry {
        TableEntry {
            lower: unpack_bound(data),
            upper: unpack_bound(data >> BOUND_BITS),
            depth: unpack_depth(data),
            moves: [
                Square::from_index((data >> 40 & 127) as usize),
                Square::from_index((data >> 47 & 127) as usize),
            ],
        }
    }

    /// Merges a new entry of the same position into this one.
    ///
    /// Bounds of equal depth are intersected; a new bound that is known less well is dropped, any
    /// other replaces the old. Moves of earlier searches are kept.
    pub(super) fn merge(self, new: TableEntry) -> TableEntry {
        if self.depth != new.depth && self.depth.reaches(new.depth) {
            return self;
        }
        let mut merged = new;
        if self.depth == new.depth {
            merged.lower = self.lower.max(new.lower);
            merged.upper = self.upper.min(new.upper);
            if merged.lower > merged.upper {
                (merged.lower, merged.upper) = (new.lower, new.upper);
            }
        }
        merged.moves = match new.moves[0] {
            None => self.moves,
            best if best == self.moves[0] => self.moves,
            best => [best, self.moves[0]],
        };
        merged
    }
}

#[inline(always)]
pub(super) const fn unpack_depth(data: u64) -> SearchDepth {
    SearchDepth {
        plies: (data >> 28 & 63) as u8,
        confidence: Confidence::from_index((data >> 34 & 63) as u8),
    }
}

pub(super) const fn unpack_generation(data: u64) -> u16 {
    (data >> 54) as u16
}
