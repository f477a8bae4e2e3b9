//! `umigame-lab selectivity`: nodes saved and accuracy lost by selective search.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use umigame_engine::SharedEvaluation;
use umigame_lab::measure::{SelectivityRow, selectivity_rows};
use umigame_support::exit::Exit;

use super::common::{engine, read_positions, write_json};

/// Search openings to a fixed depth at every confidence: nodes saved by selective cutoffs, and
/// errors against the full search
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  umigame-lab selectivity xot.txt --depth 14 --positions 200")]
pub(super) struct SelectivityArgs {
    /// Openings, one per line: moves, or positions
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Depth in plies
    #[arg(long, value_name = "1-60", default_value_t = 14,
          value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,

    /// Number of openings, from the start of the file
    #[arg(long, value_name = "COUNT", default_value_t = 200)]
    positions: usize,

    /// Size of the transposition table in MB
    #[arg(long, value_name = "MB", default_value_t = 64)]
    hash: u32,

    /// Print JSON Lines, one object per confidence
    #[arg(long)]
    jsonl: bool,
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &SelectivityArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let mut engine = engine(evaluation, args.hash, 1)?;
    let positions = read_positions(&args.file, args.positions)?;
    if !args.jsonl {
        let count = positions.len();
        writeln!(out, "# {count} positions, depth {}, {} MB, one thread", args.depth, args.hash)?;
        writeln!(out, "# sure          nodes   share    seconds   error   worst  same move")?;
    }
    for row in selectivity_rows(&mut engine, &positions, args.depth) {
        if args.jsonl {
            write_json(&row, out)?;
        } else {
            let SelectivityRow { percent, nodes, share_of_nodes, seconds, .. } = row;
            let SelectivityRow { error, worst, same_move, .. } = row;
            writeln!(
                out,
                "{percent:4} % {nodes:14}  {share_of_nodes:6.3} {seconds:10.3} {error:7.2} \
                 {worst:7.2} {same_move:8.1} %"
            )?;
        }
        out.flush()?;
    }
    Ok(Exit::Done)
}
