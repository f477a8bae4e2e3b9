//! JSON Lines in ASCII, like all output.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;

/// Writes a record as a line; what is no ASCII, such as the Japanese names of
/// openings, as escapes.
pub(super) fn write_line(record: &impl Serialize, out: &mut dyn Write) -> Result<()> {
    let text = serde_json::to_string(record)?;
    for letter in text.chars() {
        match letter {
            ' '..='~' => write!(out, "{letter}")?,
            other => {
                for unit in other.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}")?;
                }
            }
        }
    }
    writeln!(out)?;
    Ok(())
}
