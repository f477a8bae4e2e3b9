//! Runs the examples of `protocol.md` against the real binary.

mod support;

use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

use support::*;
use umigame_book::{Book, BookGame};
use umigame_othello::{Color, Position, Score};

/// An example: the arguments, where it stands, its lines.
struct Example {
    arguments: Vec<&'static str>,
    /// Whether it plays from the book of [`book`].
    with_book: bool,
    line: usize,
    lines: Vec<&'static str>,
}

fn examples() -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut inside = false;
    for (index, line) in include_str!("../protocol.md").lines().enumerate() {
        if let Some(kind) = line.strip_prefix("```") {
            inside = !kind.is_empty();
            let with_book = kind.ends_with(" book");
            let arguments = match kind {
                "" => continue,
                "bare" => vec![],
                "nboard" | "gtp" => vec![kind],
                "nboard book" => vec!["nboard", "--level", "1"],
                other => panic!("line {}: no such protocol: {other}", index + 1),
            };
            found.push(Example { arguments, with_book, line: index + 1, lines: Vec::new() });
        } else if inside {
            found.last_mut().unwrap().lines.push(line);
        }
    }
    found
}

/// A book of twelve games that begin with f5 d6 c3; Black wins nine by two
/// discs and loses three by as many.
fn make_book(path: &Path) {
    let game = |number: usize| BookGame {
        start: Position::START,
        side: Color::Black,
        squares: ["f5", "d6", "c3"].map(|square| square.parse().unwrap()).to_vec(),
        black: format!("player {number}"),
        white: String::new(),
        place: String::new(),
        date: String::new(),
        result: Score::new(if number < 9 { 2 } else { -2 }),
    };
    let games: Vec<BookGame> = (0..12).map(game).collect();
    Book::create(path, None).unwrap().add(&games).unwrap();
}

/// Whether a line is as expected; `*` stands for any text.
fn matches(expected: &str, line: &str) -> bool {
    match expected.split_once('*') {
        None => expected == line,
        Some((start, rest)) => line.strip_prefix(start).is_some_and(|tail| {
            (0..=tail.len()).any(|skipped| tail.get(skipped..).is_some_and(|t| matches(rest, t)))
        }),
    }
}

fn run(example: &Example) {
    let (_folder, path) = folder();
    let book = path("book.sqlite");
    let mut arguments = example.arguments.clone();
    if example.with_book {
        make_book(Path::new(&book));
        arguments.extend(["--book", &book, "--book-by", "win-rate"]);
    }
    let mut engine = EngineProcess::start(&arguments);
    let mut lines: VecDeque<&str> = example.lines.iter().copied().collect();
    while !lines.is_empty() {
        let mut sent = Vec::new();
        while let Some(line) = lines.front().and_then(|line| line.strip_prefix("> ")) {
            sent.push(line);
            lines.pop_front();
        }
        if !sent.is_empty() {
            engine.send(&sent.join("\n"));
        }
        let mut any = false;
        while let Some(line) = lines.front().filter(|line| line.starts_with('<')) {
            let expected = line.strip_prefix("< ").unwrap_or("");
            lines.pop_front();
            if expected == "..." {
                any = true;
                continue;
            }
            let mut said = engine.line();
            while any && !matches(expected, &said) {
                said = engine.line();
            }
            any = false;
            let at = example.line;
            assert!(matches(expected, &said), "line {at}: expected `{expected}`, not `{said}`");
        }
        let next = lines.front().copied().unwrap_or("> ");
        assert!(next.starts_with("> "), "line {}: `{next}`", example.line);
    }
    let left = engine.lines_within(Duration::from_millis(50));
    assert_eq!(left, [""; 0], "line {}: more was said", example.line);
}

#[test]
fn every_example_of_the_document_is_true() {
    let examples = examples();
    assert!(examples.len() >= 12, "only {} examples were found", examples.len());
    examples.iter().for_each(run);
}

#[test]
fn the_document_names_every_gtp_command() {
    let mut engine = EngineProcess::gtp();
    let document = include_str!("../protocol.md");
    for name in engine.done("list_commands").lines() {
        let family = name.starts_with("gogui-rules_");
        assert!(family || document.contains(name), "{name}");
    }
}
