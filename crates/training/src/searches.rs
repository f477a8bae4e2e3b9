//! Searches of many positions at once, whose results do not depend on the number of threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use super::data::{Block, Writer};
use super::error::LearnError;
use umigame_engine::batch::{self, Worker};
use umigame_engine::{
    Engine, EngineOptions, Limits, Listener, Megabytes, Report, ScoreKind, SharedEvaluation,
    Stoppable,
};
use umigame_othello::{Eval, Position};

/// What searches: an evaluation, threads, and the flag that stops them.
#[derive(Clone, Copy, Debug)]
pub struct Searches<'a> {
    /// Evaluation of the positions.
    pub evaluation: &'a SharedEvaluation,
    /// Positions searched at once.
    pub threads: usize,
    /// Ends the searches when it is set.
    pub stop: &'a AtomicBool,
}

impl Searches<'_> {
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Answers the questions in order, each thread with a transposition table of its own, and calls
    /// `receive` with each answer. `None` is the answer to a question that was stopped.
    pub(crate) fn each<Q: Iterator + Send, A: Send>(
        &self,
        questions: Q,
        table: Megabytes,
        answer: impl Fn(&mut Worker<'_>, Q::Item) -> Option<A> + Sync,
        receive: impl FnMut(A) -> Result<(), LearnError>,
    ) -> Result<(), LearnError> {
        let Searches { evaluation, threads, stop } = *self;
        let options = EngineOptions { hash: Megabytes(table.0 * threads), threads };
        batch::in_order(questions, evaluation, options, stop, answer, receive)
    }

    /// Returns the answers, and calls `done` after each. After a stop these are the answers so far.
    pub(crate) fn all<Q: Iterator + Send, A: Send>(
        &self,
        questions: Q,
        table: Megabytes,
        answer: impl Fn(&mut Worker<'_>, Q::Item) -> Option<A> + Sync,
        mut done: impl FnMut(),
    ) -> Result<Vec<A>, LearnError> {
        let mut answers = Vec::new();
        self.each(questions, table, answer, |found| {
            answers.push(found);
            done();
            Ok(())
        })?;
        Ok(answers)
    }

    /// Appends the answers to a file, and calls `written` after each.
    pub(crate) fn write<Q: Iterator + Send>(
        &self,
        questions: Q,
        table: Megabytes,
        answer: impl Fn(&mut Worker<'_>, Q::Item) -> Option<Result<Block, LearnError>> + Sync,
        writer: &mut Writer,
        mut written: impl FnMut(&Block),
    ) -> Result<(), LearnError> {
        self.each(questions, table, answer, |block| {
            let block = block?;
            writer.write(&block)?;
            written(&block);
            Ok(())
        })
    }

    /// Searches a position; `None` if it was stopped.
    pub(crate) fn search(
        &self,
        engine: &mut Engine,
        position: Position,
        limits: &Limits,
    ) -> Option<Report> {
        let report = engine.search(position, limits, &Stoppable::new(self.stop));
        (!self.is_stopped()).then_some(report)
    }

    /// Searches likewise and returns what each iteration found.
    pub(crate) fn iterations(
        &self,
        engine: &mut Engine,
        position: Position,
        limits: &Limits,
    ) -> Option<Vec<(ScoreKind, Eval)>> {
        let found = Mutex::default();
        let stoppable = Stoppable::new(self.stop);
        engine.search(position, limits, &Iterations { stoppable, found: &found });
        found.into_inner().ok().filter(|_| !self.is_stopped())
    }
}

/// A listener that notes the value of each iteration.
struct Iterations<'a> {
    stoppable: Stoppable<'a>,
    found: &'a Mutex<Vec<(ScoreKind, Eval)>>,
}

impl Listener for Iterations<'_> {
    fn go_on(&self) -> bool {
        self.stoppable.go_on()
    }

    fn elapsed(&self) -> Duration {
        self.stoppable.elapsed()
    }

    fn report(&self, report: &Report) {
        if let (Ok(mut found), Some(best)) = (self.found.lock(), report.best()) {
            found.push((report.kind, best.raw));
        }
    }
}
