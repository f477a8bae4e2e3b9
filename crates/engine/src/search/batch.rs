//! Many positions at once: one thread for each, the answers in the order of
//! the questions, and memory that does not grow with their number.
//!
//! A thread that finds no further question lends itself to the searches that
//! still run, so that the last big ones are searched by all threads together.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::engine::{Engine, EngineOptions};
use super::error::{EngineError, Megabytes};
use super::limits::Limits;
use super::parallel::IdleThreads;
use super::report::{Listener, Report};
use crate::eval::SharedEvaluation;
use crate::threads;
use umigame_othello::Position;

/// Answers that may wait for an earlier one, for each thread: enough to get
/// past a position that takes a hundred times as long as its neighbours.
const AHEAD: u64 = 128;
/// With this many empties or fewer a position gets a small table, which stays
/// in the processor's cache.
const LITTLE: u32 = 14;
/// How often a thread that waits for an earlier answer looks whether it is
/// to stop.
const LOOK: Duration = Duration::from_millis(50);

/// What one thread searches with. Each search begins with an empty table, so
/// that its nodes do not depend on the positions before it.
#[derive(Debug)]
pub struct Worker<'a> {
    little: Engine,
    large: Engine,
    help: &'a IdleThreads,
}

impl<'a> Worker<'a> {
    fn new(
        evaluation: &SharedEvaluation,
        share: Megabytes,
        help: &'a IdleThreads,
    ) -> Result<Worker<'a>, EngineError> {
        let of = |hash| Engine::new(evaluation.clone(), EngineOptions { hash, threads: 1 });
        Ok(Worker { little: of(Megabytes(1))?, large: of(share)?, help })
    }

    /// The thread's engine with its share of the table, for searches that
    /// belong together: as the last one left it, and without help.
    pub fn own(&mut self) -> &mut Engine {
        &mut self.large
    }

    /// Searches one position.
    pub fn search(&mut self, root: Position, limits: &Limits, listener: &dyn Listener) -> Report {
        if root.empties() <= LITTLE {
            self.little.clear();
            return self.little.search(root, limits, listener);
        }
        self.large.clear();
        self.large.search_with(root, limits, listener, Some(self.help))
    }
}

/// The questions that nobody has taken yet.
struct Questions<Q> {
    /// `None` at their end.
    rest: Option<Q>,
    next: u64,
}

/// Answers all questions, `options.threads` at a time, each thread with its
/// share of the table, and hands the answers on in the order of the
/// questions, on the calling thread.
///
/// Once `stop` is set, by the caller or by an error, no further question is
/// taken; `answer` returns `None` where it was stopped. What was handed on is
/// then without gaps: a later answer that waits for an earlier one is lost.
///
/// # Errors
/// A table that cannot be had, and what `hand_on` fails with.
pub fn in_order<Q, A, E>(
    questions: Q,
    evaluation: &SharedEvaluation,
    options: EngineOptions,
    stop: &AtomicBool,
    answer: impl Fn(&mut Worker<'_>, Q::Item) -> Option<A> + Sync,
    mut hand_on: impl FnMut(A) -> Result<(), E>,
) -> Result<(), E>
where
    Q: Iterator + Send,
    A: Send,
    E: From<EngineError>,
{
    let threads = options.threads.max(1);
    let share = Megabytes((options.hash.0 / threads).max(1));
    let help = IdleThreads::default();
    let workers: Result<Vec<_>, _> =
        (0..threads).map(|_| Worker::new(evaluation, share, &help)).collect();
    let questions = Mutex::new(Questions { rest: Some(questions), next: 0 });
    let done =
        Done { handed_on: Mutex::new(0), room: Condvar::new(), ahead: AHEAD * threads as u64 };
    let (sender, answers) = channel();
    threads::scope(|scope| {
        for worker in workers? {
            let (sender, questions, done, answer) = (sender.clone(), &questions, &done, &answer);
            scope.spawn(move || work(worker, questions, done, stop, &sender, answer));
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut next = 0;
        let mut result = Ok(());
        for (number, answer) in answers {
            early.insert(number, answer);
            while let Some(answer) = early.remove(&next) {
                if result.is_ok() {
                    result = hand_on(answer);
                }
                if result.is_err() {
                    stop.store(true, Relaxed);
                }
                next += 1;
                done.advance(next);
            }
        }
        result
    })
}

/// How far the answers have been handed on.
struct Done {
    handed_on: Mutex<u64>,
    room: Condvar,
    ahead: u64,
}

impl Done {
    fn advance(&self, next: u64) {
        *self.handed_on.lock().unwrap_or_else(PoisonError::into_inner) = next;
        self.room.notify_all();
    }

    /// Waits until the answer to this question would not be too early.
    fn wait_for_room(&self, number: u64, stop: &AtomicBool) {
        let mut handed_on = self.handed_on.lock().unwrap_or_else(PoisonError::into_inner);
        while number >= *handed_on + self.ahead && !stop.load(Relaxed) {
            let waited = self.room.wait_timeout(handed_on, LOOK);
            handed_on = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// One thread: takes questions until there are no more, then helps.
fn work<Q: Iterator, A>(
    mut worker: Worker<'_>,
    questions: &Mutex<Questions<Q>>,
    done: &Done,
    stop: &AtomicBool,
    sender: &Sender<(u64, A)>,
    answer: &impl Fn(&mut Worker<'_>, Q::Item) -> Option<A>,
) {
    while let Some((number, question)) = take(questions, done, stop) {
        let Some(answer) = answer(&mut worker, question) else { break };
        if sender.send((number, answer)).is_err() {
            break;
        }
    }
    worker.help.offer(worker.large.into_endgame_states());
}

/// The next question with its number. The others wait while this one is
/// read, but not those who hand on.
fn take<Q: Iterator>(
    questions: &Mutex<Questions<Q>>,
    done: &Done,
    stop: &AtomicBool,
) -> Option<(u64, Q::Item)> {
    let mut questions = questions.lock().unwrap_or_else(PoisonError::into_inner);
    done.wait_for_room(questions.next, stop);
    if stop.load(Relaxed) {
        return None;
    }
    let Some(question) = questions.rest.as_mut()?.next() else {
        questions.rest = None;
        return None;
    };
    questions.next += 1;
    Some((questions.next - 1, question))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;
    use crate::eval::Evaluation;
    use crate::search::Silent;
    use umigame_othello::testing;

    fn options(threads: usize) -> EngineOptions {
        EngineOptions { hash: Megabytes(4), threads }
    }

    #[test]
    fn answers_come_in_the_order_of_the_questions_and_none_too_early() {
        for threads in [1, 2, 5] {
            let (taken, stop) = (AtomicU64::new(0), AtomicBool::new(false));
            let questions = (0..3000u64).inspect(|_| _ = taken.fetch_add(1, Relaxed));
            let mut handed_on = Vec::new();
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
                    assert!(ahead <= (AHEAD + 1) * threads as u64 + 1, "{ahead} questions ahead");
                    handed_on.push(answer);
                    Ok::<_, EngineError>(())
                },
            );
            assert_eq!(result, Ok(()));
            assert_eq!(handed_on, (0..3000).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_stop_leaves_no_gaps_and_takes_no_further_question() {
        let stop = AtomicBool::new(false);
        let mut handed_on = Vec::new();
        let answer = |_: &mut Worker<'_>, question: u64| (question != 100).then_some(question);
        let result = in_order(0.., &Evaluation::embedded(), options(2), &stop, answer, |answer| {
            if answer == 90 {
                stop.store(true, Relaxed);
            }
            handed_on.push(answer);
            Ok::<_, EngineError>(())
        });
        assert_eq!(result, Ok(()));
        assert!((91..=100).contains(&handed_on.len()), "{}", handed_on.len());
        assert!(handed_on.iter().copied().eq(0..handed_on.len() as u64));
    }

    #[test]
    fn threads_without_a_position_help_with_the_last_and_change_no_score() {
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
                let report = worker.search(position, &Limits::exact(), &Silent::default());
                report.best().map(|line| line.eval)
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
