//! Bytes of a file.

/// Returns the `N` bytes at a place.
pub(super) fn bytes_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut found = [0; N];
    found.copy_from_slice(&bytes[at..at + N]);
    found
}
