//! The memory of transposition tables and weights: zeroed, straight from the
//! system, in huge pages where the system gives them. A search goes from place
//! to place at random, and with small pages nearly every step would first have
//! to look up where its page is: `bench ffo --from 45 --to 46 --hash 512` took
//! 7 % less processor time with them for the table (medians of eight runs each,
//! taken in turn), and `bench midgame --depth 20 --selectivity 73` 13 % less for
//! the weights (median of 16 pairs, standard error 3 %).

use std::io;

use memmap2::MmapMut;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Zeroed bytes that begin on a page.
#[derive(Debug)]
pub struct Memory(MmapMut);

impl Memory {
    /// So many bytes, at least one. The system hands them out as they are
    /// first touched, so that a large table is there at once.
    ///
    /// # Errors
    /// The system has not that much memory.
    pub fn new(bytes: usize) -> io::Result<Memory> {
        let memory = MmapMut::map_anon(bytes)?;
        // Of systems other than Linux, those that have huge pages without more ado use them by
        // themselves. One without them still has the memory.
        #[cfg(target_os = "linux")]
        if let Err(error) = memory.advise(memmap2::Advice::HugePage) {
            log::debug!("no huge pages: {error}");
        }
        Ok(Memory(memory))
    }

    /// How many bytes.
    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// The bytes as values of a type, as many as there is room for; none of a
    /// type that must be aligned to more than a page.
    pub fn values<T: FromBytes + IntoBytes>(&mut self) -> &mut [T] {
        let count = self.size() / size_of::<T>().max(1);
        <[T]>::mut_from_prefix_with_elems(&mut self.0, count).map_or(&mut [], |(values, _)| values)
    }

    /// The value of a type that begins after so many bytes; `None` where it
    /// would end behind the memory or does not begin as it must be aligned.
    #[inline(always)]
    pub fn value<T: FromBytes + Immutable + KnownLayout>(&self, after: usize) -> Option<&T> {
        T::ref_from_prefix(self.0.get(after..)?).ok().map(|(value, _)| value)
    }

    /// Makes every byte zero again.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_zero_at_first_and_when_cleared_and_keeps_what_is_written() {
        let mut memory = Memory::new(5 << 20).expect("five megabytes");
        assert_eq!(memory.values::<u64>().len(), 5 << 17);
        assert_eq!(memory.values::<[u64; 3]>().len(), (5 << 20) / 24);
        assert!(memory.values::<u64>().iter().all(|&word| word == 0));
        memory.values::<u64>().fill(7);
        assert!(memory.values::<u64>().iter().all(|&word| word == 7));
        memory.values::<u16>()[5] = 300;
        assert_eq!(memory.value::<[u16; 3]>(8), Some(&[7, 300, 0]));
        assert_eq!(memory.value::<u16>(9), None, "not aligned");
        assert_eq!(memory.value::<u64>((5 << 20) - 8), Some(&7));
        assert_eq!(memory.value::<[u64; 2]>((5 << 20) - 8), None, "too long");
        memory.clear();
        assert!(memory.values::<u64>().iter().all(|&word| word == 0));
    }
}
