//! The numbers of a network as bytes: the rows, number by number, then the
//! heads, 16 bits each; little-endian.

use super::head::{Head, NUMBERS};
use super::{Numbers, Row, WIDTH};
use crate::eval::patterns::STAGES;
use crate::eval::patterns::layout::PACKING;

/// How many bytes a network has.
pub fn size() -> usize {
    PACKING.len * WIDTH + STAGES * NUMBERS * 2
}

/// The bytes of a network: the first numbers of all rows, then the second.
/// Like stands beside like, which packs better.
pub fn to_bytes(numbers: &Numbers) -> Vec<u8> {
    let of_rows = |at: usize| numbers.rows.iter().map(move |row| row[at] as u8);
    let heads = numbers.heads.iter().flat_map(|head| head.0).flat_map(i16::to_le_bytes);
    (0..WIDTH).flat_map(of_rows).chain(heads).collect()
}

/// The network of bytes; `None` where there are more or fewer than [`size`],
/// or a head holds what no head may.
pub fn from_bytes(bytes: &[u8]) -> Option<Numbers> {
    if bytes.len() != size() {
        return None;
    }
    let (columns, heads) = bytes.split_at(PACKING.len * WIDTH);
    let mut rows: Vec<Row> = vec![[0; WIDTH]; PACKING.len];
    for (at, column) in columns.chunks_exact(PACKING.len).enumerate() {
        for (row, &number) in rows.iter_mut().zip(column) {
            row[at] = number as i8;
        }
    }
    let (numbers, _) = heads.as_chunks();
    let numbers: Vec<i16> = numbers.iter().map(|&number| i16::from_le_bytes(number)).collect();
    let (heads, _) = numbers.as_chunks();
    let heads: Vec<Head> = heads.iter().map(|&head| Head(head)).collect();
    heads.iter().all(Head::is_sound).then_some(Numbers { rows, heads })
}
