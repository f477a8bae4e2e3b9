//! The transposition table.
//!
//! An entry is 16 bytes, two atomic words: the data, and the position's check word XOR the data, so
//! that an entry torn between two threads does not match. A bucket of four entries fills a cache
//! line. Threads share the table without locks.
//!
//! An exact score may rest on a single entry, so a false match must not happen. A probe compares a
//! check word of 64 bits, independent of the index (see `hash`), with four entries: the probability
//! of a false match is at most 4 * 2^-64 = 2^-62. Entries from before the table was cleared have
//! another salt and are no exception. A search of 10^10 nodes makes at most 10^10 probes, so 10^8
//! such searches expect 10^18 * 2^-62 = 0.22 false matches.
//!
//! After: R. Hyatt and T. Mann, "A lock-less transposition table implementation for parallel search
//! chess engines", 2002.

pub(crate) mod free_memory;
pub(crate) mod hash;

mod entry;
#[cfg(test)]
mod tests;
mod warm_up;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use zerocopy::{FromBytes, IntoBytes};

use crate::error::{EngineError, Megabytes};
use crate::table::free_memory::free_megabytes;
use crate::table::hash::Hash;
pub(crate) use entry::{SearchDepth, TableEntry};
use entry::{unpack_depth, unpack_generation};
use umigame_eval::kernels;
use umigame_eval::memory::Memory;
use umigame_eval::value::{BestMove, Unit, Window};
use warm_up::WarmMemory;

/// Generations before they wrap around: an entry has ten bits for them.
const GENERATIONS: u16 = 1024;
/// An entry this many generations old is replaced as readily as an empty slot.
const STALE_GENERATIONS: u16 = 8;

#[derive(Debug, FromBytes, IntoBytes)]
#[repr(C)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    #[inline(always)]
    fn write(&self, check: u64, data: u64) {
        self.check.store(check ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

/// The slots of one index, on one cache line.
#[derive(Debug, FromBytes, IntoBytes)]
#[repr(C, align(64))]
struct Bucket([Slot; 4]);

const _: () = assert!(size_of::<Bucket>() == 64);

/// The memory of the table, which lives on between searches.
#[derive(Debug)]
pub(crate) struct Table {
    memory: WarmMemory,
    size: Megabytes,
    generation: u16,
    /// Generations have wrapped around since the memory was last zeroed.
    wrapped: bool,
    /// XORed into every check word and changed by each clearing: older entries match no more.
    salt: u64,
    /// Nothing has been stored since the last clearing.
    empty: bool,
}

impl Table {
    /// Makes an empty table.
    ///
    /// # Errors
    /// A size of 0 or beyond [`Megabytes::MAX`], or more than the free memory.
    pub fn new(size: Megabytes) -> Result<Table, EngineError> {
        if size.0 == 0 || size > Megabytes::MAX {
            return Err(EngineError::HashSize(size.0));
        }
        let free = free_megabytes();
        let lacking = || EngineError::HashMemory { megabytes: size.0, free };
        let bytes = size.0.checked_mul(1 << 20).ok_or_else(lacking)?;
        if free.is_some_and(|free| size.0 > free) {
            return Err(lacking());
        }
        let memory = Memory::new(bytes).map_err(|_| lacking())?;
        let size = Megabytes(memory.size() >> 20);
        let memory = WarmMemory::new(memory);
        Ok(Table { memory, size, generation: 0, wrapped: false, salt: 0, empty: true })
    }

    /// The size of the memory.
    pub fn size(&self) -> Megabytes {
        self.size
    }

    /// Begins to touch the memory on `threads` threads once `before` is done, so that a later search
    /// need not wait for it.
    pub fn warm_up(&mut self, threads: usize, before: impl FnOnce() + Send + 'static) {
        self.memory.warm_up(threads, before);
    }

    /// Touches the rest of the memory now, if it was not used before, while `go_on` allows it.
    pub fn finish_warm_up(&mut self, go_on: impl Fn() -> bool) {
        self.memory.finish_warm_up(go_on);
    }

    /// Forgets everything; later searches visit the same nodes as with a new table.
    ///
    /// Zeroing takes milliseconds, as long as many an endgame, so it is done only when generations
    /// wrap around. In between a new salt makes older entries mismatch and a step of the generation
    /// makes them stale.
    pub fn clear(&mut self) {
        if self.empty {
            return;
        }
        self.empty = true;
        self.salt = self.salt.wrapping_add(0x9E37_79B9_7F4A_7C15);
        self.generation += STALE_GENERATIONS;
        if self.wrapped || self.generation >= GENERATIONS {
            self.memory.get().clear();
            (self.generation, self.wrapped) = (0, false);
        }
    }

    /// Begins a search: entries of earlier ones are replaced first.
    pub fn open(&mut self) -> TableRef<'_> {
        self.generation += 1;
        if self.generation >= GENERATIONS {
            (self.generation, self.wrapped) = (0, true);
        }
        self.empty = false;
        TableRef {
            buckets: self.memory.get().values(),
            generation: self.generation,
            salt: self.salt,
        }
    }
}

/// The table during a search, shared by its threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableRef<'a> {
    buckets: &'a [Bucket],
    generation: u16,
    salt: u64,
}

impl TableRef<'_> {
    #[inline(always)]
    fn bucket(&self, hash: Hash) -> Option<&[Slot; 4]> {
        self.buckets.get(hash.bucket(self.buckets.len())).map(|bucket| &bucket.0)
    }

    /// Prefetches the bucket of a position that is about to be probed.
    #[inline(always)]
    pub fn prefetch(&self, hash: Hash) {
        if let Some(bucket) = self.bucket(hash) {
            kernels::prefetch(bucket);
        }
    }

    /// Returns the entry of a position.
    #[inline(always)]
    pub fn probe(&self, hash: Hash) -> Option<TableEntry> {
        let check = hash.check ^ self.salt;
        for slot in self.bucket(hash)? {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == check {
                return Some(TableEntry::unpack(data));
            }
        }
        None
    }

    /// Stores the result of a search of a position in `window`.
    ///
    /// Replaces the entry of least priority unless the position has one already.
    #[inline(always)]
    pub fn store<V: Unit>(
        &self,
        hash: Hash,
        depth: SearchDepth,
        window: Window<V>,
        best: BestMove<V>,
    ) {
        self.write(hash, TableEntry::new(depth, window, best));
    }

    fn write(&self, hash: Hash, new: TableEntry) {
        let Some(bucket) = self.bucket(hash) else { return };
        let check = hash.check ^ self.salt;
        let mut victim = &bucket[0];
        let mut least = u32::MAX;
        for slot in bucket {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == check {
                let merged = TableEntry::unpack(data).merge(new);
                return slot.write(check, merged.pack(self.generation));
            }
            let priority = replacement_priority(data, self.generation);
            if priority < least {
                least = priority;
                victim = slot;
            }
        }
        victim.write(check, new.pack(self.generation));
    }
}

/// Returns how much an entry is worth keeping: its depth, less a penalty for each generation since
/// it was written.
fn replacement_priority(data: u64, generation: u16) -> u32 {
    let age = (generation + GENERATIONS - unpack_generation(data)) % GENERATIONS;
    if data == 0 || age >= STALE_GENERATIONS {
        return 0;
    }
    let depth = unpack_depth(data);
    u32::from(depth.plies) * 8 + u32::from(depth.confidence.index()) + 512 - u32::from(age) * 64
}
