//! Starting engines: protocol detection, limits on the command line, initialisation.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::client::{EngineClient, Fault};
use super::config::{EngineConfig, EngineProtocol};
use super::gtp::GtpClient;
use super::nboard::NBoardClient;
use super::process::{EngineProcess, ProcessRegistry, ReadError, StderrLog};

/// Time allowed to engines without a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// From the start of the process to its first answer.
    pub start: Duration,
    /// For every other answer.
    pub answer: Duration,
}

/// Reason why an engine cannot be started, with its name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LaunchError(String);

/// Starts processes of one engine.
#[derive(Clone, Debug)]
pub(super) struct Launcher {
    /// The engine, with its protocol known.
    pub(super) engine: EngineConfig,
    extra_arguments: Vec<String>,
    registry: Arc<ProcessRegistry>,
    log: Option<StderrLog>,
    patience: Patience,
}

/// Replaces `{depth}`, `{level}`, `{nodes}` and `{move_time}` in the command by the limits and
/// returns the limits that have no such place.
fn fill_command(engine: &mut EngineConfig) -> Vec<(&'static str, String)> {
    let mut left = Vec::new();
    for (name, value) in engine.limits.by_name() {
        let place = format!("{{{name}}}");
        if engine.command.iter().any(|word| word.contains(&place)) {
            engine.command =
                engine.command.iter().map(|word| word.replace(&place, &value)).collect();
        } else {
            left.push((name, value));
        }
    }
    left
}

impl Launcher {
    /// Prepares an engine: finds its protocol, by starting it once where the configuration does
    /// not state it, and the way to pass its limits on.
    ///
    /// # Errors
    /// The engine does not start, speaks neither protocol, or has no way to take a limit.
    pub(super) fn new(
        mut engine: EngineConfig,
        registry: &Arc<ProcessRegistry>,
        log: Option<StderrLog>,
        patience: Patience,
    ) -> Result<Launcher, LaunchError> {
        let left = fill_command(&mut engine);
        let mut launcher = Launcher {
            engine,
            extra_arguments: Vec::new(),
            registry: Arc::clone(registry),
            log,
            patience,
        };
        if launcher.engine.protocol == EngineProtocol::Auto {
            launcher.engine.protocol = launcher.detect_protocol()?;
        }
        for (name, value) in left {
            launcher.pass_limit(name, value)?;
        }
        Ok(launcher)
    }

    /// Passes on a limit for which the command has no place.
    fn pass_limit(&mut self, name: &'static str, value: String) -> Result<(), LaunchError> {
        let over_nboard = self.engine.protocol == EngineProtocol::Nboard;
        let umigame = self.engine.is_umigame();
        match name {
            // Sent as `set depth` and `time_settings` by the client.
            "depth" if over_nboard => {}
            "move_time" if !over_nboard => {}
            _ if umigame => {
                self.extra_arguments.extend([format!("--{}", name.replace('_', "-")), value]);
            }
            // NBoard knows game clocks only.
            "move_time" => self.engine.bank = true,
            // NBoard has no level; engines take `set depth` for it.
            "level" if over_nboard => self.engine.limits.depth = self.engine.limits.level,
            "level" => self.engine.start.push(format!("set_level {value}")),
            limit => {
                let place = format!("write {{{limit}}} where its command takes that number");
                return Err(self.failed(format!("no way to tell it {limit}: {place}"), &[]));
            }
        }
        Ok(())
    }

    fn failed(&self, why: impl Into<String>, stderr: &[String]) -> LaunchError {
        let stderr: String = stderr.iter().map(|line| format!("\n  {line}")).collect();
        LaunchError(format!("{}: {}{stderr}", self.engine.name, why.into()))
    }

    fn start(&self) -> Result<EngineProcess, LaunchError> {
        EngineProcess::start(&self.engine, &self.extra_arguments, &self.registry, self.log.clone())
            .map_err(|why| self.failed(why, &[]))
    }

    /// Sends a command of each protocol: a GTP engine answers the first, an NBoard engine the
    /// second.
    fn detect_protocol(&self) -> Result<EngineProtocol, LaunchError> {
        let mut process = self.start()?;
        let until = Instant::now() + self.patience.start;
        // A refused line shows as a failed read below.
        let _ = process.send("protocol_version").and_then(|()| process.send("ping 1"));
        match read_protocol(&mut process, until) {
            Ok(protocol) => {
                process.quit();
                Ok(protocol)
            }
            Err(error) => {
                let expected = "answer to `protocol_version` (GTP) or `ping 1` (NBoard)";
                let fault = Fault::no_line(&mut process, error, expected);
                Err(self.failed(fault.why, &process.stderr_tail()))
            }
        }
    }

    /// Checks that the engine can start from any position.
    ///
    /// # Errors
    /// It cannot, or does not start.
    pub(super) fn check_set_up(&self) -> Result<(), LaunchError> {
        let client = self.launch(None)?;
        let can_set_positions = client.can_set_positions();
        client.quit();
        if can_set_positions {
            return Ok(());
        }
        let why = "no way to set up a position: it speaks GTP and does not list `loadsgf`";
        Err(self.failed(why, &[]))
    }

    /// Starts the engine, on one core if given, and waits until it is ready.
    ///
    /// # Errors
    /// [`LaunchError::Failed`], with the last lines of stderr.
    pub(super) fn launch(&self, core: Option<usize>) -> Result<Box<dyn EngineClient>, LaunchError> {
        let mut process = self.start()?;
        if let Some(core) = core {
            process.pin_to_core(core);
        }
        let until = Instant::now() + self.patience.start;
        let (engine, patience) = (self.engine.clone(), self.patience.answer);
        let mut client: Box<dyn EngineClient> = match self.engine.protocol {
            EngineProtocol::Gtp => Box::new(GtpClient::new(process, engine, patience)),
            _ => Box::new(NBoardClient::new(process, engine, patience)),
        };
        match client.initialize(until) {
            Ok(()) => Ok(client),
            Err(fault) => {
                let stderr = client.process().stderr_tail();
                Err(self.failed(format!("at its start: {}", fault.why), &stderr))
            }
        }
    }
}

fn read_protocol(process: &mut EngineProcess, until: Instant) -> Result<EngineProtocol, ReadError> {
    loop {
        let line = process.receive(until)?.line;
        if line.starts_with("pong") {
            return Ok(EngineProtocol::Nboard);
        }
        if line.starts_with(['=', '?']) {
            return Ok(EngineProtocol::Gtp);
        }
    }
}
