//! The arguments of `umigame solve`.

use std::path::PathBuf;

use clap::Args;
use umigame_engine::Confidence;

use super::engine::MachineArgs;
use crate::bench::parse_confidence;

/// Solve the positions of an OBF file exactly and compare with its scores
///
/// A line holds 64 squares, the side to move and the expected scores, if any:
/// `X; G8:+18; H1:+12;` or `X; +18;`. A comment begins with %, or with # at
/// the start of a line. A line that cannot be read is reported on standard
/// error; the others are solved.
///
/// With --threads N, N positions are searched at once; the last positions are
/// searched by all threads together. Answers come in the order of the lines.
/// With --depth, positions are searched to that depth instead of solved, and
/// the errors against the scores of the file are summed up.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame solve problems.obf
  umigame solve problems.obf --all-moves --jsonl > scores.jsonl
  umigame solve many.obf --threads 8 --hash 1024 --resume answers.jsonl
  umigame solve many.obf --depth 10 --confidence 73
  echo 'XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X' | umigame solve -

Exit codes: 0 done and right, 1 a score differs or was not proven, 2 the command line was wrong
or a line could not be read, 130 interrupted: the answers printed have no gaps")]
pub(in crate::cli) struct SolveArgs {
    /// The file; - is standard input
    pub file: PathBuf,

    /// Find only whether the position is won, lost or drawn; not with --depth
    #[arg(long, conflicts_with_all = ["window", "depth"])]
    pub wld: bool,

    /// Find the score if it lies between A and B, else a bound: at most A, or
    /// at least B; not with --depth
    #[arg(long, num_args = 2, value_names = ["A", "B"], allow_negative_numbers = true,
          conflicts_with = "depth")]
    pub window: Option<Vec<i32>>,

    /// Find and compare the score of every move
    #[arg(long)]
    pub all_moves: bool,

    /// Plies to search, instead of solving
    #[arg(long, value_name = "1-60", value_parser = clap::value_parser!(u32).range(1..=60))]
    pub depth: Option<u32>,

    /// With --depth, the confidence of selective cuts: 73, 87, 95, 98 or 99
    /// percent, or 100 for no selective cuts [default: 100]
    #[arg(long, alias = "selectivity", value_name = "PERCENT", requires = "depth",
          value_parser = parse_confidence)]
    pub confidence: Option<Confidence>,

    /// Maximum number of nodes a position; a position that takes more is
    /// reported as not proven
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// Print one JSON object a line
    #[arg(long)]
    pub jsonl: bool,

    /// Write the answers to this file, one JSON object a line, and skip the
    /// positions that it answers already
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,

    #[command(flatten)]
    pub machine: MachineArgs,
}
