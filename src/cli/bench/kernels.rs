//! `umigame bench kernels`: the kernels that this binary was compiled with
//! beside the portable ones, on positions of random games. Both are asked for
//! the same, and must say the same, before they are timed.

use std::hint::black_box;
use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use umigame_othello::kernels::{self, portable};
use umigame_othello::{Position, Square, squares};

use super::median;
use crate::cli::Outcome;
use crate::cli::args::KernelsArgs;

/// Games from which the positions come.
const GAMES: u64 = 64;
/// Each measurement goes on for at least so long.
const LEAST: Duration = Duration::from_millis(20);
/// Plies of the perft.
const PLIES: u32 = 8;

pub(super) fn run(args: &KernelsArgs, out: &mut dyn Write) -> Result<Outcome> {
    let positions = positions();
    writeln!(out, "# {} kernels, median of {} runs, ns a call", kernels::NAME, args.runs)?;
    writeln!(out, "# kernel          chosen  portable   ratio")?;
    let mut bench = Bench { runs: args.runs, out };
    let all = &positions;
    bench.pair("moves", || of_moves(all, kernels::moves), || of_moves(all, portable::moves))?;
    bench.pair("flips", || of_flips(all, kernels::flips), || of_flips(all, portable::flips))?;
    bench.pair(
        "last flips",
        || of_last(all, kernels::last_flips),
        || of_last(all, portable::last_flips),
    )?;
    bench.pair(
        "potential moves",
        || of_potential(all, kernels::potential_moves),
        || of_potential(all, portable::potential_moves),
    )?;
    bench.pair(
        "stability",
        || of_moves(all, kernels::stable),
        || of_moves(all, portable::stable),
    )?;
    let leaves = |count| (count, count);
    bench.pair(
        "perft 8, a leaf",
        || leaves(perft(Position::START, PLIES, &kernels::moves, &kernels::flips)),
        || leaves(perft(Position::START, PLIES, &portable::moves, &portable::flips)),
    )?;
    Ok(Outcome::Done)
}

/// Every position of a few random games.
fn positions() -> Vec<Position> {
    let mut random = fastrand::Rng::with_seed(1);
    let mut found = Vec::new();
    for _ in 0..GAMES {
        let mut position = Position::START;
        while !position.is_over() {
            let moves = position.moves();
            let nth = random.usize(0..moves.count_ones().max(1) as usize);
            let next = squares(moves).nth(nth).and_then(|square| position.place(square));
            position = next.unwrap_or(position.passed());
            found.push(position);
        }
    }
    found
}

/// A sum over what a kernel says, and how often it was asked.
type Sum = (u64, u64);

#[inline(always)]
fn sum(positions: &[Position], kernel: impl Fn(Position) -> u64) -> Sum {
    let positions = black_box(positions);
    let add = |sum: u64, &position| sum.wrapping_mul(3).wrapping_add(kernel(position));
    (positions.iter().fold(0, add), positions.len() as u64)
}

#[inline(always)]
fn sum_of_squares(positions: &[Position], kernel: impl Fn(Position, Square) -> u64) -> Sum {
    let (mut sum, mut calls) = (0u64, 0);
    for &position in black_box(positions) {
        for square in squares(position.empty()) {
            sum = sum.wrapping_mul(3).wrapping_add(kernel(position, square));
            calls += 1;
        }
    }
    (sum, calls)
}

// Generic, so that each kernel is called directly, as in the search.

fn of_moves(positions: &[Position], kernel: impl Fn(u64, u64) -> u64) -> Sum {
    sum(positions, |position| kernel(position.player, position.opponent))
}

fn of_potential(positions: &[Position], kernel: impl Fn(u64, u64) -> u64) -> Sum {
    sum(positions, |position| kernel(position.opponent, position.empty()))
}

fn of_flips(positions: &[Position], kernel: impl Fn(u64, u64, Square) -> u64) -> Sum {
    sum_of_squares(positions, |position, square| kernel(position.player, position.opponent, square))
}

fn of_last(positions: &[Position], kernel: impl Fn(u64, Square) -> u32) -> Sum {
    sum_of_squares(positions, |position, square| u64::from(kernel(position.player, square)))
}

/// As [`umigame_othello::perft`] where a pass costs a ply, with any kernels.
fn perft<M, F>(position: Position, depth: u32, moves: &M, flips: &F) -> u64
where
    M: Fn(u64, u64) -> u64,
    F: Fn(u64, u64, Square) -> u64,
{
    let legal = moves(position.player, position.opponent);
    if legal == 0 {
        let passed = position.passed();
        let over = depth == 0 || moves(passed.player, passed.opponent) == 0;
        return if over { 1 } else { perft(passed, depth - 1, moves, flips) };
    }
    if depth <= 1 {
        return if depth == 0 { 1 } else { u64::from(legal.count_ones()) };
    }
    let after = |square| position.after(square, flips(position.player, position.opponent, square));
    squares(legal).map(|square| perft(after(square), depth - 1, moves, flips)).sum()
}

struct Bench<'a> {
    runs: usize,
    out: &'a mut dyn Write,
}

impl Bench<'_> {
    fn pair(
        &mut self,
        name: &str,
        chosen: impl Fn() -> Sum,
        portable: impl Fn() -> Sum,
    ) -> Result<()> {
        ensure!(chosen() == portable(), "{name}: the kernels contradict the portable ones");
        let (mut of_chosen, mut of_portable) = (Vec::new(), Vec::new());
        for _ in 0..self.runs {
            of_chosen.push(nanos(&chosen));
            of_portable.push(nanos(&portable));
        }
        let (chosen, portable) = (middle(of_chosen), middle(of_portable));
        let ratio = portable / chosen.max(1e-9);
        writeln!(self.out, "{name:16} {chosen:7.2} {portable:9.2} {ratio:7.2}")?;
        Ok(self.out.flush()?)
    }
}

fn middle(nanos: Vec<f64>) -> f64 {
    median(nanos, |&nanos| Duration::from_secs_f64(nanos)).unwrap_or_default()
}

/// The time for one call.
fn nanos(kernel: &impl Fn() -> Sum) -> f64 {
    let start = Instant::now();
    let mut calls = 0;
    while start.elapsed() < LEAST {
        calls += black_box(kernel()).1;
    }
    start.elapsed().as_secs_f64() * 1e9 / calls.max(1) as f64
}
