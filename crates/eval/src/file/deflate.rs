//! DEFLATE streams of a known length.

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

/// Packs bytes.
pub fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::with_capacity(bytes.len() + bytes.len() / 8 + 64);
    let mut stream = Compress::new(Compression::default(), false);
    let status = stream.compress_vec(bytes, &mut packed, FlushCompress::Finish);
    assert!(matches!(status, Ok(Status::StreamEnd)), "room for bytes that cannot be packed");
    packed
}

/// Unpacks a stream into `bytes`, which it must fill.
///
/// # Errors
/// A damaged stream, or one of another length.
pub fn unpack(packed: &[u8], bytes: &mut [u8]) -> Result<(), String> {
    let mut stream = Decompress::new(false);
    let status = stream.decompress(packed, bytes, FlushDecompress::Finish);
    let (unpacked, wanted) = (stream.total_out(), bytes.len() as u64);
    match status.map_err(|error| error.to_string())? {
        Status::StreamEnd if unpacked == wanted => Ok(()),
        Status::StreamEnd => Err(format!("{unpacked} bytes instead of {wanted}")),
        _ if unpacked == wanted => Err(format!("more than {wanted} bytes, or cut short")),
        _ => Err("cut short".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_and_other_lengths_are_refused() {
        let unpack = |packed: &[u8], length| {
            let mut bytes = vec![0; length];
            super::unpack(packed, &mut bytes).map(|()| bytes)
        };
        let mut random = fastrand::Rng::with_seed(9);
        for length in [0, 1, 7, 1000, 300_000] {
            for range in [0..=0, 0..=9, 0..=u8::MAX] {
                let bytes: Vec<u8> = (0..length).map(|_| random.u8(range.clone())).collect();
                let packed = pack(&bytes);
                assert!(unpack(&packed, length).as_ref() == Ok(&bytes));
                assert!(unpack(&packed, length + 1).is_err());
                assert!(length == 0 || unpack(&packed, length - 1).is_err());
                assert!(unpack(packed.get(..packed.len() - 1).unwrap_or(&[]), length).is_err());
            }
        }
    }
}
