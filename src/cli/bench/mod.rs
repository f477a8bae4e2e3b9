//! `umigame bench`: what the engine does in how long. Alone, a fixed set of
//! positions. Their node total is the signature of the search: with one
//! thread it is the same on every machine, and it changes only where the
//! search or the evaluation does.

mod ffo;
mod kernels;
mod levels;
mod midgame;
mod scaling;
mod selectivity;

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Result;
use umigame_engine::eval::SharedEvaluation;
use umigame_engine::search::{
    Confidence, Engine, EngineOptions, Limits, Megabytes, Report, Silent,
};
use umigame_othello::{self, Position, parse_position};

use super::args::{BenchArgs, BenchCommand};
use super::settings::engine;
use super::{Outcome, bad_input};

/// A position and how deep it is searched: to all of its empties, exactly; to
/// fewer, at 73 %, so that the signature hears of every kind of cut.
type Task = (&'static str, u32);

/// Where the depth is no ending.
const DEPTH: u32 = 14;

/// Four moments each of six games between simple players, from the opening
/// to the ending. The last are read out; the others go to a depth.
const TASKS: [Task; 24] = [
    ("-----------------OOO------OXX------OXX-----O-------------------- X", DEPTH),
    ("------------------XX------XOOO----XOOX----OO-------------------- X", DEPTH),
    ("-----------------OOO------OXX------OXX----XOO-----XO------------ X", DEPTH),
    ("-------------------OXX---OOOOOO---OXXXX-----XO------------------ X", DEPTH),
    ("------------------OXX-----OXXO---OOXOO---OXXXO--O--------------- X", DEPTH),
    ("-------------------O-------OO--O--XXXOOO---XXXOO----XX----OOO--- X", DEPTH),
    ("----------------OOOO-O--OOXXO----XXOXX--XXOOO---X-XX-------X---- X", DEPTH),
    ("--------X-X--O--XOOXOOX-XOOOXOXX--OOXOOO---XOO-----O------------ X", DEPTH),
    ("----------------OOOOO---XOOXXX---OOXXX--XXOOXX----OXOO----OOOO-- X", DEPTH),
    ("------------------XXXOO---XXXOXX--XOOO--OOOOOOX---OOXO-X--OOOOO- X", DEPTH),
    ("----------------O-OXXX--OOXXXXXOOXOOXXOOOXXOXOXOO--OOO-----O---- X", DEPTH),
    ("-----------X-----XXXX-OO--XXXOOO-OOXOOOO-OOOOOOO--OOXO---OOOOO-- X", DEPTH),
    ("----OOO-X---X--XXXOXOOOOXOXXOXXXXOOXXX--XXXXXX--X-XXXX-----X---- X", DEPTH),
    ("----------------OOOXXXXOOOOXXXXOOOXOXOXOOXXXOXXOO-XOXX----XXXX-- O", DEPTH),
    ("-O------X-OO-O-XXOXOOOXXXOOOXXOXXOOOXOOXXOOOOO-XX-OOO-----O----- X", DEPTH),
    ("-------------O-XOOOOOOO-OOOOOOXOOXOOXXX-OXOXXXX-OXXXOO--OXOOOO-- O", DEPTH),
    ("-------O-----X-OOOXXXXXOXXXXXXXO-OOOOOXOOOOOOOOO--OOOO-X--OOOOO- X", DEPTH),
    ("--------X--X----XXXXXOOOXXXXOOOOXOXOXOOOXOOOOXOOX-OOOOX--OOOOO-- O", DEPTH),
    ("----OOOOX--XXXOOXXXXXOXOXXXXOXXOXOOOXX-OXOOXXX--XOXXXX-----X---- X", 18),
    ("-OXX---XX-XXOOXXXXXOXOOXXOOOXXOXXOOOXOOXXOOOOO-XX-OOO-----O----- O", 17),
    ("-------O-----XOOOOXXXOOOXXXXOXOOXXXOXXOOOOOOOXOO--OOOOOO--OOOOOO X", 16),
    ("--XX-O----XXX--OOOXOXXOOOOOOXOXOOOXOXOOOOXXXOXOOO-XOXX-O--XXXX-- O", 15),
    ("------X---O-XX-XOOOOXXOXOOXOOOXXOXOOXOOXOXOXOOOXOXXOOO-XOXOOOO-- O", 14),
    ("---O----X-XOO---XXXXOOOOXXXOXOOOXOXXOXOOXOOOXOXOX-OOOXXX-OOOOOOO O", 13),
];

/// The table of the bench: the signature depends on its size.
const OPTIONS: EngineOptions = EngineOptions { hash: Megabytes(16), threads: 1 };

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &BenchArgs,
    out: &mut dyn Write,
) -> Result<Outcome> {
    match (&args.command, args.levels) {
        (Some(BenchCommand::Ffo(args)), _) => ffo::run(evaluation, args, out),
        (Some(BenchCommand::Kernels(args)), _) => kernels::run(args, out),
        (Some(BenchCommand::Midgame(args)), _) => midgame::run(evaluation, args, out),
        (Some(BenchCommand::Scaling(args)), _) => scaling::run(evaluation, args, out),
        (Some(BenchCommand::Selectivity(args)), _) => selectivity::run(evaluation, args, out),
        (None, Some(range)) => levels::run(evaluation, range, args, out),
        (None, None) => sign(evaluation, args.runs, out),
    }
}

/// The middle one of some measurements, the slower of two.
fn median<T>(mut runs: Vec<T>, key: impl Fn(&T) -> Duration) -> Option<T> {
    runs.sort_by_key(key);
    let middle = runs.len() / 2;
    runs.into_iter().nth(middle)
}

/// Searches a position a few times, at least once, with nothing in the table.
fn timed(
    engine: &mut Engine,
    position: Position,
    limits: &Limits,
    runs: usize,
) -> Vec<(Duration, Report)> {
    let search = |_| {
        engine.clear();
        let start = Instant::now();
        let report = engine.search(position, limits, &Silent::default());
        (start.elapsed(), report)
    };
    (0..runs.max(1)).map(search).collect()
}

fn speed(nodes: u64, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64().max(1e-9)
}

fn sign(evaluation: &SharedEvaluation, runs: usize, out: &mut dyn Write) -> Result<Outcome> {
    let mut engine = engine(evaluation, OPTIONS)?;
    let mut totals = [0; TASKS.len()];
    let mut times = Vec::new();
    for run in 0..runs {
        let start = Instant::now();
        for ((text, depth), total) in TASKS.iter().zip(&mut totals) {
            let position = read(text)?;
            engine.clear();
            let report = engine.search(position, &limits(position, *depth), &Silent::default());
            let best = report.best().map_or("-".to_owned(), |line| line.first().to_string());
            if run == 0 {
                let (empties, kind) = (position.empties(), report.kind);
                writeln!(out, "{empties:2} empties  {kind:>5}  {best:4}  {}", report.nodes)?;
                out.flush()?;
            }
            *total = report.nodes;
        }
        times.push(start.elapsed());
    }
    let total = totals.iter().sum();
    let time = median(times, |&time| time).unwrap_or_default();
    writeln!(out, "signature {total}")?;
    let kernels = umigame_othello::kernels::NAME;
    let (seconds, speed) = (time.as_secs_f64(), speed(total, time));
    writeln!(out, "# {seconds:.3} s, {speed:.0} nodes/s, {kernels} kernels, {runs} runs")?;
    Ok(Outcome::Done)
}

fn limits(position: Position, depth: u32) -> Limits {
    let exact = depth >= position.empties();
    Limits::depth(depth).with_confidence(if exact { Confidence::FULL } else { Confidence::P73 })
}

fn read(text: &str) -> Result<Position> {
    Ok(parse_position(text).map_err(bad_input)?.0)
}
