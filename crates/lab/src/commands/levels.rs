//! `umigame-lab levels`: time per move of each level.
//!
//! A search of the highest levels may take an hour. Fewer positions and a time limit give true
//! figures all the same: lower bounds where a search was stopped.

use std::io::Write;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use umigame::bench::{SIGNATURE_POSITIONS, signature_positions};
use umigame_engine::{Engine, EngineOptions, Level, Listener, SharedEvaluation};
use umigame_othello::Position;
use umigame_support::args::{number_in, range_in};
use umigame_support::exit::Exit;
use umigame_support::time;

/// Measure the time per move of each level, on the positions of `umigame bench`
#[derive(Args, Debug)]
pub(super) struct LevelsArgs {
    /// A level, or a range of levels
    #[arg(value_name = "FIRST-LAST", default_value = "1-30", value_parser = parse_levels)]
    levels: RangeInclusive<u32>,

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
    for level in args.levels.clone().filter_map(Level::new) {
        let row = LevelRow::measure(&mut engine, level, &positions, args.at_most);
        let LevelRow { mean, longest, mean_nodes: nodes, stopped } = row;
        let [mean, longest] = [mean, longest].map(|time| time.as_secs_f64());
        let bound = if stopped > 0 { ">" } else { " " };
        write!(out, "{:5}  {bound}{mean:9.3} {bound}{longest:9.3} ", level.number())?;
        writeln!(out, "{bound}{nodes:14}  {stopped:7}")?;
        out.flush()?;
    }
    Ok(Exit::Done)
}

fn parse_positions(text: &str) -> Result<usize, String> {
    number_in(
        text,
        1..=SIGNATURE_POSITIONS,
        &format!("a number of positions from 1 to {SIGNATURE_POSITIONS}"),
    )
}

fn parse_levels(text: &str) -> Result<RangeInclusive<u32>, String> {
    range_in(text, 1..=30, "a level from 1 to 30, or a range of levels such as 1-12")
}

/// Stops a search after a time.
struct Stopwatch {
    start: Instant,
    max_time: Option<Duration>,
}

impl Stopwatch {
    fn is_over(&self) -> bool {
        self.max_time.is_some_and(|max_time| self.elapsed() >= max_time)
    }
}

impl Listener for Stopwatch {
    fn go_on(&self) -> bool {
        !self.is_over()
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

/// Searches of one level. If any was stopped, times and nodes are lower bounds.
#[derive(Clone, Copy, Debug)]
struct LevelRow {
    /// Mean time.
    mean: Duration,
    /// Longest time.
    longest: Duration,
    /// Mean number of nodes.
    mean_nodes: u64,
    /// Searches stopped by the time limit.
    stopped: u32,
}

impl LevelRow {
    /// Searches each position at a level, for at most `max_time`.
    fn measure(
        engine: &mut Engine,
        level: Level,
        positions: &[Position],
        max_time: Option<Duration>,
    ) -> LevelRow {
        let (mut nodes, mut stopped) = (0, 0);
        let (mut total, mut longest) = (Duration::ZERO, Duration::ZERO);
        for &position in positions {
            engine.clear();
            let watch = Stopwatch { start: Instant::now(), max_time };
            nodes += engine.search(position, &level.limits(), &watch).nodes;
            stopped += u32::from(watch.is_over());
            let time = watch.elapsed();
            total += time;
            longest = longest.max(time);
        }
        let count = positions.len().max(1);
        LevelRow { mean: total / count as u32, longest, mean_nodes: nodes / count as u64, stopped }
    }
}
