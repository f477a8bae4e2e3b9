//! Tests of OBF.

use std::io::{BufReader, Cursor};

use super::super::obf::{Problem, parse_line, problems};
use super::*;

const FFO_40: &str = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; \
    A2:+38; C7:+36; D8:+34; C1:+30; B1:+30; G7:+28; D7:+28; C6:+28; F7:+26; A6:+24;";

fn score(discs: i32) -> Option<Score> {
    Score::new(discs)
}

#[test]
fn a_line_is_written_as_it_was_read() {
    let problem = parse_line(FFO_40).unwrap().unwrap();
    assert_eq!(problem.answers.len(), 10);
    assert_eq!(problem.best_score(), score(38));
    assert_eq!(problem.score_of(Move::Place(Square::A6)), score(24));
    assert_eq!(problem.to_string(), FFO_40);
}

#[test]
fn the_best_score_is_the_highest_and_the_sentinel_is_no_move() {
    let start = position_text(Position::START, Color::Black);
    let line = format!("{start}; D3:-4; C4:+2; F5:+0; --:-127; % a comment; A1:+64");
    let problem = parse_line(&line).unwrap().unwrap();
    assert_eq!(problem.answers.len(), 3);
    assert_eq!(problem.best_score(), score(2));
}

#[test]
fn lines_without_moves_are_read() {
    let start = position_text(Position::START, Color::White);
    for (tail, best) in
        [("", None), (";", None), ("; +4;", score(4)), (";-4", score(-4)), ("; 0 ", score(0))]
    {
        let problem = parse_line(&format!("{start}{tail}")).unwrap().unwrap();
        assert_eq!((problem.side, problem.best_score()), (Color::White, best), "{tail}");
    }
    for blank in ["", "   ", "% only a comment", "\t% and another"] {
        assert_eq!(parse_line(blank), Ok(None), "{blank}");
    }
    let must_pass = "-OXXXXXX".to_owned() + &"-".repeat(56) + " O";
    let problem = parse_line(&format!("{must_pass}; --:+2;")).unwrap().unwrap();
    assert_eq!(problem.score_of(Move::Pass), score(2));
}

#[test]
fn errors_name_line_and_column() {
    let start = position_text(Position::START, Color::Black);
    let text = format!(
        "{start}; D3:+0;\n\n{start}; D3:+65;\n{start}; D9:+1\n{start}; A1:+2;\n{start} +2\n--X\n{}\n{start}",
        "-".repeat(200_000)
    );
    let found: Vec<_> = problems(Cursor::new(text))
        .map(|(line, problem)| {
            (line, problem.map_or_else(|error| error.to_string(), |_| "ok".into()))
        })
        .collect();
    let expected = [
        (1, "ok"),
        (3, "column 69: `D3:+65` is no answer: expected MOVE:SCORE or a score, -64 to 64"),
        (4, "column 69: `D9:+1` is no answer: expected MOVE:SCORE or a score, -64 to 64"),
        (5, "column 69: a1 is not legal here"),
        (6, "column 68: `+2` after the side to move: expected `;`"),
        (7, "the board has 3 squares of 64"),
        (8, "the line is longer than 65536 bytes"),
        (9, "ok"),
    ];
    assert_eq!(found, expected.map(|(line, text)| (line, text.to_string())));
}

/// The problem files of the reference data.
#[test]
fn the_reference_problems_are_read() {
    for (name, count) in [
        ("fforum-1-19.obf", 19),
        ("fforum-20-39.obf", 20),
        ("fforum-40-59.obf", 20),
        ("hard-20.obf", 276),
    ] {
        let Some(file) = reference(&format!("problems/{name}")) else { continue };
        let found: Vec<_> = problems(BufReader::new(std::fs::File::open(file).unwrap())).collect();
        assert_eq!(found.len(), count, "{name}");
        for (line, problem) in found {
            let problem = problem.unwrap_or_else(|error| panic!("{name} line {line}: {error}"));
            let legal = problem.position.legal_moves().count() as usize;
            assert_eq!(
                problem.answers.len(),
                legal,
                "{name} line {line}: every legal move is scored"
            );
        }
    }
}

proptest! {
    #[test]
    fn a_written_problem_reads_back(game in record(), random in any::<u64>()) {
        let board = game.board().unwrap();
        let mut random = fastrand::Rng::with_seed(random);
        let mut score = || Score::saturating(random.i32(-64..=64));
        let problem = Problem {
            position: board.position(),
            side: board.side_to_move(),
            answers: board.legal_squares().map(|square| (Move::Place(square), score())).collect(),
            bare_score: board.is_over().then(&mut score),
        };
        let line = problem.to_string();
        prop_assert_eq!(parse_line(&line), Ok(Some(problem)));
        let _ = parse_line(&mutated(&line, random.u64(..)));
    }

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = problems(Cursor::new(bytes)).count();
    }
}
