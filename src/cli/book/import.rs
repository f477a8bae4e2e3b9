//! `umigame book import`: games into the book.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::cli::convert::{Format, Reader, files_of};
use anyhow::Result;
use clap::Args;
use umigame_book::{AddedGames, Book, BookGame};

use super::{explain, megabytes, size};
use crate::cli::interrupt::{is_interrupted, outcome, stop_when_interrupted};
use crate::cli::learn::progress;
use crate::cli::{Outcome, bad_input, complain, must_exist, shown};

/// Add games to a book, which is made where it is missing
///
/// Reads what `umigame convert` reads, by the names of the files: .wtb
/// (WTHOR), .ggf, .sgf, .pgn, .txt (transcripts); a folder stands for all the
/// files of games in it. A game that is in the book already changes nothing:
/// games are the same where moves, players, place, date and result are. A
/// game that cannot be read is named on standard error and the others are
/// added. Results and values are backed up with every commit; an interrupt or
/// a kill costs the one at hand.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame book import games.ggf
  umigame book import --book wthor.sqlite wthor/ --plies 40

Exit codes: 0 all right, 1 the book could not be written, 2 a game or a file could not be read")]
pub(super) struct ImportArgs {
    /// Files of games, and folders of them
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// The last ply whose positions a new book keeps [default: all]
    #[arg(long, value_name = "1-60", value_parser = clap::value_parser!(u8).range(1..=60))]
    plies: Option<u8>,

    /// Games in a commit, at most
    #[arg(long, value_name = "COUNT", default_value_t = Book::MAX_GAMES_PER_COMMIT as u32,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    commit: u32,

    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// The games of many files on their way into a book.
struct Import<'a> {
    book: &'a mut Book,
    waiting: Vec<BookGame>,
    /// Games in a commit.
    most: usize,
    added: AddedGames,
    failed: u64,
    bar: indicatif::ProgressBar,
}

impl Import<'_> {
    fn commit(&mut self) -> Result<()> {
        let added = self.book.add(&self.waiting).map_err(explain)?;
        self.added.new += added.new;
        self.added.known += added.known;
        self.bar.inc(self.waiting.len() as u64);
        self.waiting.clear();
        Ok(())
    }

    fn complain(&mut self, why: &dyn std::fmt::Display) {
        self.failed += 1;
        complain(why);
    }

    fn read(&mut self, reader: &mut Reader, path: &Path) -> Result<()> {
        let (mut failure, mut number) = (None, 0);
        reader
            .read(path, &mut |game| {
                number += 1;
                // Not every format replays its games.
                let replayed = game.map_err(|error| error.to_string()).and_then(|record| {
                    let place = || format!("{}: game {number}", shown(path));
                    BookGame::of(&record).map_err(|error| format!("{}: {error}", place()))
                });
                match replayed {
                    // Nothing was played: it met no position.
                    Ok(game) if game.squares.is_empty() => {}
                    Ok(game) => self.waiting.push(game),
                    Err(why) => self.complain(&why),
                }
                if self.waiting.len() >= self.most {
                    failure = self.commit().err();
                }
                failure.is_none() && !is_interrupted()
            })
            // One bad file does not spoil the others.
            .unwrap_or_else(|error| self.complain(&error));
        failure.map_or(Ok(()), Err)
    }
}

/// The files of games that a path stands for; positions are no games.
fn games_of(path: &Path) -> Result<Vec<PathBuf>> {
    must_exist(path, "import")?;
    let mut paths = files_of(path).map_err(bad_input)?;
    paths.retain(|path| Format::of(path) != Some(Format::Obf));
    if paths.is_empty() {
        return Err(bad_input(format!("{}: .obf files hold positions, not games", shown(path))));
    }
    Ok(paths)
}

pub(super) fn run(args: &ImportArgs, book: &Path, out: &mut dyn Write) -> Result<Outcome> {
    let begun = Instant::now();
    let mut paths = Vec::new();
    for path in &args.files {
        paths.extend(games_of(path)?);
    }
    let mut open = Book::create(book, args.plies).map_err(explain)?;
    stop_when_interrupted()?;
    let mut import = Import {
        book: &mut open,
        waiting: Vec::new(),
        most: args.commit as usize,
        added: AddedGames::default(),
        failed: 0,
        bar: progress(None, "games"),
    };
    let mut reader = Reader::default();
    for path in &paths {
        if is_interrupted() {
            break;
        }
        import.read(&mut reader, path)?;
    }
    import.commit()?;
    import.bar.finish_and_clear();
    let (AddedGames { new, known }, failed) = (import.added, import.failed);
    let counts = open.counts().map_err(explain)?;
    // The last connection writes back what is in the log.
    drop(open);
    let (seconds, bytes) = (begun.elapsed().as_secs_f64(), size(book));
    if args.json {
        let summary = serde_json::json!({
            "files": paths.len(), "new": new, "known": known, "failed": failed,
            "games": counts.games, "positions": counts.positions,
            "seconds": seconds, "bytes": bytes,
        });
        writeln!(out, "{summary}")?;
    } else {
        writeln!(
            out,
            "# files {}, new games {new}, known {known}, not readable {failed}; {seconds:.1} s",
            paths.len()
        )?;
        writeln!(
            out,
            "# the book has {} games, {} positions, {:.1} MB",
            counts.games,
            counts.positions,
            megabytes(bytes)
        )?;
    }
    Ok(outcome().max(if failed == 0 { Outcome::Done } else { Outcome::BadInput }))
}
