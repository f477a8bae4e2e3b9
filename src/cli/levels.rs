//! `umigame levels`: prints the table of levels.

use std::io::Write;

use anyhow::Result;
use umigame_analysis::levels::LevelRecord;
use umigame_engine::{Level, Strength};

use umigame_support::exit::Exit;

pub(super) fn run(out: &mut dyn Write) -> Result<Exit> {
    writeln!(out, "level     rating  depth  exact from")?;
    for strength in Strength::all() {
        let LevelRecord { text, depth, exact_from, rating, .. } = strength.into();
        let rating = rating.map_or("-".to_owned(), |rating| rating.to_string());
        let note = match strength {
            Strength::Level(Level::DEFAULT) => "(default)".to_owned(),
            Strength::Level(_) => String::new(),
            Strength::Weak(_) => text,
        };
        let line = format!("{strength:8}  {rating:>6}  {depth:5}  {exact_from:2} empties  {note}");
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(Exit::Done)
}
