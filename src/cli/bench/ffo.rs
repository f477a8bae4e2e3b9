//! `umigame bench ffo`: the endings 40 to 59 of the FFO test.

use std::io::Write;
use std::time::Duration;

use crate::bench::{FfoRow, RepeatArgs, SearchArgs, ffo_endings, nodes_per_second, solve_ending};
use anyhow::Result;
use umigame_engine::{EngineOptions, Megabytes, SharedEvaluation};

use crate::cli::args::FfoArgs;
use crate::cli::json::write_line;
use crate::cli::settings;
use umigame_support::exit::{Exit, bad_input};

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &FfoArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let FfoArgs { from, to, search } = *args;
    let endings = ffo_endings(from, to).ok_or_else(|| {
        bad_input(format!("--from {from} --to {to}: expected numbers from 40 to 59"))
    })?;
    let SearchArgs { threads, repeat: RepeatArgs { hash, runs }, jsonl } = search;
    let options = EngineOptions { hash: Megabytes(hash as usize), threads: threads as usize };
    let mut engine = settings::engine(evaluation, options)?;
    if !jsonl {
        writeln!(out, "# {threads} threads, {hash} MB, median of {runs} runs")?;
        writeln!(out, "# no.  empties  score          nodes    seconds      nodes/s")?;
    }
    let (mut nodes, mut time, mut wrong) = (0, Duration::ZERO, 0);
    for ending in endings {
        let row = solve_ending(&mut engine, ending, runs);
        wrong += u32::from(!row.right);
        (nodes, time) = (nodes + row.nodes, time + row.time());
        if jsonl {
            write_line(&row, out)?;
        } else {
            write_row(&row, out)?;
        }
        out.flush()?;
    }
    if !jsonl {
        let (seconds, speed) = (time.as_secs_f64(), nodes_per_second(nodes, time));
        writeln!(out, "# all {nodes:25} {seconds:10.3} {speed:12.0}, {wrong} wrong")?;
    }
    Ok(if wrong == 0 { Exit::Done } else { Exit::Failed })
}

fn write_row(row: &FfoRow, out: &mut dyn Write) -> Result<()> {
    let FfoRow { number, empties, nodes, seconds, nodes_per_second, .. } = row;
    let score = row.score.map_or("-".to_owned(), |score| format!("{score:+}"));
    let verdict =
        if row.right { String::new() } else { format!("  WRONG: expected {:+}", row.expected) };
    writeln!(
        out,
        "{number:5} {empties:8} {score:>6} {nodes:14} {seconds:10.3} {nodes_per_second:12.0}\
         {verdict}"
    )?;
    Ok(())
}
