//! An engine as a process that is asked about positions, outside a match.

use std::sync::Arc;
use std::time::Duration;

use umigame_othello::{Board, Move, Record};

use crate::client::{ChosenMove, EngineClient, Fault, FaultKind, GameView, Hint, SearchInfo};
use crate::clock::{SideClock, TimeLimit};
use crate::config::{EngineConfig, EngineProtocol};
use crate::launch::{LaunchError, Launcher, Patience};
use crate::process::ProcessRegistry;

/// A running engine. A method that fails ends it, except after [`FaultKind::Resigned`]; dropping it
/// kills the process and all that it has started.
#[derive(Debug)]
pub struct EnginePlayer {
    config: EngineConfig,
    /// `None` once it has failed.
    client: Option<Box<dyn EngineClient>>,
}

impl EnginePlayer {
    /// Starts an engine and waits until it is ready. Finds its protocol where the configuration does
    /// not state it.
    ///
    /// # Errors
    /// It does not start, speaks neither protocol, or has no way to take a limit.
    pub fn start(
        config: EngineConfig,
        registry: &Arc<ProcessRegistry>,
        patience: Patience,
    ) -> Result<EnginePlayer, LaunchError> {
        let launcher = Launcher::new(config, registry, None, patience)?;
        let client = launcher.launch(None)?;
        Ok(EnginePlayer { config: launcher.engine, client: Some(client) })
    }

    /// Returns the configuration, with the protocol known.
    pub fn config(&self) -> &EngineConfig {
        &self.config
    }

    /// Asks for a move; a forced pass is not asked for.
    ///
    /// # Errors
    /// The game is over, or the engine fails.
    pub fn go(&mut self, board: &Board) -> Result<ChosenMove, Fault> {
        if board.is_over() {
            return Err(Fault::new(FaultKind::Illegal, "no move: the game is over"));
        }
        if board.must_pass() {
            let (search, time) = (SearchInfo::default(), Duration::ZERO);
            return Ok(ChosenMove { played: Move::Pass, search, time });
        }
        let chosen = self.ask(board, |client, view| {
            client.new_game(view)?;
            client.request_move(view)
        })?;
        if !board.is_legal(chosen.played) {
            let fault = Fault::illegal(&chosen.played.to_string(), "it is not legal here");
            return Err(self.failed(fault));
        }
        Ok(chosen)
    }

    /// Asks for the best `count` moves, and ends the search after `time`. Best first, as the engine
    /// sees them.
    ///
    /// # Errors
    /// The engine speaks GTP, which has no hints, or fails.
    pub fn hint(
        &mut self,
        board: &Board,
        count: usize,
        time: Duration,
    ) -> Result<Vec<Hint>, Fault> {
        if self.config.protocol == EngineProtocol::Gtp {
            return Err(Fault::new(FaultKind::Protocol, "GTP has no hints"));
        }
        if board.is_over() {
            return Ok(Vec::new());
        }
        self.ask(board, |client, view| client.request_hints(view, count, time))
    }

    /// Asks the engine to quit, waits a second, then kills it.
    pub fn quit(mut self) {
        if let Some(client) = self.client.take() {
            client.quit();
        }
    }

    /// Asks about a position on fresh clocks.
    fn ask<T>(
        &mut self,
        board: &Board,
        ask: impl FnOnce(&mut dyn EngineClient, &GameView<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let record = Record::from_board(board);
        let moves = board.empties().div_ceil(2);
        let limit = TimeLimit::of(&self.config, self.config.bank, moves);
        let clocks = [SideClock::new(limit, Duration::ZERO); 2];
        let opening_plies = record.turns.len();
        let view = GameView { record: &record, board, opening_plies, clocks: &clocks };
        let ended = || Fault::new(FaultKind::Crash, "it has been ended after a fault");
        let client = self.client.as_mut().ok_or_else(ended)?;
        ask(client.as_mut(), &view).map_err(|fault| self.failed(fault))
    }

    fn failed(&mut self, fault: Fault) -> Fault {
        if fault.kind.needs_restart() {
            self.client = None;
        }
        fault
    }
}
