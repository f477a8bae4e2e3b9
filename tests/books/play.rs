//! Playing from a book and learning into it, over real pipes.

use std::path::Path;

use umigame_book::{Book, BookGame, ExportFilter};
use umigame_othello::{Color, Move, Position, Score, Square};

use crate::support::*;

fn game_of(moves: &str, number: u32, black: i32) -> BookGame {
    BookGame {
        start: Position::START,
        side: Color::Black,
        squares: moves.split(' ').map(|square| square.parse().unwrap()).collect(),
        black: format!("player {number}"),
        white: String::new(),
        place: String::new(),
        date: String::new(),
        result: Score::new(black),
    }
}

/// Makes a book of thirty games: White wins most after the parallel opening, Black most after the
/// other two.
fn make_book(path: &Path) -> Book {
    let mut games = Vec::new();
    for number in 0..10 {
        let won = if number < 8 { 6 } else { -6 };
        games.push(game_of("f5 d6 c3 d3 c4", number, won));
        games.push(game_of("f5 f6 e6 f4 e3", number, won));
        games.push(game_of("f5 f4 e3 f6 d3", number, -won));
    }
    let mut book = Book::create(path, None).unwrap();
    book.add(&games).unwrap();
    book
}

/// Makes that book in a new folder, and returns its path.
fn book() -> (tempfile::TempDir, String) {
    let (folder, file) = folder();
    let path = file("book.sqlite");
    make_book(Path::new(&path));
    (folder, path)
}

fn games_at(path: &str, position: Position) -> u32 {
    let entry = Book::read(Path::new(path)).unwrap().entry(position).unwrap();
    entry.map_or(0, |entry| entry.stats.games)
}

#[test]
fn hints_from_the_book_are_marked_and_its_move_is_played() {
    let (_folder, path) = book();
    let mut engine =
        EngineProcess::start(&["nboard", "--book", &path, "--book-by", "win-rate", "--level", "1"]);
    engine.send(&format!("nboard 2\n{}\nping 1\nhint 3", game("TI[5:00]", "B[F5]")));
    engine.until("pong 1");
    let lines: Vec<String> = (0..3).map(|_| engine.line()).collect();
    // The line transposes into the games that continued with f6.
    assert_eq!(lines[0], "book F4-E3-F6-E6 +3.60 10 4 80.0% won");
    assert!(lines.iter().all(|line| line.starts_with("book ")), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.contains(" -3.60 10 ")).count(), 2, "{lines:?}");
    engine.send("go");
    let answer = engine.until("=== ").last().unwrap().clone();
    let (played, seconds) = answer.rsplit_once('/').expect("a move, its score and its time");
    assert_eq!(played, "=== F4/3.60");
    // A busy machine takes its time, too.
    assert!(seconds.parse::<f64>().is_ok_and(|seconds| seconds < 0.1), "{answer}");
    // Out of the book: the search answers.
    engine.send(&format!("{}\nping 2\nhint 1", game("TI[5:00]", "B[F5]W[D6]B[C5]")));
    engine.until("pong 2");
    assert!(engine.until("search").last().unwrap().starts_with("search "));
    drop(engine);
    let mut engine = EngineProcess::start(&["gtp", "--book", &path, "--book-by", "win-rate"]);
    engine.done("play b f5");
    assert_eq!(engine.ask("genmove w").unwrap(), "F4");
}

/// A look-up takes less than a millisecond: the next command does not cancel it.
#[test]
fn hints_from_the_book_come_before_the_pong_of_a_ping_right_behind() {
    let (_folder, path) = book();
    let mut engine = EngineProcess::start(&["nboard", "--book", &path, "--book-by", "win-rate"]);
    for n in 0..20 {
        // One write: the ping is in the queue before the hint begins.
        engine.send(&format!("{}\nhint 3\nping {n}", game("TI[5:00]", "B[F5]")));
        let lines = engine.until("pong");
        assert_eq!(lines.len(), 4, "{lines:?}");
        assert!(lines[..3].iter().all(|line| line.starts_with("book ")), "{lines:?}");
        // Out of the book, hint searches without end and go searches a move: the ping, which may
        // arrive before or after they begin, ends both.
        let known = game("TI[5:00]", "B[F5]");
        let unknown = game("TI[5:00]", "B[F5]W[D6]B[C5]");
        engine.send(&format!("{unknown}\nhint 3\nping {n}\n{known}\ngo\nping {n}"));
        for _ in 0..2 {
            engine.until(&format!("pong {n}"));
        }
    }
}

#[test]
fn the_hint_command_marks_moves_of_a_book() {
    let (_folder, path) = book();
    let args = ["hint", "f5", "-n", "2", "--book", &path, "--book-by", "win-rate"];
    let (code, text, errors) = run(&args);
    assert_eq!((code, errors.as_str()), (0, ""));
    assert_eq!(text.matches("  book  ").count(), 2, "{text}");
    assert!(text.contains("(10 games, 80.0% won)"), "{text}");
    let (_, json, _) = run(&[&args[..], &["--jsonl"]].concat());
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["move"], &first["depth"], &first["games"]),
        (&"f4".into(), &"book".into(), &10.into())
    );
    let (_, text, _) = run(&["hint", "f5d6", "-l", "1", "--book", &path]);
    assert!(text.starts_with("# ") && text.contains(" X, Perpendicular\n"), "{text}");
}

#[test]
fn a_book_without_searches_has_no_moves_by_value() {
    let (_folder, path) = book();
    let mut engine = EngineProcess::start(&["nboard", "--book", &path, "--level", "1"]);
    engine.send(&format!("{}\nping 1\nhint 1", game("TI[5:00]", "B[F5]")));
    engine.until("pong 1");
    engine.until("search");
}

const WHOLE: &str = "f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 d7 c5 b6 d8 c6 c7 d2 b5 a5 a6 a7 g5 e3 b4 c8 \
g6 g4 c2 e8 d1 f7 e2 g3 h4 f1 e1 f2 g1 b1 f8 g8 b3 h3 b2 h5 b7 a3 a4 a1 a2 c1 h2 h1 g2 b8 a8 g7 \
h8 h7 h6";

/// Returns the moves in GGF as NBoard sends them, with passes.
fn as_ggf(moves: &str) -> String {
    let mut board = umigame_othello::Board::start();
    let mut text = String::new();
    for word in moves.split_whitespace() {
        let mut play = |played: Move| {
            let letter = if board.side_to_move() == Color::Black { 'B' } else { 'W' };
            text += &format!("{letter}[{played:#}]");
            board.play(played).unwrap();
            board.must_pass()
        };
        if play(word.parse().unwrap()) {
            play(Move::Pass);
        }
    }
    text
}

#[test]
fn a_learned_game_counts_once_and_its_result_is_backed_up() {
    let (_folder, path) = book();
    let f5 = Position::START.play(Square::F5).unwrap();
    assert_eq!(games_at(&path, f5), 30);
    for _ in 0..2 {
        let mut engine = EngineProcess::start(&["nboard", "--book", &path, "--level", "1"]);
        engine.send(&format!("{}\nping 1\nlearn\nlearn", game("TI[5:00]", &as_ggf(WHOLE))));
        engine.until("pong 1");
        assert_eq!((engine.line(), engine.line()), ("learned".into(), "learned".into()));
        assert_eq!(games_at(&path, f5), 31, "a game counts once");
    }
    // An unfinished game is valued by a search of its last position.
    let mut engine = EngineProcess::start(&["nboard", "--book", &path, "--level", "1"]);
    engine.send(&format!("{}\nping 1\nlearn", game("TI[5:00]", "B[F5]W[D6]B[C4]")));
    engine.until("learned");
    let mut last = f5;
    for square in [Square::D6, Square::C4] {
        last = last.play(square).unwrap();
    }
    let mut book = Book::read(Path::new(&path)).unwrap();
    let entry = book.entry(last).unwrap().unwrap();
    assert_eq!((entry.stats.games, entry.stats.results()), (1, 0));
    assert!(entry.search.is_some());
    assert_eq!(book.check(|_| {}).unwrap().fault_count, 0);
}

#[test]
fn a_compact_book_plays_and_refuses_to_learn() {
    let (_folder, file) = folder();
    let (path, compact) = (file("book.sqlite"), file("play.compact"));
    let book = make_book(Path::new(&path));
    let bytes = book.compact(ExportFilter::default()).unwrap().to_bytes();
    std::fs::write(&compact, bytes).unwrap();
    let mut engine = EngineProcess::start(&[
        "nboard",
        "--book",
        &compact,
        "--book-by",
        "win-rate",
        "--level",
        "1",
    ]);
    engine.send(&format!("{}\nping 1\nlearn\nhint 1", game("TI[5:00]", "B[F5]")));
    engine.until("pong 1");
    assert_eq!(engine.line(), "status not learned: the book is read-only");
    assert_eq!(engine.line(), "learned");
    assert!(engine.line().starts_with("book F4"));
}

#[test]
fn an_unusable_book_is_refused_at_the_start() {
    let (_folder, file) = folder();
    std::fs::write(file("text.txt"), "not a book").unwrap();
    for (args, words) in [
        (vec!["nboard", "--book", "/none/such.sqlite"], "such.sqlite: no such book"),
        (vec!["gtp", "--book", &file("text.txt")], "text.txt: not a book"),
        (vec!["play", "--book-loose", "1"], "--book-loose: there is no book"),
        (vec!["--book", "x", "levels"], "--book <FILE>: options follow the command"),
    ] {
        let (code, _, errors) = run(&args);
        assert_eq!(code, 2, "{args:?} {errors}");
        assert!(errors.contains(words), "{args:?} {errors}");
    }
}
