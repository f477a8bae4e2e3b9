//! `umigame-lab scaling`: the same endings with one thread, two, and so on.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use umigame_engine::SharedEvaluation;
use umigame_lab::measure::{RepeatArgs, ScalingRow, ffo_endings};

use super::support::{CommandError, engine};

/// Solve FFO endings with 1, 2 and more threads: speedup and extra nodes
#[derive(Args, Debug)]
pub(super) struct ScalingArgs {
    /// First ending
    #[arg(long, value_name = "40-59", default_value_t = 50)]
    from: u32,

    /// Last ending
    #[arg(long, value_name = "40-59", default_value_t = 54)]
    to: u32,

    /// Largest number of threads
    #[arg(long, value_name = "1-256", default_value_t = 2,
          value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,

    #[command(flatten)]
    repeat: RepeatArgs,
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &ScalingArgs,
    out: &mut dyn Write,
) -> Result<ExitCode, CommandError> {
    let ScalingArgs { from, to, repeat: RepeatArgs { hash, runs }, .. } = *args;
    let endings = ffo_endings(from, to).ok_or_else(|| {
        CommandError::Input(format!("--from {from} --to {to}: expected numbers from 40 to 59"))
    })?;
    writeln!(out, "# FFO {from} to {to}, {hash} MB, median of {runs} runs")?;
    writeln!(out, "# threads          nodes    seconds  faster  more nodes")?;
    let (mut one_thread, mut wrong) = (None, 0);
    for threads in 1..=args.threads {
        let mut engine = engine(evaluation, hash, threads)?;
        let row = ScalingRow::measure(&mut engine, endings, runs);
        let one_thread = one_thread.get_or_insert(row);
        let (speedup, extra) = (row.speedup(one_thread), row.extra_nodes_percent(one_thread));
        let (nodes, seconds) = (row.nodes, row.time.as_secs_f64());
        writeln!(out, "{threads:9} {nodes:14} {seconds:10.3} {speedup:7.2} {extra:+9.1} %")?;
        out.flush()?;
        wrong += row.wrong;
    }
    if wrong > 0 {
        writeln!(out, "WRONG: {wrong} scores; see umigame bench ffo")?;
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}
