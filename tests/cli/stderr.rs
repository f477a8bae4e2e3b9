//! A standard error that cannot be written to never ends the work.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use umigame_othello::testing;

use crate::support::folder_with;

/// A process that runs longer than this hangs.
const MAX_WAIT: Duration = Duration::from_secs(60);

const ENDING: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18;";

/// Files that the commands read.
fn folder() -> tempfile::TempDir {
    let games = "f5d6c3d3c4f4f6f3e6\nf5f6e6f4e3\n";
    let ending = format!("{ENDING}\n");
    folder_with(&[("games.txt", games), ("ending.obf", &ending), ("bad.txt", "f5d6\nf5f5\n")])
}

/// One line for each command, run in this order; `exit CODE` at the end of a
/// line is an exit code other than 0.
const COMMANDS: &[&str] = &[
    "nboard",
    "gtp",
    "play",
    "hint f5 --depth 2",
    "explain f5",
    "levels",
    "perft 3",
    "solve ending.obf",
    "solve bad.txt exit 2",
    "analyze games.txt --level 1",
    "analyze bad.txt --level 1 exit 2",
    "convert games.txt games.ggf",
    "convert bad.txt bad.ggf exit 2",
    "diagram f5 f5.svg",
    "nboard",
    "book import games.txt",
    "book import games.txt --book other.sqlite",
    "book show f5",
    "book check",
    "book export book.csv",
    "book merge other.sqlite",
    "book grow --hours 0.1s --level 1",
    "bench",
    "bench ffo --to 40",
    "match @nboard @gtp --games 2 --level 1 --random-plies 20",
    "learn --positions 2000 --depth 1 --exact-from 8 --iterations 1 --out run",
    "nosuch exit 2",
    "--help",
];

/// Runs a line of [`COMMANDS`] in a folder.
fn run(line: &str, folder: &Path, stderr: Stdio, closes_it: bool) -> ExitStatus {
    let binary = env!("CARGO_BIN_EXE_umigame");
    let words = line.split(' ').map(|word| match word.strip_prefix('@') {
        Some(protocol) => format!("{binary} {protocol}"),
        None => word.to_owned(),
    });
    let mut command = Command::new(if closes_it { "sh" } else { binary });
    if closes_it {
        command.args(["-c", "exec \"$0\" \"$@\" 2>&-", binary]);
    }
    let child = command
        .args(words)
        .current_dir(folder)
        .env("RUST_LOG", "trace")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(stderr)
        .spawn();
    end(child.expect("the binary starts"), line)
}

fn end(mut child: std::process::Child, line: &str) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status;
        }
        if start.elapsed() > MAX_WAIT {
            let _ = child.kill();
            panic!("`umigame {line}` hangs");
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Runs every command and compares its exit code.
fn every_command(stderr: impl Fn() -> Stdio, closes_it: bool) {
    let folder = folder();
    for line in COMMANDS {
        let (line, code) = line.split_once(" exit ").unwrap_or((line, "0"));
        let status = run(line, folder.path(), stderr(), closes_it);
        assert_eq!(status.code().map(|code| code.to_string()).as_deref(), Some(code), "{line}");
    }
}

#[test]
fn every_command_finishes_with_standard_error_closed() {
    if cfg!(windows) {
        return testing::skip("no shell of Windows starts a program with a stream closed");
    }
    every_command(Stdio::null, true);
}

#[test]
fn every_command_finishes_when_nobody_reads_standard_error() {
    every_command(
        || {
            let (_, writer) = io::pipe().expect("a pipe");
            writer.into()
        },
        false,
    );
}

#[test]
fn every_command_finishes_with_standard_error_on_a_full_device() {
    if cfg!(windows) || File::options().write(true).open("/dev/full").is_err() {
        return testing::skip("there is no /dev/full");
    }
    let full = || File::options().write(true).open("/dev/full").expect("/dev/full").into();
    every_command(full, false);
}

/// `umigame solve FILE 2>&1 | head -3`.
#[test]
fn solve_ends_when_the_reader_of_both_its_streams_goes_away() {
    let lines = format!("no position\n{ENDING}\n").repeat(200);
    let folder = folder_with(&[("many.obf", &lines)]);
    let (reader, writer) = io::pipe().expect("a pipe");
    let child = Command::new(env!("CARGO_BIN_EXE_umigame"))
        .args(["solve", "many.obf"])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(writer.try_clone().expect("a second end"))
        .stderr(writer)
        .spawn()
        .expect("the binary starts");
    let mut read = String::new();
    let mut reader = BufReader::new(reader);
    for _ in 0..3 {
        reader.read_line(&mut read).expect("output");
    }
    drop(reader);
    assert!(read.contains("line 1: column 1: `n` is no square"), "{read}");
    assert_eq!(end(child, "solve many.obf").code(), Some(0));
}
