//! Kills of `umigame book` at random moments: commits survive, and the book has no faults.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use umigame_book::Book;
use umigame_othello::{Move, Position, Square};

/// Writes random games from a few openings, one a line.
fn write_games(path: &Path, count: usize) {
    let mut random = fastrand::Rng::with_seed(2);
    let mut text = String::new();
    for _ in 0..count {
        let mut position = Position::START;
        while !position.is_over() {
            let legal: Vec<Square> = position.legal_moves().iter().collect();
            let early = position.empties() > 52;
            let choices = if early { legal.len().min(2) } else { legal.len() };
            let played = match choices {
                0 => Move::Pass,
                _ => legal[random.usize(..choices)].into(),
            };
            position = match played {
                Move::Place(square) => {
                    text += &square.to_string();
                    position.play(square).expect("legal")
                }
                Move::Pass => position.passed(),
            };
        }
        text.push('\n');
    }
    std::fs::write(path, text).expect("writable");
}

/// A book and a file of games in a folder of their own.
struct Fixture {
    _folder: TempDir,
    book: PathBuf,
    games: PathBuf,
}

impl Fixture {
    fn new(games: usize) -> Fixture {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name| folder.path().join(name);
        let (book, path) = (file("book.sqlite"), file("games.txt"));
        write_games(&path, games);
        Fixture { book, games: path, _folder: folder }
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

    /// Returns the numbers of games and of searched positions that this process sees committed.
    fn committed(&self) -> (u64, u64) {
        let counts = Book::read(&self.book).and_then(|book| book.counts());
        counts.map_or((0, 0), |counts| (counts.games, counts.searched))
    }

    /// Starts the command, kills it after a random time, at most `max_time`, and checks that the
    /// book has no faults and has kept every commit seen; all this `times` times.
    fn kill(&self, args: &[&str], times: usize, random: &mut fastrand::Rng, max_time: Duration) {
        let mut kills = Vec::new();
        for _ in 0..times {
            let mut child = self.start(args);
            let until = Instant::now() + max_time.mul_f64(random.f64());
            let mut seen = self.committed();
            while Instant::now() < until {
                seen = self.committed();
                std::thread::sleep(Duration::from_millis(2));
            }
            // SIGKILL on Unix; the process may have ended by itself.
            let killed = child.try_wait().expect("the process").is_none();
            child.kill().expect("the process");
            child.wait().expect("the process");
            let now = self.committed();
            assert!(now.0 >= seen.0 && now.1 >= seen.1, "committed {seen:?}, found {now:?}");
            if self.book.exists() {
                match Book::write(&self.book) {
                    Ok(mut book) => {
                        let report = book.check(|_| {}).expect("readable");
                        assert_eq!(report.fault_count, 0, "{:?}", report.faults);
                    }
                    // Killed before the first commit: a file without tables.
                    Err(error) => assert_eq!(now, (0, 0), "{error}"),
                }
            }
            kills.push((killed, now));
        }
        println!("{args:?}: (killed, (games, searched)) {kills:?}");
        // An import may end before every kill; growing does not.
        let may_end = args.first() == Some(&"import");
        assert!(may_end || kills.iter().any(|(killed, _)| *killed), "nothing was killed");
    }

    fn run(&self, args: &[&str]) {
        assert!(self.start(args).wait().expect("the process").success(), "{args:?}");
    }

    fn test(&self, times: usize, max_time: Duration) {
        let games = self.games.to_str().expect("ASCII");
        let import = ["import", games, "--commit", "25"];
        let grow = ["grow", "--hours", "1", "--level", "2", "--threads", "2", "--hash", "2"];
        let mut random = fastrand::Rng::new();
        println!("seed {}", random.get_seed());
        self.kill(&import, times, &mut random, max_time);
        self.run(&import);
        self.kill(&grow, times, &mut random, max_time);
        // Besides the searches, the book is that of an import without kills.
        let other = self.book.with_file_name("other.sqlite");
        Book::create(&other, None)
            .expect("a book")
            .merge(&Book::read(&self.book).expect("a book"))
            .expect("writable");
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
fn a_few_kills_lose_no_commit() {
    Fixture::new(200).test(3, Duration::from_millis(600));
}

/// Kills an import thirty times, and growing thirty times:
///
/// ```sh
/// cargo test --release --test books -- --ignored kills --nocapture
/// ```
#[test]
#[ignore = "sixty kills with a whole check after each take minutes"]
fn sixty_kills_lose_no_commit() {
    Fixture::new(6000).test(30, Duration::from_secs(4));
}
