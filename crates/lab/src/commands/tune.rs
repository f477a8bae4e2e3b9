//! `umigame-lab tune`: constants of the search, by node counts or games.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use umigame_engine::{Confidence, Limits, Megabytes, SharedEvaluation};
use umigame_lab::interrupt::{self, INTERRUPTED};
use umigame_lab::measure::{FFO_ENDINGS, midgame_limits, midgame_positions};
use umigame_lab::time;
use umigame_lab::tune::spsa::Spsa;
use umigame_lab::tune::summary::{self, ResultUnit};
use umigame_lab::tune::{
    ConstantError, GamesObjective, GamesSettings, MoveBudget, NodesObjective, NodesSettings,
    Objective, TuneError, TunedConstants, TuningPositions, WorkBounds, constant_table, tune,
};
use umigame_othello::Position;
use umigame_othello::text::shown_path;

use super::support::{CommandError, parse_confidence, read_positions};

/// Tune constants of the search by node counts or games
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
  umigame-lab tune compare xot.txt NEAR_SIGMAS=0.5 LMR_MIN_DEPTH=4 --move-time 25ms")]
pub(super) struct TuneArgs {
    #[command(subcommand)]
    command: TuneCommand,
}

#[derive(Subcommand, Debug)]
enum TuneCommand {
    /// List the constants: default, range, step, and what they change
    List,
    Nodes(NodesArgs),
    Games(GamesArgs),
    Compare(CompareArgs),
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

impl RunArgs {
    fn threads(&self) -> usize {
        self.threads.map_or_else(umigame_engine::processors, |threads| threads as usize)
    }
}

/// Options of both objectives.
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

    /// Use only this many positions, from the start of the file
    #[arg(long, value_name = "COUNT")]
    positions: Option<usize>,

    /// Compare the values found on at most this many positions, 0 for none
    #[arg(long, value_name = "COUNT", default_value_t = 200)]
    check: usize,

    /// Compare the values found on these positions instead of those held out
    #[arg(long, value_name = "FILE")]
    check_file: Option<PathBuf>,

    #[command(flatten)]
    run: RunArgs,

    /// Length of the first steps, in steps of each constant
    #[arg(long, value_name = "STEPS", default_value_t = 0.3, value_parser = parse_gain)]
    gain: f64,
}

/// Tune by the nodes of searches, or their processor time: for the order of moves
///
/// The cost of a setting is the geometric mean of nodes as a fraction of those with the start
/// values. Exact scores that differ are an error. Constants of cuts and reductions are refused:
/// fewer nodes would not make them better.
#[derive(Args, Debug)]
struct NodesArgs {
    /// Positions, one a line: OBF, or moves [default: FFO 40 to 49, or 20 midgames]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Search to the end of the game
    #[arg(long, required_unless_present = "depth", conflicts_with = "depth")]
    exact: bool,

    /// Search to this depth
    #[arg(long, value_name = "1-60", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,

    /// Confidence of searches to a depth
    #[arg(long, value_name = "PERCENT", default_value = "73", value_parser = parse_confidence)]
    selectivity: Confidence,

    /// Positions of an iteration
    #[arg(long, value_name = "COUNT", default_value_t = 24,
          value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,

    /// Count processor time instead of nodes
    #[arg(long)]
    time: bool,

    #[command(flatten)]
    work: WorkArgs,
}

/// Bound on the search of a move.
#[derive(Args, Debug)]
struct BudgetArgs {
    /// Maximum nodes of a move; the limit is checked every 4,096 nodes
    #[arg(long, value_name = "COUNT", default_value_t = 20_000, conflicts_with = "move_time",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Time of a move instead: 0.02, 25ms. The games then do not repeat exactly
    #[arg(long, value_name = "TIME", value_parser = time::parse_positive)]
    move_time: Option<Duration>,
}

impl BudgetArgs {
    fn budget(&self) -> MoveBudget {
        self.move_time.map_or(MoveBudget::Nodes(self.nodes), MoveBudget::Time)
    }
}

/// Play values of constants against the defaults
///
/// Each opening is played twice with colours swapped, in this process. Prints the result with 95 %
/// intervals.
#[derive(Args, Debug)]
struct CompareArgs {
    /// Openings, one a line: moves, or positions
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Constants with the values to try: LMR_MIN_DEPTH=4
    #[arg(value_name = "NAME=VALUE", required = true)]
    values: Vec<String>,

    #[command(flatten)]
    budget: BudgetArgs,

    /// Pairs of games
    #[arg(long, value_name = "COUNT", default_value_t = 500,
          value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,

    #[command(flatten)]
    run: RunArgs,
}

/// Tune by games at equal nodes or time a move: for cuts and reductions
///
/// An iteration plays its openings twice, with colours swapped, one setting against the other, in
/// this process. The cost of a setting is the share of the points that it does not get.
#[derive(Args, Debug)]
struct GamesArgs {
    /// Openings, one a line: moves, or positions
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    budget: BudgetArgs,

    /// Pairs of games of an iteration
    #[arg(long, value_name = "COUNT", default_value_t = 16,
          value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,

    /// Count discs instead of points
    #[arg(long)]
    discs: bool,

    #[command(flatten)]
    work: WorkArgs,
}

impl From<ConstantError> for CommandError {
    fn from(error: ConstantError) -> CommandError {
        CommandError::Input(format!("--constants: {error}"))
    }
}

impl From<TuneError> for CommandError {
    fn from(error: TuneError) -> CommandError {
        match error {
            TuneError::Wrong { .. } | TuneError::NoMove(_) => {
                CommandError::Fault(error.to_string())
            }
            _ => CommandError::Input(error.to_string()),
        }
    }
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &TuneArgs,
    out: &mut dyn Write,
) -> Result<ExitCode, CommandError> {
    match &args.command {
        TuneCommand::List => {
            write!(out, "{}", constant_table())?;
            Ok(ExitCode::SUCCESS)
        }
        TuneCommand::Nodes(args) => tune_nodes(evaluation, args, out),
        TuneCommand::Games(args) => tune_games(evaluation, args, out),
        TuneCommand::Compare(args) => compare(evaluation, args, out),
    }
}

fn tune_nodes(
    evaluation: &SharedEvaluation,
    args: &NodesArgs,
    out: &mut dyn Write,
) -> Result<ExitCode, CommandError> {
    let work = &args.work;
    let constants = TunedConstants::choose(&work.constants, true)?;
    let spsa = work.spsa(&constants);
    let limits = match args.depth {
        Some(depth) => midgame_limits(depth, args.selectivity),
        None => Limits::exact(),
    };
    let positions = match (&args.file, args.exact) {
        (Some(file), _) => work.read(file)?,
        (None, true) => FFO_ENDINGS[..10].iter().map(|ending| ending.position()).collect(),
        (None, false) => midgame_positions(),
    };
    let settings = NodesSettings {
        limits,
        by_time: args.time,
        batch: args.batch as usize,
        hash: Megabytes(work.run.hash as usize),
        threads: work.run.threads(),
        seed: work.run.seed,
    };
    let positions = work.tuning_positions(positions)?;
    let unit = if args.time { ResultUnit::Time } else { ResultUnit::Nodes };
    let mut objective =
        NodesObjective::new(constants, evaluation, positions, settings, &INTERRUPTED)?;
    work.run(spsa, &mut objective, unit, out)
}

fn tune_games(
    evaluation: &SharedEvaluation,
    args: &GamesArgs,
    out: &mut dyn Write,
) -> Result<ExitCode, CommandError> {
    let work = &args.work;
    let constants = TunedConstants::choose(&work.constants, false)?;
    let spsa = work.spsa(&constants);
    let settings = GamesSettings {
        budget: args.budget.budget(),
        by_discs: args.discs,
        pairs: args.pairs as usize,
        hash: Megabytes(work.run.hash as usize),
        threads: work.run.threads(),
        seed: work.run.seed,
    };
    let openings = work.tuning_positions(work.read(&args.file)?)?;
    let mut objective =
        GamesObjective::new(constants, evaluation, openings, settings, &INTERRUPTED)?;
    work.run(spsa, &mut objective, ResultUnit::Points, out)
}

fn compare(
    evaluation: &SharedEvaluation,
    args: &CompareArgs,
    out: &mut dyn Write,
) -> Result<ExitCode, CommandError> {
    let constants = TunedConstants::with_values(&args.values)
        .map_err(|error| CommandError::Input(error.to_string()))?;
    let values: Vec<f64> = constants.parameters().iter().map(|it| it.start).collect();
    let defaults = constants.defaults();
    let settings = GamesSettings {
        budget: args.budget.budget(),
        by_discs: false,
        pairs: args.pairs as usize,
        hash: Megabytes(args.run.hash as usize),
        threads: args.run.threads(),
        seed: args.run.seed,
    };
    let openings = TuningPositions::new(read_positions(&args.file, usize::MAX)?)?;
    interrupt::on_interrupt(|| ())?;
    for ((parameter, value), default) in constants.parameters().iter().zip(&values).zip(&defaults) {
        writeln!(out, "# {}: {value} against {default}", parameter.name)?;
    }
    writeln!(out, "# {}", settings.budget)?;
    out.flush()?;
    let mut objective =
        GamesObjective::new(constants, evaluation, openings, settings, &INTERRUPTED)?;
    let Some(tally) = objective.compare(&values, &defaults)? else {
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    };
    write!(out, "{}", summary::tally_text(&tally))?;
    Ok(ExitCode::SUCCESS)
}

impl WorkArgs {
    fn spsa(&self, constants: &TunedConstants) -> Spsa {
        Spsa::new(constants.parameters().to_vec(), self.run.seed, self.gain)
    }

    fn read(&self, file: &Path) -> Result<Vec<Position>, CommandError> {
        read_positions(file, self.positions.unwrap_or(usize::MAX))
    }

    fn tuning_positions(&self, positions: Vec<Position>) -> Result<TuningPositions, CommandError> {
        let positions = TuningPositions::new(positions)?;
        let positions = match &self.check_file {
            None => positions,
            Some(path) => positions.with_check(file_name(path), read_positions(path, usize::MAX)?),
        };
        Ok(positions.with_check_of(self.check))
    }

    /// Does the work and writes its summary.
    fn run(
        &self,
        spsa: Spsa,
        objective: &mut dyn Objective,
        unit: ResultUnit,
        out: &mut dyn Write,
    ) -> Result<ExitCode, CommandError> {
        interrupt::on_interrupt(|| ())?;
        let bounds = WorkBounds {
            iterations: self.iterations,
            until: self.hours.map(|hours| Instant::now() + hours),
        };
        let bar = if io::stderr().is_terminal() {
            ProgressBar::new(self.iterations)
        } else {
            ProgressBar::hidden()
        };
        let mut tell = |iterations| bar.set_position(iterations);
        for (name, value) in objective.settings() {
            writeln!(out, "# {name}: {value}")?;
        }
        out.flush()?;
        let course = tune(spsa, objective, &self.log, bounds, &INTERRUPTED, &mut tell)?;
        bar.finish_and_clear();
        write!(out, "{}", summary::text(&course, unit))?;
        if course.is_complete {
            return Ok(ExitCode::SUCCESS);
        }
        writeln!(out, "# interrupted: the same command goes on")?;
        Ok(ExitCode::from(interrupt::EXIT_CODE))
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
