//! The arguments of `umigame bench`.

use crate::bench::{SearchArgs, parse_runs};
use clap::{Args, Subcommand};

/// Search a fixed set of positions and print the node total, the engine's signature
///
/// With one thread the signature is the same on every machine and with every build; it changes
/// only when the search or the evaluation does.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  umigame bench                        signature and speed, in seconds
  umigame bench ffo --to 44            the first five FFO endings

Measurements for developers of the engine are in umigame-lab."
)]
pub(in crate::cli) struct BenchArgs {
    #[command(subcommand)]
    pub command: Option<BenchCommand>,

    /// Repeat the searches and report the median time
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = parse_runs)]
    pub runs: usize,
}

/// The benchmarks beside the signature.
#[derive(Subcommand, Debug)]
pub(in crate::cli) enum BenchCommand {
    Ffo(FfoArgs),
}

/// Solve the FFO endings 40 to 59 and print nodes, time and speed of each
///
/// The later ones take long; choose with --from and --to. Exits with 1 if a score is wrong.
#[derive(Args, Clone, Copy, Debug)]
pub(in crate::cli) struct FfoArgs {
    /// First ending
    #[arg(long, value_name = "40-59", default_value_t = 40)]
    pub from: u32,

    /// Last ending
    #[arg(long, value_name = "40-59", default_value_t = 59)]
    pub to: u32,

    #[command(flatten)]
    pub search: SearchArgs,
}
