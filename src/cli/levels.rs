//! `umigame levels`: prints the table of levels.

use std::io::Write;

use anyhow::Result;
use umigame_engine::{LEVELS, Level, LevelLimits};

use umigame_support::exit::Exit;

pub(super) fn run(out: &mut dyn Write) -> Result<Exit> {
    writeln!(out, "level  depth  exact from")?;
    for (level, LevelLimits { depth, exact_from }) in (1..).zip(LEVELS) {
        let mark = if level == Level::DEFAULT.number() { "  (default)" } else { "" };
        writeln!(out, "{level:5}  {depth:5}  {exact_from:2} empties{mark}")?;
    }
    Ok(Exit::Done)
}
