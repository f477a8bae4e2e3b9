//! `umigame bench`: the signature of the engine, and the FFO test.

mod ffo;

use std::io::Write;
use std::time::Instant;

use crate::bench::{SignatureBench, median_by, nodes_per_second};
use anyhow::Result;
use umigame_engine::SharedEvaluation;
use umigame_othello::kernels;

use super::args::{BenchArgs, BenchCommand};
use super::settings::name_option;
use umigame_support::exit::Exit;

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &BenchArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    match &args.command {
        Some(BenchCommand::Ffo(args)) => ffo::run(evaluation, args, out),
        None => print_signature(evaluation, args.runs, out),
    }
}

fn print_signature(
    evaluation: &SharedEvaluation,
    runs: usize,
    out: &mut dyn Write,
) -> Result<Exit> {
    let mut bench = SignatureBench::new(evaluation).map_err(name_option)?;
    let (mut signature, mut times) = (0, Vec::new());
    for run in 0..runs {
        let start = Instant::now();
        signature = 0;
        for search in bench.run() {
            signature += search.nodes;
            if run == 0 {
                let best = search.best.map_or("-".to_owned(), |best| best.to_string());
                let (empties, kind) = (search.position.empties(), search.kind);
                writeln!(out, "{empties:2} empties  {kind:>5}  {best:4}  {}", search.nodes)?;
                out.flush()?;
            }
        }
        times.push(start.elapsed());
    }
    let time = median_by(times, |&time| time).unwrap_or_default();
    writeln!(out, "signature {signature}")?;
    let (seconds, speed) = (time.as_secs_f64(), nodes_per_second(signature, time));
    writeln!(out, "# {seconds:.3} s, {speed:.0} nodes/s, {} kernels, {runs} runs", kernels::NAME)?;
    Ok(Exit::Done)
}
