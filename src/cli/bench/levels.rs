//! `umigame bench --levels`: the seconds a move at each level. The highest
//! levels may take an hour for one position: fewer positions and a bound on
//! the time still give figures that are true, as lower bounds where a search
//! was stopped.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Result;
use umigame_engine::eval::SharedEvaluation;
use umigame_engine::search::{EngineOptions, Level, Listener};

use super::{TASKS, read};
use crate::cli::Outcome;
use crate::cli::args::BenchArgs;
use crate::cli::settings::engine;

/// Keeps time, and stops a search that has had enough.
struct Watch {
    start: Instant,
    at_most: Option<Duration>,
}

impl Watch {
    fn is_over(&self) -> bool {
        self.at_most.is_some_and(|most| self.elapsed() >= most)
    }
}

impl Listener for Watch {
    fn go_on(&self) -> bool {
        !self.is_over()
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

/// Mean and longest time a move at each level, over the positions of the
/// signature or, spread evenly over them, some of them.
pub(super) fn run(
    evaluation: &SharedEvaluation,
    (first, last): (u32, u32),
    args: &BenchArgs,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let options = EngineOptions::default();
    let mut engine = engine(evaluation, options)?;
    let count = args.positions.clamp(1, TASKS.len());
    let texts = (0..count).map(|nth| TASKS[nth * TASKS.len() / count].0);
    let positions = texts.map(read).collect::<Result<Vec<_>>>()?;
    write!(out, "# {count} of {} positions, {} MB", TASKS.len(), options.hash.0)?;
    match args.at_most {
        Some(most) => writeln!(out, ", each for at most {} s", most.as_secs_f64())?,
        None => writeln!(out)?,
    }
    writeln!(out, "level     mean s  longest s      mean nodes  stopped")?;
    for level in (first..=last).filter_map(Level::new) {
        let (mut nodes, mut stopped) = (0, 0);
        let mut times = Vec::new();
        for &position in &positions {
            engine.clear();
            let watch = Watch { start: Instant::now(), at_most: args.at_most };
            nodes += engine.search(position, &level.limits(), &watch).nodes;
            stopped += u32::from(watch.is_over());
            times.push(watch.elapsed());
        }
        let longest = times.iter().max().copied().unwrap_or_default().as_secs_f64();
        let mean = times.iter().sum::<Duration>().as_secs_f64() / count as f64;
        let mean_nodes = nodes / count as u64;
        // With a search stopped, the figures are only what it takes at least.
        let least = if stopped > 0 { ">" } else { " " };
        writeln!(
            out,
            "{:5}  {least}{mean:9.3} {least}{longest:9.3} {least}{mean_nodes:14}  {stopped:7}",
            level.number()
        )?;
        out.flush()?;
    }
    Ok(Outcome::Done)
}
