//! Parsers of option values for clap. Their errors name the expected form.

use std::ops::{RangeBounds, RangeInclusive};
use std::str::FromStr;

/// Parses a number in `range`.
///
/// # Errors
/// The expected form, as a sentence.
pub fn number_in<T: FromStr + PartialOrd>(
    text: &str,
    range: impl RangeBounds<T>,
    expected: &str,
) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("expected {expected}"))
}

/// Parses a range of integers up to `max`: `6-44` or `20`.
///
/// # Errors
/// The expected form, as a sentence.
pub fn range_up_to(text: &str, max: u32) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if first <= last && last <= max => Ok(first..=last),
        _ => Err(format!("expected a number up to {max}, or a range of them such as 6-44")),
    }
}
