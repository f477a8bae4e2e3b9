//! Weakness as people and programs state it.

use super::level::WeakLevel;
use super::profile::Weakness;

/// Largest mean loss of a game that can be asked for, in discs.
const MAX_ERROR_OF_GAME: f64 = 320.0;
/// Largest loss of a move that can be asked for: the whole board twice, in discs.
const MAX_ERROR_OF_MOVE: f64 = 128.0;

/// The parts of a [`Weakness`] that a command line, a client or a caller states. Each may be left out.
///
/// ```
/// use umigame_engine::WeakOptions;
///
/// let options = WeakOptions { error: Some(30.0), max_error: Some(8.0), ..WeakOptions::default() };
/// let weakness = options.weakness()?.expect("it errs");
/// assert_eq!(weakness.max_error(), Some(8.0));
/// # Ok::<(), umigame_engine::WeaknessError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct WeakOptions {
    /// A named level.
    pub level: Option<WeakLevel>,
    /// Discs lost in a game in the mean, instead of a named level.
    pub error: Option<f64>,
    /// Discs lost in a move at most, by the player's own search.
    pub max_error: Option<f64>,
}

/// A statement that makes no weakness.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum WeaknessError {
    /// A number of discs out of its range.
    #[error("{name}={value}: expected discs, 0 to {most}")]
    Range {
        /// The name of the number.
        name: &'static str,
        /// The number.
        value: f64,
        /// The greatest allowed.
        most: f64,
    },
    /// A mean error beside a named level, which has its own.
    #[error("level={0}: expected no error beside it: one of them")]
    Both(&'static str),
    /// A largest error of a player that does not err.
    #[error("max_error={0}: expected an error, or a level with a name, beside it")]
    MaxErrorAlone(f64),
}

impl WeakOptions {
    /// Returns the weakness; `None` if none is stated.
    ///
    /// # Errors
    /// A number out of its range, or statements that contradict each other.
    pub fn weakness(&self) -> Result<Option<Weakness>, WeaknessError> {
        let stated = [
            ("error", self.error, MAX_ERROR_OF_GAME),
            ("max_error", self.max_error, MAX_ERROR_OF_MOVE),
        ];
        for (name, value, most) in stated {
            if let Some(value) = value.filter(|value| !(0.0..=most).contains(value)) {
                return Err(WeaknessError::Range { name, value, most });
            }
        }
        let weakness = match (self.level, self.error) {
            (Some(level), Some(_)) => return Err(WeaknessError::Both(level.name())),
            (Some(level), None) => Weakness::from(level),
            (None, Some(discs)) => Weakness::losing(discs),
            (None, None) => {
                return self
                    .max_error
                    .map_or(Ok(None), |discs| Err(WeaknessError::MaxErrorAlone(discs)));
            }
        };
        Ok(Some(self.max_error.map_or(weakness, |discs| weakness.with_max_error(discs))))
    }
}
