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
/// let mut player = WeakPlayer::new(Evaluation::embedded());
/// let limits = weakness.limits(&LimitOptions::default());
/// let report = player.choose(Position::START, &limits, &weakness, 7, &())?;
/// println!("{}", report.best().expect("the game is not over").first());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct WeakPlayer {
    evaluation: SharedEvaluation,
    /// Made for the first move: most owners of a player never let it err.
    engine: Option<Engine>,
}

/// Reason why a weak player chose no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeakPlayerError {
    /// The machine lacks the memory for its engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Its search failed.
    #[error(transparent)]
    Search(#[from] SearchFault),
}

impl WeakPlayer {
    /// Makes a player. It takes memory from its first move on.
    pub fn new(evaluation: impl Into<SharedEvaluation>) -> WeakPlayer {
        WeakPlayer { evaluation: evaluation.into(), engine: None }
    }

    /// Chooses a move: searches as `limits` say, which should ask for a line of every move, and errs.
    /// The report has the line of the chosen move alone, or none if the game is over. The same position
    /// and seed choose the same move unless time cuts the search short.
    ///
    /// # Errors
    /// The machine lacks the memory, or the listener or the search panicked.
    pub fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        weakness: &Weakness,
        seed: u64,
        listener: &dyn Listener,
    ) -> Result<Report, WeakPlayerError> {
        let engine = match &mut self.engine {
            Some(engine) => engine,
            none => {
                let options = EngineOptions { hash: HASH, threads: 1 };
                none.insert(Engine::new(self.evaluation.clone(), options)?)
            }
        };
        engine.clear();
        let mut report = engine.try_search(position, limits, listener)?;
        if report.lines.len() > 1 {
            let mut random = fastrand::Rng::with_seed(mixed(seed, position));
            let lines = &report.lines;
            let chosen = belief::choose(weakness, position, lines, &self.evaluation, &mut random);
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
