//! The transposition table: what is known of positions met before.
//!
//! An entry is 16 bytes, two atomic words: the data, and the check word of
//! the position XOR the data, so that an entry torn between two threads is
//! no match. A bucket is four entries, one cache line.
//!
//! An exact result may rest on a single entry, so a false match must not
//! happen. A look-up compares one check word of 64 bits, independent of the
//! index (see `hash`), with four entries: it finds a wrong one with
//! probability at most 4 * 2^-64 = 2^-62; those from before the table was
//! cleared, which have another salt, are no exception. A search of 10^10 nodes
//! makes at most 10^10 look-ups, so 10^8 such searches expect
//! 10^18 * 2^-62 = 0.22 false matches, less than one.
//!
//! After: R. Hyatt and T. Mann, "A lock-less transposition table
//! implementation for parallel search chess engines", 2002.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use zerocopy::{FromBytes, IntoBytes};

use super::confidence::Confidence;
use super::error::{EngineError, Megabytes};
use super::hash::Hash;
use crate::memory::Memory;
use umigame_othello::{Square, kernels};

/// How well an entry is known: plies of search and the confidence of its
/// cuts. Deeper first, then surer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct SearchDepth {
    /// Plies searched; for a position read to its end, its empties.
    pub plies: u8,
    /// Index of the confidence, higher is surer.
    pub confidence: Confidence,
}

impl SearchDepth {
    /// Whether this is at least as deep and as sure as is needed.
    #[inline(always)]
    pub const fn reaches(self, needed: SearchDepth) -> bool {
        self.plies >= needed.plies && self.confidence.index() >= needed.confidence.index()
    }

    /// One ply less deep, as after a move.
    #[inline(always)]
    pub const fn below(self) -> SearchDepth {
        SearchDepth { plies: self.plies - 1, ..self }
    }
}

/// What the table knows of a position; values in centidiscs for the side to
/// move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub lower: i16,
    pub upper: i16,
    pub depth: SearchDepth,
    /// The best move, and the best of an earlier search.
    pub moves: [Option<Square>; 2],
}

/// The value, where bounds of it decide the null window `alpha..alpha + 1`.
#[inline(always)]
pub(super) fn decided((lower, upper): (i32, i32), alpha: i32) -> Option<i32> {
    if lower > alpha { Some(lower) } else { (upper <= alpha).then_some(upper) }
}

/// A square in seven bits; 64 stands for none.
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

/// The bound in the lowest bits.
#[inline(always)]
const fn unpack_bound(data: u64) -> i16 {
    ((data << (64 - BOUND_BITS)) as i64 >> (64 - BOUND_BITS)) as i16
}

impl Entry {
    /// The bounds, where they are known as well as is needed.
    #[inline(always)]
    pub fn bounds(&self, needed: SearchDepth) -> Option<(i32, i32)> {
        self.depth.reaches(needed).then_some((self.lower.into(), self.upper.into()))
    }

    /// Bits 0-13 lower, 14-27 upper, 28-33 depth, 34-39 confidence, 40-46 and
    /// 47-53 moves, 54-63 age.
    #[inline(always)]
    const fn pack(self, age: u16) -> u64 {
        pack_bound(self.lower)
            | pack_bound(self.upper) << BOUND_BITS
            | (self.depth.plies as u64 & 63) << 28
            | (self.depth.confidence.index() as u64 & 63) << 34
            | pack_square(self.moves[0]) << 40
            | pack_square(self.moves[1]) << 47
            | (age as u64) << 54
    }

    #[inline(always)]
    const fn unpack(data: u64) -> Entry {
        Entry {
            lower: unpack_bound(data),
            upper: unpack_bound(data >> BOUND_BITS),
            depth: depth_of(data),
            moves: [
                Square::from_index((data >> 40 & 127) as usize),
                Square::from_index((data >> 47 & 127) as usize),
            ],
        }
    }
}

#[inline(always)]
const fn depth_of(data: u64) -> SearchDepth {
    SearchDepth {
        plies: (data >> 28 & 63) as u8,
        confidence: Confidence::from_index((data >> 34 & 63) as u8),
    }
}

const fn age_of(data: u64) -> u16 {
    (data >> 54) as u16
}

/// Ages wrap around: there are ten bits for them.
const AGES: u16 = 1024;
/// An entry of so many searches ago is worth no more than an empty place.
const STALE: u16 = 8;

#[derive(Debug, FromBytes, IntoBytes)]
#[repr(C)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// Entries that share a place, on one cache line.
#[derive(Debug, FromBytes, IntoBytes)]
#[repr(C, align(64))]
struct Bucket([Slot; 4]);

const _: () = assert!(size_of::<Bucket>() == 64);

/// The table between two searches.
#[derive(Debug)]
pub(super) struct Table {
    memory: Memory,
    age: u16,
    /// Ages have wrapped around since the memory was last zeroed.
    wrapped: bool,
    /// Part of every check word, another one each time the table is cleared:
    /// what was stored before is no match any more.
    salt: u64,
    /// Nothing was stored since it was last empty.
    empty: bool,
}

impl Table {
    /// The largest table that may be asked for.
    pub const MAX: Megabytes = Megabytes::MAX;

    /// An empty table of this size.
    pub fn new(size: Megabytes) -> Result<Table, EngineError> {
        if size.0 == 0 || size > Table::MAX {
            return Err(EngineError::HashSize(size.0));
        }
        let free = free_memory();
        if free.is_some_and(|free| size.0 > free) {
            return Err(EngineError::HashMemory(size.0, free));
        }
        let memory =
            Memory::new(size.0 << 20).map_err(|_| EngineError::HashMemory(size.0, free))?;
        Ok(Table { memory, age: 0, wrapped: false, salt: 0, empty: true })
    }

    /// The size that the table really takes.
    pub fn size(&self) -> Megabytes {
        Megabytes(self.memory.size() >> 20)
    }

    /// Forgets everything. The memory is zeroed only now and then, since
    /// that takes milliseconds, as long as many an ending. In between, what
    /// was stored is made stale and no match, and the next searches go exactly
    /// as with an empty table.
    pub fn clear(&mut self) {
        if self.empty {
            return;
        }
        self.empty = true;
        self.salt = self.salt.wrapping_add(0x9E37_79B9_7F4A_7C15);
        self.age += STALE;
        if self.wrapped || self.age >= AGES {
            self.memory.clear();
            (self.age, self.wrapped) = (0, false);
        }
    }

    /// Begins a new search: what earlier ones left gives way first.
    pub fn open(&mut self) -> TableRef<'_> {
        self.age += 1;
        if self.age >= AGES {
            (self.age, self.wrapped) = (0, true);
        }
        self.empty = false;
        TableRef { buckets: self.memory.values(), age: self.age, salt: self.salt }
    }
}

/// The table during a search. All threads share it.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableRef<'a> {
    buckets: &'a [Bucket],
    age: u16,
    salt: u64,
}

impl TableRef<'_> {
    #[inline(always)]
    fn bucket(&self, hash: Hash) -> Option<&[Slot; 4]> {
        let place = (u128::from(hash.index) * self.buckets.len() as u128) >> 64;
        self.buckets.get(place as usize).map(|bucket| &bucket.0)
    }

    /// Has what is known of a position brought near, which is soon asked for.
    #[inline(always)]
    pub fn prefetch(&self, hash: Hash) {
        if let Some(bucket) = self.bucket(hash) {
            kernels::prefetch(bucket);
        }
    }

    /// What is known of a position.
    #[inline(always)]
    pub fn probe(&self, hash: Hash) -> Option<Entry> {
        let check = hash.check ^ self.salt;
        for slot in self.bucket(hash)? {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == check {
                return Some(Entry::unpack(data));
            }
        }
        None
    }

    /// Stores the outcome of a search of a position: `value` was found in the
    /// window `alpha..beta` (all in centidiscs), with `best` as its best
    /// move.
    pub fn store(
        &self,
        hash: Hash,
        depth: SearchDepth,
        window: (i32, i32),
        value: i32,
        best: Option<Square>,
    ) {
        let (alpha, beta) = window;
        let fresh = Entry {
            lower: if value > alpha { value as i16 } else { -6400 },
            upper: if value < beta { value as i16 } else { 6400 },
            depth,
            moves: [best, None],
        };
        let Some(bucket) = self.bucket(hash) else { return };
        let check = hash.check ^ self.salt;
        let mut victim = &bucket[0];
        let mut least = u32::MAX;
        for slot in bucket {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == check {
                return write(slot, check, merge(Entry::unpack(data), fresh).pack(self.age));
            }
            let priority = replacement_priority(data, self.age);
            if priority < least {
                least = priority;
                victim = slot;
            }
        }
        write(victim, check, fresh.pack(self.age));
    }
}

#[inline(always)]
fn write(slot: &Slot, check: u64, data: u64) {
    slot.check.store(check ^ data, Relaxed);
    slot.data.store(data, Relaxed);
}

/// What an entry is worth keeping for: its depth, less for each search that
/// has passed since it was written.
fn replacement_priority(data: u64, age: u16) -> u32 {
    let searches = (age + AGES - age_of(data)) % AGES;
    if data == 0 || searches >= STALE {
        return 0;
    }
    let depth = depth_of(data);
    u32::from(depth.plies) * 8 + u32::from(depth.confidence.index()) + 512
        - u32::from(searches) * 64
}

/// Brings what was known and what was found together: bounds of one depth
/// hold both, a lesser depth adds nothing, another replaces them; moves found
/// earlier are kept.
fn merge(known: Entry, fresh: Entry) -> Entry {
    if known.depth != fresh.depth && known.depth.reaches(fresh.depth) {
        return known;
    }
    let mut merged = fresh;
    if known.depth == fresh.depth {
        merged.lower = known.lower.max(fresh.lower);
        merged.upper = known.upper.min(fresh.upper);
        if merged.lower > merged.upper {
            (merged.lower, merged.upper) = (fresh.lower, fresh.upper);
        }
    }
    merged.moves = match fresh.moves[0] {
        None => known.moves,
        best if best == known.moves[0] => known.moves,
        best => [best, known.moves[0]],
    };
    merged
}

/// Memory that can still be had, where the system tells.
fn free_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes >> 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_othello::{Position, testing};

    fn table() -> Table {
        Table::new(Megabytes(1)).expect("a megabyte")
    }

    #[test]
    fn a_stored_position_is_found_again_with_its_bounds() {
        let mut table = table();
        let table = table.open();
        let depth = SearchDepth { plies: 9, confidence: Confidence::from_index(3) };
        testing::random_positions(1, 2_000, |position| {
            let hash = Hash::of(position);
            let best = Some(Square::lowest(position.moves()));
            table.store(hash, depth, (-100, 250), 120, best);
            let entry = table.probe(hash).expect("just stored");
            assert_eq!((entry.lower, entry.upper, entry.moves[0]), (120, 120, best));
            assert_eq!(entry.depth, depth);
        });
    }

    #[test]
    fn bounds_of_one_draft_meet_and_of_another_give_way() {
        let mut table = table();
        let table = table.open();
        let hash = Hash::of(Position::START);
        let depth = SearchDepth { plies: 4, confidence: Confidence::from_index(5) };
        table.store(hash, depth, (0, 1), 300, None);
        table.store(hash, depth, (400, 401), 400, None);
        let entry = table.probe(hash).expect("stored");
        assert_eq!((entry.lower, entry.upper), (300, 400));
        table.store(
            hash,
            SearchDepth { plies: 5, confidence: Confidence::from_index(5) },
            (0, 1),
            -20,
            None,
        );
        let entry = table.probe(hash).expect("stored");
        assert_eq!((entry.lower, entry.upper), (-6400, -20));
    }

    #[test]
    fn a_torn_entry_is_no_match() {
        let mut table = table();
        let table = table.open();
        let hash = Hash::of(Position::START);
        table.store(
            hash,
            SearchDepth { plies: 4, confidence: Confidence::from_index(0) },
            (0, 100),
            50,
            None,
        );
        for slot in table.bucket(hash).expect("a bucket") {
            slot.data.fetch_xor(1 << 20, Relaxed);
        }
        assert_eq!(table.probe(hash), None);
    }

    #[test]
    fn a_cleared_table_holds_nothing_and_serves_again() {
        let mut table = table();
        let hash = Hash::of(Position::START);
        // Ages wrap around several times.
        for _ in 0..400 {
            let open = table.open();
            assert_eq!(open.probe(hash), None);
            open.store(
                hash,
                SearchDepth { plies: 4, confidence: Confidence::from_index(0) },
                (0, 100),
                50,
                None,
            );
            assert_ne!(table.open().probe(hash), None, "a later search finds it");
            table.clear();
        }
    }

    #[test]
    fn the_size_is_bounded_and_what_was_asked_for() {
        assert_eq!(Table::new(Megabytes(3)).map(|table| table.size()), Ok(Megabytes(3)));
        assert_eq!(Table::new(Megabytes(0)).err(), Some(EngineError::HashSize(0)));
        assert!(matches!(Table::new(Table::MAX), Err(EngineError::HashMemory(..)) | Ok(_)));
        assert!(Table::new(Megabytes(usize::MAX)).is_err());
    }

    #[test]
    fn index_and_check_words_spread() {
        // One bit of a position turns about half the bits of either word.
        let (mut turned, mut count) = (0, 0);
        testing::random_positions(5, 1_000, |position| {
            let hash = Hash::of(position);
            for bit in 0..64 {
                let other = Hash::of(Position { player: position.player ^ (1 << bit), ..position });
                assert_ne!(other.check, hash.check);
                turned += (other.check ^ hash.check).count_ones()
                    + (other.index ^ hash.index).count_ones();
                count += 128;
            }
        });
        let share = f64::from(turned) / f64::from(count);
        assert!((0.4..0.6).contains(&share), "{share}");
    }
}
