//! `umigame bench scaling`: the same endings with one thread, two, and so on.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;

use super::ffo::{chosen, engine, solve};
use crate::cli::Outcome;
use crate::cli::args::{RepeatArgs, ScalingArgs};
use umigame_engine::eval::SharedEvaluation;

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &ScalingArgs,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let endings = chosen(args.from, args.to)?;
    let RepeatArgs { hash, runs } = args.repeat;
    let mut wrong = false;
    let mut single: Option<(u64, Duration)> = None;
    writeln!(out, "# FFO {} to {}, {hash} MB, median of {runs} runs", args.from, args.to)?;
    writeln!(out, "# threads          nodes    seconds  faster  more nodes")?;
    for threads in 1..=args.threads {
        let mut engine = engine(evaluation, hash, threads)?;
        let (mut nodes, mut time) = (0, Duration::ZERO);
        for &(_, text, expected) in endings {
            let solved = solve(&mut engine, text, runs)?;
            wrong |= solved.score.is_none_or(|score| score.discs() != expected);
            (nodes, time) = (nodes + solved.nodes, time + solved.time);
        }
        let (nodes_of_one, time_of_one) = *single.get_or_insert((nodes, time));
        let seconds = time.as_secs_f64();
        let faster = time_of_one.as_secs_f64() / seconds.max(1e-9);
        let more = 100.0 * (nodes as f64 / nodes_of_one.max(1) as f64 - 1.0);
        writeln!(out, "{threads:9} {nodes:14} {seconds:10.3} {faster:7.2} {more:+9.1} %")?;
        out.flush()?;
    }
    if wrong {
        writeln!(out, "WRONG: a score is not the expected one; see bench ffo")?;
    }
    Ok(if wrong { Outcome::Failed } else { Outcome::Done })
}
