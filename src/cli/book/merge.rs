//! `umigame book merge`: merges other books into a book.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use umigame_book::Book;

use super::common::{counted, explain};
use umigame_support::exit::{Exit, bad_input, shown};

/// Add the games and searches of other books
///
/// Games that the book has already count once; of two searches of a position the better one stays
/// (exact before depth, then plies, then confidence). The book is made where it is missing.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  umigame book merge --book all.sqlite mine.sqlite yours.sqlite")]
pub(super) struct MergeArgs {
    /// The books to add
    #[arg(required = true)]
    others: Vec<PathBuf>,
}

pub(super) fn run(args: &MergeArgs, book: &Path, out: &mut dyn Write) -> Result<Exit> {
    let others: Vec<Book> =
        args.others.iter().map(|path| Book::read(path).map_err(explain)).collect::<Result<_>>()?;
    let is_same = |path: &PathBuf| match (path.canonicalize(), book.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    };
    if let Some(path) = args.others.iter().find(|path| is_same(path)) {
        return Err(bad_input(format!("{}: a book cannot be merged into itself", shown(path))));
    }
    let mut open = Book::create(book, None).map_err(explain)?;
    for other in &others {
        let added = open.merge(other).map_err(explain)?;
        writeln!(out, "# {}: new games {}, known {}", shown(other.path()), added.new, added.known)?;
    }
    let counts = open.counts().map_err(explain)?;
    let (games, positions) = (counted(counts.games, "game"), counted(counts.positions, "position"));
    writeln!(out, "# the book has {games}, {positions}, {} searched", counts.searched)?;
    Ok(Exit::Done)
}
