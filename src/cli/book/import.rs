//! `umigame book import`: adds games to a book.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use umigame_book::{AddedGames, Book, BookError, BookGame};

use super::common::{counted, explain, file_bytes, megabytes};
use crate::cli::convert::{GameReader, files_of_games};
use umigame_support::exit::{Exit, complain, shown};
use umigame_support::interrupt::{INTERRUPTED, is_interrupted, outcome, stop_when_interrupted};
use umigame_support::progress;

/// Add games to a book, which is made where it is missing
///
/// Reads .wtb (WTHOR), .ggf, .sgf, .pgn and .txt (transcripts); a folder stands for all files of
/// games in it. A game that is in the book already changes nothing: two games are the same where
/// moves, players, place, date and result are the same. A game that cannot be read is named on
/// standard error and the others are added. Results and values are backed up with every commit; an
/// interrupt or a kill costs the commit in progress.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame book import games.ggf
  umigame book import --book wthor.sqlite wthor/ --plies 40

Exit codes: 0 done, 1 the book could not be written, 2 a game or a file could not be read")]
pub(super) struct ImportArgs {
    /// Files of games, and folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// Last ply whose positions a new book stores [default: all]
    #[arg(long, value_name = "1-60", value_parser = clap::value_parser!(u8).range(1..=60))]
    plies: Option<u8>,

    /// Games per commit, at most
    #[arg(long, value_name = "COUNT", default_value_t = Book::MAX_GAMES_PER_COMMIT as u32,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    commit: u32,

    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// An import in progress.
struct Import<'a> {
    book: &'a mut Book,
    /// Games of the next commit.
    pending: Vec<BookGame>,
    games_per_commit: usize,
    added: AddedGames,
    /// Games and files that could not be read.
    failed: u64,
    bar: indicatif::ProgressBar,
}

impl Import<'_> {
    /// Adds the pending games, unless the user interrupts.
    fn commit(&mut self) -> Result<()> {
        let added = match self.book.add_until(&self.pending, &INTERRUPTED) {
            Err(BookError::Interrupted) => return Ok(()),
            added => added.map_err(explain)?,
        };
        self.added += added;
        self.bar.set_message(counted(self.added.new + self.added.known, "game"));
        self.pending.clear();
        Ok(())
    }

    fn complain(&mut self, why: &dyn std::fmt::Display) {
        self.failed += 1;
        complain(why);
    }

    fn read(&mut self, reader: &mut GameReader, path: &Path) -> Result<()> {
        let (mut failure, mut number) = (None, 0);
        reader
            .read(path, &mut |game| {
                number += 1;
                // Some formats do not check that moves are legal.
                let replayed = game.map_err(|error| error.to_string()).and_then(|record| {
                    let place = || format!("{}: game {number}", shown(path));
                    BookGame::of(&record).map_err(|error| format!("{}: {error}", place()))
                });
                match replayed {
                    // A game without moves met no position.
                    Ok(game) if game.squares.is_empty() => {}
                    Ok(game) => self.pending.push(game),
                    Err(why) => self.complain(&why),
                }
                if self.pending.len() >= self.games_per_commit {
                    failure = self.commit().err();
                }
                failure.is_none() && !is_interrupted()
            })
            // The other files are imported all the same.
            .unwrap_or_else(|error| self.complain(&error));
        failure.map_or(Ok(()), Err)
    }
}

pub(super) fn run(args: &ImportArgs, book: &Path, out: &mut dyn Write) -> Result<Exit> {
    let begun = Instant::now();
    let mut paths = Vec::new();
    for path in &args.files {
        paths.extend(files_of_games(path, "import")?);
    }
    stop_when_interrupted()?;
    let mut open = Book::create(book, args.plies).map_err(explain)?;
    let mut import = Import {
        book: &mut open,
        pending: Vec::new(),
        games_per_commit: args.commit as usize,
        added: AddedGames::default(),
        failed: 0,
        bar: progress::bar(Some(paths.len() as u64), "files"),
    };
    let mut reader = GameReader::default();
    for path in &paths {
        if is_interrupted() {
            break;
        }
        import.read(&mut reader, path)?;
        import.bar.inc(1);
    }
    import.commit()?;
    import.bar.finish_and_clear();
    if is_interrupted() {
        log::warn!("interrupted: games read and not added: {}", import.pending.len());
    }
    let (AddedGames { new, known }, failed) = (import.added, import.failed);
    let counts = open.counts().map_err(explain)?;
    // Closing the last connection moves the log into the file.
    drop(open);
    let (seconds, bytes) = (begun.elapsed().as_secs_f64(), file_bytes(book));
    if args.json {
        let summary = serde_json::json!({
            "files": paths.len(), "new": new, "known": known, "failed": failed,
            "games": counts.games, "positions": counts.positions,
            "seconds": seconds, "bytes": bytes,
        });
        writeln!(out, "{summary}")?;
    } else {
        let (files, size) = (paths.len(), megabytes(bytes));
        let games = format!("new games {new}, known {known}, not readable {failed}");
        writeln!(out, "# files {files}, {games}; {seconds:.1} s")?;
        let (games, positions) =
            (counted(counts.games, "game"), counted(counts.positions, "position"));
        writeln!(out, "# the book has {games}, {positions}, {size:.1} MB")?;
    }
    Ok(outcome().max(if failed == 0 { Exit::Done } else { Exit::BadInput }))
}
