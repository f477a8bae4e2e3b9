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
/// Minimum length of a turn of a search that is planned to take at most this time.
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

/// The planned time of a search.
#[derive(Debug)]
struct Plan {
    begun: Instant,
    /// `None` if time is no limit.
    time: Option<Duration>,
}

/// A search in the queue.
#[derive(Debug)]
pub(crate) struct Job {
    position: Position,
    limits: Limits,
    /// It goes on until it is stopped.
    pub is_endless: bool,
    stop: StopHandle,
    reports: watch::Sender<Option<Report>>,
    answer: oneshot::Sender<Result<Answer, SearchFault>>,
    /// Since when its clock runs.
    asked: Instant,
    /// The time planned when it first began, and that moment; `None` before.
    plan: Option<Plan>,
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
        let job = Job {
            position,
            limits,
            is_endless,
            stop,
            reports,
            answer,
            asked: Instant::now(),
            plan: None,
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

    /// Whether nobody wants it any more.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }

    /// Searches until the end, or until others have waited long enough: then returns itself.
    pub fn turn(mut self, engine: &mut Engine, others: &dyn Others) -> Option<Job> {
        let limits = self.limits_left(engine);
        let listener = Turn {
            job: &self,
            others,
            begun: Instant::now(),
            length: self.turn_length(),
            is_cut: AtomicBool::new(false),
            best: Mutex::new(self.best.clone()),
        };
        let result = engine.try_search(self.position, &limits, &listener);
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
                let is_stopped = self.is_stopped();
                if is_cut && !is_stopped {
                    return Some(self);
                }
                self.finish(is_stopped);
                None
            }
        }
    }

    /// Sends the answer.
    pub fn finish(self, stopped: bool) {
        let report =
            Report { nodes: self.nodes, elapsed: self.spent, ..self.best.unwrap_or_default() };
        let _ = self.answer.send(Ok(Answer { report, stopped }));
    }

    /// Returns the limits minus what earlier turns used. Waiting counts against a clock.
    fn limits_left(&mut self, engine: &mut Engine) -> Limits {
        let mut limits = self.limits.clone().after_waiting(self.asked.elapsed());
        let plan = self.plan.get_or_insert_with(|| Plan {
            begun: Instant::now(),
            time: engine.planned_time(self.position, &limits),
        });
        if self.turns == 0 {
            return limits;
        }
        if let Some(nodes) = limits.nodes() {
            limits = limits.with_nodes(nodes.saturating_sub(self.nodes).max(1));
        }
        if let Some(time) = plan.time {
            let used = if limits.is_on_clock() { plan.begun.elapsed() } else { self.spent };
            let left = time.saturating_sub(used).max(Duration::from_millis(1));
            limits = limits.with_max_time(left);
        }
        limits
    }

    /// How long it keeps the engine at least while others wait.
    fn turn_length(&self) -> Duration {
        let time = self.plan.as_ref().and_then(|plan| plan.time);
        if time.is_some_and(|time| time <= SHORT) {
            SHORT
        } else {
            FIRST_TURN * (1 << self.turns.min(MAX_DOUBLINGS))
        }
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
        let ran = self.begun.elapsed();
        let of_short = self.job.is_endless && self.others.that_end_wait();
        ran >= self.length && self.others.wait() || ran >= FIRST_TURN && of_short
    }
}

impl Listener for Turn<'_> {
    fn go_on(&self) -> bool {
        if self.job.is_stopped() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_engine::{EngineOptions, Evaluation, TimeControl};

    /// A search with four seconds on its clock, asked for some time ago.
    fn on_clock(waited: Duration) -> Job {
        let clock = TimeControl::Game { remaining: Duration::from_secs(4), increment: SHORT };
        let limits = Limits::exact().with_time(clock);
        let (job, _) = Job::new(Position::START, limits, false, StopHandle::default());
        let asked = Instant::now().checked_sub(waited).expect("the machine is up that long");
        Job { asked, ..job }
    }

    fn engine() -> Engine {
        Engine::new(Evaluation::embedded(), EngineOptions::default()).expect("memory")
    }

    #[test]
    fn a_clock_runs_while_its_search_waits() {
        let planned = |waited| {
            let mut job = on_clock(waited);
            job.limits_left(&mut engine());
            job.plan.and_then(|plan| plan.time).expect("a time")
        };
        assert!(planned(Duration::from_secs(4)) < planned(Duration::ZERO) / 4);
    }

    #[test]
    fn turns_on_a_clock_end_at_the_planned_time() {
        let mut job = on_clock(Duration::ZERO);
        let mut engine = engine();
        assert_eq!(job.limits_left(&mut engine).move_time(), None, "the engine decides");
        let time = job.plan.as_ref().and_then(|plan| plan.time).expect("a time");
        job.turns = 1;
        let left = job.limits_left(&mut engine).move_time().expect("a bound");
        assert!(left <= time, "{left:?} {time:?}");
        if let Some(plan) = &mut job.plan {
            plan.begun = plan.begun.checked_sub(time).expect("the machine is up that long");
        }
        let left = job.limits_left(&mut engine).move_time();
        assert_eq!(left, Some(Duration::from_millis(1)));
    }
}
