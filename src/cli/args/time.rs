//! Lengths of time, as clap takes their parsers.

use std::time::Duration;

/// Parses a time above zero; a plain number is seconds. See [`umigame_lab::time`].
pub(in crate::cli) fn parse_time(text: &str) -> Result<Duration, String> {
    umigame_lab::time::parse_positive(text).map_err(|error| error.to_string())
}

/// Parses a time above zero; a plain number is hours.
pub(in crate::cli) fn parse_hours(text: &str) -> Result<Duration, String> {
    umigame_lab::time::parse_hours(text).map_err(|error| error.to_string())
}
