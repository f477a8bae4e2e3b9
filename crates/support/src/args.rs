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

/// Parses a range of integers within `range`: `6-44` or `20`.
///
/// # Errors
/// The expected form, as a sentence.
pub fn range_in<T: FromStr + PartialOrd>(
    text: &str,
    range: impl RangeBounds<T>,
    expected: &str,
) -> Result<RangeInclusive<T>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let end = |text: &str| text.trim().parse().ok().filter(|number| range.contains(number));
    match (end(first), end(last)) {
        (Some(first), Some(last)) if first <= last => Ok(first..=last),
        _ => Err(format!("expected {expected}")),
    }
}
