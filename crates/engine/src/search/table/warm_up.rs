//! Touching the memory of a table before the first search.
//!
//! The system gives a page at its first access, which on some machines takes longer than the search
//! of a hundred nodes. An engine that waits for its first command can have that done meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::memory::Memory;
use crate::threads::{self, Background};

/// Bytes touched from one look at the stop flag to the next: a huge page.
const CHUNK_BYTES: usize = 2 << 20;
/// Bytes of the smallest pages.
const PAGE_BYTES: usize = 4096;

/// Memory that may still be in the hands of the threads that touch it.
#[derive(Debug)]
pub(super) enum WarmMemory {
    Ready(Memory),
    Warming { memory: Background<Memory>, stop: Arc<AtomicBool> },
}

impl WarmMemory {
    /// Begins to touch every page, on `threads` threads once `before` is done, until all are done or
    /// the memory is needed.
    pub fn warm_up(self, threads: usize, before: impl FnOnce() + Send + 'static) -> WarmMemory {
        let WarmMemory::Ready(memory) = self else { return self };
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let started = threads::in_background(memory, move |mut memory| {
            before();
            touch(&mut memory, threads, &stopped);
            memory
        });
        match started {
            Ok(memory) => WarmMemory::Warming { memory, stop },
            Err(memory) => WarmMemory::Ready(memory),
        }
    }

    /// The memory, of which the pages not yet touched stay so.
    pub fn get(&mut self) -> &mut Memory {
        if let WarmMemory::Warming { memory, stop } = self {
            stop.store(true, Relaxed);
            *self = WarmMemory::Ready(memory.join());
        }
        match self {
            WarmMemory::Ready(memory) => memory,
            WarmMemory::Warming { .. } => unreachable!("taken back above"),
        }
    }
}

fn touch(memory: &mut Memory, threads: usize, stop: &AtomicBool) {
    let words: &mut [u64] = memory.values();
    let part = words.len().div_ceil(threads.max(1)).max(1);
    threads::scope(|scope| {
        for part in words.chunks_mut(part) {
            scope.spawn(move || {
                for chunk in part.chunks_mut(CHUNK_BYTES / size_of::<u64>()) {
                    if stop.load(Relaxed) {
                        return;
                    }
                    // The memory is zero already; only the access counts.
                    for word in chunk.iter_mut().step_by(PAGE_BYTES / size_of::<u64>()) {
                        *std::hint::black_box(word) = 0;
                    }
                }
            });
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_comes_back_whole_however_soon_it_is_needed() {
        for threads in [1, 3] {
            for wait in [false, true] {
                let memory = Memory::new(9 << 20).expect("nine megabytes");
                let mut memory =
                    WarmMemory::Ready(memory).warm_up(threads, || {}).warm_up(threads, || {});
                if let (true, WarmMemory::Warming { memory, .. }) = (wait, &memory) {
                    while !memory.is_finished() {
                        std::thread::yield_now();
                    }
                }
                assert_eq!(memory.get().values::<u64>().len(), (9 << 20) / 8);
                assert!(memory.get().values::<u64>().iter().all(|&word| word == 0));
            }
        }
    }
}
