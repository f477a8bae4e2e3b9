//! Parsers of option values for clap. Their errors name the expected form.

use std::ops::RangeBounds;
use std::str::FromStr;
use std::time::Duration;

use umigame_engine::Confidence;

/// Parses a number in `range`.
///
/// # Errors
/// The expected form, as a sentence.
pub(super) fn number_in<T: FromStr + PartialOrd>(
    text: &str,
    range: impl RangeBounds<T>,
    expected: &str,
) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("expected {expected}"))
}

/// Parses a confidence in percent.
pub(super) fn parse_confidence(text: &str) -> Result<Confidence, String> {
    let level = text.parse().ok().and_then(Confidence::from_percent);
    level.ok_or_else(|| "expected 73, 87, 95, 98, 99 or 100".to_owned())
}

/// Parses a time above zero; a plain number is seconds. See [`umigame_support::time`].
pub(super) fn parse_time(text: &str) -> Result<Duration, String> {
    umigame_support::time::parse_positive(text).map_err(|error| error.to_string())
}

/// Parses a time, zero included; a plain number is seconds.
pub(super) fn parse_time_or_zero(text: &str) -> Result<Duration, String> {
    umigame_support::time::parse(text).map_err(|error| error.to_string())
}

/// Parses a time above zero; a plain number is hours.
pub(super) fn parse_hours(text: &str) -> Result<Duration, String> {
    umigame_support::time::parse_hours(text).map_err(|error| error.to_string())
}
