//! Board kernels of this build against the portable ones, on positions of random games. Both must
//! give the same results before they are timed.

use std::hint::black_box;
use std::time::{Duration, Instant};

use umigame_othello::kernels::{self, portable};
use umigame_othello::{Bitboard, Position, Square};

use umigame::bench::median_by;

/// Random games from which the positions come.
const RANDOM_GAMES: u64 = 64;
/// Minimum duration of one measurement.
const MIN_TIME: Duration = Duration::from_millis(20);
/// Depth of the perft.
const PERFT_PLIES: u32 = 8;

/// Time per call of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct KernelRow {
    /// Name of the kernel.
    pub name: &'static str,
    /// Nanoseconds per call with the kernels of this build, the median of the runs.
    pub chosen: f64,
    /// Nanoseconds per call with the portable kernels, the median of the runs.
    pub portable: f64,
}

impl KernelRow {
    /// Returns the time of the portable kernel as a multiple of the chosen one's.
    pub fn ratio(&self) -> f64 {
        self.portable / self.chosen.max(1e-9)
    }
}

/// The kernels of this build and the portable ones give different results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}: results differ from those of the portable kernels")]
pub struct KernelError(&'static str);

/// Checks and times each kernel in turn and hands its row to `measured`; times are medians of
/// `runs`.
///
/// # Errors
/// A kernel gives other results than its portable twin, or `measured` fails.
pub fn measure_kernels<E: From<KernelError>>(
    runs: usize,
    mut measured: impl FnMut(&KernelRow) -> Result<(), E>,
) -> Result<(), E> {
    let positions = positions();
    kernel_pairs(&positions).iter().try_for_each(|pair| measured(&pair.time(runs)?))
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
    fn time(&self, runs: usize) -> Result<KernelRow, KernelError> {
        if (self.chosen)() != (self.portable)() {
            return Err(KernelError(self.name));
        }
        let (mut chosen, mut portable) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            chosen.push(nanos_per_call(&self.chosen));
            portable.push(nanos_per_call(&self.portable));
        }
        Ok(KernelRow { name: self.name, chosen: median(chosen), portable: median(portable) })
    }
}

fn median(nanos: Vec<f64>) -> f64 {
    median_by(nanos, |&nanos| Duration::from_secs_f64(nanos)).unwrap_or_default()
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
