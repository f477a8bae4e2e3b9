//! What the constants are tuned for, by searches and games of the engine.
//!
//! | module | |
//! |---|---|
//! | [`constants`] | constants of the engine as parameters |
//! | [`nodes`] | fewer nodes, or less time, on given positions |
//! | [`accuracy`] | truer values at equal nodes, on positions with known scores |
//! | [`games`] | more points in games at equal nodes or time |

pub(crate) mod accuracy;
pub(crate) mod constants;
pub(crate) mod games;
pub(crate) mod nodes;
mod parallel;
pub(crate) mod positions;
pub(crate) mod scored;
pub(crate) mod searches;
pub(crate) mod settings;
