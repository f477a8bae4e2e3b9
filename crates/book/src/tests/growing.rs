//! Growing, playing, exporting and merging.

use std::time::{Duration, Instant};

use super::*;
use umigame_engine::Evaluation;
use umigame_engine::{
    Confidence, Engine, EngineOptions, Level, Limits, Megabytes, Report, ReportLine, ScoreKind,
    Silent,
};
use umigame_othello::formats::transcript;
use umigame_othello::{Color, Eval, position_text};

/// More time than any of these tests needs.
const TIME: Duration = Duration::from_secs(60);

fn settings(root: Position, level: u32) -> GrowSettings {
    let search = EngineOptions { hash: Megabytes(2), threads: 2 };
    let level = Level::new(level).expect("a level");
    let until = Instant::now() + TIME;
    GrowSettings { root, ..GrowSettings::at_level(level, Evaluation::embedded(), search, until) }
}

/// Grows a book until at least this many positions have been searched.
fn grow(book: &mut Book, settings: &GrowSettings, searched: u64) -> GrowProgress {
    let stop = AtomicBool::new(false);
    let progress = book.grow(settings, &stop, |_, progress| {
        stop.store(progress.searched >= searched, Ordering::Relaxed);
    });
    progress.expect("writable")
}

/// Returns a position of a random game with this many empties and at least four moves.
fn position_with_empties(empties: u32) -> Position {
    (0..)
        .map(|seed| random_games(1, 100 + seed).remove(0))
        .find_map(|game| {
            let mut position = game.start;
            for square in game.squares {
                if position.must_pass() {
                    position = position.passed();
                }
                if position.empties() == empties && position.legal_moves().count() > 3 {
                    return Some(position);
                }
                position = position.play(square)?;
            }
            None
        })
        .expect("some game has one")
}

fn f5() -> Position {
    Position::START.play(Square::F5).expect("legal")
}

fn trust_of_start(book: &Book) -> Option<Trust> {
    entry(book, Position::START).value.map(|value| value.trust)
}

#[test]
fn a_new_book_grows_and_continues_after_it_was_closed() {
    let (_folder, path) = folder();
    let mut book = Book::create(&path, None).expect("a new book");
    let settings = settings(Position::START, 1);
    let first = grow(&mut book, &settings, 60);
    assert!(first.searched >= 60 && !first.finished);
    assert_no_faults(&mut book);
    drop(book);
    let mut book = Book::write(&path).expect("a book");
    let before = book.counts().expect("readable").searched;
    assert_eq!(before, first.searched);
    let second = grow(&mut book, &settings, 60);
    assert_eq!(book.counts().expect("readable").searched, before + second.searched);
    assert_no_faults(&mut book);
    let start = entry(&book, Position::START);
    assert!(start.search.is_some() && start.stats == GameStats::default());
    assert_eq!(entry(&book, f5()).value.map(|value| value.trust), Some(Trust::Searched));
}

#[test]
fn growing_replaces_values_of_games_by_values_of_searches() {
    let (_folder, path) = folder();
    let mut book = Book::create(&path, None).expect("a new book");
    book.add(&random_games(60, 31)).expect("writable");
    assert_eq!(trust_of_start(&book), Some(Trust::Played));
    grow(&mut book, &settings(Position::START, 1), 40);
    assert_no_faults(&mut book);
    assert_eq!(trust_of_start(&book), Some(Trust::Searched));
}

#[test]
fn a_fully_searched_endgame_has_the_value_of_the_solver() {
    let (_folder, path) = folder();
    for empties in [6, 9] {
        let root = position_with_empties(empties);
        let mut book = Book::create(&path, None).expect("a book");
        let progress = grow(&mut book, &settings(root, 10), u64::MAX);
        assert!(progress.finished);
        let mut engine =
            Engine::new(Evaluation::embedded(), EngineOptions::default()).expect("memory");
        let solved = engine.search(root, &Limits::exact(), &Silent::default());
        let eval = solved.best().expect("a move").eval();
        assert_eq!(entry(&book, root).value, Some(BookValue { eval, trust: Trust::Exact }));
        assert_no_faults(&mut book);
    }
}

#[test]
fn growing_sees_commits_of_other_processes() {
    let (_folder, path) = folder();
    let mut book = Book::create(&path, None).expect("a new book");
    let games = random_games(12, 77);
    let stop = AtomicBool::new(false);
    let mut rest = games.chunks(4);
    book.grow(&settings(Position::START, 1), &stop, |_, _| match rest.next() {
        Some(some) => {
            Book::write(&path).expect("a book").add(some).expect("writable");
        }
        None => stop.store(true, Ordering::Relaxed),
    })
    .expect("writable");
    assert_eq!(book.counts().expect("readable").games, 12);
    assert_no_faults(&mut book);
}

/// Returns the paths of a grown book with games and of its compact book, in a new folder.
fn grown_and_compact() -> (TempDir, PathBuf, PathBuf) {
    let (folder, path) = folder();
    let mut book = Book::create(&path, None).expect("a new book");
    book.add(&random_games(80, 13)).expect("writable");
    grow(&mut book, &settings(Position::START, 1), 80);
    let compact_path = folder.path().join("play.compact");
    let filter = ExportFilter { min_games: 1, ..ExportFilter::default() };
    let compact = book.compact(filter).expect("readable");
    assert!(compact.len() > 1000);
    std::fs::write(&compact_path, compact.to_bytes()).expect("writable");
    (folder, path, compact_path)
}

#[test]
fn a_compact_book_knows_the_same_legal_moves_as_the_book() {
    let (_folder, path, compact) = grown_and_compact();
    let full = PlayBook::open(&path).expect("a book");
    let compact = PlayBook::open(&compact).expect("a book");
    assert!(full.is_writable() && !compact.is_writable());
    let (mut known, mut asked) = (0, 0);
    for game in random_games(20, 13) {
        let mut position = game.start;
        for square in &game.squares[..12.min(game.squares.len())] {
            for criterion in [ChoiceCriterion::Value, ChoiceCriterion::WinRate] {
                for symmetry in Symmetry::ALL {
                    let turned = symmetry.of_position(position);
                    let moves = full.moves(turned, criterion).expect("readable");
                    assert_eq!(compact.moves(turned, criterion).expect("readable"), moves);
                    asked += 1;
                    known += usize::from(!moves.is_empty());
                    for one in &moves {
                        let square = one.played().square().expect("a disc");
                        assert!(turned.legal_moves().contains(square), "{one:?}");
                    }
                    assert!(moves.windows(2).all(|pair| match criterion {
                        ChoiceCriterion::Value => pair[0].eval >= pair[1].eval,
                        ChoiceCriterion::WinRate => pair[0].win_rate >= pair[1].win_rate,
                    }));
                }
            }
            if position.must_pass() {
                position = position.passed();
            }
            position = position.play(*square).expect("legal");
        }
    }
    assert!(known > 50 && known < asked, "{known} of {asked}");
}

#[test]
fn choices_vary_within_the_tolerance_and_repeat_with_the_seed() {
    let (_folder, path, _) = grown_and_compact();
    let book = PlayBook::open(&path).expect("a book");
    let best = book.moves(f5(), ChoiceCriterion::Value).expect("readable")[0].clone();
    let choices = |tolerance_centidiscs: i32, seed: u64| {
        let mut random = fastrand::Rng::with_seed(seed);
        let policy = ChoicePolicy { criterion: ChoiceCriterion::Value, tolerance_centidiscs };
        (0..20)
            .map(|_| book.choose(f5(), policy, &mut random).expect("readable").expect("known"))
            .map(|one| (one.played(), one.eval))
            .collect::<Vec<(Move, Eval)>>()
    };
    assert!(choices(0, 1).iter().all(|(played, _)| *played == best.played()));
    let varied = choices(6400, 2);
    assert!(varied.iter().any(|(played, _)| *played != best.played()));
    assert_eq!(varied, choices(6400, 2));
    let min_centidiscs = best.eval.centidiscs() - 150;
    assert!(choices(150, 3).iter().all(|(_, eval)| eval.centidiscs() >= min_centidiscs));
}

#[test]
fn a_damaged_compact_book_is_refused() {
    let (folder, _, compact) = grown_and_compact();
    let bytes = std::fs::read(&compact).expect("readable");
    let damaged = folder.path().join("damaged.compact");
    fastrand::seed(5);
    for _ in 0..200 {
        let mut some = bytes.clone();
        match fastrand::u8(0..3) {
            0 => some.truncate(fastrand::usize(16..bytes.len())),
            1 => some[fastrand::usize(16..bytes.len())] ^= 1 << fastrand::u8(0..8),
            _ => some.extend([0; 32]),
        }
        std::fs::write(&damaged, &some).expect("writable");
        let error = PlayBook::open(&damaged).expect_err("damaged");
        assert!(error.to_string().contains("damaged"), "{error}");
    }
}

#[test]
fn a_merged_book_has_the_games_and_the_better_searches_of_both() {
    let (_one, one) = folder();
    let (_other, other) = folder();
    let (_both, both) = folder();
    let games = random_games(50, 40);
    let mut one = Book::create(&one, None).expect("a new book");
    one.add(&games[..30]).expect("writable");
    grow(&mut one, &settings(Position::START, 1), 20);
    let mut other = Book::create(&other, None).expect("a new book");
    other.add(&games[20..]).expect("writable");
    grow(&mut other, &settings(Position::START, 3), 20);
    let mut both = Book::create(&both, None).expect("a new book");
    assert_eq!(both.merge(&one).expect("writable"), AddedGames { new: 30, known: 0 });
    assert_eq!(both.merge(&other).expect("writable"), AddedGames { new: 20, known: 10 });
    assert_no_faults(&mut both);
    let deeper = entry(&other, f5()).search;
    assert_eq!(entry(&both, f5()).search, deeper, "the deeper search stays");
    let before = all_entries(&both);
    both.merge(&one).expect("writable");
    both.merge(&other).expect("writable");
    assert_eq!(all_entries(&both), before, "merging again changes nothing");
}

#[test]
fn an_unfinished_game_is_valued_by_the_search_of_its_last_position() {
    let (_folder, path) = folder();
    let mut book = Book::create(&path, None).expect("a new book");
    let record = random_records(4, 3).remove(3);
    let position = record.board().expect("legal").position();
    assert!(!position.is_over(), "every tenth game is cut short");
    let kind = ScoreKind::Depth { plies: 8, confidence: Confidence::P73 };
    let moves = position.legal_moves().iter().map(Move::Place).take(1).collect();
    let line = ReportLine::unsure(moves, Eval::from_centidiscs(250), kind);
    let report = Report { lines: vec![line], kind, ..Default::default() };
    book.learn(&record, Some(&report)).expect("writable");
    let start = entry(&book, Position::START);
    assert_eq!((start.stats.games, start.stats.results()), (1, 0));
    let value = start.value.expect("a value");
    assert_eq!((value.eval.centidiscs().abs(), value.trust), (250, Trust::Played));
    assert_no_faults(&mut book);
}

#[test]
fn an_export_has_one_line_for_each_selected_position() {
    let (_folder, path, _) = grown_and_compact();
    let book = Book::read(&path).expect("a book");
    let export = |format, filter| {
        let mut text = Vec::new();
        let count = book.export(&mut text, format, filter).expect("readable");
        (count, String::from_utf8(text).expect("text"))
    };
    let (all, csv) = export(ExportFormat::Csv, ExportFilter::default());
    assert_eq!(all, all_entries(&book).len());
    assert_eq!(csv.lines().count(), all + 1);
    let fields = csv.lines().next().expect("a header").split(',').count();
    assert!(csv.lines().all(|line| line.split(',').count() == fields));
    let early = ExportFilter { max_ply: 3, ..ExportFilter::default() };
    let (few, jsonl) = export(ExportFormat::JsonLines, early);
    assert!(few > 2 && few < 100);
    for line in jsonl.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert!(line["ply"].as_i64().is_some_and(|ply| ply <= 3), "{line}");
    }
    let searched = ExportFilter { searched_only: true, ..ExportFilter::default() };
    let (count, _) = export(ExportFormat::Csv, searched);
    assert_eq!(count as u64, book.counts().expect("readable").searched);
}

/// The lines of an export, by position.
fn exported_lines(book: &Book) -> std::collections::HashMap<String, serde_json::Value> {
    let mut text = Vec::new();
    book.export(&mut text, ExportFormat::JsonLines, ExportFilter::default()).expect("readable");
    let text = String::from_utf8(text).expect("text");
    text.lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
        .map(|line| (line["position"].as_str().expect("text").to_owned(), line))
        .collect()
}

#[test]
fn an_export_has_the_orientation_of_games_beginning_with_f5() {
    let (_folder, path) = folder();
    let mut book = Book::create(&path, None).expect("a new book");
    let names = ["d3c5f6f5e6", "f5d6c3d3c4", "c4e3f6e6f5", "e6f4c3c4d3"];
    let records = names.map(|moves| transcript::parse(moves).expect("legal"));
    let games = records.each_ref().map(|record| BookGame::of(record).expect("legal"));
    book.add(&games).expect("writable");
    let lines = exported_lines(&book);
    let text = |position| position_text(position, Color::Black);
    // All four games are exported as continuations of f5.
    let start = &lines[&text(Position::START)];
    assert_eq!((&start["moves"][0]["move"], &start["games"]), (&"f5".into(), &4.into()));
    assert_eq!(lines[&text(f5())]["games"], 4);
    let moves = |position: Position| {
        lines[&text(position)]["moves"]
            .as_array()
            .expect("moves")
            .iter()
            .map(|one| one["move"].as_str().expect("text").parse::<Square>().expect("a square"))
    };
    let (mut position, mut plies) = (Position::START, 0);
    for square in "f5d6c3d3c4"
        .as_bytes()
        .chunks(2)
        .map(|name| std::str::from_utf8(name).expect("ASCII").parse::<Square>().expect("a square"))
    {
        assert!(moves(position).any(|one| one == square), "{square} is exported");
        assert!(moves(position).all(|one| position.legal_moves().contains(one)));
        position = position.play(square).expect("legal");
        plies += 1;
    }
    assert_eq!((plies, lines[&text(position)]["ply"].as_i64()), (5, Some(5)));
}

#[test]
fn a_position_that_no_game_from_the_start_reaches_is_exported_in_canonical_form() {
    let (_folder, path) = folder();
    let root = position_with_empties(9);
    let turned = Symmetry::ALL[5].of_position(root);
    let mut book = Book::create(&path, None).expect("a new book");
    grow(&mut book, &settings(turned, 1), 1);
    let canonical = CanonicalPosition::of(root).position();
    assert!(exported_lines(&book).contains_key(&position_text(canonical, Color::Black)));
}
