//! `umigame-lab tune games` and `tune compare`.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use umigame_arena::{Estimate, Tally};
use umigame_engine::{Megabytes, SharedEvaluation};
use umigame_support::exit::Exit;
use umigame_support::interrupt::{self, INTERRUPTED};
use umigame_support::time;

use super::super::common::read_positions;
use super::args::{PositionsArgs, RunArgs, WorkArgs, chosen_values};
use crate::tune::objectives::games::{GamesObjective, GamesSettings, MoveBudget};
use crate::tune::objectives::positions::TuningPositions;
use crate::tune::summary::ResultUnit;

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
pub(super) struct CompareArgs {
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
pub(super) struct GamesArgs {
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
    positions: PositionsArgs,

    #[command(flatten)]
    work: WorkArgs,
}

pub(super) fn tune_games(
    evaluation: &SharedEvaluation,
    args: &GamesArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let work = &args.work;
    let (constants, spsa) = work.start(false)?;
    let settings = GamesSettings {
        budget: args.budget.budget(),
        by_discs: args.discs,
        pairs: args.pairs as usize,
        hash: Megabytes(work.run.hash as usize),
        threads: work.run.threads(),
        seed: work.run.seed,
    };
    let openings = args.positions.divide(args.positions.read(&args.file)?, work.check)?;
    let mut objective =
        GamesObjective::new(constants, evaluation, openings, settings, &INTERRUPTED)?;
    work.run(evaluation, spsa, &mut objective, ResultUnit::Points, out)
}

pub(super) fn compare(
    evaluation: &SharedEvaluation,
    args: &CompareArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let constants = chosen_values(&args.values)?;
    let values = constants.starts();
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
        return Ok(Exit::Interrupted);
    };
    write!(out, "{}", tally_text(&tally))?;
    Ok(Exit::Done)
}

/// Returns the result of games of one setting against another.
fn tally_text(tally: &Tally) -> String {
    let Tally { wins, draws, losses, .. } = tally;
    let discs = tally.pair_discs.estimate();
    let interval = |it: Option<Estimate>| {
        it.map_or("-".to_owned(), |Estimate { value, low, high }| {
            format!("{value:+.1} [{low:+.1}, {high:+.1}]")
        })
    };
    let percent = 100.0 * tally.points() / tally.games().max(1) as f64;
    let (discs, elo) = (interval(discs), interval(tally.pairs.elo()));
    format!("+{wins} ={draws} -{losses}, {percent:.1} %, discs {discs}, Elo {elo}\n")
}
