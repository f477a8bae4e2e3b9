//! What both protocols have in common as seen from the runner: an engine that
//! starts, hears of moves, and answers with one, or fails in a way that is
//! told apart.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use umigame_othello::game::Record;
use umigame_othello::text::quote;
use umigame_othello::{Board, Color, Eval, Move};

use super::clock::SideClock;
use super::config::{ConfigError, EngineConfig, Limits, Protocol};
use super::gtp::Gtp;
use super::nboard::NBoard;
use super::process::{NoLine, Process, Registry, StderrLog};

/// How much longer than its clock an engine is waited for, so that an answer
/// that is late is told from one that never comes.
pub const GRACE: Duration = Duration::from_secs(1);

/// How an engine lost a game that was not played to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Failing {
    /// It gave up.
    Resigned,
    /// Its answer came after its clock had run out.
    Clock,
    /// No answer came at all.
    Hang,
    /// The process ended, or would not start.
    Crash,
    /// It played a move that the rules forbid.
    Illegal,
    /// It refused a request or said what cannot be understood.
    Protocol,
}

impl Failing {
    /// A word or two for a table.
    pub const fn label(self) -> &'static str {
        match self {
            Failing::Resigned => "resigned",
            Failing::Clock => "lost on time",
            Failing::Hang => "hung",
            Failing::Crash => "crashed",
            Failing::Illegal => "played illegally",
            Failing::Protocol => "broke the protocol",
        }
    }

    /// Whether the process cannot be used for another game.
    pub const fn needs_restart(self) -> bool {
        !matches!(self, Failing::Resigned)
    }
}

/// A failing and what exactly happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Of what kind.
    pub failing: Failing,
    /// What happened, for the record.
    pub why: String,
}

impl Fault {
    pub(super) fn new(failing: Failing, why: impl Into<String>) -> Fault {
        Fault { failing, why: why.into() }
    }

    /// A move that cannot be read or may not be played.
    pub(super) fn illegal(text: &str, why: impl std::fmt::Display) -> Fault {
        Fault::new(Failing::Illegal, format!("`{}`: {why}", quote(text)))
    }
}

/// Why no line came, as a fault; `what` was waited for.
pub(super) fn silence(process: &mut Process, no_line: NoLine, what: &str) -> Fault {
    match no_line {
        NoLine::Late => Fault::new(Failing::Hang, format!("no {what} came")),
        NoLine::Gone => {
            let exit = process.exit().unwrap_or_else(|| "its output is closed".to_string());
            Fault::new(Failing::Crash, format!("{exit}, where {what} was expected"))
        }
    }
}

/// The game as an engine is told of it.
#[derive(Debug)]
pub struct View<'a> {
    /// Start and moves so far, with their times.
    pub record: &'a Record,
    /// The position now.
    pub board: &'a Board,
    /// Moves of the opening, passes counted.
    pub opening: usize,
    /// Black's clock, then White's.
    pub clocks: &'a [SideClock; 2],
}

impl View<'_> {
    /// The clock of a side.
    pub fn clock(&self, color: Color) -> &SideClock {
        let [black, white] = self.clocks;
        match color {
            Color::Black => black,
            Color::White => white,
        }
    }

    /// When the side to move has lost on time, and until when it is waited
    /// for, both counted from the request.
    pub(super) fn waits(&self, patience: Duration) -> Duration {
        let clock = self.clock(self.board.side_to_move());
        clock.deadline().map_or(patience, |deadline| deadline + GRACE)
    }
}

/// An engine's move.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The move.
    pub played: Move,
    /// What it thinks of it, from its own view.
    pub eval: Option<Eval>,
    /// The depth it states: plies, or a percentage.
    pub depth: Option<String>,
    /// The positions it says it has searched.
    pub nodes: Option<u64>,
    /// From the request to the answer.
    pub time: Duration,
}

/// One engine, whatever it speaks.
pub trait Client: Send {
    /// Waits until the engine is ready for its first game.
    ///
    /// # Errors
    /// [`Fault`], as everywhere here.
    fn greet(&mut self, until: Instant) -> Result<(), Fault>;

    /// Whether it can begin from any position; known once it has been greeted.
    fn sets_up(&self) -> bool;

    /// Begins a game: the record holds the opening.
    ///
    /// # Errors
    /// [`Fault`].
    fn new_game(&mut self, view: &View<'_>) -> Result<(), Fault>;

    /// Tells of a move that the engine has not made itself.
    ///
    /// # Errors
    /// [`Fault`].
    fn hear(&mut self, mover: Color, played: Move) -> Result<(), Fault>;

    /// Asks for a move of the side to move, which has one.
    ///
    /// # Errors
    /// [`Fault`].
    fn think(&mut self, view: &View<'_>) -> Result<Answer, Fault>;

    /// The process behind it.
    fn process(&mut self) -> &mut Process;

    /// Ends it.
    fn close(self: Box<Self>);
}

/// All that is needed to start an engine again and again.
#[derive(Clone)]
pub struct Launcher {
    /// The engine, its protocol known.
    pub engine: EngineConfig,
    extra: Vec<String>,
    registry: Arc<Registry>,
    log: Option<StderrLog>,
    patience: Patience,
}

impl std::fmt::Debug for Launcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Launcher").field("engine", &self.engine).finish_non_exhaustive()
    }
}

/// Writes limits where the command has room for them; returns the others.
fn fill_command(engine: &mut EngineConfig, limits: Limits) -> Vec<(&'static str, String)> {
    let values = [
        ("depth", limits.depth.map(|depth| depth.to_string())),
        ("level", limits.level.map(|level| level.to_string())),
        ("nodes", limits.nodes.map(|nodes| nodes.to_string())),
        ("move_time", limits.move_time.map(|time| format!("{time}s"))),
    ];
    let mut open = Vec::new();
    for (name, value) in values {
        let Some(value) = value else { continue };
        let hole = format!("{{{name}}}");
        if engine.command.iter().any(|word| word.contains(&hole)) {
            engine.command =
                engine.command.iter().map(|word| word.replace(&hole, &value)).collect();
        } else {
            open.push((name, value));
        }
    }
    open
}

/// How long engines are waited for where no clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For the first answer after the start.
    pub start: Duration,
    /// For every other answer.
    pub answer: Duration,
}

/// An engine that cannot take part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// Something in its description.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// It does not start, or not as an engine.
    #[error("{name}: {why}{stderr}")]
    Failed {
        /// Its name.
        name: String,
        /// What happened.
        why: String,
        /// The last lines of its stderr, if any.
        stderr: String,
    },
    /// Openings that it cannot be told.
    #[error("{0}: no way to set up a position: it speaks GTP and does not list `loadsgf`")]
    SetUp(String),
    /// A limit that it cannot be told.
    #[error(
        "{name}: no way to tell it {limit}: write {{{limit}}} where its command takes that number"
    )]
    Limit {
        /// Its name.
        name: String,
        /// `depth`, `level` or `nodes`.
        limit: &'static str,
    },
}

impl Launcher {
    /// Finds out how to speak to an engine, by starting it once where the
    /// configuration does not say.
    ///
    /// # Errors
    /// It does not start, speaks neither protocol, or cannot be told its
    /// limit.
    pub fn new(
        mut engine: EngineConfig,
        registry: &Arc<Registry>,
        log: Option<StderrLog>,
        patience: Patience,
    ) -> Result<Launcher, LaunchError> {
        let limits = engine.limits();
        let mut open = fill_command(&mut engine, limits);
        let mut launcher =
            Launcher { engine, extra: Vec::new(), registry: Arc::clone(registry), log, patience };
        if launcher.engine.protocol == Protocol::Auto {
            launcher.engine.protocol = launcher.detect()?;
        }
        let over_nboard = launcher.engine.protocol == Protocol::Nboard;
        let umigame = launcher.engine.is_umigame();
        let told_move_time = !open.iter().any(|(name, _)| *name == "move_time");
        open.retain(|(name, _)| *name != "move_time");
        for (name, value) in open {
            match name {
                "depth" if over_nboard => {}
                _ if umigame => launcher.extra.extend([format!("--{name}"), value]),
                // NBoard's `set depth` is what its users call the level.
                "level" if over_nboard => launcher.engine.depth = limits.level,
                "level" => launcher.engine.start.push(format!("set_level {value}")),
                limit => {
                    return Err(LaunchError::Limit {
                        name: launcher.engine.name.clone(),
                        limit: if limit == "depth" { "depth" } else { "nodes" },
                    });
                }
            }
        }
        match limits.move_time {
            // The protocol knows game clocks only, but the command can tell.
            Some(_) if told_move_time || !over_nboard => {}
            Some(time) if umigame => {
                launcher.extra.extend(["--move-time".to_string(), format!("{time}s")]);
            }
            _ if over_nboard => launcher.engine.bank = true,
            _ => {}
        }
        Ok(launcher)
    }

    fn failed(&self, why: impl Into<String>, stderr: &[String]) -> LaunchError {
        let stderr: String = stderr.iter().map(|line| format!("\n  {line}")).collect();
        LaunchError::Failed { name: self.engine.name.clone(), why: why.into(), stderr }
    }

    /// A GTP engine answers the first line, an NBoard engine the second.
    fn detect(&self) -> Result<Protocol, LaunchError> {
        let mut process =
            Process::start(&self.engine, &self.extra, &self.registry, self.log.clone())
                .map_err(|why| self.failed(why, &[]))?;
        let until = Instant::now() + self.patience.start;
        // A line refused is noticed as silence below.
        let _ = process.send("protocol_version").and_then(|()| process.send("ping 1"));
        loop {
            match process.receive(until) {
                Ok(arrival) if arrival.line.starts_with("pong") => {
                    process.close();
                    return Ok(Protocol::Nboard);
                }
                Ok(arrival) if arrival.line.starts_with(['=', '?']) => {
                    process.close();
                    return Ok(Protocol::Gtp);
                }
                Ok(_) => {}
                Err(no_line) => {
                    let fault = silence(
                        &mut process,
                        no_line,
                        "answer to `protocol_version` (GTP) or `ping 1` (NBoard)",
                    );
                    return Err(self.failed(fault.why, &process.stderr_tail()));
                }
            }
        }
    }

    /// Checks that the engine can begin from positions of its own.
    ///
    /// # Errors
    /// It cannot, or does not start.
    pub fn check_set_up(&self) -> Result<(), LaunchError> {
        let client = self.launch(None)?;
        let sets_up = client.sets_up();
        client.close();
        if sets_up { Ok(()) } else { Err(LaunchError::SetUp(self.engine.name.clone())) }
    }

    /// Starts the engine and waits until it is ready.
    ///
    /// # Errors
    /// [`LaunchError::Failed`], with the last lines of stderr.
    pub fn launch(&self, core: Option<usize>) -> Result<Box<dyn Client>, LaunchError> {
        let process = Process::start(&self.engine, &self.extra, &self.registry, self.log.clone())
            .map_err(|why| self.failed(why, &[]))?;
        if let Some(core) = core {
            process.pin(core);
        }
        let until = Instant::now() + self.patience.start;
        let mut client: Box<dyn Client> = match self.engine.protocol {
            Protocol::Gtp => Box::new(Gtp::new(process, self.engine.clone(), self.patience.answer)),
            _ => Box::new(NBoard::new(process, self.engine.clone(), self.patience.answer)),
        };
        match client.greet(until) {
            Ok(()) => Ok(client),
            Err(fault) => {
                let stderr = client.process().stderr_tail();
                Err(self.failed(format!("at its start: {}", fault.why), &stderr))
            }
        }
    }
}
