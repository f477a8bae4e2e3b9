//! A search that is asked for: what it needs, how it takes turns, and how its results come out.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{oneshot, watch};
use umigame_engine::{
    Confidence, Engine, Limits, Listener, Report, ScoreKind, SearchFault, StopHandle,
};
use umigame_othello::Position;

/// How long a search keeps the engine at least while others wait. It doubles with every turn, since
/// each begins again with the table of the turns before.
const FIRST_TURN: Duration = Duration::from_millis(100);
/// Turns grow up to this many doublings.
const MAX_DOUBLINGS: u32 = 4;
/// A search with at most this time of its own is never interrupted for others.
const SHORT: Duration = Duration::from_secs(1);

/// The end of a search.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub report: Report,
    /// Ended from outside, not by itself.
    pub stopped: bool,
}

/// What waits for a search outside of it.
#[derive(Debug)]
pub(crate) struct Waiting {
    /// The latest report.
    pub reports: watch::Receiver<Option<Report>>,
    /// The end; gone without an answer where the server ends.
    pub answer: oneshot::Receiver<Result<Answer, SearchFault>>,
}

/// Whether others wait for the engine.
pub(crate) trait Others: Sync {
    /// Whether any search waits.
    fn wait(&self) -> bool;
    /// Whether a search waits that ends by itself.
    fn that_end_wait(&self) -> bool;
}

/// A search in the queue.
#[derive(Debug)]
pub(crate) struct Job {
    position: Position,
    limits: Limits,
    /// It goes on until it is stopped.
    pub is_endless: bool,
    is_short: bool,
    stop: StopHandle,
    reports: watch::Sender<Option<Report>>,
    answer: oneshot::Sender<Result<Answer, SearchFault>>,
    turns: u32,
    /// Of the turns before.
    spent: Duration,
    nodes: u64,
    best: Option<Report>,
}

impl Job {
    /// Makes a search that `stop` ends. `is_endless` where its limits are not meant to end it.
    pub fn new(
        position: Position,
        limits: Limits,
        is_endless: bool,
        stop: StopHandle,
    ) -> (Job, Waiting) {
        let (reports, latest) = watch::channel(None);
        let (answer, end) = oneshot::channel();
        // What a clock allows is decided when the search begins.
        let is_short = limits.is_on_clock() || limits.move_time().is_some_and(|time| time <= SHORT);
        let job = Job {
            position,
            limits,
            is_endless,
            is_short,
            stop,
            reports,
            answer,
            turns: 0,
            spent: Duration::ZERO,
            nodes: 0,
            best: None,
        };
        (job, Waiting { reports: latest, answer: end })
    }

    /// Returns what ends it.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Searches until the end, or until others have waited long enough: then returns itself.
    pub fn turn(mut self, engine: &mut Engine, others: &dyn Others) -> Option<Job> {
        if self.stop.is_stopped() {
            self.finish(true);
            return None;
        }
        let doublings = self.turns.min(MAX_DOUBLINGS);
        let listener = Turn {
            job: &self,
            others,
            begun: Instant::now(),
            length: FIRST_TURN * (1 << doublings),
            is_cut: AtomicBool::new(false),
            best: Mutex::new(self.best.clone()),
        };
        let result = engine.try_search(self.position, &self.limits_left(), &listener);
        let (spent, is_cut) = (listener.begun.elapsed(), listener.is_cut.into_inner());
        let best = listener.best.into_inner().unwrap_or_else(PoisonError::into_inner);
        match result {
            Err(fault) => {
                log::error!("{fault}");
                // Nobody may wait any more.
                let _ = self.answer.send(Err(fault));
                None
            }
            Ok(report) => {
                self.best = better(best, self.with_turns_before(report.clone()));
                self.nodes += report.nodes;
                self.spent += spent;
                self.turns += 1;
                let is_stopped = self.stop.is_stopped();
                if is_cut && !is_stopped {
                    return Some(self);
                }
                self.finish(is_stopped);
                None
            }
        }
    }

    fn finish(self, stopped: bool) {
        let report =
            Report { nodes: self.nodes, elapsed: self.spent, ..self.best.unwrap_or_default() };
        let _ = self.answer.send(Ok(Answer { report, stopped }));
    }

    /// The limits, less what the turns before have used.
    fn limits_left(&self) -> Limits {
        let mut limits = self.limits.clone();
        if self.turns > 0 {
            if let Some(nodes) = limits.nodes() {
                limits = limits.with_nodes(nodes.saturating_sub(self.nodes).max(1));
            }
            if let Some(time) = limits.move_time() {
                let left = time.saturating_sub(self.spent).max(Duration::from_millis(1));
                limits = limits.with_max_time(left);
            }
        }
        limits
    }

    fn with_turns_before(&self, report: Report) -> Report {
        let (nodes, elapsed) = (report.nodes + self.nodes, report.elapsed + self.spent);
        Report { nodes, elapsed, ..report }
    }
}

/// The listener of a turn.
struct Turn<'a> {
    job: &'a Job,
    others: &'a dyn Others,
    begun: Instant,
    length: Duration,
    is_cut: AtomicBool,
    best: Mutex<Option<Report>>,
}

impl Turn<'_> {
    /// Whether it is others' turn.
    fn is_over(&self) -> bool {
        if self.job.is_short {
            return false;
        }
        let ran = self.begun.elapsed();
        let of_short = self.job.is_endless && self.others.that_end_wait();
        ran >= self.length && self.others.wait() || ran >= FIRST_TURN && of_short
    }
}

impl Listener for Turn<'_> {
    fn go_on(&self) -> bool {
        if self.job.stop.is_stopped() {
            return false;
        }
        if self.is_over() {
            self.is_cut.store(true, Relaxed);
        }
        !self.is_cut.load(Relaxed)
    }

    fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    fn report(&self, report: &Report) {
        let report = self.job.with_turns_before(report.clone());
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        if best.as_ref().is_none_or(|best| rank(best.kind) <= rank(report.kind)) {
            self.job.reports.send_replace(Some(report.clone()));
            *best = Some(report);
        }
    }
}

/// Returns the surer of two reports, the second if they are alike.
fn better(first: Option<Report>, second: Report) -> Option<Report> {
    Some(first.filter(|first| rank(first.kind) > rank(second.kind)).unwrap_or(second))
}

/// How deep and how sure a search is: depths, then the end of the game, then proof.
fn rank(kind: ScoreKind) -> (u8, u8, Confidence) {
    match kind {
        ScoreKind::Depth { plies, confidence } => (0, plies, confidence),
        ScoreKind::Endgame { confidence } => (1, 0, confidence),
        ScoreKind::Exact | ScoreKind::WinLossDraw => (2, 0, Confidence::FULL),
    }
}
