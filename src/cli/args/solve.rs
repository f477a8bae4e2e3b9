//! The arguments of `umigame solve`.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use umigame_engine::search::Confidence;

use super::{EngineArgs, parse_selectivity};

/// Solve the positions of an OBF file exactly and compare with its scores
///
/// A line is 64 squares, the side to move and, for comparison, scores: `X;
/// G8:+18; H1:+12;` or `X; +18;`. What follows % is a comment. A line that
/// cannot be read is named on standard error and the others are solved.
///
/// With --threads, as many positions are searched at once, and the last ones
/// by all threads together; answers come in the order of the lines. With
/// --depth it does not solve but measures how far a limited search is from
/// the scores of the file.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame solve problems.obf
  umigame solve problems.obf --all-moves --jsonl > scores.jsonl
  umigame solve many.obf --threads 8 --hash 1024 --resume answers.jsonl
  umigame solve many.obf --depth 10 --selectivity 73
  echo 'XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X' | umigame solve -

Exit codes: 0 all right, 1 a score differs or was not proven, 2 a line could not be read,
130 interrupted: what is printed is the beginning of the answer, without gaps")]
pub(in crate::cli) struct SolveArgs {
    /// The file; - is standard input
    pub file: PathBuf,

    /// Only who wins; not with --depth
    #[arg(long, conflicts_with_all = ["window", "depth"])]
    pub wld: bool,

    /// The score where it lies between A and B, else only that it is at most
    /// A or at least B; not with --depth
    #[arg(long, num_args = 2, value_names = ["A", "B"], allow_negative_numbers = true,
          conflicts_with = "depth")]
    pub window: Option<Vec<i32>>,

    /// The score of every move, each compared
    #[arg(long)]
    pub all_moves: bool,

    /// Search to so many plies instead of to the end
    #[arg(long, value_name = "1-60", value_parser = clap::value_parser!(u32).range(1..=60))]
    pub depth: Option<u32>,

    /// With --depth, how sure to be of what is left out: 73, 87, 95, 98, 99,
    /// or 100, which leaves nothing out [default: 100]
    #[arg(long, value_name = "PERCENT", requires = "depth", value_parser = parse_selectivity)]
    pub selectivity: Option<Confidence>,

    /// Positions to visit for each line; what is not proven by then is said
    /// to be so
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// Positions searched at once [default: 1]
    #[arg(long, value_name = "1-256", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub threads: Option<u32>,

    /// Memory for the transposition tables, all threads together [default: 64]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub hash: Option<u32>,

    /// One JSON object a line
    #[arg(long)]
    pub jsonl: bool,

    /// Write the answers to this file, one JSON object a line, and go on
    /// after those that it holds already
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
}

impl SolveArgs {
    /// These options, and the ones given before the command where these are
    /// silent.
    ///
    /// # Errors
    /// An option that means nothing where every position is a game of its own.
    pub(in crate::cli) fn engine(&self, outer: EngineArgs) -> Result<EngineArgs> {
        let &SolveArgs { depth, nodes, threads, hash, .. } = self;
        let own = EngineArgs { depth, nodes, threads, hash, ..EngineArgs::default() };
        let engine = own.or(outer)?;
        let useless =
            EngineArgs { threads: None, hash: None, nodes: None, depth: None, ..engine.clone() };
        useless.none_for("solve")?;
        Ok(engine)
    }
}
