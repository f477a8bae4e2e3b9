//! How soon the engine answers where it must: the first pong, a pong in a
//! deep search, the end. The bounds here leave room for a loaded machine that
//! runs many tests at once; the targets stand beside them and are measured by
//! the ignored test.

mod support;

use std::time::{Duration, Instant};

use support::*;

const DEEP: &str = "B[F5]W[D6]B[C3]W[D3]B[C4]W[F4]B[C5]W[B3]B[C2]W[E6]B[B4]W[F6]";

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// From the start of the process to its first pong.
fn first_pong() -> Duration {
    let start = Instant::now();
    let mut engine = Engine::nboard();
    engine.send("ping 1");
    let (came, line) = engine.timed_line();
    assert_eq!(line, "pong 1");
    came - start
}

/// From a ping in the middle of a depth-60 hint to its pong, many times.
fn pongs_in_a_deep_hint(count: usize) -> Vec<Duration> {
    let mut rng = fastrand::Rng::with_seed(60);
    let mut engine = Engine::nboard();
    engine.send(&format!("nboard 2\n{}\nset depth 60", game("", DEEP)));
    let mut waits = Vec::new();
    for n in 0..count {
        engine.send("hint 4");
        engine.lines_within(ms(20 + rng.u64(..100)));
        let start = Instant::now();
        engine.send(&format!("ping {n}"));
        loop {
            let (came, line) = engine.timed_line();
            if line.starts_with("pong") {
                assert_eq!(line, format!("pong {n}"));
                waits.push(came - start);
                break;
            }
        }
    }
    waits.sort();
    waits
}

/// From the end of input, or from `quit`, in mid-search, to the end of the
/// process with exit code 0.
fn end_of_search(arguments: &[&str], quit: bool) -> Duration {
    let mut engine = Engine::start(arguments);
    if arguments == ["gtp"] {
        for command in ["set_level 30", "play b f5", "play w d6", "play b c3", "play w d3"] {
            engine.done(command);
        }
        engine.send("genmove b");
    } else {
        engine.send(&format!("{}\nset depth 60\nhint 4", game("", DEEP)));
    }
    engine.lines_within(ms(150));
    if quit {
        engine.send("quit");
    } else {
        engine.close_input();
    }
    let (status, waited, _) = engine.wait();
    assert_eq!(status.code(), Some(0));
    waited
}

#[test]
fn the_first_pong_comes_soon_after_the_start() {
    // Target: 50 ms.
    let best = (0..5).map(|_| first_pong()).min().unwrap();
    assert!(best < ms(400), "{best:?}");
}

#[test]
fn a_pong_in_a_deep_hint_comes_soon() {
    // Target: 50 ms, 99 times of 100.
    let waits = pongs_in_a_deep_hint(12);
    assert!(waits[8] < ms(150), "{waits:?}");
}

#[test]
fn end_of_input_and_quit_in_mid_search_end_the_process_soon() {
    // Target: 200 ms.
    for arguments in [["nboard"], ["gtp"]] {
        for quit in [false, true] {
            let taken = end_of_search(&arguments, quit);
            assert!(taken < ms(900), "{arguments:?}, quit: {quit}: {taken:?}");
        }
    }
}

/// The targets themselves, for a machine that does nothing else:
/// `cargo test --release --test latency -- --ignored --nocapture`
#[test]
#[ignore = "strict times, wants a quiet machine"]
fn the_targets_are_met() {
    let mut first: Vec<Duration> = (0..20).map(|_| first_pong()).collect();
    first.sort();
    println!("first pong: median {:?}, worst {:?} of 20", first[10], first[19]);
    let waits = pongs_in_a_deep_hint(100);
    println!("pong in a hint: median {:?}, 99th of 100 {:?}", waits[50], waits[98]);
    let mut ends = Vec::new();
    for arguments in [["nboard"], ["gtp"]] {
        for quit in [false, true] {
            ends.extend((0..10).map(|_| end_of_search(&arguments, quit)));
        }
    }
    ends.sort();
    println!("end in mid-search: median {:?}, worst {:?} of 40", ends[20], ends[39]);
    assert!(first[19] < ms(50));
    assert!(waits[98] < ms(50));
    assert!(ends[39] < ms(200));
}
