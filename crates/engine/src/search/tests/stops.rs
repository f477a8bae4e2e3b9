//! Stops: by limits, by the listener, by a panic; with one thread and with several.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::{engine, engine_of, positions};
use crate::search::{Confidence, Limits, Listener, Report, ScoreKind};
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
        let limits = Limits { nodes: Some(nodes), ..Limits::depth(40) };
        let report = engine().search(position, &limits, &listener);
        (report, listener.last.into_inner().expect("no panic"))
    };
    for position in positions(17, 40, 5) {
        // A little more than some iterations take: the next has hardly begun.
        let whole = run(position, 100_000).1.nodes;
        let (report, last) = run(position, whole + 1000);
        assert_eq!(last.nodes, whole);
        assert!(report.nodes > last.nodes && report.elapsed > last.elapsed);
        assert_eq!((report.lines, report.kind), (last.lines, last.kind));
    }
}

#[test]
fn a_node_limit_ends_the_search_soon() {
    let limits = Limits { nodes: Some(100_000), ..Limits::depth(40) };
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

/// Panics when the iteration of a depth is finished.
struct Panicking {
    depth: u8,
}

impl Listener for Panicking {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn report(&self, report: &Report) {
        let is_reached =
            matches!(report.kind, ScoreKind::Depth { plies, .. } if plies == self.depth);
        assert!(!is_reached, "a fault made for a test");
    }
}

#[test]
fn a_panic_of_the_searching_thread_sends_its_helpers_home() {
    for threads in [1, 2, 3] {
        let mut engine = engine_of(threads);
        let limits = Limits::depth(12).with_confidence(Confidence::P73);
        let listener = Panicking { depth: 10 };
        let search = || engine.search(Position::START, &limits, &listener);
        assert!(catch_unwind(AssertUnwindSafe(search)).is_err());
        let report = engine.search(Position::START, &limits, &());
        assert_eq!(report.lines.len(), 1, "the engine serves on");
    }
}
