//! Laws of the book: whatever way games come in, what it holds is the same,
//! and a check finds nothing.

mod play;

use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use umigame_othello::game::Record;
use umigame_othello::{Move, Square, Symmetry, squares};

/// A folder with a book in it.
fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book.sqlite");
    (folder, path)
}

/// Games by chance from the start; every tenth is cut short.
fn random_games(count: usize, seed: u64) -> Vec<BookGame> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..count)
        .map(|number| {
            let mut record = Record::default();
            let mut position = Position::START;
            let most = if number % 10 == 3 { random.usize(1..50) } else { 80 };
            while !position.is_over() && record.turns.len() < most {
                let legal: Vec<Square> = squares(position.moves()).collect();
                // Few openings, so that games meet.
                let narrow = if record.turns.len() < 6 { 2 } else { legal.len() };
                let choice = random.usize(..narrow.min(legal.len()).max(1));
                let played = legal.get(choice).map_or(Move::Pass, |square| Move::Place(*square));
                record.turns.push(played.into());
                position = match played {
                    Move::Place(square) => position.place(square).expect("legal"),
                    Move::Pass => position.passed(),
                };
            }
            record.players[0].name = format!("player {number}");
            BookGame::of(&record).expect("legal")
        })
        .collect()
}

fn all_entries(book: &Book) -> Vec<(Position, BookEntry)> {
    (0..=64).flat_map(|empties| book.sql.layer(empties).expect("readable")).collect()
}

fn assert_clean(book: &mut Book) {
    let checked = book.check(|_| {}).expect("readable");
    assert_eq!(checked.wrong, 0, "{:?}", checked.complaints);
}

/// Nothing but SQLite keeps it in a text, and it parts the texts of an identity.
#[test]
fn a_name_with_a_zero_byte_is_kept_without_it_and_makes_no_two_games_one() {
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
    assert_eq!(book.add(&games).expect("room").new, 3);
    assert_clean(&mut book);
}

#[test]
fn games_one_by_one_all_at_once_and_twice_make_the_same_book() {
    let games = random_games(150, 5);
    let (_at_once, path) = folder();
    let mut at_once = Book::create(&path, None).expect("a new book");
    assert_eq!(at_once.add(&games).expect("room"), AddedGames { new: 150, known: 0 });
    let (_one_by_one, path) = folder();
    let mut one_by_one = Book::create(&path, None).expect("a new book");
    for few in games.rchunks(7) {
        one_by_one.add(few).expect("room");
    }
    let expected = all_entries(&at_once);
    assert!(expected.len() > 5000);
    assert_eq!(all_entries(&one_by_one), expected);
    assert_eq!(at_once.add(&games[20..90]).expect("room"), AddedGames { new: 0, known: 70 });
    assert_eq!(all_entries(&at_once), expected);
    assert_clean(&mut at_once);
    assert_clean(&mut one_by_one);
    let start = at_once.entry(Position::START).expect("readable").expect("it is there");
    assert_eq!(start.tally.games, 150);
    assert!(start.tally.results() < 150, "some games have no result");
    assert_eq!(start.moves().count(), 1, "the four first moves are one");
}

#[test]
fn a_game_turned_round_meets_the_same_positions() {
    let (_folder, path) = folder();
    let mut book = Book::create(&path, None).expect("a new book");
    let game = random_games(1, 9).remove(0);
    let turned = BookGame {
        squares: game.squares.iter().map(|s| Symmetry::ALL[3].of_square(*s)).collect(),
        start: Symmetry::ALL[3].of_position(game.start),
        black: "another".to_owned(),
        ..game.clone()
    };
    book.add(&[game]).expect("room");
    let before = all_entries(&book).len();
    assert_eq!(book.add(&[turned]).expect("room").new, 1);
    assert_eq!(all_entries(&book).len(), before);
    assert!(all_entries(&book).iter().all(|(_, entry)| entry.tally.games >= 2));
    assert_clean(&mut book);
}

#[test]
fn a_book_that_keeps_some_plies_keeps_no_more() {
    let (_folder, path) = folder();
    let mut book = Book::create(&path, Some(12)).expect("a new book");
    book.add(&random_games(40, 2)).expect("room");
    assert!(all_entries(&book).iter().all(|(position, _)| position.empties() >= 48));
    assert_clean(&mut book);
    drop(book);
    let error = Book::create(&path, Some(20)).expect_err("fixed");
    assert!(matches!(error, BookError::OtherPlies { kept: 12, asked: 20, .. }), "{error}");
    assert_eq!(Book::create(&path, None).expect("it is there").plies(), 12);
}

#[test]
fn what_is_wrong_in_a_book_is_found() {
    let games = random_games(30, 4);
    let start = CanonicalPosition::of(Position::START).position();
    for damage in 0..4 {
        let (_folder, path) = folder();
        let mut book = Book::create(&path, None).expect("a new book");
        book.add(&games).expect("room");
        let mut entry = book.entry(start).expect("readable").expect("it is there");
        match damage {
            0 => entry.tally.games += 1,
            1 => entry.moves[0].0 = 0,
            2 => entry.value = None,
            _ => entry = BookEntry::default(),
        }
        book.sql.put(start, &entry, None).expect("room");
        assert!(book.check(|_| {}).expect("readable").wrong > 0, "damage {damage}");
    }
}

#[test]
fn a_full_disk_is_named_and_loses_nothing_that_was_committed() {
    let (_folder, path) = folder();
    let mut book = Book::create(&path, None).expect("a new book");
    let games = random_games(400, 8);
    book.add(&games[..10]).expect("room");
    let before = all_entries(&book);
    book.sql.limit_pages(40);
    let error = book.add(&games).expect_err("no room");
    assert!(matches!(error, BookError::Full(_)), "{error}");
    drop(book);
    let mut book = Book::write(&path).expect("it is there");
    assert_eq!(all_entries(&book), before);
    assert_clean(&mut book);
    assert_eq!(book.add(&games).expect("room again").new, 390);
}

#[test]
fn files_that_are_no_book_are_refused_by_name() {
    let (folder, path) = folder();
    let refusal = |path: &Path| Book::read(path).expect_err("no book").to_string();
    assert!(refusal(&path).contains("no such book"), "{}", refusal(&path));
    std::fs::write(&path, "not a database, but a text that is long enough to look at")
        .expect("room");
    assert!(refusal(&path).contains("no book"), "{}", refusal(&path));
    std::fs::write(&path, "").expect("room");
    assert!(refusal(&path).contains("no book"), "{}", refusal(&path));
    let newer = folder.path().join("newer.sqlite");
    let book = Book::create(&newer, None).expect("a new book");
    book.sql.set_about("version", "7").expect("room");
    drop(book);
    assert!(refusal(&newer).contains("version 7"), "{}", refusal(&newer));
    assert!(Book::create(&newer, None).is_err());
}

#[test]
fn a_book_that_is_read_only_is_read_and_not_written() {
    let (_folder, path) = folder();
    Book::create(&path, None).expect("a new book").add(&random_games(5, 1)).expect("room");
    let mut rights = std::fs::metadata(&path).expect("there").permissions();
    rights.set_readonly(true);
    std::fs::set_permissions(&path, rights).expect("it is ours");
    match Book::write(&path) {
        Err(error) => assert!(matches!(error, BookError::ReadOnly(_)), "{error}"),
        Ok(_) => println!("SKIPPED: whoever runs this may write everything"),
    }
    let mut book = Book::read(&path).expect("it is there");
    assert_eq!(book.counts().expect("readable").games, 5);
    let error = book.add(&random_games(9, 1)).expect_err("only to read");
    assert!(matches!(error, BookError::ReadOnly(_)), "{error}");
}

#[test]
fn no_files_are_left_beside_a_book_that_is_closed() {
    let (folder, path) = folder();
    Book::create(&path, None).expect("a new book").add(&random_games(5, 1)).expect("room");
    Book::read(&path).expect("it is there").counts().expect("readable");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[test]
fn a_second_writer_waits_and_readers_do_not() {
    let (_folder, path) = folder();
    let games = random_games(40, 6);
    Book::create(&path, None).expect("a new book").add(&games[..1]).expect("room");
    let reader = Book::read(&path).expect("it is there");
    std::thread::scope(|scope| {
        for games in games[1..].chunks(13) {
            let path = &path;
            scope.spawn(move || {
                let mut book = Book::write(path).expect("it is there");
                games.iter().for_each(|game| {
                    book.add(std::slice::from_ref(game)).expect("room");
                });
            });
        }
        for _ in 0..20 {
            let start = reader.entry(Position::START).expect("readable");
            assert!(start.is_some_and(|entry| entry.tally.games >= 1));
        }
    });
    let start = reader.entry(Position::START).expect("readable").expect("it is there");
    assert_eq!(start.tally.games, 40);
    assert_clean(&mut Book::write(&path).expect("it is there"));
}

#[test]
fn the_view_is_in_the_squares_of_the_question() {
    let (_folder, path) = folder();
    let mut book = Book::create(&path, None).expect("a new book");
    book.add(&random_games(50, 1)).expect("room");
    let view = book.view_position(Position::START).expect("readable");
    assert_eq!((view.ply, view.moves.len()), (0, 1));
    let first = &view.moves[0];
    assert_eq!((first.played, first.like.len()), (Move::Place(Square::F5), 4));
    assert_eq!(first.tally.games, 50);
    for symmetry in Symmetry::ALL {
        let f5 = Position::START.place(Square::F5).expect("legal");
        let turned = symmetry.of_position(f5);
        let view = book.view_position(turned).expect("readable");
        let games: u32 = view.moves.iter().map(|one| one.tally.games).sum();
        assert_eq!(games, 50);
        for one in &view.moves {
            let square = one.played.square().expect("a disc");
            assert!(turned.moves() & square.bit() != 0, "{square} is legal");
        }
    }
}

#[test]
fn the_value_of_the_start_follows_from_the_ends_of_the_games() {
    let (_folder, path) = folder();
    let mut book = Book::create(&path, None).expect("a new book");
    let games = random_games(1, 21);
    book.add(&games).expect("room");
    let start = book.entry(Position::START).expect("readable").expect("it is there");
    let value = start.value.expect("a value");
    let result = games[0].result.expect("played to its end");
    assert_eq!(value.eval, result.to_eval(), "one game: its result");
    assert_eq!(value.trust, Trust::Played);
    assert_eq!(start.tally.best(), Some(result.discs() as i8));
}
