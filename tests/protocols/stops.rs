//! Two sessions search side by side, and end soon after each stop that a reader thread hears.

use std::thread;
use std::time::{Duration, Instant};

use crate::support::*;

const THREADS: [&str; 2] = ["1", "2"];

/// Returns the time from a line to the first line of the reply.
fn time_to_reply(engine: &mut EngineProcess, line: &str, reply: &str) -> Duration {
    let sent = Instant::now();
    engine.send(line);
    loop {
        let (came, line) = engine.timed_line();
        if line.starts_with(reply) {
            return came.saturating_duration_since(sent);
        }
    }
}

/// Lets an engine search to depth 60 and stops it, many times.
fn stop_often(protocol: &str, threads: &str, stops: u32) -> Vec<Duration> {
    let mut random = fastrand::Rng::with_seed(70);
    let mut engine =
        EngineProcess::start(&[protocol, "--depth", "60", "--ponder", "--threads", threads]);
    let stop = |_| {
        let pause = Duration::from_micros(random.u64(1_000..15_000));
        if protocol == "gtp" {
            engine.done("clear_board");
            engine.done("play b f5");
            engine.send("genmove w");
            thread::sleep(pause);
            let time = time_to_reply(&mut engine, "# interrupt", "= ");
            assert_eq!(engine.line(), "");
            return time;
        }
        engine.send(&game("", "B[F5]W[D6]B[C3]"));
        let request = random.choice(["go", "hint 3"]).expect("two requests");
        engine.send(request);
        thread::sleep(pause);
        let (line, reply) = if request == "go" { ("stop", "===") } else { ("ping 7", "pong 7") };
        time_to_reply(&mut engine, line, reply)
    };
    // The first search unpacks the weights.
    (0..=stops).map(stop).skip(1).collect()
}

/// Returns the times of two sessions, sorted.
fn stop_both(threads: &str, stops: u32) -> Vec<Duration> {
    let mut times: Vec<Duration> = thread::scope(|scope| {
        let sessions =
            ["nboard", "gtp"].map(|name| scope.spawn(move || stop_often(name, threads, stops)));
        sessions.into_iter().flat_map(|session| session.join().expect("it answers")).collect()
    });
    times.sort();
    times
}

#[test]
fn two_sessions_answer_every_stop() {
    for threads in THREADS {
        assert_eq!(stop_both(threads, 10).len(), 20);
    }
}

#[test]
#[ignore = "asserts times: cargo test --release --test protocols sessions_answer_within -- --ignored --nocapture"]
fn two_sessions_answer_within_10_ms_of_a_stop_a_thousand_times() {
    for threads in THREADS {
        let times = stop_both(threads, 1_000);
        let (median, longest) = (times[times.len() / 2], times[times.len() - 1]);
        println!("{threads} threads each: median {median:?}, longest {longest:?}");
        assert!(longest < Duration::from_millis(10), "{longest:?}");
    }
}
