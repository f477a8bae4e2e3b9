//! Searches on threads of their own: reports, stops, ends, faults.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use super::{engine, engine_of, positions};
use crate::{Limits, Listener, Progress, Report, ScoreKind};
use umigame_othello::Position;

const SOON: Duration = Duration::from_millis(1);

#[test]
fn a_running_search_reports_what_a_search_reports() {
    let position = positions(40, 44, 1)[0];
    for limits in [Limits::depth(9), Limits::depth(9).with_lines(3)] {
        let alone = engine().search(position, &limits, &());
        let mut engine = engine();
        let mut running = engine.start_with(position, [limits], ()).expect("a thread");
        let reports: Vec<Report> = running.by_ref().collect();
        assert!(running.has_ended() && !engine.is_searching());
        assert_eq!(running.next_within(SOON), Progress::Ended);
        assert_eq!(running.wait(), Ok(alone.clone()));
        assert!(
            reports.len() >= 9 && reports.windows(2).all(|pair| pair[0].nodes <= pair[1].nodes)
        );
        assert_eq!(
            reports.last().map(|last| (&last.lines, last.kind)),
            Some((&alone.lines, alone.kind))
        );
    }
}

#[test]
fn a_series_ends_with_its_last_search_and_shares_the_table() {
    let position = positions(41, 44, 1)[0];
    let series = [Limits::depth(7), Limits::depth(8)];
    let mut one_by_one = engine();
    let last = series.iter().map(|limits| one_by_one.search(position, limits, &())).last();
    let mut engine = engine();
    let mut running = engine.start_with(position, series, ()).expect("a thread");
    assert_eq!(running.wait().ok(), last);
}

#[test]
fn a_wait_for_a_report_ends_in_time() {
    let mut engine = engine();
    let mut running =
        engine.start_with(Position::START, [Limits::depth(60)], ()).expect("a thread");
    let start = Instant::now();
    while running.next_within(SOON) != Progress::Running {
        assert!(start.elapsed() < Duration::from_secs(60), "reports come more rarely with depth");
    }
    assert!(engine.is_searching());
    running.stop();
    assert!(!engine.is_searching(), "it ends soon");
    assert_eq!(running.wait().expect("no fault").lines.len(), 1);
}

/// Whatever ends a search leaves an engine that finds what a new one finds.
#[test]
fn the_engine_serves_on_after_every_end() {
    let position = positions(42, 18, 1)[0];
    let score = engine().search(position, &Limits::exact(), &()).best().map(|best| best.eval());
    for threads in [1, 3] {
        let mut engine = engine_of(threads);
        for end in 0..5 {
            let limits = [Limits::depth(60)];
            let mut running = engine.start_with(Position::START, limits, ()).expect("a thread");
            match end {
                0 => drop(running),
                1 => running.stop_handle().stop(),
                2 => assert!(running.next().is_some()),
                // The use of the engine stops it.
                3 => engine.clear(),
                _ => {
                    let limits = [Limits::depth(4)];
                    let mut next = engine.start_with(position, limits, ()).expect("a thread");
                    assert!(running.wait().is_ok(), "the next search has stopped it");
                    assert!(matches!(
                        next.wait().expect("no fault").kind,
                        ScoreKind::Depth { plies: 4, .. }
                    ));
                }
            }
            let report = engine.search(position, &Limits::exact(), &());
            assert_eq!(report.best().map(|best| best.eval()), score, "end {end}");
        }
    }
}

#[test]
fn a_running_search_outlives_no_engine() {
    let mut engine = engine();
    let mut running =
        engine.start_with(Position::START, [Limits::depth(60)], ()).expect("a thread");
    drop(engine);
    assert!(running.has_ended());
    assert!(running.wait().is_ok());
}

/// Panics at a number of polls.
struct Panicking(AtomicU32);

impl Listener for Panicking {
    fn go_on(&self) -> bool {
        assert!(self.0.fetch_sub(1, Relaxed) != 1, "a fault made for a test");
        true
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

#[test]
fn a_fault_is_an_error_of_its_search_alone() {
    for threads in [1, 2] {
        let mut engine = engine_of(threads);
        for polls in [1, 5, 20] {
            let faulty = Panicking(polls.into());
            let limits = [Limits::depth(60)];
            let mut running = engine.start_with(Position::START, limits, faulty).expect("a thread");
            let fault = running.wait().expect_err("a fault");
            assert!(fault.to_string().contains("a fault made for a test"), "{fault}");
            let faulty = Panicking(polls.into());
            let fault = engine.try_search(Position::START, &Limits::depth(60), &faulty);
            assert!(fault.is_err());
            let report = engine.search(Position::START, &Limits::depth(3), &());
            assert_eq!(report.lines.len(), 1, "the engine serves on");
        }
    }
}

/// Stops running searches of two engines, each from a thread of its own; returns the time from each
/// stop to the end.
fn stop_from_other_threads(searches: usize, threads: usize) -> Vec<Duration> {
    let stop_searches = |seed| {
        let mut random = fastrand::Rng::with_seed(seed);
        let positions = [positions(seed, 44, 8), positions(seed, 30, 8)].concat();
        let mut engine = engine_of(threads);
        let mut times = Vec::new();
        for number in 0..=searches {
            let position = positions[random.usize(..positions.len())];
            let mut running = engine.start_with(position, [Limits::exact()], ()).expect("a thread");
            let (stop, pause) = (running.stop_handle(), Duration::from_micros(random.u64(..5_000)));
            let stopper = thread::spawn(move || {
                thread::sleep(pause);
                let stopped = Instant::now();
                stop.stop();
                stopped
            });
            let report = running.wait().expect("no fault");
            let ended = Instant::now();
            assert_eq!(report.lines.len(), 1);
            let stopped = stopper.join().expect("no panic");
            // The first search unpacks the weights.
            if number > 0 {
                times.push(ended.saturating_duration_since(stopped));
            }
        }
        times
    };
    thread::scope(|scope| {
        let engines = [50, 51].map(|seed| scope.spawn(move || stop_searches(seed)));
        engines.into_iter().flat_map(|engine| engine.join().expect("no panic")).collect()
    })
}

#[test]
fn two_engines_are_stopped_from_other_threads() {
    for threads in [1, 2] {
        assert_eq!(stop_from_other_threads(25, threads).len(), 50);
    }
}

#[test]
#[ignore = "asserts times: cargo test --release -p umigame-engine two_engines_end -- --ignored --nocapture"]
fn two_engines_end_within_10_ms_of_a_stop_a_thousand_times() {
    for threads in [1, 2] {
        let mut times = stop_from_other_threads(1_000, threads);
        times.sort();
        let (median, longest) = (times[times.len() / 2], times[times.len() - 1]);
        println!("{threads} threads each: median {median:?}, longest {longest:?}");
        assert!(longest < Duration::from_millis(10), "{longest:?}");
    }
}
