//! `umigame-lab learn` on the real binary: files that are resumed, and errors that name file and line.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{folder, lab, learn, run};
use umigame_training::data::{Label, load};

/// Plays quick games into a file.
fn play(out: &str, more: &[&str]) -> (i32, String, String) {
    let quick = ["play", "--out", out, "--depth", "1", "--exact-from", "6"];
    learn(&[&quick, more].concat())
}

fn bytes(path: impl AsRef<Path>) -> Vec<u8> {
    std::fs::read(path).expect("the file")
}

#[test]
fn games_do_not_depend_on_threads_and_interruptions() {
    let (_folder, file) = folder();
    let (code, out, err) = play(&file("one"), &["--games", "40", "--threads", "1"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.starts_with("40 games, "), "{out}");
    let whole = bytes(file("one"));
    assert_eq!(play(&file("three"), &["--games", "40", "--threads", "3"]).0, 0);
    assert_eq!(bytes(file("three")), whole);
    for length in [0, 10, 16, 50, whole.len() / 2, whole.len() - 1] {
        std::fs::write(file("torn"), &whole[..length]).expect("a file");
        let (code, _, err) = play(&file("torn"), &["--games", "40"]);
        assert_eq!(code, 0, "{err}");
        assert_eq!(bytes(file("torn")), whole, "{length} bytes");
    }
    let (code, out, _) = play(&file("one"), &["--games", "40"]);
    assert_eq!((code, bytes(file("one"))), (0, whole));
    assert!(out.starts_with("0 games, "), "{out}");
}

#[test]
fn another_seed_appends_other_games() {
    let (_folder, file) = folder();
    let samples = |seed| {
        assert_eq!(play(&file("games"), &["--games", "4", "--seed", seed]).0, 0);
        load(&[file("games")]).expect("training data").len()
    };
    let (one, two) = (samples("1"), samples("2"));
    assert!(two > one + 20, "{one} {two}");
}

#[test]
fn openings_come_from_a_file_and_errors_name_its_line() {
    let (_folder, file) = folder();
    std::fs::write(file("openings"), "f5d6c3d3c4f4f6\n# none\nf5f6e6f4e3c5\n").expect("a file");
    let with = |name: &str| {
        let mix = ["--games", "8", "--mix", "0,0,1", "--openings", name];
        play(&file("games"), &mix)
    };
    assert_eq!(with(&file("openings")).0, 0);
    let samples = load(&[file("games")]).expect("training data");
    // Openings of six or seven moves, and at most six random ones.
    assert!(samples[0].ply() >= 6 && samples[0].ply() <= 13, "{}", samples[0].ply());
    std::fs::write(file("wrong"), "f5d6c3\nf5f5\n").expect("a file");
    let (code, out, err) = with(&file("wrong"));
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("wrong: line 2: "), "{err}");
    let (code, _, err) = play(&file("games"), &["--games", "1", "--wthor", &file("gone")]);
    assert!(code == 2 && err.contains("gone: "), "{err}");
}

#[test]
fn a_file_that_is_no_training_data_is_refused_and_left_alone() {
    let (_folder, file) = folder();
    std::fs::write(file("notes"), "something else").expect("a file");
    let (code, out, err) = play(&file("notes"), &["--games", "1"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("notes: is no training data of umigame"), "{err}");
    assert_eq!(bytes(file("notes")), b"something else");
    assert_eq!(play(&file("games"), &["--games", "20"]).0, 0);
    let mut damaged = bytes(file("games"));
    damaged[200] ^= 4;
    std::fs::write(file("games"), &damaged).expect("a file");
    let (code, _, err) = play(&file("games"), &["--games", "40"]);
    assert!(code == 2 && err.contains("games, byte 16: damaged: "), "{err}");
    assert_eq!(bytes(file("games")), damaged);
    std::fs::write(file("picture"), [0x89, b'P', b'N', b'G', 0, 0]).expect("a file");
    let (code, out, err) = learn(&["test", &file("picture")]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("picture: neither training data nor text"), "{err}");
}

#[test]
fn self_play_needs_a_limit_and_ends_at_it() {
    let (_folder, file) = folder();
    assert_eq!(play(&file("games"), &[]).0, 2);
    let (code, _, err) = play(&file("games"), &["--hours", "0.001"]);
    assert_eq!(code, 0, "{err}");
    assert!(load(&[file("games")]).expect("training data").len() > 16);
}

/// Sends Ctrl-C.
#[cfg(unix)]
fn interrupt(child: &std::process::Child) {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    kill(Pid::from_raw(child.id().try_into().expect("an id")), Signal::SIGINT)
        .expect("it is there");
}

#[cfg(unix)]
#[test]
fn an_interrupt_and_a_kill_keep_the_finished_blocks() {
    let (_folder, file) = folder();
    let mut lengths = vec![0];
    for interrupted in [true, false] {
        let long = ["play", "--out", &file("games"), "--hours", "1", "--exact-from", "10"];
        let mut child = lab(&[&["learn"], &long[..]].concat())
            .stdout(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let begun = Instant::now();
        let more = |lengths: &[u64]| {
            let length = std::fs::metadata(file("games")).map_or(0, |data| data.len());
            length > lengths[lengths.len() - 1] + 1000
        };
        while !more(&lengths) {
            assert!(begun.elapsed() < Duration::from_secs(60), "no block");
            std::thread::sleep(Duration::from_millis(10));
        }
        if interrupted {
            interrupt(&child);
        } else {
            child.kill().expect("the process is there");
        }
        let status = child.wait().expect("the process ends");
        assert_eq!(status.code() == Some(130), interrupted, "{status}");
        lengths.push(bytes(file("games")).len() as u64);
        assert!(!load(&[file("games")]).expect("training data").is_empty());
    }
    // Every complete block is that of an uninterrupted run.
    let interrupted = bytes(file("games"));
    let games = ["play", "--out", &file("whole"), "--games", "16", "--exact-from", "10"];
    assert_eq!(learn(&games).0, 0);
    assert!(interrupted.starts_with(&bytes(file("whole"))));
}

#[test]
fn self_play_writes_all_kinds_of_label() {
    let (_folder, file) = folder();
    assert_eq!(play(&file("games"), &["--games", "16", "--explore", "10"]).0, 0);
    let (mut exact, mut game, mut searched) = (0, 0, 0);
    for block in umigame_training::data::DataReader::open(Path::new(&file("games"))).expect("data")
    {
        for record in block.expect("a block").records {
            match record.label {
                Label::Exact(_) => exact += 1,
                Label::Game(_) => game += 1,
                Label::Searched => searched += 1,
            }
        }
    }
    assert!(exact > 50 && game > 50 && searched > 20, "{exact} {game} {searched}");
}

#[test]
fn the_search_uses_weights_fitted_to_games() {
    let (_folder, file) = folder();
    assert_eq!(play(&file("games"), &["--games", "200"]).0, 0);
    let fit = |out: &str, more: &[&str]| {
        let (games, out) = (file("games"), file(out));
        let fit = ["fit", &games, "--out", &out, "--iterations", "3"];
        let (code, out, err) = learn(&[&fit, more].concat());
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        out
    };
    let out = fit("weights", &[]);
    assert!(out.contains(" bytes, weights ") && out.lines().count() == 32, "{out}");
    assert_eq!(fit("again", &[]), out);
    assert_eq!(bytes(file("again")), bytes(file("weights")));
    assert_ne!(fit("on", &["--from", &file("weights")]), out);
    let (code, _, err) = learn(&["fit", &file("games"), "--out", "-", "--from", &file("games")]);
    assert!(code == 2 && err.contains("--from: ") && err.contains("not a file of"), "{err}");

    let embedded = concat!(env!("CARGO_MANIFEST_DIR"), "/../eval/weights/umigame.weights");
    let scores = |weights: &str| {
        let (code, out, err) = run(&["--weights", weights, "midgame", "--depth", "2", "--jsonl"]);
        let score = |line: &str| {
            let row: serde_json::Value = serde_json::from_str(line).expect("an object");
            row["score"].as_f64()
        };
        (code, out.lines().map(score).collect::<Vec<_>>(), err)
    };
    let (code, trained, err) = scores(&file("weights"));
    assert_eq!((code, err.as_str(), trained.len()), (0, "", 20));
    assert_ne!(scores(embedded).1, trained);

    let whole = bytes(file("weights"));
    std::fs::write(file("short"), &whole[..whole.len() / 2]).expect("a file");
    let (code, out, err) = scores(&file("short"));
    assert_eq!((code, out.len()), (2, 0));
    assert!(err.contains("--weights: ") && err.contains("short: damaged"), "{err}");
    assert!(scores(&file("games")).2.contains("not a file of umigame's weights"));
    assert_eq!(scores(&file("missing")).0, 2);
}
