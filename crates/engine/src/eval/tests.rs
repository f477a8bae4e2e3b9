//! Laws of the evaluation.

use super::*;
use umigame_othello::testing::random_positions;
use umigame_othello::{Color, Symmetry, parse_position};

fn evaluate(position: Position) -> i32 {
    Evaluation::embedded().evaluate_position(position)
}

fn explain(position: Position, side: Color) -> Explanation {
    super::explain(&Evaluation::embedded(), position, side)
}

#[test]
fn eight_images_have_one_value() {
    random_positions(11, 3_000, |position| {
        let expected = evaluate(position);
        for symmetry in Symmetry::ALL {
            assert_eq!(evaluate(symmetry.of_position(position)), expected, "{position:?}");
        }
    });
}

#[test]
fn values_stay_within_the_board() {
    let mut extreme = 0;
    random_positions(12, 20_000, |position| {
        let value = evaluate(position);
        assert!((-6400..=6400).contains(&value), "{position:?}: {value}");
        extreme = extreme.max(value.abs());
    });
    assert!(extreme > 2000);
    for lone in [Position { player: u64::MAX, opponent: 0 }, Position { player: 0, opponent: 0 }] {
        assert!((-6400..=6400).contains(&evaluate(lone)));
    }
}

/// `cargo test --release speed_of_evaluate -- --ignored --nocapture`
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

#[test]
fn an_explanation_adds_up_to_the_value() {
    random_positions(14, 3_000, |position| {
        let explained = explain(position, Color::White);
        let sum: i32 = explained.terms.iter().map(|term| term.worth).sum();
        assert_eq!(explained.sum.centidiscs(), (sum / MILLIS).clamp(-6400, 6400), "{position:?}");
        let topics: Vec<Topic> = explained.terms.iter().map(|term| term.topic).collect();
        for (topic, _) in features::EDGE_FEATURES.iter().chain(&features::BOARD_FEATURES) {
            assert!(topics.contains(topic), "{topic} is explained nowhere");
        }
    });
}

const DRAWN: &str = "
    -XXXXXX-
    --X-X---
    O-OOOX--
    OOOOXX--
    OOOXXXO-
    OOXXX-O-
    OXXX-O--
    ----O-O- O";

#[test]
fn an_explanation_says_in_words_what_is_where() {
    let (position, side) = parse_position(DRAWN).unwrap_or((Position::START, Color::Black));
    let text = explain(position, side).to_string();
    for expected in [
        "1 - X X X X X X -\n",
        "White to move, 25 empty\n",
        "                     Black  White   for White\n",
        "discs                   20     19 ",
        "mobility                 ",
        "Black has a mountain on the north edge\n",
        "White has a wing on the west edge\n",
        "Black holds b1 g1 b7 beside an empty corner\n",
        "White may move to ",
        "regions of empty squares: ",
    ] {
        assert!(text.contains(expected), "{expected:?} is not in\n{text}");
    }
    let of = |topic| explain(position, side).terms.iter().find(|term| term.topic == topic).copied();
    assert_eq!(
        of(Topic::Mobility).and_then(|term| term.squares),
        Some([position.moves(), position.passed().moves()])
    );
    assert!(text.is_ascii());
}

#[test]
fn the_other_side_sees_the_same_counts_in_the_same_columns() {
    let (position, side) = parse_position(DRAWN).unwrap_or((Position::START, Color::Black));
    let line = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap_or("");
        line.split_whitespace().rev().skip(1).take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    let one = explain(position, side).to_string();
    let other = explain(position.passed(), !side).to_string();
    for name in ["discs", "mobility", "potential", "corners", "C squares", "stable"] {
        assert_eq!(line(&one, name), line(&other, name), "{name}");
        assert_eq!(line(&one, name).len(), 2);
    }
}

#[test]
fn to_hold_what_the_other_side_holds_is_worth_the_reverse() {
    // Only whose move it is and who moves last may differ.
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
fn the_binary_holds_trained_weights() {
    assert!(
        matches!(&*Evaluation::embedded(), Evaluation::Trained(trained) if trained.checksum != 0)
    );
}
