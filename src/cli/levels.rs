//! `umigame levels`: prints the table of levels.

use std::io::Write;

use anyhow::Result;
use umigame_engine::{Level, Strength};

use umigame_support::exit::Exit;

pub(super) fn run(out: &mut dyn Write) -> Result<Exit> {
    writeln!(out, "level     rating  depth  exact from")?;
    for strength in Strength::all() {
        let rating = strength.rating().map_or("-".to_owned(), |rating| rating.to_string());
        let limits = strength.searches_at().limits();
        let (depth, exact_from) = (limits.max_depth(), limits.exact_from());
        let note = match strength {
            Strength::Level(Level::DEFAULT) => "(default)".to_owned(),
            Strength::Level(_) => String::new(),
            Strength::Weak(_) => strength.text(),
        };
        let line = format!("{strength:8}  {rating:>6}  {depth:5}  {exact_from:2} empties  {note}");
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(Exit::Done)
}
