//! Compares the chosen kernels with the portable ones.

use super::*;

#[test]
fn row_sums_agree_with_the_portable_ones() {
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..10_000 {
        let (mut sum, mut expected) = (PairSum::zero(), portable::PairSum::zero());
        let rows = random.usize(0..100);
        let mut numbers = [[0; 32]; 2];
        for _ in 0..rows {
            let pairs: [[i8; 2]; 32] = std::array::from_fn(|_| [random.i8(..), random.i8(..)]);
            let row = pairs.map(|[first, second]| pair(first, second));
            (sum, expected) = (sum.with(&row), expected.with(&row));
            for (i, pair) in pairs.into_iter().enumerate() {
                (0..2).for_each(|half| numbers[half][i] += i16::from(pair[half]));
            }
        }
        assert_halves(sum, expected, rows, numbers);
        let from: [u64; 8] = std::array::from_fn(|_| random.u64(0..8));
        let (sum, expected) = (sum.ordered(&from), expected.ordered(&from));
        let ordered =
            numbers.map(|half| std::array::from_fn(|i| half[4 * from[i / 4] as usize + i % 4]));
        assert_halves(sum, expected, rows, ordered);
        let doubled = ordered.map(|half| half.map(|number| 2 * number));
        assert_halves(sum.plus(sum), expected.plus(expected), 2 * rows, doubled);
    }
}

fn assert_halves(sum: PairSum, expected: portable::PairSum, rows: usize, numbers: [[i16; 32]; 2]) {
    assert_eq!(sum.halves(rows as i16).map(|half| half.numbers()), numbers);
    assert_eq!(expected.halves(rows as i16).map(|half| half.numbers()), numbers);
}

#[test]
fn dense_layers_agree_with_the_portable_ones() {
    let mut random = fastrand::Rng::with_seed(4);
    for _ in 0..10_000 {
        let inputs = std::array::from_fn(|_| random.i16(-17_000..17_000));
        let weights = std::array::from_fn(|_| std::array::from_fn(|_| random.i16(-1792..=1792)));
        let biases = std::array::from_fn(|_| random.i32(-1_000_000..1_000_000));
        let expected = portable::dense_layer(&inputs, &weights, &biases);
        assert_eq!(dense_layer(&inputs, &weights, &biases), expected);
    }
}

#[test]
fn activations_agree_with_their_definition() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..10_000 {
        let activation = Activation {
            slope: random.i16(1..=32),
            saturation: random.i16(1..=512),
            limit: random.i16(512..=2048),
        };
        let sums = std::array::from_fn(|_| random.i16(-9_000..9_000));
        let biases = std::array::from_fn(|_| random.i16(-3_072..=3_072));
        let expected: [i16; 64] = std::array::from_fn(|i| activation.of(sums[i] + biases[i]));
        assert_eq!(activated(&sums, &biases, &activation), expected);
        assert_eq!(portable::activated(&sums, &biases, &activation), expected);
    }
}

#[test]
fn dot_products_agree_with_the_portable_ones() {
    let mut random = fastrand::Rng::with_seed(6);
    for _ in 0..10_000 {
        let [a, b] = [17_000, 1_792].map(|max| std::array::from_fn(|_| random.i16(-max..=max)));
        assert_eq!(dot(&a, &b), portable::dot(&a, &b));
        let numbers = std::array::from_fn(|_| random.i32(..));
        let weights = std::array::from_fn(|_| random.i32(-3_072..=3_072));
        let expected = portable::clipped_dot::<14, 8_191>(&numbers, &weights);
        assert_eq!(clipped_dot::<14, 8_191>(&numbers, &weights), expected);
    }
}
