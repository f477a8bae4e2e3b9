//! The moves that threads are searching.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::table::hash::Hash;

/// Buckets of the set: far more than the moves that 256 threads search at a time.
const BUCKETS: usize = 1 << 12;
/// Keys of a bucket, which fills a cache line.
const BUCKET_KEYS: usize = 8;
/// Stands for no key.
const NO_KEY: u64 = 0;

/// A move at a node of some depth, known by the position after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MoveKey(u64);

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([AtomicU64; BUCKET_KEYS]);

/// A set of moves, shared without locks. A full bucket forgets a move, which two threads may then
/// search without knowing of each other.
#[derive(Debug)]
pub(crate) struct CurrentlySearching {
    buckets: Box<[Bucket]>,
    /// XORed into every key and changed for each search: moves left by an earlier one do not count.
    salt: u64,
}

impl CurrentlySearching {
    /// Makes an empty set.
    pub fn new() -> CurrentlySearching {
        let buckets = std::iter::repeat_with(Bucket::default).take(BUCKETS).collect();
        CurrentlySearching { buckets, salt: 0 }
    }

    /// Empties the set.
    pub fn clear(&mut self) {
        self.salt = self.salt.wrapping_add(0x9E37_79B9_7F4A_7C15);
    }

    /// Returns the key of the move to `after` at a node of this `depth`.
    pub(super) fn key(&self, after: Hash, depth: u32) -> MoveKey {
        let depth = u64::from(depth).wrapping_mul(0xD134_2543_DE82_EF95);
        MoveKey((after.check ^ self.salt ^ depth) | 1)
    }

    fn slots(&self, MoveKey(key): MoveKey) -> &[AtomicU64] {
        self.buckets.get((key >> 40) as usize % BUCKETS).map_or(&[], |Bucket(slots)| slots)
    }

    /// Adds a move.
    pub(super) fn starting_search(&self, key: MoveKey) {
        let slots = self.slots(key);
        let free = slots.iter().find(|slot| slot.load(Relaxed) == NO_KEY);
        if let Some(slot) = free.or(slots.first()) {
            slot.store(key.0, Relaxed);
        }
    }

    /// Removes a move once.
    pub(super) fn finished_search(&self, key: MoveKey) {
        if let Some(slot) = self.slots(key).iter().find(|slot| slot.load(Relaxed) == key.0) {
            slot.store(NO_KEY, Relaxed);
        }
    }

    /// Whether a thread searches the move.
    pub(super) fn is_searching(&self, key: MoveKey) -> bool {
        self.slots(key).iter().any(|slot| slot.load(Relaxed) == key.0)
    }

    /// Returns the number of threads that search the move, at most [`BUCKET_KEYS`].
    pub(super) fn searchers(&self, key: MoveKey) -> usize {
        self.slots(key).iter().filter(|slot| slot.load(Relaxed) == key.0).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_othello::testing::random_positions;

    #[test]
    fn a_set_holds_what_was_inserted_until_it_is_removed_or_cleared() {
        let mut currently_searching = CurrentlySearching::new();
        random_positions(3, 2_000, |position| {
            let key = currently_searching.key(Hash::of(position), 9);
            assert_ne!(key, currently_searching.key(Hash::of(position), 10));
            assert!(!currently_searching.is_searching(key));
            // Two threads search the same move.
            currently_searching.starting_search(key);
            currently_searching.starting_search(key);
            assert_eq!(currently_searching.searchers(key), 2);
            currently_searching.finished_search(key);
            assert!(currently_searching.is_searching(key));
            currently_searching.finished_search(key);
            assert!(!currently_searching.is_searching(key));
        });
        let start = Hash::of(umigame_othello::Position::START);
        currently_searching.starting_search(currently_searching.key(start, 5));
        currently_searching.clear();
        assert!(!currently_searching.is_searching(currently_searching.key(start, 5)));
    }

    #[test]
    fn a_full_bucket_still_takes_a_move() {
        let currently_searching = CurrentlySearching::new();
        for number in 0..20 {
            let key = MoveKey(2 * number + 1);
            currently_searching.starting_search(key);
            assert!(currently_searching.is_searching(key));
        }
    }
}
