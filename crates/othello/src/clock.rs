//! Game clocks as GGF writes them: main time, increment and grace.
//!
//! `H:MM:SS[/increment[/grace]]` without leading zero fields. Reading also accepts days (`d.h:m:s`)
//! and a decimal comma. Times are kept to the millisecond.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::text::quote;

/// The default grace, which NBoard does not write.
const DEFAULT_GRACE: Duration = Duration::from_secs(120);

/// The longest time that is read, in seconds.
const MAX_SECONDS: f64 = 1e9;

/// One side's clock at the start of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Clock {
    /// Time for the game.
    pub main: Duration,
    /// Time added with each move.
    pub increment: Duration,
    /// Time after the main time has run out, at a penalty.
    pub grace: Duration,
}

impl Clock {
    /// Returns a clock with a main time, no increment, and the default grace of two minutes.
    pub const fn new(main: Duration) -> Clock {
        Clock { main, increment: Duration::ZERO, grace: DEFAULT_GRACE }
    }
}

/// A text that is no clock; quotes the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no clock: expected h:mm:ss, then /increment and /grace if there are any")]
pub struct ParseClockError(pub String);

impl FromStr for Clock {
    type Err = ParseClockError;

    fn from_str(text: &str) -> Result<Clock, ParseClockError> {
        let bad = || ParseClockError(quote(text));
        let mut fields = text.trim().splitn(3, '/').map(str::trim);
        let main = fields.next().and_then(span).ok_or_else(bad)?;
        let mut field = |unstated| match fields.next() {
            None | Some("") => Ok(unstated),
            Some(stated) => span(stated).ok_or_else(bad),
        };
        Ok(Clock { main, increment: field(Duration::ZERO)?, grace: field(DEFAULT_GRACE)? })
    }
}

/// Reads `d.h:m:s`, `h:m:s`, `m:s` or seconds. A negative time is zero.
fn span(text: &str) -> Option<Duration> {
    if let Some(rest) = text.strip_prefix('-') {
        return span(rest).map(|_| Duration::ZERO);
    }
    let mut fields: Vec<&str> = text.split(':').collect();
    let last = seconds(fields.pop()?)?;
    let (mut total, mut unit) = (last.as_secs_f64(), 60.0);
    if fields.len() > 2 {
        return None;
    }
    while let Some(field) = fields.pop() {
        let (days, count) = match field.split_once('.') {
            Some((days, hours)) if unit > 60.0 => (whole(days)?, whole(hours)?),
            _ => (0.0, whole(field)?),
        };
        total += days * 86_400.0 + count * unit;
        unit *= 60.0;
    }
    to_millis(total)
}

/// Reads a whole number of at most nine digits.
fn whole(text: &str) -> Option<f64> {
    let digits = !text.is_empty() && text.len() <= 9 && text.bytes().all(|b| b.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

/// Rounds to the millisecond; `None` if negative or beyond [`MAX_SECONDS`].
fn to_millis(seconds: f64) -> Option<Duration> {
    (0.0..=MAX_SECONDS)
        .contains(&seconds)
        .then(|| Duration::from_millis((seconds * 1000.0).round() as u64))
}

/// Reads a decimal number of seconds, to the millisecond; `None` if it is no number, negative, or
/// beyond a billion seconds.
pub(crate) fn seconds(text: &str) -> Option<Duration> {
    decimal(text).and_then(to_millis)
}

/// Reads a decimal number with a point or a comma; no exponent, infinity or NaN.
pub(crate) fn decimal(text: &str) -> Option<f64> {
    let text = text.trim();
    let plain = text.len() <= 40
        && text.bytes().any(|b| b.is_ascii_digit())
        && text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b','));
    if plain { text.replace(',', ".").parse().ok() } else { None }
}

/// Writes seconds with up to three decimals: `27.379`, `5`.
pub(crate) fn seconds_text(time: Duration) -> String {
    let millis = time.subsec_millis();
    if millis == 0 {
        return time.as_secs().to_string();
    }
    let text = format!("{}.{millis:03}", time.as_secs());
    text.trim_end_matches('0').to_string()
}

/// Writes `h:mm:ss`, `m:ss` or seconds.
fn span_text(time: Duration) -> String {
    let (hours, minutes) = (time.as_secs() / 3600, time.as_secs() / 60 % 60);
    let rest = Duration::from_secs(time.as_secs() % 60)
        + Duration::from_millis(u64::from(time.subsec_millis()));
    let pad = if rest.as_secs() < 10 { "0" } else { "" };
    let rest = seconds_text(rest);
    match (hours, minutes) {
        (0, 0) => rest,
        (0, _) => format!("{minutes}:{pad}{rest}"),
        _ => format!("{hours}:{minutes:02}:{pad}{rest}"),
    }
}

/// Writes as NBoard does: `5:00`, `10:00/2/1:00`, `0//0`.
impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&span_text(self.main))?;
        let grace = self.grace != DEFAULT_GRACE;
        if !self.increment.is_zero() {
            write!(f, "/{}", span_text(self.increment))?;
        } else if grace {
            f.write_str("/")?;
        }
        if grace {
            write!(f, "/{}", span_text(self.grace))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secs(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn clocks_of_real_clients_are_read() {
        for (text, main, increment, grace) in [
            ("5:00", 300, 0, 120),
            ("0//2:00", 0, 0, 120),
            ("15:00//02:00", 900, 0, 120),
            ("10:00/2/1:00", 600, 2, 60),
            ("30", 30, 0, 120),
            ("1:05:00", 3900, 0, 120),
            ("0", 0, 0, 120),
            ("0//0", 0, 0, 0),
            ("1.02:03:04/30", 93784, 30, 120),
            ("-0:03", 0, 0, 120),
        ] {
            let clock = Clock { main: secs(main), increment: secs(increment), grace: secs(grace) };
            assert_eq!(text.parse(), Ok(clock), "{text}");
        }
    }

    #[test]
    fn clocks_are_written_as_nboard_writes_them() {
        for text in ["5:00", "30", "1:05:00", "10:00/2/1:00", "0//0", "0", "1:00:09/1:00", "9.5"] {
            assert_eq!(text.parse::<Clock>().map(|clock| clock.to_string()), Ok(text.to_string()));
        }
    }

    #[test]
    fn a_text_that_is_no_clock_is_quoted() {
        for text in ["", "five", "1:2:3:4", "5:00/x", "1e9", "99999999999", "5:NaN", ":", "1.5:00"]
        {
            assert_eq!(text.parse::<Clock>(), Err(ParseClockError(text.to_string())), "{text}");
        }
    }
}
