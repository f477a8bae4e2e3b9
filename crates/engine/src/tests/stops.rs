//! Stops: by limits, by the listener, by a panic; with one thread and with several.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::{engine, engine_of, positions};
use crate::{Bound, Confidence, Limits, Listener, Report, ScoreKind};
use umigame_othello::Position;

/// A clock that advances by a millisecond whenever it is read, and the last iteration.
#[derive(Default)]
struct Counting {
    millis: AtomicU64,
    last: Mutex<Report>,
}

impl Listener for Counting {
    fn elapsed(&self) -> Duration {
        Duration::from_millis(self.millis.fetch_add(1, Relaxed))
    }

    fn report(&self, report: &Report) {
        *self.last.lock().expect("no panic") = report.clone();
    }
}

#[test]
fn an_unfinished_iteration_counts_in_nodes_and_time() {
    let run = |position, nodes| {
        let listener = Counting::default();
        let limits = Limits::depth(40).with_nodes(nodes);
        let report = engine().search(position, &limits, &listener);
        (report, listener.last.into_inner().expect("no panic"))
    };
    for position in positions(17, 40, 5) {
        // A node more than some iterations take: the next, of several poll intervals, stops at its
        // first poll.
        let whole = run(position, 300_000).1.nodes;
        let (report, last) = run(position, whole + 1);
        assert_eq!(last.nodes, whole);
        assert!(report.nodes > last.nodes && report.elapsed > last.elapsed);
        assert_eq!((report.lines, report.kind), (last.lines, last.kind));
    }
}

#[test]
fn a_node_limit_ends_the_search_soon() {
    let limits = Limits::depth(40).with_nodes(100_000);
    for (threads, most) in [(1, 110_000), (3, 200_000)] {
        let report = engine_of(threads).search(Position::START, &limits, &());
        assert!(report.nodes < most, "{} threads: {}", threads, report.nodes);
        assert_eq!(report.lines.len(), 1);
    }
}

/// Stops the search at a number of calls, and counts the calls and the iterations after that.
#[derive(Default)]
struct Stopping {
    allowed_calls: u64,
    calls: AtomicU64,
    reports_after: AtomicU64,
    last: Mutex<Report>,
}

impl Stopping {
    fn after(allowed_calls: u64) -> Stopping {
        Stopping { allowed_calls, ..Stopping::default() }
    }
}

impl Listener for Stopping {
    fn go_on(&self) -> bool {
        self.calls.fetch_add(1, Relaxed) < self.allowed_calls
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn report(&self, report: &Report) {
        if self.calls.load(Relaxed) > self.allowed_calls {
            self.reports_after.fetch_add(1, Relaxed);
        }
        *self.last.lock().expect("no panic") = report.clone();
    }
}

#[test]
fn a_stopped_search_returns_its_last_finished_iteration() {
    for threads in [1, 3] {
        let mut engine = engine_of(threads);
        for allowed_calls in [1, 20, 400] {
            engine.clear();
            let listener = Stopping::after(allowed_calls);
            let report = engine.search(Position::START, &Limits::depth(40), &listener);
            let last = listener.last.into_inner().expect("no panic");
            assert_eq!((report.lines, report.kind), (last.lines, last.kind), "{threads} threads");
            assert!(matches!(last.kind, ScoreKind::Depth { plies: ..40, .. }));
            // An iteration that had no poll left may still be reported.
            assert!(listener.reports_after.into_inner() <= 1, "{threads} threads");
            // All threads together see the stop within a few polls.
            assert!(listener.calls.into_inner() <= allowed_calls + threads as u64 + 1);
        }
    }
}

#[test]
fn a_listener_that_says_stop_at_once_gets_the_first_iteration() {
    for threads in [1, 3] {
        for limits in [Limits::depth(40), Limits::exact()] {
            let listener = Stopping::after(0);
            let report = engine_of(threads).search(Position::START, &limits, &listener);
            assert!(matches!(report.kind, ScoreKind::Depth { plies: 1, .. }), "{report:?}");
            assert_eq!(report.lines.len(), 1);
        }
    }
}

/// Keeps every report of a search that is stopped at a number of calls.
struct Recording {
    stopping: Stopping,
    reports: Mutex<Vec<Report>>,
}

impl Listener for Recording {
    fn go_on(&self) -> bool {
        self.stopping.go_on()
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn report(&self, report: &Report) {
        self.reports.lock().expect("no panic").push(report.clone());
    }
}

#[test]
fn a_stopped_search_answers_with_a_better_move_of_the_unfinished_iteration() {
    check_better_moves(1, positions(30, 44, 24), (2..60).step_by(7));
}

#[test]
fn a_better_move_may_come_from_any_thread() {
    check_better_moves(2, positions(34, 26, 8), (400..4_000).step_by(300));
}

/// Stops searches at some numbers of calls, and checks the moves that they answer with.
fn check_better_moves(
    threads: usize,
    positions: Vec<Position>,
    calls: impl Iterator<Item = u64> + Clone,
) {
    let mut improved = 0;
    for (position, shift) in positions.into_iter().zip((0..6).cycle()) {
        for allowed_calls in calls.clone().map(|calls| calls + shift) {
            let stopping = Stopping::after(allowed_calls);
            let listener = Recording { stopping, reports: Mutex::default() };
            let limits = Limits::depth(20).with_exact_from(0);
            engine_of(threads).search(position, &limits, &listener);
            let reports = listener.reports.into_inner().expect("no panic");
            let [.., before, last] = reports.as_slice() else { continue };
            let ScoreKind::Depth { plies, .. } = last.kind else { continue };
            if before.kind != last.kind {
                continue;
            }
            let (old, new) = (&before.lines[0], &last.lines[0]);
            if threads > 1 && new.first() == old.first() {
                continue;
            }
            // Without selective cuts, values are the same however a search gets at them.
            let limits = Limits::depth(u32::from(plies) + 1).with_exact_from(0);
            let whole = engine().search(position, &limits.with_lines(64), &());
            let value_of = |first| {
                let line = whole.lines.iter().find(|line| line.first() == first);
                line.expect("a legal move").raw
            };
            // The old move itself is found again if it failed low and the window was widened.
            if new.first() != old.first() {
                improved += 1;
                assert!(value_of(new.first()) > value_of(old.first()), "{position:?}: {last:?}");
            }
            match new.bound {
                Bound::Exact => assert_eq!(value_of(new.first()), new.raw, "{position:?}"),
                _ => assert!(value_of(new.first()) >= new.raw, "{position:?}: {last:?}"),
            }
        }
    }
    assert!(improved > 1, "only {improved} searches had found a better move");
}

/// Panics at a number of polls, in whatever thread that is.
struct Panicking {
    at: u64,
    polls: AtomicU64,
}

impl Panicking {
    fn at(at: u64) -> Panicking {
        Panicking { at, polls: AtomicU64::new(0) }
    }
}

impl Listener for Panicking {
    fn go_on(&self) -> bool {
        let poll = self.polls.fetch_add(1, Relaxed);
        assert!(poll != self.at, "a fault made for a test");
        true
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

#[test]
fn a_panic_in_any_thread_ends_the_search_and_the_engine_serves_on() {
    let position = positions(25, 40, 1)[0];
    let limits = Limits::depth(11).with_confidence(Confidence::P73);
    let endgame = positions(26, 18, 1)[0];
    let score = engine().search(endgame, &Limits::exact(), &()).best().map(|line| line.eval());
    for threads in [1, 2, 4, 8] {
        let mut engine = engine_of(threads);
        for at in (0..40).step_by(2) {
            engine.clear();
            let listener = Panicking::at(at);
            let search = || engine.search(position, &limits, &listener);
            let searched = catch_unwind(AssertUnwindSafe(search));
            let polls = listener.polls.load(Relaxed);
            assert_eq!(searched.is_err(), polls > at, "{threads} threads, poll {at} of {polls}");
            if at % 10 == 0 {
                engine.clear();
                let report = engine.search(endgame, &Limits::exact(), &());
                assert_eq!(report.best().map(|line| line.eval()), score, "{threads} threads");
            }
        }
    }
}

/// Panics in the first helper that polls.
struct PanickingHelper(std::thread::ThreadId);

impl Listener for PanickingHelper {
    fn go_on(&self) -> bool {
        assert!(std::thread::current().id() == self.0, "a fault made for a test");
        true
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

#[test]
fn a_panic_of_a_helper_reaches_the_caller() {
    let position = positions(27, 40, 1)[0];
    for threads in [2, 4] {
        let mut engine = engine_of(threads);
        let listener = PanickingHelper(std::thread::current().id());
        let limits = Limits::depth(60).with_confidence(Confidence::P73);
        let search = || engine.search(position, &limits, &listener);
        assert!(catch_unwind(AssertUnwindSafe(search)).is_err(), "without end but for the fault");
        let limits = Limits::depth(8);
        assert_eq!(engine.search(position, &limits, &()).lines.len(), 1, "the engine serves on");
    }
}

/// Starts and stops searches at random polls: every one answers.
fn stop_at_random(searches: u64) {
    let mut random = fastrand::Rng::with_seed(7);
    let positions = [positions(28, 44, 8), positions(29, 20, 8)].concat();
    for threads in [1, 2, 4, 8] {
        let mut engine = engine_of(threads);
        for _ in 0..searches / 4 {
            let position = positions[random.usize(..positions.len())];
            let listener = Stopping::after(random.u64(0..200));
            let limits = Limits::depth(40).with_exact_from(21);
            let report = engine.search(position, &limits, &listener);
            let last = listener.last.into_inner().expect("no panic");
            assert_eq!((report.lines, report.kind), (last.lines, last.kind), "{threads} threads");
        }
    }
}

#[test]
fn searches_stopped_at_random_moments_all_answer() {
    stop_at_random(200);
}

#[test]
#[ignore = "minutes: cargo test --release -p umigame-engine ten_thousand -- --ignored"]
fn ten_thousand_searches_stopped_at_random_moments_all_answer() {
    stop_at_random(10_000);
}
