//! `umigame levels`: prints the table of levels.

use std::io::Write;

use anyhow::Result;
use umigame_engine::{LEVELS, Level};

use super::exit::Exit;

pub(super) fn run(out: &mut dyn Write) -> Result<Exit> {
    writeln!(out, "level  depth  exact from")?;
    for (index, (depth, solve_from)) in LEVELS.iter().enumerate() {
        let level = index as u32 + 1;
        let mark = if level == Level::DEFAULT.number() { "  (default)" } else { "" };
        writeln!(out, "{level:5}  {depth:5}  {solve_from:2} empties{mark}")?;
    }
    Ok(Exit::Done)
}
