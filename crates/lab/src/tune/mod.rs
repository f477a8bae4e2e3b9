//! Tuning of the constants of the search by simultaneous perturbation (SPSA).
//!
//! | module | |
//! |---|---|
//! | [`spsa`] | the method: parameters, trials, steps |
//! | [`log`] | the log on disk, from which interrupted work is taken up |
//! | [`work`] | trials of an [`work::Objective`] until a bound, then a check on fresh positions |
//! | [`summary`] | the log as text |
//! | `objectives` | what is tuned for; needs the feature `tune`, which makes the engine's constants variables |

pub(crate) mod error;
pub(crate) mod log;
#[cfg(feature = "tune")]
pub(crate) mod objectives;
pub(crate) mod spsa;
pub(crate) mod summary;
#[cfg(test)]
mod tests;
pub(crate) mod work;
