//! A player that errs.

use super::belief;
use super::profile::Weakness;
use crate::engine::{Engine, EngineOptions};
use crate::error::{EngineError, Megabytes};
use crate::limits::Limits;
use crate::report::{Listener, Report};
use crate::running::SearchFault;
use umigame_eval::SharedEvaluation;
use umigame_othello::{Color, Position};

/// Size of the table: most weak searches visit some thousand positions.
const HASH: Megabytes = Megabytes(4);

/// A player that errs. It has an engine of its own, of one thread and with an empty table for every
/// move, so that it plays the same whatever others have searched, and they what they would without it.
///
/// ```
/// use umigame_engine::{Evaluation, LimitOptions, Strength, WeakPlayer, Weakness};
/// use umigame_othello::Position;
///
/// let beginner: Strength = "beginner".parse()?;
/// let weakness = Weakness::from(beginner.weak().expect("it has a name"));
/// let mut player = WeakPlayer::new(Evaluation::embedded())?;
/// let limits = weakness.limits(&LimitOptions::default());
/// let report = player.choose(Position::START, &limits, &weakness, 7, &())?;
/// println!("{}", report.best().expect("the game is not over").first());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct WeakPlayer {
    engine: Engine,
}

impl WeakPlayer {
    /// Makes a player.
    ///
    /// # Errors
    /// The machine lacks the memory.
    pub fn new(evaluation: impl Into<SharedEvaluation>) -> Result<WeakPlayer, EngineError> {
        let engine = Engine::new(evaluation, EngineOptions { hash: HASH, threads: 1 })?;
        Ok(WeakPlayer { engine })
    }

    /// Chooses a move: searches as `limits` say, which should ask for a line of every move, and errs.
    /// The report has the line of the chosen move alone, or none if the game is over. The same position
    /// and seed choose the same move unless time cuts the search short.
    ///
    /// # Errors
    /// A panic of the listener or of the search.
    pub fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        weakness: &Weakness,
        seed: u64,
        listener: &dyn Listener,
    ) -> Result<Report, SearchFault> {
        self.engine.clear();
        let mut report = self.engine.try_search(position, limits, listener)?;
        if report.lines.len() > 1 {
            let mut random = fastrand::Rng::with_seed(mixed(seed, position));
            let evaluation = self.engine.evaluation();
            let chosen = belief::choose(weakness, position, &report.lines, evaluation, &mut random);
            report.lines = vec![report.lines.swap_remove(chosen)];
        }
        Ok(report)
    }
}

/// Returns a seed of its own for each position.
fn mixed(seed: u64, position: Position) -> u64 {
    // Neighbouring seeds must not give the same numbers in neighbouring positions.
    seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ position.key(Color::Black)
}
