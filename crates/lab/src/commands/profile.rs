//! `umigame-lab profile`: the solver's visits, cuts and time by number of empties.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use umigame::bench::{ffo_endings, solve_ending};
use umigame_engine::{LevelProfile, SharedEvaluation, current_empties, take_profile};
use umigame_support::exit::{Exit, bad_input};

use super::common::{engine, write_json};

/// Time between two looks at where the search is.
const SAMPLE_TIME: Duration = Duration::from_micros(100);
/// Numbers of empties that a search can be at.
const LEVELS: usize = 65;

/// Print the solver's visits, cuts of each kind and shares of time by number of empties
///
/// Positions of four empties include what lies below them. `fail high` and `fail low` are the nodes whose
/// moves were searched, in millions; `first` is the share of the former whose first move was enough.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  umigame-lab profile --from 40 --to 49")]
pub(super) struct ProfileArgs {
    /// First ending
    #[arg(long, value_name = "40-59", default_value_t = 40)]
    from: u32,

    /// Last ending
    #[arg(long, value_name = "40-59", default_value_t = 49)]
    to: u32,

    /// Size of the transposition table in MB
    #[arg(long, value_name = "MB", default_value_t = 64)]
    hash: u32,

    /// Print JSON Lines, one object for each number of empties
    #[arg(long)]
    jsonl: bool,
}

/// The fields of a [`LevelProfile`] as JSON names them.
#[derive(Serialize)]
#[serde(remote = "LevelProfile")]
struct LevelFields {
    empties: u32,
    visits: u64,
    stability_cuts: u64,
    cache_cuts: u64,
    etc_cuts: u64,
    probcut_cuts: u64,
    fail_high: u64,
    first_move_cuts: u64,
    fail_low: u64,
}

/// A row.
#[derive(Serialize)]
struct Record {
    #[serde(flatten, with = "LevelFields")]
    level: LevelProfile,
    time_share: f64,
}

impl Record {
    fn write(&self, out: &mut dyn Write) -> Result<()> {
        let level = &self.level;
        let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let of_visits = |part| percent(part, level.visits);
        let millions = |count: u64| count as f64 / 1e6;
        writeln!(
            out,
            "{:9} {:11.2} {:10.1} {:6.1} {:5.1} {:8.1} {:10.2} {:9.2} {:6.1} {:6.1}",
            level.empties,
            millions(level.visits),
            of_visits(level.stability_cuts),
            of_visits(level.cache_cuts),
            of_visits(level.etc_cuts),
            of_visits(level.probcut_cuts),
            millions(level.fail_high),
            millions(level.fail_low),
            percent(level.first_move_cuts, level.fail_high),
            100.0 * self.time_share,
        )?;
        Ok(())
    }
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &ProfileArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let ProfileArgs { from, to, hash, jsonl } = *args;
    let endings = ffo_endings(from, to).ok_or_else(|| {
        bad_input(format!("--from {from} --to {to}: expected numbers from 40 to 59"))
    })?;
    let mut engine = engine(evaluation, hash, 1)?;
    take_profile();
    let (samples, wrong) = sampled(|| {
        endings.iter().filter(|ending| !solve_ending(&mut engine, ending, 1).right).count()
    });
    let total = samples.iter().sum::<u64>().max(1) as f64;
    if !jsonl {
        writeln!(
            out,
            "# FFO {from} to {to}, {hash} MB, one thread; shares in %, of visits or of time"
        )?;
        writeln!(
            out,
            "# empties   visits, M  stability  cache   ETC  ProbCut  fail high  fail low  first   time"
        )?;
    }
    for level in take_profile() {
        let share = samples.get(level.empties as usize).map_or(0.0, |&count| count as f64 / total);
        let record = Record { level, time_share: share };
        if jsonl { write_json(&record, out)? } else { record.write(out)? }
    }
    Ok(if wrong == 0 { Exit::Done } else { Exit::Failed })
}

/// Runs some work, and counts how often the search was found at each number of empties.
fn sampled<R>(work: impl FnOnce() -> R) -> ([u64; LEVELS], R) {
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let sampler = scope.spawn(|| {
            let mut samples = [0; LEVELS];
            while !is_done.load(Relaxed) {
                thread::sleep(SAMPLE_TIME);
                if let Some(count) = samples.get_mut(current_empties() as usize) {
                    *count += 1;
                }
            }
            samples
        });
        let result = work();
        is_done.store(true, Relaxed);
        (sampler.join().unwrap_or([0; LEVELS]), result)
    })
}
