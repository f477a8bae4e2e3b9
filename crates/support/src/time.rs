//! Lengths of time as people type them: `500ms`, `5s`, `1.5m`, `1h`; a plain number is seconds.

use std::time::Duration;

/// Longest time accepted: sums of times do not overflow.
const MAX_TIME: Duration = Duration::from_secs(10_000 * 3600);

/// Why a text is not a length of time. The message does not repeat the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseTimeError {
    /// Not a number with a known unit.
    #[error("expected a number with ms, s, m or h, such as 500ms, 5s or 1.5m")]
    Malformed,
    /// Zero where a time above zero is needed.
    #[error("expected a time above 0")]
    Zero,
    /// More than 10,000 hours.
    #[error("expected at most 10000h")]
    TooLong,
}

/// Reads a length of time: a number with `ms`, `s`, `m` or `h`, or a plain number of seconds.
///
/// ```
/// use std::time::Duration;
/// assert_eq!(umigame_support::time::parse("1.5m"), Ok(Duration::from_secs(90)));
/// ```
///
/// # Errors
/// The text is not of that form, or the time exceeds 10,000 hours.
pub fn parse(text: &str) -> Result<Duration, ParseTimeError> {
    parse_with(text, "s")
}

/// Reads a length of time whose plain number is `default_unit`s.
fn parse_with(text: &str, default_unit: &str) -> Result<Duration, ParseTimeError> {
    let trimmed = text.trim();
    let digits = trimmed.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(trimmed.len());
    let (number, unit) = trimmed.split_at(digits);
    let unit = if unit.trim().is_empty() { default_unit } else { unit.trim() };
    let seconds = match unit.to_ascii_lowercase().as_str() {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(ParseTimeError::Malformed),
    };
    let number: f64 = number.parse().map_err(|_| ParseTimeError::Malformed)?;
    match Duration::try_from_secs_f64(number * seconds) {
        Ok(time) if time <= MAX_TIME => Ok(time),
        _ => Err(ParseTimeError::TooLong),
    }
}

/// Reads a length of time above zero.
///
/// # Errors
/// As [`parse`], or the time is zero.
pub fn parse_positive(text: &str) -> Result<Duration, ParseTimeError> {
    positive(parse(text)?)
}

/// Reads a length of time above zero whose plain number is hours: `0.5`, `30m`, `8h`.
///
/// # Errors
/// As [`parse_positive`].
pub fn parse_hours(text: &str) -> Result<Duration, ParseTimeError> {
    positive(parse_with(text, "h")?)
}

fn positive(time: Duration) -> Result<Duration, ParseTimeError> {
    if time.is_zero() { Err(ParseTimeError::Zero) } else { Ok(time) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_a_unit_and_a_plain_number_is_seconds() {
        for (text, millis) in [
            ("0.1", 100),
            ("5", 5_000),
            ("100ms", 100),
            ("5s", 5_000),
            (" 5 S ", 5_000),
            ("1.5m", 90_000),
            ("1h", 3_600_000),
            ("0", 0),
        ] {
            assert_eq!(parse(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "s", "5 parsecs", "-5s", "1e9h", "nan", "inf", "1..5s", "soon"] {
            assert_eq!(parse(text), Err(ParseTimeError::Malformed), "{text}");
        }
        assert_eq!(parse("20000h"), Err(ParseTimeError::TooLong));
        assert_eq!(parse_positive("0ms"), Err(ParseTimeError::Zero));
        assert_eq!(parse_hours("0.5"), parse("30m"));
        assert_eq!(parse_hours("90s"), parse("90"));
    }
}
