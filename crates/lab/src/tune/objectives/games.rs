//! The objective of more points, or more discs, in games at equal nodes or time a move; also two
//! settings against each other.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use super::constants::TunedConstants;
use super::parallel::answers;
use super::positions::TuningPositions;
use super::settings::named;
use crate::tune::error::TuneError;
use crate::tune::log::CheckResult;
use crate::tune::spsa::{Costs, Trial};
use crate::tune::work::Objective;
use derive_more::Display;
use umigame_arena::Tally;
use umigame_engine::{
    Engine, EngineOptions, Level, Limits, MAX_DEPTH, Megabytes, SharedEvaluation, Stoppable,
    TimeControl,
};
use umigame_othello::{Color, Move, Position, position_text};

/// Bound on the search of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Display)]
pub enum MoveBudget {
    /// Maximum nodes.
    #[display("{_0} nodes a move")]
    Nodes(u64),
    /// Time by the clock: the games do not repeat exactly.
    #[display("{} ms a move", _0.as_secs_f64() * 1000.0)]
    Time(Duration),
}

impl MoveBudget {
    fn limits(self) -> Limits {
        let limits = Level::limits_to_depth(MAX_DEPTH);
        match self {
            MoveBudget::Nodes(nodes) => limits.with_nodes(nodes),
            MoveBudget::Time(time) => limits.with_time(TimeControl::Move(time)),
        }
    }
}

/// How games are played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamesSettings {
    /// Bound on the search of a move.
    pub budget: MoveBudget,
    /// Count discs instead of points.
    pub by_discs: bool,
    /// Pairs of games of an iteration: an opening each, played twice with colours swapped.
    pub pairs: usize,
    /// Transposition table of each side.
    pub hash: Megabytes,
    /// Games played at once.
    pub threads: usize,
    /// Chooses the openings of each iteration.
    pub seed: u64,
}

/// More points, or more discs, in games at equal nodes a move.
///
/// The cost of a setting is the share of points that it loses to the other setting of its trial; of
/// discs, the share of the board.
#[derive(Debug)]
pub struct GamesObjective<'a> {
    constants: TunedConstants,
    settings: GamesSettings,
    openings: TuningPositions,
    /// An engine for each side, for each thread.
    players: Vec<[Engine; 2]>,
    stop: &'a AtomicBool,
}

/// The two sides of a game: engines, and values of the constants.
struct Sides<'a> {
    engines: &'a mut [Engine; 2],
    values: [&'a [f64]; 2],
    constants: &'a TunedConstants,
    limits: &'a Limits,
}

/// A game was not played to its end.
enum GameFault {
    Stopped,
    NoMove,
}

impl<'a> GamesObjective<'a> {
    /// Makes the objective.
    ///
    /// # Errors
    /// No memory for the transposition tables.
    pub fn new(
        constants: TunedConstants,
        evaluation: &SharedEvaluation,
        openings: TuningPositions,
        settings: GamesSettings,
        stop: &'a AtomicBool,
    ) -> Result<GamesObjective<'a>, TuneError> {
        evaluation.prepare();
        let options = EngineOptions { hash: settings.hash, threads: 1 };
        let engine = || Engine::new(evaluation.clone(), options);
        let players = (0..settings.threads.max(1)).map(|_| Ok([engine()?, engine()?]));
        let players = players.collect::<Result<_, TuneError>>()?;
        Ok(GamesObjective { constants, settings, openings, players, stop })
    }

    /// Plays the pairs of the settings, from different openings, with `values` against `others`.
    /// `None` if stopped.
    ///
    /// # Errors
    /// A search without a move.
    pub fn compare(&mut self, values: &[f64], others: &[f64]) -> Result<Option<Tally>, TuneError> {
        self.play(&self.chosen_openings(0), [values, others])
    }

    /// Returns the openings of an iteration.
    fn chosen_openings(&self, iteration: u64) -> Vec<Position> {
        let GamesSettings { pairs, seed, .. } = self.settings;
        let chosen = self.openings.batch(pairs, seed, iteration);
        chosen.into_iter().map(|at| self.openings.tuned[at]).collect()
    }

    /// Plays a pair of games from each opening. Counts from the view of the first values; `None` if
    /// stopped.
    fn play(
        &mut self,
        openings: &[Position],
        values: [&[f64]; 2],
    ) -> Result<Option<Tally>, TuneError> {
        let limits = self.settings.budget.limits();
        let (constants, stop) = (&self.constants, self.stop);
        // Games, not pairs: the last ones keep all threads busy for a shorter time.
        let games: Vec<_> =
            openings.iter().flat_map(|&opening| [0, 1].map(|first| (opening, first))).collect();
        let play = |engines: &mut [Engine; 2], &(opening, first): &(Position, usize)| {
            let mut sides = Sides { engines, values, constants, limits: &limits };
            sides.play(opening, first, stop)
        };
        let mut tally = Tally::default();
        let found = answers(&mut self.players, &games, play);
        for (pair, &opening) in found.chunks_exact(2).zip(openings) {
            match pair {
                [Ok(first), Ok(second)] => {
                    tally.add_game(*first);
                    tally.add_game(*second);
                    tally.add_pair(*first, *second);
                }
                _ if stop.load(Relaxed) => return Ok(None),
                _ => return Err(TuneError::NoMove(position_text(opening, Color::Black))),
            }
        }
        Ok(Some(tally))
    }
}

impl Sides<'_> {
    /// Plays a game in which side `first` moves first, and returns the score of side 0 in discs.
    fn play(
        &mut self,
        mut position: Position,
        first: usize,
        stop: &AtomicBool,
    ) -> Result<i32, GameFault> {
        self.engines.iter_mut().for_each(Engine::clear);
        let mut side = first;
        while !position.is_over() {
            let next = if position.legal_moves().is_empty() {
                Some(position.passed())
            } else {
                self.constants.set(self.values[side]);
                let report =
                    self.engines[side].search(position, self.limits, &Stoppable::new(stop));
                match report.best().map(|best| best.first()) {
                    Some(Move::Place(square)) => position.play(square),
                    _ => None,
                }
            };
            if stop.load(Relaxed) {
                return Err(GameFault::Stopped);
            }
            position = next.ok_or(GameFault::NoMove)?;
            side = 1 - side;
        }
        let score = position.final_score().discs();
        Ok(if side == 0 { score } else { -score })
    }
}

impl Objective for GamesObjective<'_> {
    fn settings(&self) -> BTreeMap<String, String> {
        let GamesSettings { budget, by_discs, pairs, hash, .. } = self.settings;
        let objective = if by_discs { "discs in games" } else { "points in games" };
        let own = [
            ("objective", objective.to_owned()),
            ("search", budget.to_string()),
            ("batch", format!("{pairs} of {}", self.openings.tuned_set())),
            ("hash", format!("{} MB", hash.0)),
        ];
        named(own)
    }

    fn costs(&mut self, iteration: u64, trial: &Trial) -> Result<Option<Costs>, TuneError> {
        let openings = self.chosen_openings(iteration);
        let Some(tally) = self.play(&openings, [&trial.plus, &trial.minus])? else {
            return Ok(None);
        };
        let won = if self.settings.by_discs {
            (tally.discs.mean().unwrap_or(0.0) + 64.0) / 128.0
        } else {
            tally.points() / tally.games().max(1) as f64
        };
        Ok(Some(Costs { plus: 1.0 - won, minus: won }))
    }

    fn check_set(&self) -> Option<String> {
        self.openings.check_set()
    }

    fn check(&mut self, start: &[f64], found: &[f64]) -> Result<Option<CheckResult>, TuneError> {
        let openings = self.openings.checked.clone();
        let Some(tally) = self.play(&openings, [found, start])? else { return Ok(None) };
        let result = |score| CheckResult::of(tally.pairs.pairs(), score, |share| share);
        Ok(tally.pairs.score().map(result))
    }
}
