//! `umigame learn`: weights from nothing with one command.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use umigame_training::LearnError;
use umigame_training::all::{self, FinishedRound, Plan, Record, Round};
use umigame_training::fit::FitSettings;
use umigame_training::starts::{Mix, Starts, wthor_games};

use umigame_support::exit::{Exit, bad_input, shown};
use umigame_support::interrupt::{INTERRUPTED, outcome, stop_when_interrupted};
use umigame_support::{progress, time};

use super::position;

/// Train weights from nothing: rounds of self-play and fitting
///
/// The first round plays with an evaluation of zeros and solves the endgames; each further round
/// plays more games, with the weights of the round before and deeper searches: 1, 2, 4, 6 plies and
/// so on up to --depth. The folder holds the games and weights of each round and, at the end,
/// umigame.weights, record.json with all figures, learning.svg and errors.svg. Run the same command
/// again to resume after an interrupt, which costs seconds of self-play or the current fit. The
/// weights do not depend on interrupts or the number of threads.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame learn --hours 0.05 --out small
  umigame learn --hours 8 --out long --wthor wthor --openings xot.txt
  umigame learn --positions 200000 --depth 4 --exact-from 12 --out quick")]
pub(super) struct LearnArgs {
    /// Approximate time on two cores: 0.5, 8
    #[arg(long, value_name = "HOURS", value_parser = time::parse_hours,
          required_unless_present = "positions", conflicts_with = "positions")]
    hours: Option<std::time::Duration>,

    /// Approximate number of positions of all rounds
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    positions: Option<u64>,

    /// Folder of the work; created if missing
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,

    /// Plies of the searches of the last round
    #[arg(long, value_name = "1-20", default_value_t = 4,
          value_parser = clap::value_parser!(u8).range(1..=20))]
    depth: u8,

    /// Empties from which the games of the last round are solved
    #[arg(long, value_name = "1-24", default_value_t = 16,
          value_parser = clap::value_parser!(u8).range(1..=24))]
    exact_from: u8,

    /// Seed of all random numbers
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Games played at once, and threads of the fits [default: one for each core]
    #[arg(long, value_name = "1-256", value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: Option<u32>,

    /// Passes over the positions for each phase of each fit
    #[arg(long, value_name = "COUNT", default_value_t = FitSettings::default().iterations as u32,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    iterations: u32,

    /// Begin a part of the games like those in the .wtb files of this folder
    #[arg(long, value_name = "FOLDER")]
    wthor: Option<PathBuf>,

    /// Begin a part of the games with these openings, one a line: moves or positions
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
}

/// Steps of the progress bar.
const STEPS: u64 = 1000;

/// Converts an error: bad input if a file that the user named is the reason.
fn explain(error: LearnError) -> anyhow::Error {
    if error.is_bad_input() { bad_input(error) } else { error.into() }
}

pub(super) fn run(args: &LearnArgs, out: &mut dyn Write) -> Result<Exit> {
    let games = args.wthor.as_deref().map(wthor_games).transpose().map_err(explain)?;
    let openings = args.openings.as_deref().map(position::read_openings).transpose()?;
    let in_hours = |hours: std::time::Duration| {
        Plan::positions_in(hours.as_secs_f64() / 3600.0, args.depth, args.exact_from)
    };
    let plan = Plan {
        positions: args.positions.or(args.hours.map(in_hours)).unwrap_or(0),
        depth: args.depth,
        exact: args.exact_from,
        seed: args.seed,
        iterations: args.iterations as usize,
        starts: Starts::new(
            Mix::default(),
            games.unwrap_or_default(),
            openings.iter().flatten().map(|opening| opening.board().position()).collect(),
        ),
    };
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| shown(word.as_ref())).collect();
    let threads = args.threads.map_or_else(umigame_engine::processors, |threads| threads as usize);
    // Fails if the pool exists already; then its threads serve.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    stop_when_interrupted()?;
    let bar = progress::bar(Some(STEPS), "steps");
    bar.reset_eta();
    let command = format!("umigame {}", words.join(" "));
    let done = all::learn(&plan, &command, &args.out, threads, &INTERRUPTED, &mut |progress| {
        let activity = if progress.is_fitting { "fitting" } else { "playing" };
        bar.set_position((progress.share * STEPS as f64) as u64);
        bar.set_message(format!("round {} of {}: {activity}", progress.round, progress.rounds));
    });
    bar.finish_and_clear();
    let Some(record) = done.map_err(explain)? else { return Ok(outcome()) };
    write_table(&record, out)?;
    writeln!(out, "{}", shown(&args.out.join(all::WEIGHTS_FILE)))?;
    Ok(Exit::Done)
}

fn write_table(record: &Record, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "round  depth  exact     games  positions   weights   error (discs)")?;
    for (number, finished) in (1..).zip(&record.rounds) {
        let FinishedRound { round, positions, weights, error, .. } = finished;
        let Round { depth, exact, games } = round;
        writeln!(
            out,
            "{number:>5}  {depth:>5}  {exact:>5}  {games:>8}  {positions:>9}  {weights}  {error:>6.2}"
        )?;
    }
    Ok(())
}
