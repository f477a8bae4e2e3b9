//! The games of `serve`: read in the background, from files or from the book.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use umigame_book::{Book, BookError, BookGame, CompactBook};
use umigame_serve::ServedGames;
use umigame_support::exit::{bad_input, shown};
use umigame_support::interrupt::is_interrupted;

use crate::cli::args::ServeArgs;
use crate::cli::convert::{GameReader, files_of_games};

/// Games handed over at once.
const BATCH: usize = 4096;

/// Begins to read the games of `--games`, or else those of the book; `None` if there are none.
///
/// # Errors
/// A path without games, or a book that cannot be read.
pub(super) fn load(args: &ServeArgs) -> Result<Option<ServedGames>> {
    let games = ServedGames::default();
    let served = games.clone();
    if let Some(path) = &args.games {
        let files = files_of_games(path, "serve").context("--games")?;
        std::thread::spawn(move || read_files(&files, &games));
    } else if let Some(book) = args.book.as_deref().map(book_with_games).transpose()?.flatten() {
        std::thread::spawn(move || read_book(&book, &games));
    } else {
        return Ok(None);
    }
    Ok(Some(served))
}

/// Opens a book that has games.
fn book_with_games(path: &Path) -> Result<Option<Book>> {
    if CompactBook::is_compact(path) {
        return Ok(None);
    }
    let counted = |book: Book| Ok((book.counts()?.games > 0).then_some(book));
    Book::read(path)
        .and_then(counted)
        .map_err(|error: BookError| bad_input(format!("--book {error}")))
}

fn read_book(book: &Book, games: &ServedGames) {
    let added = book.games(|some| {
        games.add(some);
        !is_interrupted()
    });
    if let Err(error) = added {
        log::warn!("cannot read all games of the book: {error}");
    }
    games.complete();
}

fn read_files(files: &[PathBuf], games: &ServedGames) {
    let mut reader = GameReader::default();
    for path in files {
        read_file(path, &mut reader, games);
    }
    games.complete();
}

/// Reads the games of a file; says how many could not be read, and why.
fn read_file(path: &Path, reader: &mut GameReader, games: &ServedGames) {
    let (mut batch, mut faults, mut first) = (Vec::new(), 0_u32, None);
    let read = reader.read(path, &mut |game| {
        let game = game.map_err(|error| error.to_string()).and_then(|record| {
            BookGame::of(&record).map_err(|error| format!("{}: {error}", shown(path)))
        });
        match game {
            Ok(game) => batch.push(game),
            Err(why) => {
                faults += 1;
                first.get_or_insert(why);
            }
        }
        if batch.len() == BATCH {
            games.add(&batch);
            batch.clear();
        }
        !is_interrupted()
    });
    games.add(&batch);
    if let Some(why) = first {
        log::warn!("games left out: {faults}, the first because of this: {why}");
    }
    if let Err(error) = read {
        log::warn!("{error}");
    }
}
