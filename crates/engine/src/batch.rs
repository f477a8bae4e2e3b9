//! Searches of many positions at once: one position a thread, answers in the order of the questions,
//! memory bounded whatever their number.
//!
//! A thread that finds no further question helps the searches that still run, so that the last long
//! ones are searched by all threads together.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::endgame::EndgameState;
use crate::engine::{Engine, EngineOptions};
use crate::error::{EngineError, Megabytes};
use crate::limits::Limits;
use crate::parallel::IdleThreads;
use crate::report::{Listener, Report};
use crate::threads::{self, OnDrop};
use umigame_eval::SharedEvaluation;
use umigame_othello::Position;

/// Maximum answers for each thread that may wait for an earlier one: enough to get past a position
/// that takes a hundred times as long as its neighbours.
const MAX_WAITING_ANSWERS: u64 = 128;
/// Maximum empties of a position that is searched with the small table.
const SMALL_TABLE_MAX_EMPTIES: u32 = 14;
/// Size of the small table, which stays in the processor's cache.
const SMALL_TABLE: Megabytes = Megabytes(1);
/// Interval at which a thread that waits for an earlier answer checks for a stop.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// A thread of a batch. Each of its searches begins with an empty table, so that its nodes do not
/// depend on the positions before it.
#[derive(Debug)]
pub struct Worker<'a> {
    small_table: Engine,
    /// With this thread's share of the table.
    table_share: Engine,
    idle: &'a IdleThreads<EndgameState>,
}

impl<'a> Worker<'a> {
    fn new(
        evaluation: &SharedEvaluation,
        share: Megabytes,
        idle: &'a IdleThreads<EndgameState>,
    ) -> Result<Worker<'a>, EngineError> {
        let engine = |hash| Engine::new(evaluation.clone(), EngineOptions { hash, threads: 1 });
        Ok(Worker { small_table: engine(SMALL_TABLE)?, table_share: engine(share)?, idle })
    }

    /// The thread's engine, for searches that belong together: its table is as the last search left
    /// it, and idle threads do not help.
    pub fn own(&mut self) -> &mut Engine {
        &mut self.table_share
    }

    /// Searches one position.
    pub fn search(&mut self, root: Position, limits: &Limits, listener: &dyn Listener) -> Report {
        if root.empties() <= SMALL_TABLE_MAX_EMPTIES {
            self.small_table.clear();
            return self.small_table.search(root, limits, listener);
        }
        self.table_share.clear();
        self.table_share.search_with(root, limits, listener, Some(self.idle))
    }
}

/// A question or an answer with its place in the order.
struct Numbered<T> {
    number: u64,
    item: T,
}

/// The questions that no thread has taken.
struct Questions<Q> {
    /// `None` at the end.
    rest: Option<Q>,
    next: u64,
}

/// Answers all questions, `options.threads` at a time, each thread with its share of the table.
/// Passes the answers to `receive` in the order of the questions, on the calling thread.
///
/// Once `stop` is set, by the caller or after an error, no further question is taken. `answer`
/// returns `None` if it was stopped. The answers received are without gaps: those that wait for an
/// earlier one are then lost.
///
/// # Errors
/// A table that the system lacks the memory for, and the first error of `receive`.
///
/// # Panics
/// If an answer panics: then `stop` is set, and every thread has ended.
pub fn in_order<Q, A, E>(
    questions: Q,
    evaluation: &SharedEvaluation,
    options: EngineOptions,
    stop: &AtomicBool,
    answer: impl Fn(&mut Worker<'_>, Q::Item) -> Option<A> + Sync,
    mut receive: impl FnMut(A) -> Result<(), E>,
) -> Result<(), E>
where
    Q: Iterator + Send,
    A: Send,
    E: From<EngineError>,
{
    let threads = options.threads.max(1);
    let share = Megabytes((options.hash.0 / threads).max(1));
    let idle = IdleThreads::default();
    let workers: Result<Vec<_>, _> =
        (0..threads).map(|_| Worker::new(evaluation, share, &idle)).collect();
    let questions = Mutex::new(Questions { rest: Some(questions), next: 0 });
    let progress = Progress {
        received: Mutex::new(0),
        advanced: Condvar::new(),
        max_ahead: MAX_WAITING_ANSWERS * threads as u64,
    };
    let (sender, answers) = channel();
    threads::scope(|scope| {
        for worker in workers? {
            let (sender, questions) = (sender.clone(), &questions);
            let (progress, answer) = (&progress, &answer);
            scope.spawn(move || work(worker, questions, progress, stop, &sender, answer));
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut next = 0;
        let mut result = Ok(());
        for Numbered { number, item } in answers {
            early.insert(number, item);
            while let Some(answer) = early.remove(&next) {
                if result.is_ok() {
                    result = receive(answer);
                }
                if result.is_err() {
                    stop.store(true, Relaxed);
                }
                next += 1;
                progress.advance(next);
            }
        }
        result
    })
}

/// The number of answers received, which bounds how far ahead questions are taken.
struct Progress {
    received: Mutex<u64>,
    advanced: Condvar,
    max_ahead: u64,
}

impl Progress {
    fn advance(&self, received: u64) {
        *self.received.lock().unwrap_or_else(PoisonError::into_inner) = received;
        self.advanced.notify_all();
    }

    /// Waits until question `number` is not too far ahead, or for a stop.
    fn wait_for_room(&self, number: u64, stop: &AtomicBool) {
        let mut received = self.received.lock().unwrap_or_else(PoisonError::into_inner);
        while number >= *received + self.max_ahead && !stop.load(Relaxed) {
            let waited = self.advanced.wait_timeout(received, STOP_CHECK_INTERVAL);
            received = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Runs one thread: answers questions until none is left, then helps.
fn work<Q: Iterator, A>(
    mut worker: Worker<'_>,
    questions: &Mutex<Questions<Q>>,
    progress: &Progress,
    stop: &AtomicBool,
    sender: &Sender<Numbered<A>>,
    answer: &impl Fn(&mut Worker<'_>, Q::Item) -> Option<A>,
) {
    // The others would wait for this thread's answer for ever.
    let _stop = OnDrop(|| _ = stop.fetch_or(std::thread::panicking(), Relaxed));
    while let Some(Numbered { number, item }) = take(questions, progress, stop) {
        let Some(item) = answer(&mut worker, item) else { break };
        if sender.send(Numbered { number, item }).is_err() {
            break;
        }
    }
    worker.idle.offer(worker.table_share.into_endgame_states());
}

/// Takes the next question. Other threads wait for the iterator meanwhile; answers are received.
fn take<Q: Iterator>(
    questions: &Mutex<Questions<Q>>,
    progress: &Progress,
    stop: &AtomicBool,
) -> Option<Numbered<Q::Item>> {
    let mut questions = questions.lock().unwrap_or_else(PoisonError::into_inner);
    progress.wait_for_room(questions.next, stop);
    if stop.load(Relaxed) {
        return None;
    }
    let Some(item) = questions.rest.as_mut()?.next() else {
        questions.rest = None;
        return None;
    };
    questions.next += 1;
    Some(Numbered { number: questions.next - 1, item })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;
    use umigame_eval::Evaluation;
    use umigame_othello::testing;

    fn options(threads: usize) -> EngineOptions {
        EngineOptions { hash: Megabytes(4), threads }
    }

    #[test]
    fn answers_come_in_order_and_questions_are_not_taken_too_far_ahead() {
        for threads in [1, 2, 5] {
            let (taken, stop) = (AtomicU64::new(0), AtomicBool::new(false));
            let questions = (0..3000u64).inspect(|_| _ = taken.fetch_add(1, Relaxed));
            let mut received = Vec::new();
            let slow_first = |_: &mut Worker<'_>, question: u64| {
                if question == 0 {
                    std::thread::sleep(Duration::from_millis(30));
                }
                Some(question)
            };
            let result = in_order(
                questions,
                &Evaluation::embedded(),
                options(threads),
                &stop,
                slow_first,
                |answer| {
                    let ahead = taken.load(Relaxed) - answer;
                    assert!(
                        ahead <= (MAX_WAITING_ANSWERS + 1) * threads as u64 + 1,
                        "{ahead} questions ahead"
                    );
                    received.push(answer);
                    Ok::<_, EngineError>(())
                },
            );
            assert_eq!(result, Ok(()));
            assert_eq!(received, (0..3000).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_stop_leaves_no_gaps_and_takes_no_further_question() {
        let stop = AtomicBool::new(false);
        let mut received = Vec::new();
        let answer = |_: &mut Worker<'_>, question: u64| (question != 100).then_some(question);
        let result = in_order(0.., &Evaluation::embedded(), options(2), &stop, answer, |answer| {
            if answer == 90 {
                stop.store(true, Relaxed);
            }
            received.push(answer);
            Ok::<_, EngineError>(())
        });
        assert_eq!(result, Ok(()));
        assert!((91..=100).contains(&received.len()), "{}", received.len());
        assert!(received.iter().copied().eq(0..received.len() as u64));
    }

    #[test]
    fn a_panic_in_an_answer_ends_the_batch() {
        for threads in [1, 3] {
            let stop = AtomicBool::new(false);
            let run = || {
                let answer = |_: &mut Worker<'_>, question: u64| {
                    assert!(question != 100, "a fault made for a test");
                    Some(question)
                };
                let receive = |_| Ok::<_, EngineError>(());
                in_order(0.., &Evaluation::embedded(), options(threads), &stop, answer, receive)
            };
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
            assert!(result.is_err() && stop.load(Relaxed), "{threads} threads");
        }
    }

    #[test]
    fn idle_threads_help_with_the_last_positions_and_change_no_score() {
        let mut positions = Vec::new();
        testing::random_positions(71, 200, |position| {
            if position.empties() == 18 && !position.is_over() {
                positions.push(position);
            }
        });
        positions.truncate(3);
        assert!(!positions.is_empty());
        let scores = |threads| {
            let mut scores = Vec::new();
            let questions = positions.clone().into_iter();
            let search = |worker: &mut Worker<'_>, position| {
                let report = worker.search(position, &Limits::exact(), &());
                report.best().map(|line| line.eval())
            };
            let stop = AtomicBool::new(false);
            let result = in_order(
                questions,
                &Evaluation::embedded(),
                options(threads),
                &stop,
                search,
                |score| {
                    scores.push(score);
                    Ok::<_, EngineError>(())
                },
            );
            assert_eq!(result, Ok(()));
            scores
        };
        assert_eq!(scores(1), scores(4));
    }
}
