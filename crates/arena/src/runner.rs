//! Plays the games of a match, several at once: each worker takes the next game of the schedule
//! and has engines of its own; results arrive in one place.

use std::collections::HashSet;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};
use std::thread;

use umigame_othello::{Color, text::shown_path};

use super::client::EngineClient;
use super::clock::{SideClock, TimeLimit};
use super::config::EngineConfig;
use super::launch::{LaunchError, Launcher, Patience};
use super::limits::Seconds;
use super::lines::CappedWriter;
use super::openings::{self, Opening};
use super::plan::{MatchError, MatchPlan};
use super::process::{ProcessRegistry, StderrLog};
use super::record::GameLine;
use super::referee;
use super::schedule::{Schedule, ScheduledGame};

/// Attempts to start an engine during a match, in a row.
const MAX_LAUNCHES: usize = 3;
/// Size of the file that keeps an engine's stderr.
const MAX_STDERR_FILE_BYTES: usize = 16 << 20;

/// A match ready to be played: openings read, engines tried.
#[derive(Debug)]
pub struct MatchRunner {
    schedule: Schedule,
    openings: Vec<Opening>,
    launchers: Vec<Launcher>,
    margin: Seconds,
    concurrency: usize,
    pin: bool,
    registry: Arc<ProcessRegistry>,
}

impl MatchRunner {
    /// Reads the openings and tries the engines. With a folder, their stderr is kept in files
    /// there.
    ///
    /// # Errors
    /// The plan contradicts itself, an opening cannot be read, or an engine cannot take part.
    pub fn new(
        plan: &MatchPlan,
        registry: &Arc<ProcessRegistry>,
        stderr_folder: Option<PathBuf>,
    ) -> Result<MatchRunner, MatchError> {
        plan.check()?;
        let openings = openings::read(&plan.openings.join("\n"))?;
        let patience = Patience { start: plan.start_patience.0, answer: plan.patience.0 };
        let launcher = |engine: &EngineConfig| -> Result<Launcher, MatchError> {
            let log = match &stderr_folder {
                Some(folder) => Some(open_stderr_log(folder, &engine.name)?),
                None => None,
            };
            Ok(Launcher::new(engine.clone(), registry, log, patience)?)
        };
        let launchers: Vec<Launcher> =
            plan.engines.iter().map(launcher).collect::<Result<_, _>>()?;
        if openings.iter().any(|opening| !opening.record.is_standard()) {
            launchers.iter().try_for_each(Launcher::check_set_up)?;
        }
        Ok(MatchRunner {
            schedule: plan.schedule(),
            openings,
            launchers,
            margin: plan.margin,
            concurrency: plan.concurrency,
            pin: plan.pin,
            registry: Arc::clone(registry),
        })
    }

    /// Returns the engines, with their protocols known.
    pub fn engines(&self) -> impl Iterator<Item = &EngineConfig> {
        self.launchers.iter().map(|launcher| &launcher.engine)
    }

    /// Plays all games except those in `done`, and hands each result to `arrived`. When that
    /// returns `false`, no further game starts; games in progress are played to their end.
    ///
    /// # Errors
    /// An engine does not start any more, or `arrived` fails.
    pub fn run(
        &self,
        done: &HashSet<usize>,
        mut arrived: impl FnMut(GameLine) -> Result<bool, MatchError>,
    ) -> Result<(), MatchError> {
        let next = AtomicUsize::new(0);
        let ending = AtomicBool::new(false);
        let failed: Mutex<Option<LaunchError>> = Mutex::new(None);
        let mut result = Ok(());
        thread::scope(|scope| {
            let (sender, results) = mpsc::channel();
            for core in 0..self.concurrency {
                let worker = MatchWorker {
                    runner: self,
                    core: self.pin.then_some(core),
                    done,
                    next: &next,
                    ending: &ending,
                    clients: self.launchers.iter().map(|_| None).collect(),
                };
                let (sender, failed) = (sender.clone(), &failed);
                scope.spawn(move || worker.run(&sender, failed));
            }
            drop(sender);
            for line in results {
                match arrived(line) {
                    Ok(true) => {}
                    Ok(false) => ending.store(true, Ordering::SeqCst),
                    Err(error) => {
                        ending.store(true, Ordering::SeqCst);
                        result = Err(error);
                    }
                }
            }
        });
        let failed = failed.into_inner().unwrap_or_default();
        result.and(failed.map_or(Ok(()), |error| Err(error.into())))
    }
}

fn open_stderr_log(folder: &Path, name: &str) -> Result<StderrLog, MatchError> {
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let path = folder.join(format!("stderr-{name}.log"));
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&path)
        .map_err(|error| MatchError::Records { path: shown_path(&path), error })?;
    Ok(Arc::new(Mutex::new(CappedWriter::new(file, MAX_STDERR_FILE_BYTES))))
}

/// A thread that plays one game after another.
struct MatchWorker<'a> {
    runner: &'a MatchRunner,
    core: Option<usize>,
    done: &'a HashSet<usize>,
    next: &'a AtomicUsize,
    ending: &'a AtomicBool,
    /// One for each engine of the match; present while the engine runs.
    clients: Vec<Option<Box<dyn EngineClient>>>,
}

impl MatchWorker<'_> {
    fn run(mut self, results: &Sender<GameLine>, failed: &Mutex<Option<LaunchError>>) {
        while let Some(game) = self.take_game() {
            match self.play(game) {
                // A game whose engines were killed does not count.
                Ok(_) if self.runner.registry.is_stopping() => break,
                Ok(line) => {
                    if results.send(line).is_err() {
                        break;
                    }
                }
                Err(error) => {
                    if !self.runner.registry.is_stopping()
                        && let Ok(mut failed) = failed.lock()
                    {
                        failed.get_or_insert(error);
                    }
                    self.ending.store(true, Ordering::SeqCst);
                    break;
                }
            }
        }
        for client in self.clients.into_iter().flatten() {
            client.quit();
        }
    }

    fn take_game(&self) -> Option<ScheduledGame> {
        loop {
            if self.ending.load(Ordering::SeqCst) || self.runner.registry.is_stopping() {
                return None;
            }
            let number = self.next.fetch_add(1, Ordering::SeqCst);
            let game = self.runner.schedule.game(number)?;
            if !self.done.contains(&number) {
                return Some(game);
            }
        }
    }

    fn play(&mut self, game: ScheduledGame) -> Result<GameLine, LaunchError> {
        let (black, white) = (game.black, game.white);
        for (index, slot) in self.clients.iter_mut().enumerate() {
            // An engine that does not play this game gives back its memory.
            if index != black && index != white {
                if let Some(client) = slot.take() {
                    client.quit();
                }
            } else if slot.is_none() {
                *slot = Some(launch(&self.runner.launchers[index], self.core)?);
            }
        }
        let openings = &self.runner.openings;
        let opening = &openings[game.pair % openings.len()];
        let clocks = self.clocks(game, opening);
        let mut black_client = self.clients[black].take();
        let mut white_client = self.clients[white].take();
        let (Some(for_black), Some(for_white)) = (&mut black_client, &mut white_client) else {
            unreachable!("both have been launched above");
        };
        let names = [black, white].map(|index| self.runner.launchers[index].engine.name.as_str());
        let line = referee::play(game.game, names, [for_black, for_white], clocks, opening);
        let broken = line.forfeit.as_ref().filter(|it| it.kind.needs_restart());
        let broken = broken.map(|forfeit| forfeit.loser);
        // Dropping a client kills its process.
        self.clients[black] = black_client.filter(|_| broken != Some(Color::Black));
        self.clients[white] = white_client.filter(|_| broken != Some(Color::White));
        Ok(line)
    }

    fn clocks(&self, game: ScheduledGame, opening: &Opening) -> [SideClock; 2] {
        let empties = opening.board().empties();
        [game.black, game.white].map(|index| {
            let engine = &self.runner.launchers[index].engine;
            let limit = TimeLimit::of(engine, engine.bank, empties.div_ceil(2));
            let margin = engine.margin.unwrap_or(self.runner.margin);
            SideClock::new(limit, margin.0)
        })
    }
}

fn launch(launcher: &Launcher, core: Option<usize>) -> Result<Box<dyn EngineClient>, LaunchError> {
    let mut result = launcher.launch(core);
    for _ in 1..MAX_LAUNCHES {
        if result.is_ok() {
            break;
        }
        result = launcher.launch(core);
    }
    result
}
