//! Growing, playing, exporting and merging.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use umigame_engine::eval::Evaluation;

use super::*;
use umigame_engine::search::{Engine, EngineOptions, Level, Megabytes, ScoreKind, Silent};
use umigame_othello::Eval;

fn settings(root: Position, level: u32, seconds: u64) -> GrowSettings {
    let search = EngineOptions { hash: Megabytes(2), threads: 2 };
    let until = Instant::now() + Duration::from_secs(seconds);
    let level = Level::new(level).expect("a level");
    GrowSettings { root, ..GrowSettings::at_level(level, Evaluation::embedded(), search, until) }
}

/// Grows until so many positions were searched.
fn grow(book: &mut Book, settings: &GrowSettings, most: u64) -> GrowProgress {
    let stop = AtomicBool::new(false);
    let grown = book.grow(settings, &stop, |_, grown| {
        stop.store(grown.searched >= most, std::sync::atomic::Ordering::Relaxed);
    });
    grown.expect("room")
}

/// A position of a game by chance with so many empties, and moves on it.
fn late(empties: u32) -> Position {
    (0..)
        .map(|seed| random_games(1, 100 + seed).remove(0))
        .find_map(|game| {
            let mut position = game.start;
            for square in game.squares {
                if position.must_pass() {
                    position = position.passed();
                }
                if position.empties() == empties && squares(position.moves()).count() > 3 {
                    return Some(position);
                }
                position = position.place(square)?;
            }
            None
        })
        .expect("there is one among all games")
}

#[test]
fn a_book_grows_from_nothing_stays_consistent_and_goes_on_where_it_ended() {
    let (_folder, path) = folder();
    let mut book = Book::create(&path, None).expect("a new book");
    let settings = settings(Position::START, 1, 60);
    let first = grow(&mut book, &settings, 60);
    assert!(first.searched >= 60 && !first.finished);
    assert_clean(&mut book);
    drop(book);
    let mut book = Book::write(&path).expect("it is there");
    let before = book.counts().expect("readable").searched;
    assert_eq!(before, first.searched);
    let second = grow(&mut book, &settings, 60);
    assert_eq!(book.counts().expect("readable").searched, before + second.searched);
    assert_clean(&mut book);
    let start = book.entry(Position::START).expect("readable").expect("it is there");
    assert!(start.searched.is_some() && start.tally == GameStats::NONE);
    let f5 = Position::START.place(Square::F5).expect("legal");
    let value = book.entry(f5).expect("readable").and_then(|entry| entry.value);
    assert_eq!(value.map(|value| value.trust), Some(Trust::Searched));
}

#[test]
fn growing_on_games_uses_them_and_values_are_those_of_the_whole_graph() {
    let (_folder, path) = folder();
    let mut book = Book::create(&path, None).expect("a new book");
    book.add(&random_games(60, 31)).expect("room");
    let played = book.entry(Position::START).expect("readable").and_then(|entry| entry.value);
    assert_eq!(played.map(|value| value.trust), Some(Trust::Played));
    grow(&mut book, &settings(Position::START, 1, 60), 40);
    assert_clean(&mut book);
    let grown = book.entry(Position::START).expect("readable").and_then(|entry| entry.value);
    assert_eq!(grown.map(|value| value.trust), Some(Trust::Searched));
}

#[test]
fn a_small_ending_is_grown_until_it_is_fully_searched_and_agrees_with_the_solver() {
    let (_folder, path) = folder();
    for empties in [6, 9] {
        let root = late(empties);
        let mut book = Book::create(&path, None).expect("a book");
        let grown = grow(&mut book, &settings(root, 10, 60), u64::MAX);
        assert!(grown.finished);
        let value = book.entry(root).expect("readable").and_then(|entry| entry.value);
        let mut engine =
            Engine::new(Evaluation::embedded(), EngineOptions::default()).expect("memory");
        let solved =
            engine.search(root, &umigame_engine::search::Limits::exact(), &Silent::default());
        let eval = solved.best().expect("a move").eval;
        assert_eq!(value, Some(BookValue { eval, trust: Trust::Exact }));
        assert_clean(&mut book);
    }
}

#[test]
fn what_others_change_meanwhile_is_seen() {
    let (_folder, path) = folder();
    let mut book = Book::create(&path, None).expect("a new book");
    let games = random_games(12, 77);
    let stop = AtomicBool::new(false);
    let mut rest = games.chunks(4);
    book.grow(&settings(Position::START, 1, 60), &stop, |_, _| match rest.next() {
        Some(some) => {
            Book::write(&path).expect("it is there").add(some).expect("room");
        }
        None => stop.store(true, std::sync::atomic::Ordering::Relaxed),
    })
    .expect("room");
    assert_eq!(book.counts().expect("readable").games, 12);
    assert_clean(&mut book);
}

/// A grown book with games, and the same for play.
fn grown_and_compact() -> (TempDir, PathBuf, PathBuf) {
    let (folder, path) = folder();
    let mut book = Book::create(&path, None).expect("a new book");
    book.add(&random_games(80, 13)).expect("room");
    grow(&mut book, &settings(Position::START, 1, 60), 80);
    let compact = folder.path().join("play.compact");
    let selection = ExportFilter { min_games: 1, ..ExportFilter::default() };
    let count = book.write_compact(&compact, selection).expect("room");
    assert!(count > 1000);
    (folder, path, compact)
}

#[test]
fn the_compact_book_plays_like_the_whole_one_and_both_stay_legal() {
    let (_folder, path, compact) = grown_and_compact();
    let full = PlayBook::open(&path).expect("a book");
    let compact = PlayBook::open(&compact).expect("a book");
    assert!(matches!(full, PlayBook::Full { writable: true, .. }));
    assert!(matches!(compact, PlayBook::Compact(_)));
    let (mut known, mut asked) = (0, 0);
    for game in random_games(20, 13) {
        let mut position = game.start;
        for square in &game.squares[..12.min(game.squares.len())] {
            for by in [ChoiceCriterion::Value, ChoiceCriterion::WinRate] {
                for symmetry in Symmetry::ALL {
                    let turned = symmetry.of_position(position);
                    let moves = full.moves(turned, by).expect("readable");
                    assert_eq!(compact.moves(turned, by).expect("readable"), moves);
                    asked += 1;
                    known += usize::from(!moves.is_empty());
                    for one in &moves {
                        let square = one.played().square().expect("a disc");
                        assert!(turned.moves() & square.bit() != 0, "{one:?}");
                    }
                    assert!(moves.windows(2).all(|pair| match by {
                        ChoiceCriterion::Value => pair[0].eval >= pair[1].eval,
                        ChoiceCriterion::WinRate => pair[0].win_rate >= pair[1].win_rate,
                    }));
                }
            }
            if position.must_pass() {
                position = position.passed();
            }
            position = position.place(*square).expect("legal");
        }
    }
    assert!(known > 50 && known < asked, "{known} of {asked}");
}

#[test]
fn looseness_varies_the_game_within_its_bounds_and_the_seed_repeats_it() {
    let (_folder, path, _) = grown_and_compact();
    let book = PlayBook::open(&path).expect("a book");
    let f5 = Position::START.place(Square::F5).expect("legal");
    let best = book.moves(f5, ChoiceCriterion::Value).expect("readable")[0].clone();
    let choose = |loose: i32, seed: u64| {
        let mut random = fastrand::Rng::with_seed(seed);
        let choosing = ChoicePolicy { by: ChoiceCriterion::Value, loose };
        (0..20)
            .map(|_| book.choose(f5, choosing, &mut random).expect("readable").expect("known"))
            .map(|one| (one.played(), one.eval))
            .collect::<Vec<(Move, Eval)>>()
    };
    assert!(choose(0, 1).iter().all(|(played, _)| *played == best.played()));
    let loose = choose(6400, 2);
    assert!(loose.iter().any(|(played, _)| *played != best.played()));
    assert_eq!(loose, choose(6400, 2));
    let least = best.eval.centidiscs() - 150;
    assert!(choose(150, 3).iter().all(|(_, eval)| eval.centidiscs() >= least));
}

#[test]
fn a_compact_book_that_is_damaged_is_refused() {
    let (folder, _, compact) = grown_and_compact();
    let bytes = std::fs::read(&compact).expect("there");
    let damaged = folder.path().join("damaged.compact");
    fastrand::seed(5);
    for _ in 0..200 {
        let mut some = bytes.clone();
        match fastrand::u8(0..3) {
            0 => some.truncate(fastrand::usize(16..bytes.len())),
            1 => some[fastrand::usize(16..bytes.len())] ^= 1 << fastrand::u8(0..8),
            _ => some.extend([0; 32]),
        }
        std::fs::write(&damaged, &some).expect("room");
        let error = PlayBook::open(&damaged).expect_err("damaged");
        assert!(error.to_string().contains("damaged"), "{error}");
    }
}

#[test]
fn books_that_are_merged_have_the_games_and_the_better_searches_of_both() {
    let (_one, one) = folder();
    let (_other, other) = folder();
    let (_both, both) = folder();
    let games = random_games(50, 40);
    let mut one = Book::create(&one, None).expect("a new book");
    one.add(&games[..30]).expect("room");
    grow(&mut one, &settings(Position::START, 1, 60), 20);
    let mut other = Book::create(&other, None).expect("a new book");
    other.add(&games[20..]).expect("room");
    grow(&mut other, &settings(Position::START, 3, 60), 20);
    let mut both = Book::create(&both, None).expect("a new book");
    assert_eq!(both.merge(&one).expect("room"), AddedGames { new: 30, known: 0 });
    assert_eq!(both.merge(&other).expect("room"), AddedGames { new: 20, known: 10 });
    assert_clean(&mut both);
    let f5 = Position::START.place(Square::F5).expect("legal");
    let depth = both.entry(f5).expect("readable").and_then(|entry| entry.searched);
    let deeper = other.entry(f5).expect("readable").and_then(|entry| entry.searched);
    assert_eq!(depth, deeper, "the deeper search stays");
    let before = all_entries(&both);
    both.merge(&one).expect("room");
    both.merge(&other).expect("room");
    assert_eq!(all_entries(&both), before, "again changes nothing");
}

#[test]
fn a_learned_game_that_goes_on_is_valued_by_its_last_search() {
    let (_folder, path) = folder();
    let mut book = Book::create(&path, None).expect("a new book");
    let game = random_games(4, 3).remove(3);
    assert!(game.result.is_none(), "every tenth game is cut short");
    let mut position = game.start;
    for square in &game.squares {
        if position.must_pass() {
            position = position.passed();
        }
        position = position.place(*square).expect("legal");
    }
    let report = umigame_engine::search::Report {
        lines: vec![umigame_engine::search::ReportLine {
            moves: squares(position.moves()).map(Move::Place).take(1).collect(),
            eval: Eval::from_centidiscs(250),
            bound: umigame_engine::search::Bound::Exact,
        }],
        kind: ScoreKind::Depth { plies: 8, percent: 73 },
        ..Default::default()
    };
    book.learn(&game, Some((position, report))).expect("room");
    let start = book.entry(Position::START).expect("readable").expect("it is there");
    assert_eq!((start.tally.games, start.tally.results()), (1, 0));
    let value = start.value.expect("backed up");
    assert_eq!((value.eval.centidiscs().abs(), value.trust), (250, Trust::Played));
    assert_clean(&mut book);
}

#[test]
fn text_has_a_line_for_every_position_that_is_selected() {
    let (folder, path, _) = grown_and_compact();
    let book = Book::read(&path).expect("a book");
    let write = |name: &str, format, selection| {
        let file = folder.path().join(name);
        let count = book.write_text(&file, format, selection).expect("room");
        (count, std::fs::read_to_string(&file).expect("there"))
    };
    let (all, csv) = write("all.csv", TextFormat::Csv, ExportFilter::default());
    assert_eq!(all, all_entries(&book).len());
    assert_eq!(csv.lines().count(), all + 1);
    let fields = csv.lines().next().expect("a heading").split(',').count();
    assert!(csv.lines().all(|line| line.split(',').count() == fields));
    let early = ExportFilter { max_ply: 3, ..ExportFilter::default() };
    let (few, jsonl) = write("early.jsonl", TextFormat::JsonLines, early);
    assert!(few > 2 && few < 100);
    for line in jsonl.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert!(line["ply"].as_i64().is_some_and(|ply| ply <= 3), "{line}");
    }
    let searched = ExportFilter { searched: true, ..ExportFilter::default() };
    let (count, _) = write("searched.csv", TextFormat::Csv, searched);
    assert_eq!(count as u64, book.counts().expect("readable").searched);
}
