//! JSON Lines in ASCII, like all output.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;
use umigame_othello::text;

/// Writes a record as a line; what is no ASCII, such as the Japanese names of
/// openings, as escapes.
pub(super) fn write_line(record: &impl Serialize, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}", text::json(&serde_json::to_string(record)?))?;
    Ok(())
}
