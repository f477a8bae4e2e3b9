//! Touching the memory of a table before the first search.
//!
//! The system gives a page at its first access, which on some machines takes longer than the search
//! of a hundred nodes. An engine that waits for its first command can have that done meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::threads::{self, Background};
use umigame_eval::memory::Memory;

/// Bytes touched from one look at the stop flag to the next: a huge page.
const CHUNK_BYTES: usize = 2 << 20;
/// Bytes of the smallest pages.
const PAGE_BYTES: usize = 4096;

/// Memory that may still be in the hands of the threads that touch it.
#[derive(Debug)]
pub(super) struct WarmMemory {
    /// `None` while it is touched.
    memory: Option<Memory>,
    touching: Option<Touching>,
    /// Whether touching the memory could still help: it was not used yet.
    is_fresh: bool,
}

#[derive(Debug)]
struct Touching {
    memory: Background<Memory>,
    stop: Arc<AtomicBool>,
}

impl WarmMemory {
    /// Takes new memory.
    pub fn new(memory: Memory) -> WarmMemory {
        WarmMemory { memory: Some(memory), touching: None, is_fresh: true }
    }

    /// Begins to touch every page, on `threads` threads once `before` is done, until all are done or
    /// the memory is needed. Does nothing the second time, or once the memory was used.
    pub fn warm_up(&mut self, threads: usize, before: impl FnOnce() + Send + 'static) {
        if !std::mem::take(&mut self.is_fresh) {
            return;
        }
        let Some(memory) = self.memory.take() else { return };
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let started = threads::in_background(memory, move |mut memory| {
            before();
            touch(&mut memory, threads, &stopped);
            memory
        });
        match started {
            Ok(memory) => self.touching = Some(Touching { memory, stop }),
            Err(memory) => self.memory = Some(memory),
        }
    }

    /// Waits until every page is touched, while `go_on` allows it.
    pub fn finish_warm_up(&mut self, go_on: impl Fn() -> bool) {
        if let Some(touching) = &self.touching {
            touching.memory.wait_while(go_on);
        }
    }

    /// The memory, of which the pages not yet touched stay so.
    pub fn get(&mut self) -> &mut Memory {
        self.is_fresh = false;
        if let Some(Touching { mut memory, stop }) = self.touching.take() {
            stop.store(true, Relaxed);
            self.memory = Some(memory.join());
        }
        self.memory.as_mut().expect("it is here or touched")
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
                let mut memory = WarmMemory::new(Memory::new(9 << 20).expect("nine megabytes"));
                memory.warm_up(threads, || {});
                memory.warm_up(threads, || {});
                memory.finish_warm_up(|| wait);
                assert_eq!(memory.get().values::<u64>().len(), (9 << 20) / 8);
                assert!(memory.get().values::<u64>().iter().all(|&word| word == 0));
            }
        }
    }
}
