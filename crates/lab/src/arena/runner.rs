//! Many games at once: workers that take the next game of the schedule, each
//! with engines of its own, and one place where results arrive.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};
use std::thread;

use serde::{Deserialize, Serialize};

use umigame_othello::Color;
use umigame_othello::text::shown_path;

use super::client::{Client, LaunchError, Launcher, Patience};
use super::clock::{SideClock, TimeLimit};
use super::config::{EngineConfig, Protocol, Seconds};
use super::openings::{self, Opening, OpeningError};
use super::process::{Capped, Registry, StderrLog};
use super::record::GameLine;
use super::referee;
use super::schedule::{Fixture, Schedule, Shape};
use super::sprt::Sprt;

/// Starts in a row that an engine may fail in the middle of a match.
const LAUNCHES: usize = 3;
/// Bytes of stderr that are kept in a file for each engine.
const STDERR_FILE: usize = 16 << 20;

/// All that makes a match, so that it can be taken up again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Match {
    /// The engines; the first one's view is taken.
    pub engines: Vec<EngineConfig>,
    /// Who plays whom.
    pub shape: Shape,
    /// Pairs of games in each pairing.
    pub pairs: usize,
    /// The openings as texts, in the order in which they are played, and
    /// again from the first where there are fewer than pairs.
    pub openings: Vec<String>,
    /// Games at once.
    pub concurrency: usize,
    /// Whether each game has its engines bound to a core.
    pub pin: bool,
    /// Time over the clock that is forgiven, unless an engine has its own.
    pub margin: Seconds,
    /// How long an engine without a clock is waited for.
    pub patience: Seconds,
    /// How long an engine may take to start.
    pub start_patience: Seconds,
    /// The test that may end the match early; for two engines.
    pub sprt: Option<Sprt>,
}

/// Why a match cannot be played, or not go on.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// An engine cannot take part.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The openings.
    #[error("openings: {0}")]
    Openings(#[from] OpeningError),
    /// What does not fit together.
    #[error("{0}")]
    Unfit(&'static str),
    /// A file of the records.
    #[error("{path}: {error}")]
    Records {
        /// Which.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// A line of the records that no match wrote.
    #[error("{path}, line {line}: {why}")]
    BadRecord {
        /// Which file.
        path: String,
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
}

impl Match {
    /// All its games.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.shape, self.engines.len(), self.pairs)
    }

    /// Checks what fits together.
    ///
    /// # Errors
    /// [`MatchError::Unfit`].
    pub fn check(&self) -> Result<(), MatchError> {
        let unfit = |why| Err(MatchError::Unfit(why));
        if self.engines.len() < 2 {
            return unfit("a match takes two engines or more");
        }
        if self.pairs == 0 {
            return unfit("a match takes two games or more");
        }
        match self.sprt {
            Some(_) if self.engines.len() > 2 => unfit("a sequential test takes two engines"),
            Some(sprt) if sprt.low >= sprt.high => {
                unfit("a sequential test takes a lower bound below its upper bound")
            }
            Some(Sprt { alpha, beta, .. })
                if !(alpha > 0.0 && alpha < 0.5 && beta > 0.0 && beta < 0.5) =>
            {
                unfit("a sequential test takes error rates between 0 and 0.5")
            }
            _ => Ok(()),
        }
    }
}

/// A match that is ready to be played: openings read, engines tried.
#[derive(Debug)]
pub struct Runner {
    schedule: Schedule,
    openings: Vec<Opening>,
    launchers: Vec<Launcher>,
    margin: Seconds,
    concurrency: usize,
    pin: bool,
    registry: Arc<Registry>,
}

impl Runner {
    /// Reads the openings and finds out how to speak to the engines. Their
    /// stderr goes into files of this folder too, if there is one.
    ///
    /// # Errors
    /// [`MatchError`].
    pub fn new(
        plan: &Match,
        registry: &Arc<Registry>,
        stderr_folder: Option<PathBuf>,
    ) -> Result<Runner, MatchError> {
        plan.check()?;
        let openings = openings::read(&plan.openings.join("\n"))?;
        let patience = Patience { start: plan.start_patience.0, answer: plan.patience.0 };
        let launcher = |engine: &EngineConfig| -> Result<Launcher, MatchError> {
            let log = match &stderr_folder {
                Some(folder) => Some(stderr_log(folder, &engine.name)?),
                None => None,
            };
            Ok(Launcher::new(engine.clone(), registry, log, patience)?)
        };
        let launchers: Vec<Launcher> =
            plan.engines.iter().map(launcher).collect::<Result<_, _>>()?;
        if openings.iter().any(|opening| !opening.record.is_standard()) {
            launchers.iter().try_for_each(Launcher::check_set_up)?;
        }
        Ok(Runner {
            schedule: plan.schedule(),
            openings,
            launchers,
            margin: plan.margin,
            concurrency: plan.concurrency.max(1),
            pin: plan.pin,
            registry: Arc::clone(registry),
        })
    }

    /// The engines as they are spoken to.
    pub fn engines(&self) -> impl Iterator<Item = &EngineConfig> {
        self.launchers.iter().map(|launcher| &launcher.engine)
    }

    /// Plays the games that are not done yet. Every result goes to `arrived`,
    /// which says whether to go on; games under way are played to their end.
    ///
    /// # Errors
    /// An engine that cannot be started any more, or what `arrived` reports.
    pub fn run(
        &self,
        done: &HashSet<usize>,
        mut arrived: impl FnMut(GameLine) -> Result<bool, MatchError>,
    ) -> Result<(), MatchError> {
        let next = AtomicUsize::new(0);
        let enough = AtomicBool::new(false);
        let failed: Mutex<Option<LaunchError>> = Mutex::new(None);
        let mut result = Ok(());
        thread::scope(|scope| {
            let (sender, results) = mpsc::channel();
            for core in 0..self.concurrency {
                let worker = Worker {
                    runner: self,
                    core: self.pin.then_some(core),
                    done,
                    next: &next,
                    enough: &enough,
                    clients: self.launchers.iter().map(|_| None).collect(),
                };
                let (sender, failed) = (sender.clone(), &failed);
                scope.spawn(move || worker.run(&sender, failed));
            }
            drop(sender);
            for line in results {
                match arrived(line) {
                    Ok(true) => {}
                    Ok(false) => enough.store(true, Ordering::SeqCst),
                    Err(error) => {
                        enough.store(true, Ordering::SeqCst);
                        result = Err(error);
                    }
                }
            }
        });
        let failed = failed.into_inner().unwrap_or_default();
        result.and(failed.map_or(Ok(()), |error| Err(error.into())))
    }
}

fn stderr_log(folder: &std::path::Path, name: &str) -> Result<StderrLog, MatchError> {
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let path = folder.join(format!("stderr-{name}.log"));
    let file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(&path)
        .map_err(|error| MatchError::Records { path: shown_path(&path), error })?;
    Ok(Arc::new(Mutex::new(Capped::new(file, STDERR_FILE))))
}

/// One game at a time.
struct Worker<'a> {
    runner: &'a Runner,
    core: Option<usize>,
    done: &'a HashSet<usize>,
    next: &'a AtomicUsize,
    enough: &'a AtomicBool,
    clients: Vec<Option<Box<dyn Client>>>,
}

impl Worker<'_> {
    fn run(mut self, results: &Sender<GameLine>, failed: &Mutex<Option<LaunchError>>) {
        while let Some(fixture) = self.take() {
            match self.play(fixture) {
                // A game that was broken off from outside is no game.
                Ok(_) if self.runner.registry.stopping() => break,
                Ok(line) => {
                    if results.send(line).is_err() {
                        break;
                    }
                }
                Err(error) => {
                    if !self.runner.registry.stopping()
                        && let Ok(mut failed) = failed.lock()
                    {
                        failed.get_or_insert(error);
                    }
                    self.enough.store(true, Ordering::SeqCst);
                    break;
                }
            }
        }
        for client in self.clients.into_iter().flatten() {
            client.close();
        }
    }

    fn take(&self) -> Option<Fixture> {
        loop {
            if self.enough.load(Ordering::SeqCst) || self.runner.registry.stopping() {
                return None;
            }
            let game = self.next.fetch_add(1, Ordering::SeqCst);
            let fixture = self.runner.schedule.fixture(game)?;
            if !self.done.contains(&game) {
                return Some(fixture);
            }
        }
    }

    fn play(&mut self, fixture: Fixture) -> Result<GameLine, LaunchError> {
        let (black, white) = (fixture.black, fixture.white);
        for (index, slot) in self.clients.iter_mut().enumerate() {
            // Engines that do not play give their memory back.
            if index != black && index != white {
                if let Some(client) = slot.take() {
                    client.close();
                }
            } else if slot.is_none() {
                *slot = Some(launch(&self.runner.launchers[index], self.core)?);
            }
        }
        let openings = &self.runner.openings;
        let opening = &openings[fixture.pair % openings.len()];
        let clocks = self.clocks(fixture, opening);
        let mut black_client = self.clients[black].take();
        let mut white_client = self.clients[white].take();
        let (Some(for_black), Some(for_white)) = (&mut black_client, &mut white_client) else {
            unreachable!("both have been launched above");
        };
        let played = referee::play([for_black, for_white], clocks, opening);
        let lost = played.forfeit.as_ref().filter(|it| it.fault.failing.needs_restart());
        let lost = lost.map(|forfeit| forfeit.loser);
        // A client that is dropped takes its process with it.
        self.clients[black] = black_client.filter(|_| lost != Some(Color::Black));
        self.clients[white] = white_client.filter(|_| lost != Some(Color::White));
        let names = [black, white].map(|index| self.runner.launchers[index].engine.name.as_str());
        Ok(GameLine::new(fixture, names, opening.record.turns.len(), &played))
    }

    fn clocks(&self, fixture: Fixture, opening: &Opening) -> [SideClock; 2] {
        let empties = opening.record.board().map_or(60, |board| board.empties());
        [fixture.black, fixture.white].map(|index| {
            let engine = &self.runner.launchers[index].engine;
            let limit = TimeLimit::of(engine, engine.bank, empties.div_ceil(2));
            let margin = engine.margin.unwrap_or(self.runner.margin);
            SideClock::new(limit, margin.0)
        })
    }
}

fn launch(launcher: &Launcher, core: Option<usize>) -> Result<Box<dyn Client>, LaunchError> {
    let mut result = launcher.launch(core);
    for _ in 1..LAUNCHES {
        if result.is_ok() {
            break;
        }
        result = launcher.launch(core);
    }
    result
}

/// Which protocol an engine speaks, as a word for a table.
pub fn protocol_name(engine: &EngineConfig) -> &'static str {
    match engine.protocol {
        Protocol::Auto => "auto",
        Protocol::Nboard => "NBoard",
        Protocol::Gtp => "GTP",
    }
}
