//! Caches of positions near the leaves, private to a thread and small enough for its core's own
//! memory.
//!
//! A cache has one entry a slot, and the latest stays. A match is never false: an entry holds the
//! whole position.

use umigame_eval::value::{Discs, NullWindow};
use umigame_othello::{Bitboard, Position, Square};

/// Bits of the best move, above those of the bound.
const SQUARE_BITS: u32 = 6;
/// Bits of the bound: seven for half of its distance from -64, and one for its kind.
const BOUND_BITS: u32 = 8;
/// Set if the score is at least the bound, clear if it is at most that.
const LOWER_BOUND: u32 = 1 << (BOUND_BITS - 1);

/// The latest bound of a position's score and its best move, packed. Keeping both bounds saved less
/// than one node in ten thousand.
#[derive(Clone, Copy, Debug)]
pub(super) struct CachedBound(u32);

impl CachedBound {
    #[inline(always)]
    fn new(Discs(score): Discs, is_lower: bool) -> CachedBound {
        debug_assert!(score % 2 == 0 && score.abs() <= 64, "{score} is no final score");
        let kind = if is_lower { LOWER_BOUND } else { 0 };
        CachedBound(((score + 64) as u32 / 2) | kind)
    }

    #[inline(always)]
    fn score(self) -> Discs {
        Discs(2 * (self.0 & (LOWER_BOUND - 1)) as i32 - 64)
    }

    #[inline(always)]
    fn is_lower(self) -> bool {
        self.0 & LOWER_BOUND != 0
    }

    /// The best move, of a position stored with one.
    #[inline(always)]
    pub fn best(self) -> Square {
        Bitboard::from_bits(1 << ((self.0 >> BOUND_BITS) % 64)).lowest()
    }

    /// The upper bound of the score.
    #[inline(always)]
    pub fn upper(self) -> Discs {
        if self.is_lower() { Discs::MAX } else { self.score() }
    }

    /// Returns the bound if it decides the window.
    #[inline(always)]
    pub fn cutoff(self, window: NullWindow<Discs>) -> Option<Discs> {
        let score = self.score();
        (self.is_lower() == (score > window.alpha)).then_some(score)
    }
}

/// 16 bytes, so that no entry spans two cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
struct CacheEntry {
    player: u64,
    /// The low bits of the position's number and, below them, its bound.
    rest: u64,
}

/// The entry of a full board, which is never probed.
const EMPTY_ENTRY: CacheEntry = CacheEntry { player: u64::MAX, rest: 0 };

/// A cache of `1 << BITS` entries.
///
/// A number stands for the opponent's discs: beside the same discs of the player, no two sets of
/// them have the same number. Its high bits are the slot, the others are in the entry.
#[derive(Debug)]
pub(super) struct Cache<const BITS: u32>(Box<[CacheEntry]>);

impl<const BITS: u32> Cache<BITS> {
    /// Makes an empty cache.
    pub fn new() -> Cache<BITS> {
        const { assert!(BITS >= BOUND_BITS) };
        Cache(vec![EMPTY_ENTRY; 1 << BITS].into_boxed_slice())
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.fill(EMPTY_ENTRY);
    }

    /// Returns the slot of a position, and its entry without a bound.
    #[inline(always)]
    fn slot(position: Position) -> (usize, CacheEntry) {
        let (player, opponent) = (position.player().bits(), position.opponent().bits());
        // Multiplication by an odd factor is one-to-one.
        let number = player.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ opponent.rotate_left(29).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        ((number >> (64 - BITS)) as usize, CacheEntry { player, rest: number << BITS })
    }

    /// Returns the bound of a position.
    #[inline(always)]
    pub fn probe(&self, position: Position) -> Option<CachedBound> {
        let (slot, wanted) = Self::slot(position);
        let entry = &self.0[slot];
        let bound = entry.rest ^ wanted.rest;
        (entry.player == wanted.player && bound >> BITS == 0).then_some(CachedBound(bound as u32))
    }

    /// Returns the bound of a position if it decides the window.
    #[inline(always)]
    pub fn cutoff(&self, position: Position, window: NullWindow<Discs>) -> Option<Discs> {
        self.probe(position)?.cutoff(window)
    }

    /// Stores the score that a search in `window` found.
    #[inline(always)]
    pub fn store(&mut self, position: Position, window: NullWindow<Discs>, score: Discs) {
        self.put(position, CachedBound::new(score, score > window.alpha));
    }

    /// [`Cache::store`] with the best move.
    #[inline(always)]
    pub fn store_with_move(
        &mut self,
        position: Position,
        window: NullWindow<Discs>,
        score: Discs,
        best: Square,
    ) {
        const { assert!(BITS >= BOUND_BITS + SQUARE_BITS) };
        let CachedBound(bound) = CachedBound::new(score, score > window.alpha);
        self.put(position, CachedBound(bound | (best.index() as u32) << BOUND_BITS));
    }

    #[inline(always)]
    fn put(&mut self, position: Position, CachedBound(bound): CachedBound) {
        let (slot, mut entry) = Self::slot(position);
        entry.rest |= u64::from(bound);
        self.0[slot] = entry;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use umigame_othello::testing::random_positions;

    struct Stored {
        score: Discs,
        window: NullWindow<Discs>,
        best: Square,
    }

    fn assert_same(cached: CachedBound, stored: &Stored) {
        let &Stored { score, window, best } = stored;
        assert_eq!((cached.score(), cached.is_lower()), (score, score > window.alpha));
        assert_eq!(cached.best(), best);
        assert_eq!(cached.upper(), if score > window.alpha { Discs::MAX } else { score });
        for alpha in (-64..64).map(Discs) {
            let decides = if cached.is_lower() { score > alpha } else { score <= alpha };
            assert_eq!(cached.cutoff(NullWindow::above(alpha)), decides.then_some(score));
        }
    }

    #[test]
    fn a_probe_finds_what_was_stored_last_for_that_very_position() {
        let mut cache = Cache::<14>::new();
        let mut random = fastrand::Rng::with_seed(5);
        let mut stored = HashMap::new();
        let mut found = 0;
        let mut check = |position: Position| {
            if position.empties() > 10 {
                return;
            }
            if let Some(cached) = cache.probe(position) {
                found += 1;
                assert_same(cached, stored.get(&position).expect("stored before"));
            }
            let score = Discs(2 * random.i32(-32..=32));
            let window = NullWindow::above(Discs(random.i32(-64..64)));
            let best = Bitboard::from_bits(1 << random.u32(0..64)).lowest();
            cache.store_with_move(position, window, score, best);
            assert_eq!(cache.probe(position).map(CachedBound::best), Some(best));
            stored.insert(position, Stored { score, window, best });
        };
        for _ in 0..2 {
            random_positions(3, 60_000, &mut check);
        }
        assert!(found > 1_000, "only {found} positions were met again");
        cache.clear();
        assert!(stored.keys().all(|&position| cache.probe(position).is_none()));
    }
}
