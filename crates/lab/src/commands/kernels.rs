//! `umigame-lab kernels`: time per call of the board kernels of this build and of the portable ones,
//! on positions of random games. Both must give the same results before they are timed.

use std::hint::black_box;
use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use umigame::bench::{median_by, parse_runs};
use umigame_othello::kernels::{self, portable};
use umigame_othello::{Bitboard, Position, Square};
use umigame_support::exit::Exit;

/// Random games from which the positions come.
const RANDOM_GAMES: u64 = 64;
/// Minimum duration of one measurement.
const MIN_TIME: Duration = Duration::from_millis(20);
/// Depth of the perft.
const PERFT_PLIES: u32 = 8;

/// Time the board kernels of this build against the portable ones
#[derive(Args, Debug)]
pub(super) struct KernelsArgs {
    /// Repeat each measurement and report the median
    #[arg(long, value_name = "COUNT", default_value_t = 5, value_parser = parse_runs)]
    runs: usize,
}

pub(super) fn run(args: &KernelsArgs, out: &mut dyn Write) -> Result<Exit> {
    writeln!(out, "# {} kernels, median of {} runs, ns a call", kernels::NAME, args.runs)?;
    writeln!(out, "# kernel          chosen  portable   ratio")?;
    let positions = positions();
    for pair in kernel_pairs(&positions) {
        let name = pair.name;
        if (pair.chosen)() != (pair.portable)() {
            anyhow::bail!("{name}: results differ from those of the portable kernels");
        }
        let [chosen, portable] = pair.median_nanos(args.runs);
        writeln!(out, "{name:16} {chosen:7.2} {portable:9.2} {:7.2}", portable / chosen.max(1e-9))?;
        out.flush()?;
    }
    Ok(Exit::Done)
}

/// Sum of a kernel's results over many calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Checksum {
    sum: u64,
    calls: u64,
}

type Pass<'a> = Box<dyn Fn() -> Checksum + 'a>;

/// A kernel of this build and its portable twin, each applied to all positions.
struct KernelPair<'a> {
    name: &'static str,
    chosen: Pass<'a>,
    portable: Pass<'a>,
}

fn pair<'a>(
    name: &'static str,
    chosen: impl Fn() -> Checksum + 'a,
    portable: impl Fn() -> Checksum + 'a,
) -> KernelPair<'a> {
    KernelPair { name, chosen: Box::new(chosen), portable: Box::new(portable) }
}

fn kernel_pairs(all: &[Position]) -> Vec<KernelPair<'_>> {
    let leaves = |count| Checksum { sum: count, calls: count };
    let start = Position::START;
    vec![
        pair("moves", || of_boards(all, kernels::moves), || of_boards(all, portable::moves)),
        pair("flips", || of_flips(all, kernels::flips), || of_flips(all, portable::flips)),
        pair(
            "last flips",
            || of_last_flips(all, kernels::last_flips),
            || of_last_flips(all, portable::last_flips),
        ),
        pair(
            "potential moves",
            || of_potential_moves(all, kernels::potential_moves),
            || of_potential_moves(all, portable::potential_moves),
        ),
        pair("stability", || of_boards(all, kernels::stable), || of_boards(all, portable::stable)),
        pair(
            "perft 8, a leaf",
            move || leaves(perft(start, PERFT_PLIES, &kernels::moves, &kernels::flips)),
            move || leaves(perft(start, PERFT_PLIES, &portable::moves, &portable::flips)),
        ),
    ]
}

impl KernelPair<'_> {
    /// Returns the median time of a call of either kernel, in nanoseconds. The runs alternate.
    fn median_nanos(&self, runs: usize) -> [f64; 2] {
        let times: Vec<_> =
            (0..runs).map(|_| [&self.chosen, &self.portable].map(nanos_per_call)).collect();
        [0, 1].map(|which| {
            let nanos = times.iter().map(|both| both[which]).collect();
            median_by(nanos, |&nanos| Duration::from_secs_f64(nanos)).unwrap_or_default()
        })
    }
}

fn nanos_per_call(pass: &Pass<'_>) -> f64 {
    let start = Instant::now();
    let mut calls = 0;
    while start.elapsed() < MIN_TIME {
        calls += black_box(pass()).calls;
    }
    start.elapsed().as_secs_f64() * 1e9 / calls.max(1) as f64
}

/// Returns every position of the random games.
fn positions() -> Vec<Position> {
    let mut random = fastrand::Rng::with_seed(1);
    let mut positions = Vec::new();
    for _ in 0..RANDOM_GAMES {
        let mut position = Position::START;
        while !position.is_over() {
            let moves = position.legal_moves();
            let nth = random.usize(0..moves.count().max(1) as usize);
            let next = moves.iter().nth(nth).and_then(|square| position.play(square));
            position = next.unwrap_or(position.passed());
            positions.push(position);
        }
    }
    positions
}

// Generic over the kernel, so that each is called directly, as in the search.

#[inline(always)]
fn sum_positions(positions: &[Position], kernel: impl Fn(Position) -> u64) -> Checksum {
    let positions = black_box(positions);
    let add = |sum: u64, &position| sum.wrapping_mul(3).wrapping_add(kernel(position));
    Checksum { sum: positions.iter().fold(0, add), calls: positions.len() as u64 }
}

#[inline(always)]
fn sum_squares(positions: &[Position], kernel: impl Fn(Position, Square) -> u64) -> Checksum {
    let (mut sum, mut calls) = (0u64, 0);
    for &position in black_box(positions) {
        for square in position.empty() {
            sum = sum.wrapping_mul(3).wrapping_add(kernel(position, square));
            calls += 1;
        }
    }
    Checksum { sum, calls }
}

fn of_boards(positions: &[Position], kernel: impl Fn(u64, u64) -> u64) -> Checksum {
    sum_positions(positions, |position| {
        kernel(position.player().bits(), position.opponent().bits())
    })
}

fn of_potential_moves(positions: &[Position], kernel: impl Fn(u64, u64) -> u64) -> Checksum {
    sum_positions(positions, |position| kernel(position.opponent().bits(), position.empty().bits()))
}

fn of_flips(positions: &[Position], kernel: impl Fn(u64, u64, Square) -> u64) -> Checksum {
    sum_squares(positions, |position, square| {
        kernel(position.player().bits(), position.opponent().bits(), square)
    })
}

fn of_last_flips(positions: &[Position], kernel: impl Fn(u64, Square) -> u32) -> Checksum {
    sum_squares(positions, |position, square| u64::from(kernel(position.player().bits(), square)))
}

/// As [`umigame_othello::perft`] where a pass costs a ply, with any kernels.
fn perft<M, F>(position: Position, depth: u32, moves: &M, flips: &F) -> u64
where
    M: Fn(u64, u64) -> u64,
    F: Fn(u64, u64, Square) -> u64,
{
    let (player, opponent) = (position.player().bits(), position.opponent().bits());
    let legal = Bitboard::from_bits(moves(player, opponent));
    if legal.is_empty() {
        let passed = position.passed();
        let over = depth == 0 || moves(opponent, player) == 0;
        return if over { 1 } else { perft(passed, depth - 1, moves, flips) };
    }
    if depth <= 1 {
        return if depth == 0 { 1 } else { u64::from(legal.count()) };
    }
    let after = |square| position.after(square, flips(player, opponent, square).into());
    legal.iter().map(|square| perft(after(square), depth - 1, moves, flips)).sum()
}
