//! Progress of learning from nothing.

/// How far the work has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Current round, from 1.
    pub round: usize,
    /// Number of rounds.
    pub rounds: usize,
    /// Whether the games of the round are finished and its weights are being fitted.
    pub is_fitting: bool,
    /// Share of the expected work that is done, 0 to 1.
    pub share: f64,
}
