//! The kernels of the module against the portable ones, for the tests: they run where the module
//! does.

use fastrand::Rng;
use umigame_eval::kernels::{self, Activation, PairSum, portable};
use umigame_othello::Bitboard;
use umigame_othello::kernels::{self as game, portable as plain};

/// Compares them on `rounds` random inputs.
///
/// # Errors
/// The name of a kernel whose results differ.
pub fn kernels(rounds: u32, seed: u64) -> Result<(), String> {
    let mut random = Rng::with_seed(seed);
    for round in 0..rounds {
        let differs = |name| format!("kernel {name} differs in round {round} of seed {seed}");
        boards(&mut random, round).map_err(differs)?;
        row_sums(&mut random).map_err(differs)?;
        dense_layers(&mut random).map_err(differs)?;
    }
    Ok(())
}

fn same<T: PartialEq>(name: &'static str, found: T, expected: T) -> Result<(), &'static str> {
    if found == expected { Ok(()) } else { Err(name) }
}

fn boards(random: &mut Rng, round: u32) -> Result<(), &'static str> {
    let (a, b) = (random.u64(..), random.u64(..));
    // Boards from nearly empty to nearly full.
    let filled = match round % 3 {
        0 => random.u64(..),
        1 => random.u64(..) | random.u64(..) | random.u64(..),
        _ => a & b,
    };
    let (player, opponent) = (filled & a, filled & !a);
    let empty = !filled;
    same("moves", game::moves(player, opponent), plain::moves(player, opponent))?;
    same("stable", game::stable(player, opponent), plain::stable(player, opponent))?;
    let expected = plain::potential_moves(opponent, empty);
    same("potential_moves", game::potential_moves(opponent, empty), expected)?;
    for square in Bitboard::from_bits(empty) {
        let expected = plain::flips(player, opponent, square);
        same("flips", game::flips(player, opponent, square), expected)?;
        let player = !square.bit() & a;
        let expected = plain::last_flips(player, square);
        same("last_flips", game::last_flips(player, square), expected)?;
    }
    Ok(())
}

fn row_sums(random: &mut Rng) -> Result<(), &'static str> {
    let (mut sum, mut expected) = (PairSum::zero(), portable::PairSum::zero());
    let rows = random.i16(0..100);
    for _ in 0..rows {
        let row: [i16; 32] = std::array::from_fn(|_| random.i16(..));
        (sum, expected) = (sum.with(&row), expected.with(&row));
    }
    let from: [u64; 8] = std::array::from_fn(|_| random.u64(0..8));
    let (ordered, expected_ordered) = (sum.ordered(&from), expected.ordered(&from));
    let pairs = [
        ("PairSum::halves", sum, expected),
        ("PairSum::ordered", ordered, expected_ordered),
        ("PairSum::plus", sum.plus(ordered), expected.plus(expected_ordered)),
    ];
    for (name, sum, expected) in pairs {
        let (found, expected) = (sum.halves(rows), expected.halves(rows));
        same(name, found.map(|half| half.numbers()), expected.map(|half| half.numbers()))?;
    }
    Ok(())
}

fn dense_layers(random: &mut Rng) -> Result<(), &'static str> {
    let inputs = std::array::from_fn(|_| random.i16(-17_000..17_000));
    let weights = std::array::from_fn(|_| std::array::from_fn(|_| random.i16(-1792..=1792)));
    let biases = std::array::from_fn(|_| random.i32(-1_000_000..1_000_000));
    let expected = portable::dense_layer(&inputs, &weights, &biases);
    same("dense_layer", kernels::dense_layer(&inputs, &weights, &biases), expected)?;
    let activation = Activation { slope: 32, saturation: 512, limit: 2048 };
    let expected = portable::activated(&inputs, &weights[0], &activation);
    same("activated", kernels::activated(&inputs, &weights[0], &activation), expected)?;
    let expected = portable::dot(&inputs, &weights[0]);
    same("dot", kernels::dot(&inputs, &weights[0]), expected)?;
    let numbers = std::array::from_fn(|_| random.i32(..));
    let output = std::array::from_fn(|_| random.i32(-3_072..=3_072));
    let expected = portable::clipped_dot::<14, 8_191>(&numbers, &output);
    same("clipped_dot", kernels::clipped_dot::<14, 8_191>(&numbers, &output), expected)
}
