//! Pages from the allocator, for targets without memory maps.

use std::io;
use std::ops::{Deref, DerefMut};

use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes};

/// Bytes of a page.
const PAGE_BYTES: usize = 4096;

#[derive(Clone, Debug, FromBytes, Immutable, IntoBytes)]
#[repr(C, align(4096))]
struct Page([u8; PAGE_BYTES]);

const _: () = assert!(size_of::<Page>() == PAGE_BYTES);

/// Zeroed pages, with the part of the interface of `memmap2::MmapMut` that [`super::Memory`] uses.
#[derive(Debug)]
pub struct Pages {
    pages: Vec<Page>,
    /// Bytes asked for, at most those of the pages.
    bytes: usize,
}

impl Pages {
    /// Allocates at least `bytes` bytes.
    ///
    /// # Errors
    /// The allocator does not have that much memory.
    pub fn map_anon(bytes: usize) -> io::Result<Pages> {
        let pages = Page::new_vec_zeroed(bytes.div_ceil(PAGE_BYTES));
        let pages = pages.map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        Ok(Pages { pages, bytes })
    }
}

impl Deref for Pages {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        self.pages.as_bytes().get(..self.bytes).unwrap_or_default()
    }
}

impl DerefMut for Pages {
    fn deref_mut(&mut self) -> &mut [u8] {
        self.pages.as_mut_bytes().get_mut(..self.bytes).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_zero_aligned_and_as_many_bytes_as_asked_for() {
        for bytes in [1, PAGE_BYTES, 3 * PAGE_BYTES + 5] {
            let mut pages = Pages::map_anon(bytes).expect("a few pages");
            assert_eq!(pages.len(), bytes);
            assert_eq!(pages.as_ptr().addr() % PAGE_BYTES, 0);
            assert!(pages.iter().all(|&byte| byte == 0));
            pages.fill(7);
            assert!(pages.iter().all(|&byte| byte == 7));
        }
    }

    #[test]
    fn more_memory_than_there_is_is_an_error() {
        assert!(Pages::map_anon(usize::MAX).is_err());
        assert!(Pages::map_anon(isize::MAX as usize).is_err());
    }
}
