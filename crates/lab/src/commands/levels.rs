//! `umigame-lab levels`: time per move of each level.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use umigame::bench::{SIGNATURE_POSITIONS, signature_positions};
use umigame_engine::SharedEvaluation;
use umigame_engine::{Engine, EngineOptions, Level};
use umigame_lab::measure::LevelRow;
use umigame_support::exit::Exit;
use umigame_support::time;

/// Measure the time per move of each level, on the positions of `umigame bench`
#[derive(Args, Debug)]
pub(super) struct LevelsArgs {
    /// A level, or a range of levels
    #[arg(value_name = "FIRST-LAST", default_value = "1-30", value_parser = parse_levels)]
    levels: (u32, u32),

    /// Number of positions, spread evenly over the 24
    #[arg(long, value_name = "1-24", default_value_t = SIGNATURE_POSITIONS,
          value_parser = parse_positions)]
    positions: usize,

    /// Stop each search after this time, such as 30s or 5m. Figures that are lower bounds because
    /// a search was stopped are marked with `>`
    #[arg(long, value_name = "TIME", value_parser = time::parse_positive)]
    at_most: Option<Duration>,
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &LevelsArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let options = EngineOptions::default();
    let mut engine = Engine::new(evaluation.clone(), options)?;
    let (all, count) = (signature_positions(), args.positions);
    let positions: Vec<_> = (0..count).map(|nth| all[nth * all.len() / count]).collect();
    write!(out, "# {count} of {} positions, {} MB", all.len(), options.hash.0)?;
    match args.at_most {
        Some(max_time) => writeln!(out, ", each for at most {} s", max_time.as_secs_f64())?,
        None => writeln!(out)?,
    }
    writeln!(out, "level     mean s  longest s      mean nodes  stopped")?;
    let (first, last) = args.levels;
    for level in (first..=last).filter_map(Level::new) {
        let row = LevelRow::measure(&mut engine, level, &positions, args.at_most);
        let bound = if row.stopped > 0 { ">" } else { " " };
        writeln!(
            out,
            "{:5}  {bound}{:9.3} {bound}{:9.3} {bound}{:14}  {:7}",
            level.number(),
            row.mean.as_secs_f64(),
            row.longest.as_secs_f64(),
            row.mean_nodes,
            row.stopped
        )?;
        out.flush()?;
    }
    Ok(Exit::Done)
}

fn parse_positions(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(positions @ 1..=SIGNATURE_POSITIONS) => Ok(positions),
        _ => Err(format!("expected a number of positions from 1 to {SIGNATURE_POSITIONS}")),
    }
}

/// Reads `1-30` or `7`.
fn parse_levels(text: &str) -> Result<(u32, u32), String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last && last <= 30 => Ok((first, last)),
        _ => Err("expected a level from 1 to 30, or a range of levels such as 1-12".to_owned()),
    }
}
