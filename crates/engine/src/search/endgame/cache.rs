//! Small tables for the many positions near the leaves, private to a thread
//! and sized to stay in its core's own cache.

use umigame_othello::{Position, Square};

/// Bits of the best move, above those of the score.
const SQUARE_BITS: u32 = 6;
/// Bits of the score: half of what it is above -64 in seven, and one that
/// tells whether the position's score is at least or at most that.
const SCORE_BITS: u32 = 8;
const AT_LEAST: u32 = 1 << (SCORE_BITS - 1);

/// What is known of a position: the latest bound of its score, in discs, and
/// its best move. Keeping both bounds was worth no node in ten thousand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known(u32);

impl Known {
    #[inline(always)]
    fn new(score: i32, at_least: bool) -> Known {
        debug_assert!(score % 2 == 0 && score.abs() <= 64, "no final score is {score}");
        let at_least = if at_least { AT_LEAST } else { 0 };
        Known(((score + 64) as u32 / 2) | at_least)
    }

    #[inline(always)]
    fn score(self) -> i32 {
        2 * (self.0 & (AT_LEAST - 1)) as i32 - 64
    }

    #[inline(always)]
    fn at_least(self) -> bool {
        self.0 & AT_LEAST != 0
    }

    /// The best move found, of a position stored with one.
    #[inline(always)]
    pub fn best(self) -> Square {
        Square::lowest(1 << ((self.0 >> SCORE_BITS) % 64))
    }

    /// The greatest score there can be.
    #[inline(always)]
    pub fn upper(self) -> i32 {
        if self.at_least() { 64 } else { self.score() }
    }

    /// The score, where what is known decides the window `alpha..alpha + 1`.
    #[inline(always)]
    pub fn decided(self, alpha: i32) -> Option<i32> {
        let score = self.score();
        (self.at_least() == (score > alpha)).then_some(score)
    }
}

/// One entry: 16 bytes, so that no two cache lines share it.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
struct Entry {
    player: u64,
    /// The low bits of the position's number, and below them what is known.
    rest: u64,
}

/// That of a full board, of which nobody asks.
const NOTHING: Entry = Entry { player: u64::MAX, rest: 0 };

/// A table of `1 << BITS` entries: one for each place, the latest stays.
///
/// A number stands for the opponent's discs, a different one for each set of
/// them beside the same discs of the player. Its high bits are the place, and
/// the others are in the entry, so that a match is never false.
#[derive(Debug)]
pub(super) struct Cache<const BITS: u32>(Box<[Entry]>);

impl<const BITS: u32> Cache<BITS> {
    /// An empty table.
    pub fn new() -> Cache<BITS> {
        const { assert!(BITS >= SCORE_BITS) };
        Cache(vec![NOTHING; 1 << BITS].into_boxed_slice())
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.fill(NOTHING);
    }

    /// The place of a position, and its entry with nothing known.
    #[inline(always)]
    fn place(position: Position) -> (usize, Entry) {
        let Position { player, opponent } = position;
        // A product with an odd factor is different for every other.
        let number = player.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ opponent.rotate_left(29).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        ((number >> (64 - BITS)) as usize, Entry { player, rest: number << BITS })
    }

    /// What is known of a position.
    #[inline(always)]
    pub fn probe(&self, position: Position) -> Option<Known> {
        let (place, wanted) = Self::place(position);
        let entry = &self.0[place];
        let known = entry.rest ^ wanted.rest;
        (entry.player == wanted.player && known >> BITS == 0).then_some(Known(known as u32))
    }

    /// The score of a position, where what is known decides the window
    /// `alpha..alpha + 1`.
    #[inline(always)]
    pub fn decided(&self, position: Position, alpha: i32) -> Option<i32> {
        self.probe(position)?.decided(alpha)
    }

    /// Stores the score that a search with the window `alpha..alpha + 1`
    /// found.
    #[inline(always)]
    pub fn store(&mut self, position: Position, alpha: i32, score: i32) {
        self.put(position, Known::new(score, score > alpha));
    }

    /// The same with the best move.
    #[inline(always)]
    pub fn store_with(&mut self, position: Position, alpha: i32, score: i32, best: Square) {
        const { assert!(BITS >= SCORE_BITS + SQUARE_BITS) };
        let Known(bound) = Known::new(score, score > alpha);
        self.put(position, Known(bound | (best.index() as u32) << SCORE_BITS));
    }

    #[inline(always)]
    fn put(&mut self, position: Position, Known(known): Known) {
        let (place, mut entry) = Self::place(position);
        entry.rest |= u64::from(known);
        self.0[place] = entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_othello::testing::random_positions;

    #[test]
    fn what_is_found_is_what_was_stored_last_of_that_very_position() {
        let mut cache = Cache::<14>::new();
        let mut random = fastrand::Rng::with_seed(5);
        let mut stored = std::collections::HashMap::new();
        let mut found = 0;
        let mut check = |position: Position| {
            if position.empties() > 10 {
                return;
            }
            if let Some(known) = cache.probe(position) {
                found += 1;
                let &(score, alpha, best) = stored.get(&position).expect("a position of before");
                assert_eq!((known.score(), known.at_least()), (score, score > alpha));
                assert_eq!(known.best(), best);
                assert_eq!(known.upper(), if score > alpha { 64 } else { score });
                for alpha in -64..64 {
                    let decides = if known.at_least() { score > alpha } else { score <= alpha };
                    assert_eq!(known.decided(alpha), decides.then_some(score));
                }
            }
            let (score, alpha) = (2 * random.i32(-32..=32), random.i32(-64..64));
            let best = Square::lowest(1 << random.u32(0..64));
            cache.store_with(position, alpha, score, best);
            assert_eq!(cache.probe(position).map(Known::best), Some(best));
            stored.insert(position, (score, alpha, best));
        };
        for _ in 0..2 {
            random_positions(3, 60_000, &mut check);
        }
        assert!(found > 1_000, "only {found} positions were met again");
        cache.clear();
        assert!(stored.keys().all(|&position| cache.probe(position).is_none()));
    }
}
