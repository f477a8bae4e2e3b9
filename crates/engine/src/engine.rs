//! The engine: everything that lives on from one search to the next.

use std::time::Duration;

use crate::context::SearchContext;
use crate::endgame::EndgameState;
use crate::error::{EngineError, Megabytes};
use crate::limits::Limits;
use crate::parallel::{self, CurrentlySearching, IdleThreads, Lockstep, Roles, Team};
use crate::report::{Listener, Report};
use crate::root::{RootSearch, SharedRoot};
use crate::running::{Lent, RunningSearch, SearchFault};
use crate::table::Table;
use crate::thread_state::ThreadState;
use crate::threads::{self, ThreadPool};
use crate::time::budget::time_budget;
use crate::time::iteration::LARGE_MIN_EMPTIES;
use crate::time::overhead::LearntOverhead;
use crate::time::solve_cost::SolveCost;
use crate::time::stop_control::StopControl;
use umigame_eval::SharedEvaluation;
use umigame_othello::Position;

/// Memory and threads of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EngineOptions {
    /// Size of the transposition table.
    pub hash: Megabytes,
    /// Threads that search one position, at least 1. Those beyond the machine's processors are not
    /// started.
    pub threads: usize,
}

/// 64 MB and one thread.
impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions { hash: Megabytes(64), threads: 1 }
    }
}

/// Minimum depth of a midgame search that pays for waking other threads.
const PARALLEL_MIN_DEPTH: u32 = 10;

/// Whether a search is over before waking other threads would pay.
fn is_small(root: Position, limits: &Limits) -> bool {
    let empties = root.empties();
    if empties <= limits.exact_from {
        empties < LARGE_MIN_EMPTIES
    } else {
        limits.depth < PARALLEL_MIN_DEPTH
    }
}

/// The threads that an engine starts at most: one a processor. While another waits for a processor,
/// the rest repeat its work. Tests start all that they ask for.
fn max_threads() -> usize {
    if cfg!(test) { usize::MAX } else { threads::processors() }
}

/// State of an engine that a search takes and hands back.
#[derive(Debug)]
struct Searcher {
    evaluation: SharedEvaluation,
    table: Table,
    /// One for each thread.
    endgame_states: Vec<EndgameState>,
    helpers: ThreadPool,
    currently_searching: CurrentlySearching,
    cost: SolveCost,
    overhead: LearntOverhead,
}

/// Searches positions. Owns the evaluation, the transposition table, the threads, and the costs
/// and overheads learnt from earlier searches.
///
/// With one thread, the same searches in the same order visit the same nodes on every machine.
///
/// An engine serves one search at a time: any use of it that needs its table or threads stops the
/// search that [`Engine::start`] has begun, and waits for its end.
#[derive(Debug)]
pub struct Engine {
    evaluation: SharedEvaluation,
    threads: usize,
    hash_size: Megabytes,
    searcher: Lent<Searcher>,
    /// The time of all searches so far, in nodes, if the processors are simulated.
    #[cfg(feature = "simulate")]
    simulated_nodes: Option<u64>,
}

impl Engine {
    /// Makes an engine with an empty table.
    ///
    /// # Errors
    /// A table size out of range or beyond the free memory, or more threads than the system starts.
    pub fn new(
        evaluation: impl Into<SharedEvaluation>,
        options: EngineOptions,
    ) -> Result<Engine, EngineError> {
        Engine::with_threads(evaluation.into(), options, options.threads.clamp(1, max_threads()))
    }

    fn with_threads(
        evaluation: SharedEvaluation,
        options: EngineOptions,
        threads: usize,
    ) -> Result<Engine, EngineError> {
        let searcher = Searcher {
            evaluation: evaluation.clone(),
            table: Table::new(options.hash)?,
            currently_searching: CurrentlySearching::new(),
            endgame_states: (0..threads).map(|_| EndgameState::new()).collect(),
            helpers: ThreadPool::new(threads - 1).map_err(EngineError::Threads)?,
            cost: SolveCost::default(),
            overhead: LearntOverhead::default(),
        };
        Ok(Engine {
            evaluation,
            threads,
            hash_size: searcher.table.size(),
            searcher: Lent::new(searcher),
            #[cfg(feature = "simulate")]
            simulated_nodes: None,
        })
    }

    /// The threads that search: those of the options, at most one for each processor.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The evaluation.
    pub fn evaluation(&self) -> &SharedEvaluation {
        &self.evaluation
    }

    /// The size that the transposition table takes.
    pub fn hash_size(&self) -> Megabytes {
        self.hash_size
    }

    /// Begins to unpack the weights, then to fetch the memory of the table from the system, in the
    /// background: on some machines a first search spends most of a tenth of a second on that. A
    /// search may begin at any time.
    pub fn warm_up(&mut self) {
        let (threads, evaluation) = (self.threads, self.evaluation.clone());
        self.searcher.get().table.warm_up(threads, move || evaluation.prepare());
    }

    /// Unpacks the weights now and, if time is one of the limits, fetches the memory of the table, so
    /// that the first search with these limits does not wait for them while its clock runs. Fetching
    /// a table of many gigabytes ends unfinished after some seconds.
    pub fn prepare(&mut self, limits: &Limits) {
        self.evaluation.prepare();
        if limits.is_timed() {
            self.warm_up();
            self.searcher.get().table.finish_warm_up(|| true);
        }
    }

    /// Empties the table: the next search visits the same nodes as in a new engine. The learnt costs
    /// and overheads stay; they matter only to searches on a clock and to predicted times.
    pub fn clear(&mut self) {
        let searcher = self.searcher.get();
        searcher.table.clear();
        searcher.endgame_states.iter_mut().for_each(EndgameState::clear);
    }

    /// Returns the time that a search is planned to take; `None` if time is no limit. On a clock, it
    /// may take a few times longer while the best move changes, or to solve the game.
    pub fn planned_time(&mut self, root: Position, limits: &Limits) -> Option<Duration> {
        let searcher = self.searcher.get();
        let time = time_budget(limits, root.empties(), searcher.cost, searcher.overhead);
        time.map(|time| time.soft)
    }

    /// Searches a position and returns the last report: of the last finished iteration, or of a
    /// better move that the unfinished one after it has found. Its kind is that of the finished one.
    ///
    /// At least one iteration is finished unless the game is over; the report then has no lines.
    ///
    /// # Panics
    /// With a panic of the listener or of the search, in whatever thread it was, once every thread
    /// has ended the search. The engine serves on.
    pub fn search(&mut self, root: Position, limits: &Limits, listener: &dyn Listener) -> Report {
        self.search_with(root, limits, listener, None)
    }

    /// As [`Engine::search`], with a panic as an error.
    ///
    /// # Errors
    /// A panic of the listener or of the search. The engine serves on.
    pub fn try_search(
        &mut self,
        root: Position,
        limits: &Limits,
        listener: &dyn Listener,
    ) -> Result<Report, SearchFault> {
        SearchFault::catch(|| self.search(root, limits, listener))
    }

    /// Begins to search a position on a thread of its own. Its clock starts once the weights are
    /// unpacked and, if time is a limit, the memory of the table is fetched.
    ///
    /// Stops the search that was begun before, if it still runs.
    ///
    /// # Errors
    /// The system starts no thread.
    #[cfg(feature = "system")]
    pub fn start(&mut self, root: Position, limits: &Limits) -> Result<RunningSearch, EngineError> {
        self.spawn(root, vec![limits.clone()], crate::time::stopwatch::Silent::default)
    }

    /// Begins searches of a position one after the other, as one [`RunningSearch`] with the reports
    /// of them all, until one is stopped. Time is that of `listener`, which may also stop them, and
    /// receives the reports too, on the thread that searches.
    ///
    /// # Errors
    /// As [`Engine::start`].
    pub fn start_with(
        &mut self,
        root: Position,
        series: impl Into<Vec<Limits>>,
        listener: impl Listener + Send + 'static,
    ) -> Result<RunningSearch, EngineError> {
        self.spawn(root, series.into(), || listener)
    }

    fn spawn<L: Listener>(
        &mut self,
        root: Position,
        series: Vec<Limits>,
        listener: impl FnOnce() -> L + Send + 'static,
    ) -> Result<RunningSearch, EngineError> {
        let is_timed = series.iter().any(Limits::is_timed);
        if is_timed {
            self.warm_up();
        }
        self.searcher.start(move |searcher, thread| {
            thread.run(|thread| {
                searcher.evaluation.prepare();
                if is_timed {
                    searcher.table.finish_warm_up(|| !thread.is_stopped());
                }
                let (listener, mut last) = (thread.listener(listener()), Report::default());
                for limits in &series {
                    last = searcher.search(root, limits, &listener, None, None);
                    if !listener.go_on() {
                        break;
                    }
                }
                last
            });
        })
    }

    /// Returns whether a search that was begun by [`Engine::start`] runs and was not stopped.
    pub fn is_searching(&self) -> bool {
        self.searcher.is_lent()
    }

    /// Searches a position with the help of idle threads of a batch.
    pub(crate) fn search_with(
        &mut self,
        root: Position,
        limits: &Limits,
        listener: &dyn Listener,
        idle: Option<&IdleThreads<EndgameState>>,
    ) -> Report {
        #[cfg(feature = "simulate")]
        if self.simulated_nodes.is_some() {
            return self.search_simulated(root, limits, listener);
        }
        self.searcher.get().search(root, limits, listener, idle, None)
    }

    /// Takes the engine apart: its endgame memory goes to searches of other engines.
    pub(crate) fn into_endgame_states(mut self) -> Vec<EndgameState> {
        std::mem::take(&mut self.searcher.get().endgame_states)
    }
}

#[cfg(feature = "simulate")]
impl Engine {
    /// Makes an engine whose threads take turns, as if each had a processor of its own: for
    /// measuring how a search scales beyond the processors of this machine.
    ///
    /// The same searches in the same order visit the same nodes. The simulation models neither shared
    /// memory and caches nor the time to wake a thread.
    ///
    /// # Errors
    /// As [`Engine::new`].
    pub fn simulated(
        evaluation: impl Into<SharedEvaluation>,
        options: EngineOptions,
    ) -> Result<Engine, EngineError> {
        let engine = Engine::with_threads(evaluation.into(), options, options.threads.max(1))?;
        Ok(Engine { simulated_nodes: Some(0), ..engine })
    }

    /// The time that all searches so far took on simulated processors, in nodes of one thread;
    /// `None` on those of the machine.
    pub fn simulated_nodes(&self) -> Option<u64> {
        self.simulated_nodes
    }

    fn search_simulated(
        &mut self,
        root: Position,
        limits: &Limits,
        listener: &dyn Listener,
    ) -> Report {
        let lockstep = Lockstep::new(if is_small(root, limits) { 1 } else { self.threads });
        let report = self.searcher.get().search(root, limits, listener, None, Some(&lockstep));
        self.simulated_nodes = self.simulated_nodes.map(|nodes| nodes + lockstep.nodes());
        report
    }
}

impl Searcher {
    /// Searches a position, with the help of idle threads of a batch, on simulated processors if
    /// there are any.
    fn search(
        &mut self,
        root: Position,
        limits: &Limits,
        listener: &dyn Listener,
        idle: Option<&IdleThreads<EndgameState>>,
        lockstep: Option<&Lockstep>,
    ) -> Report {
        let time = time_budget(limits, root.empties(), self.cost, self.overhead);
        let small = is_small(root, limits);
        let threads = if small { 1 } else { self.endgame_states.len() };
        let states = self.endgame_states.get_mut(..threads).unwrap_or_default();
        let idle = idle.filter(|_| !small);
        self.currently_searching.clear();
        let control = StopControl::new(limits, time, listener);
        let team = Team::new(&self.currently_searching, threads > 1 || idle.is_some(), lockstep);
        let context = SearchContext {
            table: self.table.open(),
            evaluation: &self.evaluation,
            control: &control,
            team: &team,
        };
        let (shared, cost) = (SharedRoot::default(), &mut self.cost);
        let roles = Roles {
            search: |memory: &mut EndgameState, processor| {
                let thread = ThreadState::new(&context, memory, processor);
                RootSearch::new(thread, &shared, 0).iterate(root, cost)
            },
            help: |index, memory: &mut EndgameState, processor| {
                let thread = ThreadState::new(&context, memory, processor);
                RootSearch::new(thread, &shared, index).help();
            },
            close: || {
                control.stop();
                shared.close();
            },
        };
        let found = parallel::run(&team, states, &self.helpers, idle, roles);
        if let Some(delay) = control.stop_delay() {
            self.overhead.record(limits.move_overhead, delay);
        }
        Report { nodes: control.nodes(), ..found.unwrap_or_default() }
    }
}
