//! `umigame book` with the real binary.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;
use umigame_othello::testing::reference;

use crate::console;

const GAMES: &str = "\
f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2c1h2h1g2b8a8g7h8h7h6
f5d6c3d3c4f4c5b3c2e3d2c6b4b5f2e6f3e2
f5f6e6f4e3
f5f4e3f6d3
";

fn book(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_umigame"))
        .current_dir(folder)
        .arg("book")
        .args(args)
        .env_remove("RUST_LOG")
        .output()
        .expect("the binary starts")
}

fn text(output: &Output) -> String {
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    assert!(text.is_ascii(), "{text}");
    text
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn lines(output: &Output) -> Vec<Value> {
    text(output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Returns a folder with these games in `games.txt`.
fn folder(games: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("games.txt"), games).expect("writable");
    folder
}

#[test]
fn games_imported_twice_count_once() {
    let folder = folder(GAMES);
    let first = book(folder.path(), &["import", "games.txt"]);
    assert_eq!(first.status.code(), Some(0), "{}", errors(&first));
    assert!(text(&first).contains("new games 4, known 0, not readable 0"), "{}", text(&first));
    let shown = text(&book(folder.path(), &["show"]));
    assert!(shown.contains("# 4 games for Black: "), "{shown}");
    let again = book(folder.path(), &["import", "games.txt", "."]);
    assert!(text(&again).contains("new games 0, known 8"), "{}", text(&again));
    assert_eq!(text(&book(folder.path(), &["show"])), shown);
    let check = book(folder.path(), &["check"]);
    assert_eq!(check.status.code(), Some(0), "{}", text(&check));
    assert!(text(&check).ends_with(": clean\n"), "{}", text(&check));
}

#[test]
fn one_game_is_not_one_games() {
    let folder = folder("f5d6\n");
    let import = text(&book(folder.path(), &["import", "games.txt"]));
    assert!(import.contains("# the book has 1 game, 3 positions, "), "{import}");
    let shown = text(&book(folder.path(), &["show"]));
    assert!(shown.contains("# 1 game for Black: "), "{shown}");
    let checked = text(&book(folder.path(), &["check"]));
    assert!(checked.starts_with("# 1 game, 3 positions, "), "{checked}");
    let exported = text(&book(folder.path(), &["export", "a.csv", "--plies", "0"]));
    assert!(exported.starts_with("# 1 position, "), "{exported}");
}

#[test]
fn show_answers_in_the_orientation_of_the_question() {
    let folder = folder(GAMES);
    book(folder.path(), &["import", "games.txt"]);
    let found = lines(&book(folder.path(), &["show", "f5", "--jsonl"]));
    assert_eq!((&found[0]["ply"], &found[0]["games"]), (&Value::from(1), &Value::from(4)));
    let of = |found: &[Value], square: &str| {
        let one = found[1..].iter().find(|one| one["move"] == square).expect(square);
        (one["games"].as_u64(), one["opening"].as_str().map(str::to_owned))
    };
    assert_eq!(of(&found, "d6"), (Some(2), Some("Perpendicular".to_owned())));
    assert_eq!(of(&found, "f6").0, Some(1));
    assert_eq!(of(&found, "f4").0, Some(1));
    let turned = lines(&book(folder.path(), &["show", "c4", "--jsonl"]));
    assert_eq!(of(&turned, "e3"), of(&found, "d6"));
    assert_eq!(turned[0]["games"], found[0]["games"]);
    let table = text(&book(folder.path(), &["show", "f5"]));
    assert!(table.contains("Perpendicular"), "{table}");
    let absent = book(folder.path(), &["show", "f5d6c4"]);
    assert_eq!(absent.status.code(), Some(1));
    assert!(text(&absent).contains("not in the book"), "{}", text(&absent));
}

#[test]
fn an_unreadable_game_is_named_and_the_others_are_added() {
    let folder = folder("f5d6\nf5a1\nf5f6\n");
    let import = book(folder.path(), &["import", "games.txt"]);
    assert_eq!(import.status.code(), Some(2));
    assert!(text(&import).contains("new games 2, known 0, not readable 1"), "{}", text(&import));
    let said = errors(&import);
    assert!(said.contains("games.txt: game 2, line 2: character 3: move 2 is illegal"), "{said}");
    let board = "BO[8 ---------------------------O*------*O--------------------------- *]";
    let ggf = format!("(;GM[Othello]TY[8]{board}B[F5]W[D6];)\n(;GM[Othello]TY[8]{board}B[A1];)\n");
    std::fs::write(folder.path().join("games.ggf"), ggf).expect("writable");
    let import = book(folder.path(), &["import", "games.ggf"]);
    assert_eq!(import.status.code(), Some(2));
    assert!(errors(&import).contains("games.ggf: game 2"), "{}", errors(&import));
    assert!(errors(&import).contains("illegal"), "{}", errors(&import));
}

/// Games of the files before and after it are added.
#[test]
fn an_unreadable_file_costs_only_itself() {
    let folder = folder(GAMES);
    std::fs::write(folder.path().join("empty.wtb"), "").expect("writable");
    std::fs::write(folder.path().join("last.txt"), "f5d6c4\n").expect("writable");
    let import = book(folder.path(), &["import", "."]);
    assert_eq!(import.status.code(), Some(2), "{}", text(&import));
    assert!(errors(&import).contains("empty.wtb: byte 0: the file ends in the header"));
    assert!(text(&import).contains("files 3, new games 5, known 0, not readable 1"));
    assert_eq!(book(folder.path(), &["check"]).status.code(), Some(0));
}

#[test]
fn an_import_that_cannot_begin_says_why_and_leaves_no_file() {
    let folder = folder(GAMES);
    std::fs::create_dir(folder.path().join("dir.sqlite")).expect("writable");
    for (args, code, part) in [
        (&["import", "none.txt"][..], 2, "none.txt: no such file or folder"),
        (&["import", "games.txt", "none.txt"], 2, "none.txt: no such file or folder"),
        (&["import", "-"], 2, "-: import does not read standard input: name a file"),
        (&["import", "games.txt", "--book", "dir.sqlite"], 2, "dir.sqlite: not a book: expected a"),
        (&["show", "--book", "dir.sqlite"], 2, "dir.sqlite: not a book: expected a"),
        (&["import", "games.txt", "--book", "none/a.sqlite"], 1, "none/a.sqlite: there is no such"),
    ] {
        let run = book(folder.path(), args);
        assert_eq!(run.status.code(), Some(code), "{args:?}: {}", errors(&run));
        assert!(errors(&run).contains(part), "{args:?}: {}", errors(&run));
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 2);
}

#[test]
fn missing_books_and_other_files_are_refused_by_name() {
    let folder = folder("f5d6\n");
    let position = "---------------------------OX------XO--------------------------- X;\n";
    std::fs::write(folder.path().join("ends.obf"), position).expect("writable");
    for (args, words) in [
        (&["show"][..], "book.sqlite: no such book"),
        (&["check", "--book", "games.txt"], "games.txt: not a book"),
        (&["import", "--book", "games.txt", "games.txt"], "games.txt: not a book"),
        (&["import", "none.ggf"], "none.ggf"),
        (&["import", "ends.obf"], "ends.obf: .obf files hold positions, not games"),
        (&["import", "."], ""),
        (&["import", "--plies", "9", "games.txt"], "keeps positions up to ply 60, not 9"),
    ] {
        let output = book(folder.path(), args);
        let code = if words.is_empty() { 0 } else { 2 };
        assert_eq!(output.status.code(), Some(code), "{args:?} {}", errors(&output));
        assert!(errors(&output).contains(words), "{args:?} {}", errors(&output));
    }
    assert_eq!(std::fs::read(folder.path().join("games.txt")).expect("readable"), b"f5d6\n");
}

#[test]
fn books_are_exported_and_merged() {
    let folder = folder(GAMES);
    book(folder.path(), &["import", "games.txt"]);
    for (file, words) in [
        ("all.csv", "positions, "),
        ("early.jsonl", "positions, "),
        ("play.compact", "positions, "),
    ] {
        let export = book(folder.path(), &["export", file, "--plies", "9"]);
        assert_eq!(export.status.code(), Some(0), "{}", errors(&export));
        assert!(text(&export).contains(words), "{}", text(&export));
    }
    let csv = std::fs::read_to_string(folder.path().join("all.csv")).expect("readable");
    let start = "---------------------------OX------XO--------------------------- X,0,4,";
    assert_eq!(csv.lines().filter(|line| line.starts_with(start)).count(), 1, "{csv}");
    let merge = book(folder.path(), &["merge", "--book", "other.sqlite", "book.sqlite"]);
    assert!(text(&merge).contains("new games 4, known 0"), "{}{}", text(&merge), errors(&merge));
    assert_eq!(
        text(&book(folder.path(), &["show", "--book", "other.sqlite"])),
        text(&book(folder.path(), &["show"]))
    );
    for (args, words) in [
        (&["export", "book.xyz"][..], "book.xyz: expected a name in .csv, .jsonl or .compact"),
        (&["merge", "book.sqlite"], "cannot be merged into itself"),
        (&["merge", "games.txt"], "games.txt: not a book"),
        (&["check", "--book", "play.compact"], "play.compact: not a book"),
    ] {
        let refused = book(folder.path(), args);
        assert_eq!(refused.status.code(), Some(2), "{args:?}");
        assert!(errors(&refused).contains(words), "{}", errors(&refused));
    }
}

#[test]
fn export_names_moves_as_show_does() {
    let folder = folder(GAMES);
    book(folder.path(), &["import", "games.txt"]);
    assert_eq!(book(folder.path(), &["export", "all.jsonl"]).status.code(), Some(0));
    let text = std::fs::read_to_string(folder.path().join("all.jsonl")).expect("readable");
    let mut compared = 0;
    for line in text.lines() {
        let exported: Value = serde_json::from_str(line).expect("JSON");
        let position = exported["position"].as_str().expect("text");
        let moves = |value: &Value| value["move"].as_str().expect("text").to_owned();
        let mut exported: Vec<String> =
            exported["moves"].as_array().expect("moves").iter().map(moves).collect();
        let mut shown: Vec<String> = lines(&book(folder.path(), &["show", position, "--jsonl"]))
            [1..]
            .iter()
            .filter(|one| one["games"] != 0)
            .map(moves)
            .collect();
        exported.sort();
        shown.sort();
        assert_eq!(exported, shown, "{position}");
        compared += 1;
        // A process for each position.
        if compared == 12 {
            break;
        }
    }
    let start = text.lines().next().expect("the start");
    assert!(start.contains(r#""moves":[{"move":"f5""#), "{start}");
}

/// Returns the options of a help text by heading.
fn options_by_heading(help: &str) -> Vec<(String, Vec<String>)> {
    let mut headings: Vec<(String, Vec<String>)> = Vec::new();
    for line in help.lines() {
        if let Some(heading) = line.strip_suffix(':').filter(|line| !line.starts_with(' ')) {
            headings.push((heading.to_owned(), Vec::new()));
        } else if let (Some(start), Some((_, options))) = (line.find("--"), headings.last_mut())
            && line[..start].chars().all(|c| " -,".contains(c) || c.is_ascii_lowercase())
            && line.starts_with("  ")
        {
            let name = line[start..].split([' ', '.', '=']).next().unwrap_or_default();
            options.push(name.to_owned());
        }
    }
    headings
}

#[test]
fn help_has_only_options_of_the_book_under_that_heading() {
    let folder = tempfile::tempdir().expect("a folder");
    let with_book = ["nboard", "gtp", "play", "hint"];
    let without_book = [
        "",
        "solve",
        "analyze",
        "diagram",
        "explain",
        "convert",
        "book",
        "book import",
        "book show",
        "book grow",
        "book check",
        "book export",
        "book merge",
        "perft",
        "bench",
        "match",
        "learn",
        "levels",
    ];
    for command in with_book.iter().chain(&without_book) {
        let output = Command::new(env!("CARGO_BIN_EXE_umigame"))
            .current_dir(folder.path())
            .args(command.split_whitespace())
            .arg("--help")
            .output()
            .expect("the binary starts");
        let headings = options_by_heading(&text(&output));
        let of_book: Vec<&Vec<String>> = headings
            .iter()
            .filter(|(heading, _)| heading == "Book")
            .map(|(_, options)| options)
            .collect();
        match with_book.contains(command) {
            true => assert_eq!(
                of_book,
                [&["--book", "--book-by", "--book-loose", "--book-seed"]],
                "{command}"
            ),
            false => assert!(of_book.is_empty(), "{command}: {of_book:?}"),
        }
        let general: Vec<&String> = headings
            .iter()
            .filter(|(heading, _)| heading != "Book")
            .flat_map(|(_, options)| options)
            .collect();
        for option in ["--weights", "--verbose", "--quiet", "--help"] {
            assert!(general.iter().any(|one| *one == option), "{command}: {general:?}");
        }
    }
}

#[test]
fn check_finds_damage() {
    let folder = folder(GAMES);
    book(folder.path(), &["import", "games.txt"]);
    let path = folder.path().join("book.sqlite");
    let mut bytes = std::fs::read(&path).expect("readable");
    let middle = bytes.len() / 2;
    bytes[middle..middle + 3000].fill(0x5A);
    std::fs::write(&path, bytes).expect("writable");
    let check = book(folder.path(), &["check"]);
    assert_eq!(check.status.code(), Some(1), "{}{}", text(&check), errors(&check));
}

/// Writes random games, one a line.
fn write_random_games(path: &Path, count: usize) {
    use umigame_othello::{Board, Move, Square};

    let mut random = fastrand::Rng::with_seed(4);
    let mut text = String::new();
    for _ in 0..count {
        let mut board = Board::start();
        while !board.is_over() {
            let legal: Vec<Square> = board.legal_squares().collect();
            let played = random.choice(&legal).map_or(Move::Pass, |square| Move::Place(*square));
            if played != Move::Pass {
                text += &played.to_string();
            }
            board.play(played).expect("legal");
        }
        text.push('\n');
    }
    std::fs::write(path, text).expect("writable");
}

/// A commit of all games takes longer than the signal needs to arrive.
#[test]
fn an_interrupt_undoes_the_commit_in_progress() {
    for count in [3_000, 30_000] {
        let folder = tempfile::tempdir().expect("a folder");
        write_random_games(&folder.path().join("games.txt"), count);
        let path = folder.path().join("book.sqlite");
        let mut child = console::alone(&mut Command::new(env!("CARGO_BIN_EXE_umigame")))
            .current_dir(folder.path())
            .args(["book", "import", "games.txt"])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the binary starts");
        // The process listens to signals before it makes the book.
        while umigame_book::Book::read(&path).is_err()
            && child.try_wait().expect("it ran").is_none()
        {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        console::interrupt(&child);
        let output = child.wait_with_output().expect("it ends");
        if output.status.code() == Some(0) && count == 3_000 {
            // It was done before the signal: try again with more games.
            continue;
        }
        assert_eq!(output.status.code(), Some(130), "{}", errors(&output));
        assert!(text(&output).contains("new games 0, known 0"), "{}", text(&output));
        assert!(errors(&output).contains("interrupted: games read and not added: "));
        assert_eq!(book(folder.path(), &["check"]).status.code(), Some(0));
        let counts = umigame_book::Book::read(&path).and_then(|book| book.counts());
        assert_eq!(counts.expect("readable").games, 0);
        return;
    }
    panic!("no import was interrupted");
}

/// Compares published values with those of a book that has the optimal game and has grown from
/// some of its late positions.
#[test]
fn proven_values_of_the_book_agree_with_published_ones() {
    let Some(path) = reference("known-values.tsv") else { return };
    let known = std::fs::read_to_string(path).expect("readable");
    let rows: Vec<Vec<&str>> = known.lines().skip(1).map(|row| row.split('\t').collect()).collect();
    let longest = rows.iter().map(|row| row[2]).max_by_key(|moves| moves.len()).expect("a game");
    let folder = folder(&format!("{longest}\n"));
    assert_eq!(book(folder.path(), &["import", "games.txt"]).status.code(), Some(0));
    for plies in (44..60).step_by(2) {
        let from = &longest[..2 * plies];
        let args = ["grow", "--hours", "0.01", "--level", "10", "--hash", "2", "--from", from];
        let grown = book(folder.path(), &args);
        assert!(text(&grown).contains("nothing is left to search"), "{}", text(&grown));
    }
    let mut proven = 0;
    for row in &rows {
        let found = lines(&book(folder.path(), &["show", row[3], "--jsonl"]));
        if found[0]["fully_searched"] == true {
            let value = found[0]["value"].as_f64().expect("a value");
            let bound = |at: usize| row[at].parse::<f64>().expect("a number");
            assert!(value >= bound(4) && value <= bound(5), "{row:?}: {value}");
            proven += 1;
        }
    }
    println!("{proven} positions with a published value are proven in the book");
    assert!(proven >= 15, "{proven}");
    assert_eq!(book(folder.path(), &["check"]).status.code(), Some(0));
}

/// Imports all of WTHOR twice, each time within 90 s on two cores:
///
/// ```sh
/// cargo test --release --test books -- --ignored cli --nocapture
/// ```
#[test]
#[ignore = "imports 137,548 games: a minute and 300 MB; asserts wall-clock time"]
fn all_of_wthor_imported_twice_counts_once() {
    let Some(wthor) = reference("wthor") else { return };
    let folder = folder("");
    let wthor = wthor.to_str().expect("ASCII");
    let first = lines(&book(folder.path(), &["import", wthor, "--json"]));
    println!("{}", first[0]);
    assert_eq!((first[0]["new"].as_u64(), first[0]["known"].as_u64()), (Some(137_548), Some(0)));
    let seconds = first[0]["seconds"].as_f64().expect("seconds");
    assert!(seconds <= 90.0, "{seconds} s");
    let games = |position: &str| {
        let found = lines(&book(folder.path(), &["show", position, "--jsonl"]));
        found[0]["games"].as_u64().expect("a count")
    };
    assert_eq!(games("start"), 137_548);
    assert_eq!(games("f5"), 137_548);
    let replies: u64 = ["f5d6", "f5f6", "f5f4"].map(games).iter().sum();
    assert_eq!(replies, 137_548);
    let again = lines(&book(folder.path(), &["import", wthor, "--json"]));
    assert_eq!((again[0]["new"].as_u64(), again[0]["known"].as_u64()), (Some(0), Some(137_548)));
    assert_eq!(first[0]["positions"], again[0]["positions"]);
    let check = book(folder.path(), &["check"]);
    println!("{}", text(&check));
    assert_eq!(check.status.code(), Some(0));
}

#[test]
fn names_that_sqlite_gives_a_meaning_are_files() {
    let folder = folder(GAMES);
    for name in [":memory:", "file:b.sqlite?mode=memory"] {
        if cfg!(windows) {
            break;
        }
        let output = book(folder.path(), &["import", "--book", name, "games.txt"]);
        assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
        assert!(folder.path().join(name).is_file(), "{name}");
        let shown = book(folder.path(), &["show", "--book", name, "start"]);
        assert_eq!(shown.status.code(), Some(0), "{}", errors(&shown));
    }
}
