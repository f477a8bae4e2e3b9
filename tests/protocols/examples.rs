//! Executes the examples of `protocol.md`, and checks the table of `tests/README.md`.

use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

use umigame_book::{Book, BookGame};
use umigame_othello::{Color, Position, Score};

use crate::support::*;

/// An example of the document.
struct Example {
    /// Arguments of the engine.
    arguments: Vec<&'static str>,
    /// Whether the engine plays from the book of [`make_book`].
    with_book: bool,
    /// Number of its first line in the document.
    line: usize,
    lines: Vec<&'static str>,
}

fn examples() -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut inside = false;
    for (index, line) in include_str!("../../protocol.md").lines().enumerate() {
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

/// Makes a book of twelve games that begin with f5 d6 c3. Black wins nine by two discs and loses
/// three by two.
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

/// Returns whether a line is as expected; `*` stands for any text.
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
fn the_engine_replies_as_in_every_example() {
    let examples = examples();
    assert!(examples.len() >= 12, "only {} examples were found", examples.len());
    examples.iter().for_each(run);
}

#[test]
fn the_document_names_every_gtp_command() {
    let mut engine = EngineProcess::gtp();
    let document = include_str!("../../protocol.md");
    for name in engine.done("list_commands").lines() {
        let family = name.starts_with("gogui-rules_");
        assert!(family || document.contains(name), "{name}");
    }
}

/// Every test that the table names exists in the file that it names.
#[test]
fn the_table_of_statements_names_existing_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = std::fs::read_to_string(root.join("tests/README.md")).unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| N") || line.starts_with("| G"));
    let mut count = 0;
    for row in rows {
        let [_, _, _, file, names, _] = row.split('|').collect::<Vec<_>>()[..] else {
            panic!("`{row}` has not four columns")
        };
        let file = file.trim().trim_matches('`');
        let folder = if file.contains('/') { "" } else { "tests/protocols" };
        let path = root.join(folder).join(file);
        let source = std::fs::read_to_string(&path).unwrap_or_default();
        for name in names.split(',').map(|name| name.trim().trim_matches('`')) {
            assert!(source.contains(&format!("fn {name}(")), "{file} has no test {name}");
            count += 1;
        }
    }
    assert!(count > 80, "only {count} tests were found");
}
