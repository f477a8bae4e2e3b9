//! Score calibration: estimates of the final score under perfect play from the values of searches, and
//! how sure they are.
//!
//! [`observe()`] searches positions with known scores and notes value and circumstances of every
//! iteration; [`fit()`] finds the coefficients that make estimates right in the mean and
//! standard deviations right in their size. Results of games stand in where no exact score is known: they are right in
//! the mean if both sides play alike, and positions that have both say how far they are from exact scores.

mod fit;
mod observe;

pub use fit::fit;
pub use observe::{KnownScore, Observation, known_scores, observe};
