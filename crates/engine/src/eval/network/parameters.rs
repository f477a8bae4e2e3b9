//! Bytes of a network: the rows one after the other, then the heads, 16 bits a number;
//! little-endian.

use super::layer::{Head, NUMBERS};
use super::{Numbers, Row, WIDTH};
use crate::eval::patterns::STAGES;
use crate::eval::patterns::layout::PACKING;

/// Returns the number of bytes of a network.
pub fn size() -> usize {
    PACKING.len * WIDTH + STAGES * NUMBERS * 2
}

fn head_bytes(numbers: &Numbers) -> impl Iterator<Item = u8> {
    numbers.heads.iter().flat_map(|head| head.0).flat_map(i16::to_le_bytes)
}

/// Returns the bytes of a network.
pub fn to_bytes(numbers: &Numbers) -> Vec<u8> {
    let rows = numbers.rows.iter().flatten().map(|&number| number as u8);
    rows.chain(head_bytes(numbers)).collect()
}

/// Returns the bytes that the checksum of the weights covers: the first numbers of all rows, then
/// the second ones and so on, and the heads. The order is that of the file before version 5.
pub fn to_checked_bytes(numbers: &Numbers) -> Vec<u8> {
    let of_rows = |at: usize| numbers.rows.iter().map(move |row| row[at] as u8);
    (0..WIDTH).flat_map(of_rows).chain(head_bytes(numbers)).collect()
}

/// Returns the network of bytes, or `None` unless there are [`size`] of them and all numbers of
/// heads are within their bounds.
pub fn from_bytes(bytes: &[u8]) -> Option<Numbers> {
    if bytes.len() != size() {
        return None;
    }
    let (rows, heads) = bytes.split_at(PACKING.len * WIDTH);
    let (rows, _) = rows.as_chunks();
    let rows: Vec<Row> = rows.iter().map(|row| row.map(|number| number as i8)).collect();
    let (numbers, _) = heads.as_chunks();
    let numbers: Vec<i16> = numbers.iter().map(|&number| i16::from_le_bytes(number)).collect();
    let (heads, _) = numbers.as_chunks();
    let heads: Vec<Head> = heads.iter().map(|&head| Head(head)).collect();
    heads.iter().all(Head::is_sound).then_some(Numbers { rows, heads })
}
