//! The engine: what lives on from one search to the next.

use std::sync::Arc;

use super::batch::IdleThreads;
use super::endgame::EndgameState;
use super::limits::Limits;
use super::report::{Listener, Report};
use super::solve_cost::SolveCost;
use super::table::{Megabytes, Table, TableError};
use super::worker::{Shared, Worker};
use crate::eval::Evaluation;
use umigame_othello::Position;

/// What a engine is made with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EngineOptions {
    /// The size of the transposition table.
    pub hash: Megabytes,
    /// Threads that search one position, at least 1.
    pub threads: usize,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions { hash: Megabytes(64), threads: 1 }
    }
}

/// Whether a search is over before it would pay to wake other threads.
fn is_small(root: Position, limits: &Limits) -> bool {
    let empties = root.empties();
    if empties <= limits.solve_from { empties < 17 } else { limits.depth < 10 }
}

/// Searches positions, and remembers between searches what it found.
#[derive(Debug)]
pub struct Engine {
    options: EngineOptions,
    table: Table,
    /// One for each thread.
    endgame_states: Vec<EndgameState>,
    /// What searches have cost so far.
    cost: SolveCost,
    /// Where it is not the evaluation of this process.
    evaluation: Option<Arc<Evaluation>>,
}

impl Engine {
    /// A engine with an empty table and the evaluation chosen for this
    /// process.
    ///
    /// # Errors
    /// A table size out of range or beyond the machine's memory.
    pub fn new(options: EngineOptions) -> Result<Engine, TableError> {
        let table = Table::new(options.hash)?;
        let endgame_states = (0..options.threads.max(1)).map(|_| EndgameState::new()).collect();
        Ok(Engine { options, table, endgame_states, cost: SolveCost::default(), evaluation: None })
    }

    /// What the engine was made with.
    pub fn options(&self) -> EngineOptions {
        self.options
    }

    /// What searches have cost so far, for [`budget`](super::budget).
    pub fn cost(&self) -> SolveCost {
        self.cost
    }

    /// The size that the transposition table really takes.
    pub fn hash_size(&self) -> Megabytes {
        self.table.size()
    }

    /// Forgets every position, and searches with this evaluation from now on.
    pub fn clear_for(&mut self, evaluation: &Arc<Evaluation>) {
        self.clear();
        self.evaluation = Some(Arc::clone(evaluation));
    }

    /// What the next search evaluates with. The weights take a moment to
    /// unpack, and a engine is made before anything is searched: so not
    /// sooner than somebody asks.
    fn evaluation(&self) -> Arc<Evaluation> {
        self.evaluation.clone().unwrap_or_else(Evaluation::chosen)
    }

    /// Waits for what the first search would wait for.
    pub fn get_ready(&self) {
        self.evaluation();
    }

    /// Forgets every position.
    pub fn clear(&mut self) {
        self.table.clear();
        self.endgame_states.iter_mut().for_each(EndgameState::clear);
    }

    /// Searches a position and returns the last finished iteration, which
    /// was also reported. There is always one unless the game is over.
    pub fn search(&mut self, root: Position, limits: &Limits, listener: &dyn Listener) -> Report {
        self.search_with(root, limits, listener, None)
    }

    /// The same, helped by the threads that become free meanwhile.
    pub(super) fn search_with(
        &mut self,
        root: Position,
        limits: &Limits,
        listener: &dyn Listener,
        help: Option<&IdleThreads>,
    ) -> Report {
        let evaluation = self.evaluation();
        let shared = Shared::new(self.table.open(), &evaluation, limits, listener);
        let Some((first, others)) = self.endgame_states.split_first_mut() else {
            return Report::default();
        };
        let cost = &mut self.cost;
        let small = is_small(root, limits);
        let helpers = if small { &mut [] } else { others };
        let help = help.filter(|_| !small);
        let mut report = std::thread::scope(|scope| {
            for state in helpers {
                scope.spawn(|| Worker::new(&shared, state).serve());
            }
            if let Some(help) = help {
                let shared = &shared;
                scope.spawn(move || {
                    while let Some(mut state) = help.borrow(&shared.pool) {
                        scope.spawn(move || {
                            Worker::new(shared, &mut state).serve();
                            help.offer([state]);
                        });
                    }
                });
            }
            let report = Worker::new(&shared, first).iterate(root, cost);
            shared.pool.close();
            if let Some(help) = help {
                help.ring();
            }
            report
        });
        report.nodes = shared.nodes();
        report
    }

    /// Gives up the threads of this engine for the searches of others.
    pub(super) fn into_readers(self) -> Vec<EndgameState> {
        self.endgame_states
    }
}
