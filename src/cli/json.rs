//! JSON Lines in ASCII.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;
use umigame_othello::text;

/// Writes a record as a line. Characters that are not ASCII, such as the Japanese names of
/// openings, are escaped.
pub(super) fn write_line(record: &impl Serialize, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}", text::json(&serde_json::to_string(record)?))?;
    Ok(())
}
