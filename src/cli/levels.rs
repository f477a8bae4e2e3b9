//! `umigame levels`: prints the table of levels.

use std::io::Write;

use anyhow::Result;
use umigame_engine::Level;

use umigame_support::exit::Exit;

pub(super) fn run(out: &mut dyn Write) -> Result<Exit> {
    writeln!(out, "level  depth  exact from")?;
    for level in Level::all() {
        let mark = if level == Level::DEFAULT { "  (default)" } else { "" };
        let (number, limits) = (level.number(), level.limits());
        let (depth, exact_from) = (limits.max_depth(), limits.exact_from());
        writeln!(out, "{number:5}  {depth:5}  {exact_from:2} empties{mark}")?;
    }
    Ok(Exit::Done)
}
