//! The arguments of `umigame bench`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use umigame_engine::search::Confidence;

use super::{parse_selectivity, parse_time};

/// Search a fixed set of positions; their node total is the signature
///
/// With one thread the signature is the same on every machine and with every
/// build; it changes where the search or the evaluation does.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  umigame bench                        the signature and the speed, in seconds
  umigame bench ffo --to 44            the first five of the FFO endings
  umigame bench kernels --runs 9       the kernels beside the portable ones
  umigame bench midgame --lines 4      the four best moves of twenty positions to depth 18
  umigame bench --levels 26-30 --positions 6 --at-most 5m
                                       the seconds a move of the highest levels
  umigame bench scaling --threads 4    the same endings with 1 to 4 threads
  umigame bench selectivity xot.txt    what cutting unlikely branches saves and costs"
)]
pub(in crate::cli) struct BenchArgs {
    #[command(subcommand)]
    pub command: Option<BenchCommand>,

    /// Measure the seconds a move at each level instead
    #[arg(long, value_name = "FIRST-LAST", num_args = 0..=1, default_missing_value = "1-30",
          value_parser = parse_levels, conflicts_with = "runs")]
    pub levels: Option<(u32, u32)>,

    /// With --levels, on so many of the 24 positions
    #[arg(long, value_name = "1-24", default_value_t = 24, requires = "levels",
          value_parser = parse_positions)]
    pub positions: usize,

    /// With --levels, stop a search after so long: 30s, 5m, 1h. What it took
    /// until then still counts, and the figures get a `>` before them
    #[arg(long, value_name = "TIME", requires = "levels", value_parser = parse_time)]
    pub at_most: Option<Duration>,

    /// Search so often and take the median time
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = parse_runs)]
    pub runs: usize,
}

/// What else is measured.
#[derive(Subcommand, Debug)]
pub(in crate::cli) enum BenchCommand {
    Ffo(FfoArgs),
    Kernels(KernelsArgs),
    Midgame(MidgameArgs),
    Scaling(ScalingArgs),
    Selectivity(SelectivityArgs),
}

/// Solve the FFO endings 40 to 59, with nodes, time and speed of each
///
/// The later ones take long; --from and --to choose. A score that is wrong
/// ends the command with 1.
#[derive(Args, Debug)]
pub(in crate::cli) struct FfoArgs {
    /// The first ending
    #[arg(long, value_name = "40-59", default_value_t = 40)]
    pub from: u32,

    /// The last one
    #[arg(long, value_name = "40-59", default_value_t = 59)]
    pub to: u32,

    #[command(flatten)]
    pub search: SearchArgs,
}

/// Time the kernels of this binary beside the portable ones
#[derive(Args, Debug)]
pub(in crate::cli) struct KernelsArgs {
    /// Measure so often and take the median
    #[arg(long, value_name = "COUNT", default_value_t = 5, value_parser = parse_runs)]
    pub runs: usize,
}

/// Search twenty positions of games after 12 to 30 plies to a depth
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  umigame bench midgame --lines 4 --runs 3")]
pub(in crate::cli) struct MidgameArgs {
    /// Plies to search
    #[arg(long, value_name = "1-60", default_value_t = 18,
          value_parser = clap::value_parser!(u32).range(1..=60))]
    pub depth: u32,

    /// How sure to be of what is left out: 73, 87, 95, 98, 99, or 100, which
    /// leaves nothing out
    #[arg(long, value_name = "PERCENT", default_value = "95", value_parser = parse_selectivity)]
    pub selectivity: Confidence,

    /// How many of the best moves get a score
    #[arg(long, value_name = "COUNT", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=64))]
    pub lines: u32,

    #[command(flatten)]
    pub search: SearchArgs,
}

/// Solve FFO endings with 1, 2 and more threads: how much faster, how many
/// more nodes
#[derive(Args, Debug)]
pub(in crate::cli) struct ScalingArgs {
    /// The first ending
    #[arg(long, value_name = "40-59", default_value_t = 50)]
    pub from: u32,

    /// The last one
    #[arg(long, value_name = "40-59", default_value_t = 54)]
    pub to: u32,

    /// The greatest number of threads
    #[arg(long, value_name = "1-256", default_value_t = 2,
          value_parser = clap::value_parser!(u32).range(1..=256))]
    pub threads: u32,

    #[command(flatten)]
    pub repeat: RepeatArgs,
}

/// Search openings to a depth at every selectivity: what cutting unlikely
/// branches saves, and how far it is from the search that leaves nothing out
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  umigame bench selectivity xot.txt --depth 14 --positions 200")]
pub(in crate::cli) struct SelectivityArgs {
    /// Openings, one a line: moves, or positions
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Plies to search
    #[arg(long, value_name = "1-60", default_value_t = 14,
          value_parser = clap::value_parser!(u32).range(1..=60))]
    pub depth: u32,

    /// The first so many of the file
    #[arg(long, value_name = "COUNT", default_value_t = 200)]
    pub positions: usize,

    /// Memory for the transposition table
    #[arg(long, value_name = "MB", default_value_t = 64)]
    pub hash: u32,

    /// One JSON object a line
    #[arg(long)]
    pub jsonl: bool,
}

/// How each position is searched, and how that is written.
#[derive(Args, Clone, Copy, Debug)]
pub(in crate::cli) struct SearchArgs {
    /// Threads for one position
    #[arg(long, value_name = "1-256", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=256))]
    pub threads: u32,

    #[command(flatten)]
    pub repeat: RepeatArgs,

    /// One JSON object a line
    #[arg(long)]
    pub jsonl: bool,
}

/// With how much memory each position is searched, and how often.
#[derive(Args, Clone, Copy, Debug)]
pub(in crate::cli) struct RepeatArgs {
    /// Memory for the transposition table
    #[arg(long, value_name = "MB", default_value_t = 64)]
    pub hash: u32,

    /// Search each so often and take the run of median time
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = parse_runs)]
    pub runs: usize,
}

fn parse_runs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(runs @ 1..=1000) => Ok(runs),
        _ => Err("expected a number of runs from 1 to 1000".to_owned()),
    }
}

fn parse_positions(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(positions @ 1..=24) => Ok(positions),
        _ => Err("expected a number of positions from 1 to 24".to_owned()),
    }
}

/// Reads `1-30` or `7`.
fn parse_levels(text: &str) -> Result<(u32, u32), String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last && last <= 30 => Ok((first, last)),
        _ => Err("expected a level from 1 to 30, or a range of them such as 1-12".to_owned()),
    }
}
