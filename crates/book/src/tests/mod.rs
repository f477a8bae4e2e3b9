//! Laws of a book: its content does not depend on the order in which games come in, and a check
//! finds no fault.

mod archive;
mod growing;
mod opening;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use tempfile::TempDir;

use super::*;
use umigame_othello::{Move, Position, Record, Square, Symmetry};

/// Returns a new folder and the path of a book in it.
fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book.sqlite");
    (folder, path)
}

/// Returns random games from the start; every tenth is cut short.
fn random_games(count: usize, seed: u64) -> Vec<BookGame> {
    random_records(count, seed).iter().map(|record| BookGame::of(record).expect("legal")).collect()
}

fn random_records(count: usize, seed: u64) -> Vec<Record> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..count)
        .map(|number| {
            let mut record = Record::default();
            let mut position = Position::START;
            let max_turns = if number % 10 == 3 { random.usize(1..50) } else { 80 };
            while !position.is_over() && record.turns.len() < max_turns {
                let legal: Vec<Square> = position.legal_moves().iter().collect();
                // Few openings, so that games have positions in common.
                let choices = if record.turns.len() < 6 { 2 } else { legal.len() };
                let choice = random.usize(..choices.min(legal.len()).max(1));
                let played = legal.get(choice).map_or(Move::Pass, |square| Move::Place(*square));
                record.turns.push(played.into());
                position = match played {
                    Move::Place(square) => position.play(square).expect("legal"),
                    Move::Pass => position.passed(),
                };
            }
            record.players[0].name = format!("player {number}");
            record
        })
        .collect()
}

fn all_entries(book: &Book) -> Vec<(Position, BookEntry)> {
    (0..=64).flat_map(|empties| book.layer(empties).expect("readable")).collect()
}

fn assert_no_faults(book: &mut Book) {
    let report = book.check(|_| {}).expect("readable");
    assert_eq!(report.fault_count, 0, "{:?}", report.faults);
}

fn entry(book: &Book, position: Position) -> BookEntry {
    book.entry(position).expect("readable").expect("in the book")
}

#[test]
fn names_that_differ_only_in_nul_bytes_stay_different() {
    let named = |names: [&str; 2]| {
        let mut record =
            Record { turns: vec![Move::Place(Square::F5).into()], ..Record::default() };
        for (player, name) in record.players.iter_mut().zip(names) {
            name.clone_into(&mut player.name);
        }
        BookGame::of(&record).expect("legal")
    };
    let games = [named(["a\0b", "c"]), named(["a", "b\0c"]), named(["\0", "\0c\0"])];
    let names = games.each_ref().map(|game| [game.black.as_str(), game.white.as_str()]);
    assert_eq!(names, [["a b", "c"], ["a", "b c"], ["", "c"]]);
    let (_folder, path) = folder();
    let mut book = Book::create(&path, None).expect("a new book");
    assert_eq!(book.add(&games).expect("writable").new, 3);
    assert_no_faults(&mut book);
}

#[test]
fn games_added_one_by_one_or_at_once_or_twice_make_the_same_book() {
    let games = random_games(150, 5);
    let (_at_once, path) = folder();
    let mut at_once = Book::create(&path, None).expect("a new book");
    assert_eq!(at_once.add(&games).expect("writable"), AddedGames { new: 150, known: 0 });
    let (_one_by_one, path) = folder();
    let mut one_by_one = Book::create(&path, None).expect("a new book");
    for few in games.rchunks(7) {
        one_by_one.add(few).expect("writable");
    }
    let expected = all_entries(&at_once);
    assert!(expected.len() > 5000);
    assert_eq!(all_entries(&one_by_one), expected);
    let again = at_once.add(&games[20..90]).expect("writable");
    assert_eq!(again, AddedGames { new: 0, known: 70 });
    assert_eq!(all_entries(&at_once), expected);
    assert_no_faults(&mut at_once);
    assert_no_faults(&mut one_by_one);
    let start = entry(&at_once, Position::START);
    assert_eq!(start.stats.games, 150);
    assert!(start.stats.results() < 150, "some games have no result");
    assert_eq!(start.moves().count(), 1, "the four first moves are equivalent");
}

#[test]
fn a_game_and_its_mirror_image_meet_the_same_positions() {
    let (_folder, path) = folder();
    let mut book = Book::create(&path, None).expect("a new book");
    let game = random_games(1, 9).remove(0);
    let turned = BookGame {
        squares: game.squares.iter().map(|s| Symmetry::ALL[3].of_square(*s)).collect(),
        start: Symmetry::ALL[3].of_position(game.start),
        black: "another".to_owned(),
        ..game.clone()
    };
    book.add(&[game]).expect("writable");
    let before = all_entries(&book).len();
    assert_eq!(book.add(&[turned]).expect("writable").new, 1);
    assert_eq!(all_entries(&book).len(), before);
    assert!(all_entries(&book).iter().all(|(_, entry)| entry.stats.games >= 2));
    assert_no_faults(&mut book);
}

#[test]
fn positions_after_the_last_ply_are_not_stored() {
    let (_folder, path) = folder();
    let mut book = Book::create(&path, Some(12)).expect("a new book");
    book.add(&random_games(40, 2)).expect("writable");
    assert!(all_entries(&book).iter().all(|(position, _)| position.empties() >= 48));
    assert_no_faults(&mut book);
    drop(book);
    let error = Book::create(&path, Some(20)).expect_err("the last ply is fixed");
    assert!(matches!(error, BookError::OtherPlies { kept: 12, asked: 20, .. }), "{error}");
    assert_eq!(Book::create(&path, None).expect("a book").max_ply(), 12);
}

#[test]
fn a_check_finds_wrong_entries() {
    let games = random_games(30, 4);
    let start = CanonicalPosition::of(Position::START).position();
    for damage in 0..4 {
        let (_folder, path) = folder();
        let mut book = Book::create(&path, None).expect("a new book");
        book.add(&games).expect("writable");
        let mut damaged = entry(&book, start);
        match damage {
            0 => damaged.stats.games += 1,
            1 => damaged.moves[0].0 = 0,
            2 => damaged.value = None,
            _ => damaged = BookEntry::default(),
        }
        book.database.put(start, &damaged, None).expect("writable");
        assert!(book.check(|_| {}).expect("readable").fault_count > 0, "damage {damage}");
    }
}

#[test]
fn a_full_disk_is_reported_and_what_was_committed_is_kept() {
    let (_folder, path) = folder();
    let mut book = Book::create(&path, None).expect("a new book");
    let games = random_games(400, 8);
    book.add(&games[..10]).expect("writable");
    let before = all_entries(&book);
    book.database.limit_pages(40);
    let error = book.add(&games).expect_err("the disk is full");
    assert!(matches!(error, BookError::Full(_)), "{error}");
    drop(book);
    let mut book = Book::write(&path).expect("a book");
    assert_eq!(all_entries(&book), before);
    assert_no_faults(&mut book);
    assert_eq!(book.add(&games).expect("writable again").new, 390);
}

#[test]
fn an_interrupted_commit_leaves_the_book_unchanged() {
    let (_folder, path) = folder();
    let mut book = Book::create(&path, None).expect("a new book");
    let games = random_games(60, 15);
    book.add(&games[..10]).expect("writable");
    let before = all_entries(&book);
    let stop = AtomicBool::new(true);
    let error = book.add_until(&games, &stop).expect_err("interrupted");
    assert!(matches!(error, BookError::Interrupted), "{error}");
    assert_eq!(all_entries(&book), before);
    stop.store(false, Ordering::Relaxed);
    assert_eq!(book.add_until(&games, &stop).expect("writable").new, 50);
    assert_no_faults(&mut book);
}

#[test]
fn a_second_writer_waits_and_readers_do_not() {
    let (_folder, path) = folder();
    let games = random_games(40, 6);
    Book::create(&path, None).expect("a new book").add(&games[..1]).expect("writable");
    let reader = Book::read(&path).expect("a book");
    std::thread::scope(|scope| {
        for games in games[1..].chunks(13) {
            let path = &path;
            scope.spawn(move || {
                let mut book = Book::write(path).expect("a book");
                games.iter().for_each(|game| {
                    book.add(std::slice::from_ref(game)).expect("writable");
                });
            });
        }
        for _ in 0..20 {
            assert!(entry(&reader, Position::START).stats.games >= 1);
        }
    });
    assert_eq!(entry(&reader, Position::START).stats.games, 40);
    assert_no_faults(&mut Book::write(&path).expect("a book"));
}

#[test]
fn a_view_has_the_orientation_of_its_position() {
    let (_folder, path) = folder();
    let mut book = Book::create(&path, None).expect("a new book");
    book.add(&random_games(50, 1)).expect("writable");
    let view = book.view_position(Position::START).expect("readable");
    assert_eq!((view.ply, view.moves.len()), (0, 1));
    let first = &view.moves[0];
    assert_eq!((first.played, first.equivalent.len()), (Move::Place(Square::F5), 4));
    assert_eq!(first.stats.games, 50);
    for symmetry in Symmetry::ALL {
        let f5 = Position::START.play(Square::F5).expect("legal");
        let turned = symmetry.of_position(f5);
        let view = book.view_position(turned).expect("readable");
        let games: u32 = view.moves.iter().map(|one| one.stats.games).sum();
        assert_eq!(games, 50);
        for one in &view.moves {
            let square = one.played.square().expect("a disc");
            assert!(turned.legal_moves().contains(square), "{square} is legal");
        }
    }
}

#[test]
fn the_value_of_the_start_is_backed_up_from_the_end_of_a_game() {
    let (_folder, path) = folder();
    let mut book = Book::create(&path, None).expect("a new book");
    let games = random_games(1, 21);
    book.add(&games).expect("writable");
    let start = entry(&book, Position::START);
    let value = start.value.expect("a value");
    let result = games[0].result.expect("played to its end");
    assert_eq!(value.eval, result.to_eval());
    assert_eq!(value.trust, Trust::Played);
    assert_eq!(start.stats.best(), Some(result.discs() as i8));
}
