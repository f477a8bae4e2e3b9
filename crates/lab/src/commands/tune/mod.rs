//! `umigame-lab tune`: constants of the search, by node counts, known scores or games.

mod accuracy;
mod games;
mod nodes;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::{Args, Subcommand};
use umigame_engine::{Limits, Megabytes, SharedEvaluation};
use umigame_lab::tune::spsa::Spsa;
use umigame_lab::tune::summary::{self, ResultUnit};
use umigame_lab::tune::{
    ConstantError, Objective, SearchSettings, TuneError, TunedConstants, TuningPositions,
    WorkBounds, constant_table, tune,
};
use umigame_othello::Position;
use umigame_othello::text::shown_path;
use umigame_support::exit::{Exit, bad_input};
use umigame_support::interrupt::{self, INTERRUPTED};
use umigame_support::{progress, time};
use umigame_training::LearnError;

use super::common::read_positions;

/// Tune constants of the search by node counts, known scores or games
///
/// The method is SPSA: each iteration moves all chosen constants at once to either side, compares
/// both settings, and goes a step towards the better. The log holds each iteration; the same command
/// goes on from it after an interrupt or a kill, and prints the summary once it is finished. The
/// same seed makes the same log, unless processor time is counted. Every fifth position is not tuned
/// on: after the last iteration, the values found are compared with the start values there.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame-lab tune list
  umigame-lab tune nodes hard-20.obf --exact --constants endgame --log endgame.jsonl
  umigame-lab tune nodes xot.txt --depth 14 --positions 400 --log midgame.jsonl --hours 0.5
  umigame-lab tune games xot.txt --constants probcut,LMR_MIN_DEPTH=3..8 --log cuts.jsonl
  umigame-lab tune accuracy at24.umi --depth 13 --constants futility --log cuts.jsonl
  umigame-lab tune measure at24.umi FACTOR_1=1.5 --depth 13 --positions 4000
  umigame-lab tune compare xot.txt NEAR_SIGMAS=0.5 LMR_MIN_DEPTH=4 --move-time 25ms")]
pub(super) struct TuneArgs {
    #[command(subcommand)]
    command: TuneCommand,
}

#[derive(Subcommand, Debug)]
enum TuneCommand {
    /// List the constants: default, range, step, and what they change
    List,
    Nodes(nodes::NodesArgs),
    Accuracy(accuracy::AccuracyArgs),
    Measure(accuracy::MeasureArgs),
    Games(games::GamesArgs),
    Compare(games::CompareArgs),
}

/// Options of games and searches: how many at once, their memory and random numbers.
#[derive(Args, Debug)]
struct RunArgs {
    /// Searches or games at once [default: one for each core]
    #[arg(long, value_name = "1-256", value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: Option<u32>,

    /// Size of each transposition table in MB; a thread has one, in games two
    #[arg(long, value_name = "MB", default_value_t = 16)]
    hash: u32,

    /// Seed of all random numbers
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
}

/// Reads constants with values.
fn chosen_values(words: &[String]) -> Result<TunedConstants> {
    TunedConstants::with_values(words).map_err(|error| bad_input(error.to_string()))
}

impl RunArgs {
    fn threads(&self) -> usize {
        self.threads.map_or_else(umigame_engine::processors, |threads| threads as usize)
    }

    fn search(&self, limits: Limits, by_time: bool) -> SearchSettings {
        let hash = Megabytes(self.hash as usize);
        SearchSettings { limits, by_time, hash, threads: self.threads() }
    }
}

/// Options of all objectives.
#[derive(Args, Debug)]
struct WorkArgs {
    /// Log of the work, JSON Lines; created if missing
    #[arg(long, value_name = "FILE")]
    log: PathBuf,

    /// Constants or modules to tune, separated by commas; NAME=MIN..MAX narrows the range
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    constants: Vec<String>,

    /// Iterations in all
    #[arg(long, value_name = "COUNT", default_value_t = 200)]
    iterations: u64,

    /// Begin no iteration after this time: 0.5, 30m, 8h
    #[arg(long, value_name = "HOURS", value_parser = time::parse_hours)]
    hours: Option<Duration>,

    /// Compare the values found on at most this many positions, 0 for none
    #[arg(long, value_name = "COUNT", default_value_t = 200)]
    check: usize,

    #[command(flatten)]
    run: RunArgs,

    /// Length of the first steps, in steps of each constant
    #[arg(long, value_name = "STEPS", default_value_t = 0.3, value_parser = parse_gain)]
    gain: f64,
}

/// Options of files of positions.
#[derive(Args, Debug)]
struct PositionsArgs {
    /// Use only this many positions, from the start of the file
    #[arg(long, value_name = "COUNT")]
    positions: Option<usize>,

    /// Compare the values found on these positions instead of those held out
    #[arg(long, value_name = "FILE")]
    check_file: Option<PathBuf>,
}

impl PositionsArgs {
    fn read(&self, file: &Path) -> Result<Vec<Position>> {
        read_positions(file, self.positions.unwrap_or(usize::MAX))
    }

    /// Divides positions into those to tune on and those of the check, at most `check`.
    fn divide(&self, positions: Vec<Position>, check: usize) -> Result<TuningPositions> {
        let positions = TuningPositions::new(positions)?;
        let positions = match &self.check_file {
            None => positions,
            Some(path) => positions.with_check(file_name(path), read_positions(path, usize::MAX)?),
        };
        Ok(positions.with_check_of(check))
    }
}

/// Converts an error: bad input, unless the search is at fault or the machine is.
fn explain(error: anyhow::Error) -> anyhow::Error {
    if let Some(wrong) = error.downcast_ref::<ConstantError>() {
        return bad_input(format!("--constants: {wrong}"));
    }
    let is_fault =
        |wrong: &TuneError| matches!(wrong, TuneError::Wrong { .. } | TuneError::NoMove(_));
    let is_bad_input = error.is::<LearnError>()
        || error.downcast_ref::<TuneError>().is_some_and(|wrong| !is_fault(wrong));
    if is_bad_input { bad_input(error) } else { error }
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &TuneArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let result = match &args.command {
        TuneCommand::List => {
            write!(out, "{}", constant_table())?;
            Ok(Exit::Done)
        }
        TuneCommand::Nodes(args) => nodes::tune_nodes(evaluation, args, out),
        TuneCommand::Accuracy(args) => accuracy::tune_accuracy(evaluation, args, out),
        TuneCommand::Measure(args) => accuracy::measure(evaluation, args, out),
        TuneCommand::Games(args) => games::tune_games(evaluation, args, out),
        TuneCommand::Compare(args) => games::compare(evaluation, args, out),
    };
    result.map_err(explain)
}

impl WorkArgs {
    /// Chooses the constants, with `only_order` those alone that change no result, and makes their
    /// start.
    fn start(&self, only_order: bool) -> Result<(TunedConstants, Spsa)> {
        let constants = TunedConstants::choose(&self.constants, only_order)?;
        let spsa = Spsa::new(constants.parameters().to_vec(), self.run.seed, self.gain);
        Ok((constants, spsa))
    }

    /// Does the work and writes its summary.
    fn run(
        &self,
        spsa: Spsa,
        objective: &mut dyn Objective,
        unit: ResultUnit,
        out: &mut dyn Write,
    ) -> Result<Exit> {
        interrupt::on_interrupt(|| ())?;
        let bounds = WorkBounds {
            iterations: self.iterations,
            until: self.hours.map(|hours| Instant::now() + hours),
        };
        let bar = progress::bar(Some(self.iterations), "iterations");
        let mut tell = |iterations| bar.set_position(iterations);
        for (name, value) in objective.settings() {
            writeln!(out, "# {name}: {value}")?;
        }
        out.flush()?;
        let course = tune(spsa, objective, &self.log, bounds, &INTERRUPTED, &mut tell)?;
        bar.finish_and_clear();
        write!(out, "{}", summary::text(&course, unit))?;
        if course.is_complete {
            return Ok(Exit::Done);
        }
        writeln!(out, "# interrupted: the same command goes on")?;
        Ok(Exit::Interrupted)
    }
}

/// Returns the last part of a path.
fn file_name(path: &Path) -> String {
    shown_path(path.file_name().map_or(path, Path::new))
}

fn parse_gain(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(gain) if gain > 0.0 && gain <= 10.0 => Ok(gain),
        _ => Err("expected a number of steps above 0, at most 10".to_owned()),
    }
}
