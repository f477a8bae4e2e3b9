//! `umigame-lab tune nodes`.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use umigame::bench::{FFO_ENDINGS, parse_confidence};
use umigame_engine::{Confidence, Limits, SharedEvaluation};
use umigame_support::{exit::Exit, interrupt::INTERRUPTED};

use super::args::{PositionsArgs, WorkArgs};
use crate::commands::midgame::midgame_positions;
use crate::tune::objectives::nodes::{NodesObjective, NodesSettings};
use crate::tune::summary::ResultUnit;

/// Tune by the nodes of searches, or their processor time: for the order of moves
///
/// The cost of a setting is the geometric mean of nodes as a fraction of those with the start
/// values. Exact scores that differ are an error. Constants of cuts and reductions are refused:
/// fewer nodes would not make them better.
#[derive(Args, Debug)]
pub(super) struct NodesArgs {
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
    confidence: Confidence,

    /// Positions of an iteration
    #[arg(long, value_name = "COUNT", default_value_t = 24,
          value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,

    /// Count processor time instead of nodes
    #[arg(long)]
    time: bool,

    #[command(flatten)]
    positions: PositionsArgs,

    #[command(flatten)]
    work: WorkArgs,
}

pub(super) fn tune_nodes(
    evaluation: &SharedEvaluation,
    args: &NodesArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let work = &args.work;
    let (constants, spsa) = work.start(true)?;
    let limits = match args.depth {
        Some(depth) => Limits::midgame(depth, args.confidence),
        None => Limits::exact(),
    };
    let positions = match (&args.file, args.exact) {
        (Some(file), _) => args.positions.read(file)?,
        (None, true) => FFO_ENDINGS[..10].iter().map(|ending| ending.position).collect(),
        (None, false) => midgame_positions(),
    };
    let settings = NodesSettings {
        search: work.run.search(limits, args.time),
        batch: args.batch as usize,
        seed: work.run.seed,
    };
    let positions = args.positions.divide(positions, work.check)?;
    let unit = if args.time { ResultUnit::Time } else { ResultUnit::Nodes };
    let mut objective =
        NodesObjective::new(constants, evaluation, positions, settings, &INTERRUPTED)?;
    work.run(evaluation, spsa, &mut objective, unit, out)
}
