//! Searches on all processors, each thread with engines of its own.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// Answers questions in any order, a thread for each of `workers`, and returns the answers in the
/// order of the questions. The threads are new: constants have their default values there.
///
/// # Panics
/// With the panic of `answer`.
pub(super) fn answers<W: Send, Q: Sync, A: Send>(
    workers: &mut [W],
    questions: &[Q],
    answer: impl Fn(&mut W, &Q) -> A + Sync,
) -> Vec<A> {
    let next = AtomicUsize::new(0);
    let work = |worker: &mut W| {
        let mut answers = Vec::new();
        loop {
            let at = next.fetch_add(1, Relaxed);
            let Some(question) = questions.get(at) else { return answers };
            answers.push((at, answer(worker, question)));
        }
    };
    let mut all: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> =
            workers.iter_mut().map(|worker| scope.spawn(|| work(worker))).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().flat_map(join).collect()
    });
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, answer)| answer).collect()
}
