//! Properties of the evaluation and its explanation.

use crate::value::{Centidiscs, NullWindow};
use crate::*;
use umigame_othello::{Bitboard, testing::random_positions};
use umigame_othello::{Color, Position, Symmetry, parse_position};

fn evaluate(position: Position) -> i32 {
    Evaluation::embedded().evaluate_position(position)
}

fn explain(position: Position, side: Color) -> Explanation {
    super::explain(&Evaluation::embedded(), position, side)
}

#[test]
fn the_eight_images_of_a_position_have_one_value() {
    random_positions(11, 3_000, |position| {
        let expected = evaluate(position);
        for symmetry in Symmetry::ALL {
            assert_eq!(evaluate(symmetry.of_position(position)), expected, "{position:?}");
        }
    });
}

#[test]
fn values_lie_between_minus_64_and_64_discs() {
    let mut largest = 0;
    random_positions(12, 20_000, |position| {
        let value = evaluate(position);
        assert!((-6400..=6400).contains(&value), "{position:?}: {value}");
        largest = largest.max(value.abs());
    });
    assert!(largest > 2000);
    for player in [Bitboard::FULL, Bitboard::EMPTY] {
        let lone = Position::new_unchecked(player, Bitboard::EMPTY);
        assert!((-6400..=6400).contains(&evaluate(lone)));
    }
}

#[test]
fn a_value_outside_the_window_is_a_bound_on_its_side() {
    let evaluation = Evaluation::embedded();
    let (mut lazy, mut wrong) = (0, 0);
    random_positions(13, 20_000, |position| {
        let board = MidBoard::new(position);
        let value = evaluation.evaluate(&board);
        for alpha in [-3000, -900, -100, 0, 700, 2500].map(Centidiscs) {
            let window = NullWindow::above(alpha).into();
            let found = evaluation.evaluate_within(&board, window);
            if found == value {
                continue;
            }
            lazy += 1;
            wrong += i32::from(if found > alpha { value < found } else { value > found });
        }
    });
    // The network's largest corrections are rare.
    assert!(lazy > 10_000 && wrong * 40 < lazy, "{wrong} of {lazy} bounds are wrong");
}

/// `cargo test --release -p umigame-eval speed_of_evaluate -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn speed_of_evaluate() {
    let mut positions = Vec::new();
    random_positions(13, 4096, |position| positions.push(position));
    let mut sum = 0i64;
    let start = std::time::Instant::now();
    let rounds = 2_000;
    for _ in 0..rounds {
        for &position in &positions {
            sum += i64::from(evaluate(std::hint::black_box(position)));
        }
    }
    let calls = rounds * positions.len();
    println!("{:.1} ns ({sum})", start.elapsed().as_secs_f64() * 1e9 / calls as f64);
}

const MIDGAME: &str = "
    -XXXXXX-
    --X-X---
    O-OOOX--
    OOOOXX--
    OOOXXXO-
    OOXXX-O-
    OXXX-O--
    ----O-O- O";

fn midgame() -> (Position, Color) {
    parse_position(MIDGAME).expect("a position")
}

#[test]
fn an_explanation_names_what_each_side_has_and_where() {
    let (position, side) = midgame();
    let text = explain(position, side).to_string();
    for expected in [
        "1 - X X X X X X -\n",
        "White to move, 25 empties\n",
        "                         Black  White\n",
        "discs                       20     19\n",
        "mountains                    1      0\n",
        "wings                        0      1\n",
        "Black has a mountain on the north edge\n",
        "White has a wing on the west edge\n",
        "Black holds b1 g1 b7 next to an empty corner\n",
        "White moves: ",
        "regions of empties: ",
        "White moves last if nobody passes\n",
        "value without search, in discs for White:\n",
    ] {
        assert!(text.contains(expected), "{expected:?} is not in\n{text}");
    }
    assert!(text.is_ascii());
}

#[test]
fn the_summands_that_an_explanation_prints_add_up_to_its_value() {
    let (position, side) = midgame();
    let text = explain(position, side).to_string();
    let (_, sum) = text.split_once("value without search").expect("a sum");
    let (sum, _) = sum.split_once("\n\n").expect("an end");
    let numbers: Vec<i64> = sum
        .lines()
        .skip(1)
        .filter_map(|line| line.split_whitespace().last()?.replace('.', "").parse().ok())
        .collect();
    let (value, summands) = numbers.split_last().expect("numbers");
    assert_eq!((summands.len(), summands.iter().sum::<i64>()), (9, *value), "{sum}");
    assert_eq!(*value, i64::from(evaluate(position)));
}

#[test]
fn counts_do_not_depend_on_the_side_to_move() {
    let (position, side) = midgame();
    let table = |text: String| {
        let lines = text.lines().skip_while(|line| !line.starts_with("discs"));
        lines.take(explain::FEATURES.len()).map(str::to_owned).collect::<Vec<_>>()
    };
    let own = table(explain(position, side).to_string());
    assert_eq!(own.len(), explain::FEATURES.len());
    assert_eq!(own, table(explain(position.passed(), !side).to_string()));
}

#[test]
fn exchanging_the_sides_reverses_a_value_up_to_the_worth_of_the_move() {
    let mut tempo = Vec::new();
    random_positions(15, 5_000, |position| {
        let both = evaluate(position) + evaluate(position.passed());
        tempo.push(both.abs());
    });
    tempo.sort_unstable();
    let median = tempo[tempo.len() / 2];
    assert!(median < 1500, "{median} centidiscs for the move alone");
}

#[test]
fn the_embedded_weights_are_those_of_the_record() {
    assert_eq!(Evaluation::embedded().checksum(), 0xe780_9b9d);
}
