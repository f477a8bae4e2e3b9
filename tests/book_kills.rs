//! A kill at any moment: what was committed is there, and the book is
//! consistent.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use umigame_book::Book;
use umigame_othello::{Move, Position, Square, squares};

/// Games by chance, a line each, from openings that repeat.
fn write_games(path: &Path, count: usize) {
    let mut random = fastrand::Rng::with_seed(2);
    let mut text = String::new();
    for _ in 0..count {
        let mut position = Position::START;
        while !position.is_over() {
            let legal: Vec<Square> = squares(position.moves()).collect();
            let early = position.empties() > 52;
            let most = if early { legal.len().min(2) } else { legal.len() };
            let played = match most {
                0 => Move::Pass,
                _ => legal[random.usize(..most)].into(),
            };
            position = match played {
                Move::Place(square) => {
                    text += &square.to_string();
                    position.place(square).expect("legal")
                }
                Move::Pass => position.passed(),
            };
        }
        text.push('\n');
    }
    std::fs::write(path, text).expect("room");
}

struct Work {
    _folder: TempDir,
    book: PathBuf,
    games: PathBuf,
}

impl Work {
    fn new(games: usize) -> Work {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name| folder.path().join(name);
        let work = Work { book: file("book.sqlite"), games: file("games.txt"), _folder: folder };
        write_games(&work.games, games);
        work
    }

    fn start(&self, args: &[&str]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_umigame"))
            .args(["book", "--book"])
            .arg(&self.book)
            .args(args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts")
    }

    /// Games and searched positions that are committed, as another process
    /// sees them.
    fn committed(&self) -> (u64, u64) {
        let counts = Book::read(&self.book).and_then(|book| book.counts());
        counts.map_or((0, 0), |counts| (counts.games, counts.searched))
    }

    /// Starts the command again and again, kills it after a time by chance,
    /// and checks that the book is clean and has all that was seen committed.
    fn kill(&self, args: &[&str], times: usize, random: &mut fastrand::Rng, longest: Duration) {
        let mut moments = Vec::new();
        for _ in 0..times {
            let mut child = self.start(args);
            let until = Instant::now() + longest.mul_f64(random.f64());
            let mut seen = self.committed();
            while Instant::now() < until {
                seen = self.committed();
                std::thread::sleep(Duration::from_millis(2));
            }
            // SIGKILL where there is one; it may have ended by itself.
            let killed = child.try_wait().expect("a child").is_none();
            child.kill().expect("a child");
            child.wait().expect("a child");
            let now = self.committed();
            assert!(now.0 >= seen.0 && now.1 >= seen.1, "committed {seen:?}, there {now:?}");
            if self.book.exists() {
                match Book::write(&self.book) {
                    Ok(mut book) => {
                        let checked = book.check(|_| {}).expect("readable");
                        assert_eq!(checked.wrong, 0, "{:?}", checked.complaints);
                    }
                    // Killed before the first commit: a file without a table.
                    Err(error) => assert_eq!(now, (0, 0), "{error}"),
                }
            }
            moments.push((killed, now));
        }
        println!("{args:?}: (killed, (games, searched)) {moments:?}");
        // An import may be faster than any kill; growing is not.
        let ends = args.first() == Some(&"import");
        assert!(ends || moments.iter().any(|(killed, _)| *killed), "nothing was killed");
    }

    fn run(&self, args: &[&str]) {
        assert!(self.start(args).wait().expect("a child").success(), "{args:?}");
    }

    fn test(&self, times: usize, longest: Duration) {
        let games = self.games.to_str().expect("ASCII");
        let import = ["import", games, "--commit", "25"];
        let grow = ["grow", "--hours", "1", "--level", "2", "--threads", "2", "--hash", "2"];
        let mut random = fastrand::Rng::new();
        println!("seed {}", random.get_seed());
        self.kill(&import, times, &mut random, longest);
        self.run(&import);
        self.kill(&grow, times, &mut random, longest);
        // The book is that of an import without kills, besides the searches.
        let other = self.book.with_file_name("other.sqlite");
        Book::create(&other, None)
            .expect("a book")
            .merge(&Book::read(&self.book).expect("a book"))
            .expect("room");
        self.run(&import);
        let (killed, merged) = (Book::read(&self.book), Book::read(&other));
        let (killed, merged) = (killed.expect("a book"), merged.expect("a book"));
        for empties in 0..=60 {
            let (one, other) = (killed.layer(empties), merged.layer(empties));
            assert_eq!(one.expect("readable"), other.expect("readable"), "{empties} empties");
        }
    }
}

#[test]
fn a_few_kills_lose_nothing_that_was_committed() {
    Work::new(400).test(3, Duration::from_millis(600));
}

/// Thirty kills of an import and thirty of growing:
///
/// ```sh
/// cargo test --release --test book_kills -- --ignored --nocapture
/// ```
#[test]
#[ignore = "sixty kills with a whole check after each: minutes"]
fn sixty_kills_lose_nothing_that_was_committed() {
    Work::new(6000).test(30, Duration::from_secs(4));
}
