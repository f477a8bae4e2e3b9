//! Lines from any reader: bounded in length, whatever the bytes.

use std::io::{self, BufRead, Read};

/// Longer lines are cut: no command or position is nearly as long.
const LONGEST: u64 = 1 << 20;

/// The next line without its end, or `None` at the end of input. Bytes that
/// are no UTF-8 are replaced, and of a line over 1 MiB the rest is left out.
///
/// # Errors
/// What the reader fails with.
pub(super) fn next_line(reader: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if reader.take(LONGEST).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') {
        skip_to_line_end(reader)?;
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some(text.trim_end_matches(['\n', '\r']).to_owned()))
}

fn skip_to_line_end(reader: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let available = reader.fill_buf()?;
        if available.is_empty() {
            return Ok(());
        }
        let end = available.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(available.len(), |at| at + 1);
        reader.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_may_end_anyhow_and_be_of_any_length() {
        let mut bytes = b"one\r\n\ntw\xFFo\n".to_vec();
        bytes.resize(bytes.len() + 3 * LONGEST as usize, b'x');
        bytes.extend(b"\nlast");
        let mut reader = io::BufReader::new(bytes.as_slice());
        let mut next = || next_line(&mut reader).unwrap();
        assert_eq!(next().as_deref(), Some("one"));
        assert_eq!(next().as_deref(), Some(""));
        assert_eq!(next().as_deref(), Some("tw\u{FFFD}o"));
        assert_eq!(next().map(|line| line.len() as u64), Some(LONGEST));
        assert_eq!(next().as_deref(), Some("last"));
        assert_eq!(next(), None);
    }
}
