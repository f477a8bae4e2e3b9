//! Laws of the network.

use super::embedding::symmetric;
use super::layer::{BIAS, LARGEST, MIX, NUMBERS};
use super::*;
use crate::eval::patterns::layout::{FIRST, PATTERNS, counted, raw_features};
use crate::eval::patterns::shapes::SHAPE;
use crate::eval::patterns::{MidBoard, stage_of};
use umigame_othello::Position;
use umigame_othello::testing::random_positions;

/// Numbers without any sense, as large as they may be.
fn some_numbers(seed: u64, most: i8) -> Numbers {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut rows: Vec<Row> =
        (0..PACKING.len).map(|_| std::array::from_fn(|_| random.i8(-most..=most))).collect();
    for (packed, turn) in symmetric() {
        let row = &mut rows[packed as usize];
        let image = turned(row, turn);
        row.iter_mut().zip(image).for_each(|(one, two)| *one = (*one).max(two));
    }
    // What is counted is the same for all symmetries.
    for row in &mut rows[PACKING.packed[PATTERNS] as usize..] {
        *row = std::array::from_fn(|i| row[i % CHANNELS]);
    }
    let largest = LARGEST as i16;
    let head = |_| Head(std::array::from_fn(|_| random.i16(-largest..=largest)));
    Numbers { rows, heads: (0..STAGES).map(head).collect() }
}

fn sum_of(network: &Network, position: Position) -> Sum {
    network.sum(MidBoard::new(position).indices(), &counted(position))
}

fn value_of(network: &Network, position: Position) -> i32 {
    let (stage, board) = (stage_of(position.empties()), MidBoard::new(position));
    network.value(stage, board.indices(), &counted(position))
}

#[test]
fn a_sum_has_the_rows_of_all_features_turned_to_where_they_lie() {
    let numbers = some_numbers(1, 30);
    let network = Network::new(&numbers).expect("rows and heads");
    random_positions(91, 2_000, |position| {
        let mut expected = [0; WIDTH];
        let raw = raw_features(position, MidBoard::new(position).indices());
        for (feature, raw) in raw.into_iter().enumerate() {
            let row = &numbers.rows[PACKING.packed[raw] as usize];
            let row = turned(row, PACKING.turns[raw]);
            let row = match PLACEMENT.get(feature) {
                Some(placement) => turned(&row, placement.symmetry),
                None => row,
            };
            expected.iter_mut().zip(row).for_each(|(sum, number)| *sum += i16::from(number));
        }
        assert_eq!(sum_of(&network, position), expected, "{position:?}");
    });
}

#[test]
fn the_image_of_a_position_has_the_sum_turned_and_the_same_value() {
    let network = Network::new(&some_numbers(2, i8::MAX)).expect("rows and heads");
    let mut different = std::collections::HashSet::new();
    random_positions(92, 2_000, |position| {
        let (sum, value) = (sum_of(&network, position), value_of(&network, position));
        different.insert(value);
        for symmetry in Symmetry::ALL {
            let image = symmetry.of_position(position);
            assert_eq!(sum_of(&network, image), turned(&sum, symmetry), "{position:?}");
            assert_eq!(value_of(&network, image), value, "{position:?}");
        }
    });
    assert!(different.len() > 1000, "{} values", different.len());
}

/// A head by its definition, in floating point.
#[test]
fn a_head_computes_what_it_says() {
    let mut random = fastrand::Rng::with_seed(3);
    let most = LARGEST as i16 / 4;
    for _ in 0..2_000 {
        let head: [i16; NUMBERS] = std::array::from_fn(|_| random.i16(-most..=most));
        let sum: Sum = std::array::from_fn(|_| random.i16(-800..1800));
        let number = |at: usize| f64::from(head[at]) / f64::from(layer::HEAD_PARTS);
        let near: Vec<f64> = (0..WIDTH)
            .map(|i| f64::from(sum[i] + head[BIAS + i % CHANNELS]) / f64::from(ROW_PARTS))
            .map(|x| x.clamp(0.0, 4.0) + (x.clamp(-16.0, 16.0) - x.clamp(0.0, 4.0)) / 32.0)
            .collect();
        let mut value = number(layer::SHIFT);
        value += (0..WIDTH).map(|i| number(layer::SKIP + i % CHANNELS) * near[i]).sum::<f64>();
        for (kind, turn) in (0..HIDDEN).map(|i| (i / TURNS, i % TURNS)) {
            let mut mixed = number(layer::MIX_BIAS + kind);
            for (e, c) in (0..WIDTH).map(|i| (i / CHANNELS, i % CHANNELS)) {
                let at = Symmetry::ALL[turn].after(Symmetry::ALL[e]).index() * CHANNELS + c;
                mixed += number(MIX + kind * WIDTH + e * CHANNELS + c) * near[at];
            }
            value += number(layer::OUT + kind) * mixed.clamp(0.0, 32.0);
        }
        let found = Mixer::new(&Head(head)).value(&sum);
        // Sixteen mixed numbers lose up to a 256th each.
        assert!((f64::from(found) - 100.0 * value).abs() < 12.0, "{found} for {value:.2} discs");
    }
}

#[test]
fn extreme_numbers_do_not_overflow() {
    // Sums overflow loudly in tests.
    for sign in [[1, 1], [1, -1], [-1, 1], [-1, -1]] {
        let rows = vec![[i8::MAX * sign[0]; WIDTH]; PACKING.len];
        let heads = vec![Head([LARGEST as i16 * i16::from(sign[1]); NUMBERS]); STAGES];
        let network = Network::new(&Numbers { rows, heads }).expect("rows and heads");
        random_positions(93, 100, |position| {
            value_of(&network, position);
        });
    }
    assert!(Network::new(&Numbers { rows: Vec::new(), heads: Vec::new() }).is_none());
}

/// By the definition: the squares of a place are those of the row's, turned.
#[test]
fn a_place_is_the_configuration_of_its_row_turned() {
    let content = |shape: usize, index: usize| {
        let squares = (0..SHAPE[shape].len()).map(|i| SHAPE[shape].square(i));
        squares.enumerate().fold([0, 0], |[own, other], (i, square)| {
            match index / 3usize.pow(i as u32) % 3 {
                1 => [own | square.bit(), other],
                2 => [own, other | square.bit()],
                _ => [own, other],
            }
        })
    };
    for (shape, first) in FIRST.into_iter().enumerate() {
        for index in (0..SHAPE[shape].configurations()).step_by(41) {
            let (packed, turn) = (PACKING.packed[first + index], PACKING.turns[first + index]);
            let same = |&other: &usize| PACKING.packed[first + other] == packed;
            let row = (0..=index).find(same).expect("at least itself");
            assert_eq!(PACKING.turns[first + row], Symmetry::IDENTITY);
            let image = content(shape, row).map(|squares| turn.of_bits(squares));
            assert_eq!(image, content(shape, index), "{} {index}", SHAPE[shape].name);
        }
    }
}

#[test]
fn rows_that_must_be_symmetric_are_all_named() {
    let turned_alike = symmetric();
    for &(packed, turn) in &turned_alike {
        assert!((packed as usize) < PACKING.len && turn != Symmetry::IDENTITY);
    }
    // An empty edge looks the same from both ends, a lone disc in a corner
    // does not.
    let of = |raw: usize| turned_alike.iter().any(|&(packed, _)| packed == PACKING.packed[raw]);
    assert!(of(FIRST[0]) && !of(FIRST[0] + 3));
}
