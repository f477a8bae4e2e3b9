//! A search of several lines in which good moves are ahead of bad ones.
//!
//! Each move is searched for itself, to the plan's iteration or to one as many before it as its value
//! is worse than the best. When the plan is done, the moves that lag behind catch up.

use crate::root::root_move::RootMove;
use crate::time::iteration::Iteration;
use umigame_eval::value::Centidiscs;

/// Iterations that every move takes part in: values are not trusted before.
const EVEN_ITERATIONS: usize = 4;
/// Loss against the best move for which a move lags two iterations behind. An even number: values of
/// even and odd depths are not compared.
const LAG_STEP: Centidiscs = Centidiscs(200);
/// Maximum iterations that a move lags behind.
const MAX_LAG: usize = 6;

/// The plan's iterations so far, and how many of them each move lags behind.
#[derive(Debug, Default)]
pub(super) struct Focus {
    iterations: Vec<Iteration>,
    /// The maximum lag now, lower than [`MAX_LAG`] once the plan is done.
    max_lag: usize,
}

impl Focus {
    /// Begins an iteration of the plan.
    pub fn begin(&mut self, iteration: Iteration) {
        self.iterations.push(iteration);
        self.max_lag = MAX_LAG;
    }

    /// After the plan is done, lets the moves come nearer to its last iteration by one. Returns whether
    /// there was a lag.
    pub fn catch_up(&mut self) -> bool {
        let lags = self.max_lag > 0;
        self.max_lag = self.max_lag.saturating_sub(1);
        lags
    }

    /// Returns the iteration that a move has to be searched to now, whose value is `loss` below the
    /// best; `None` if it has been.
    pub fn next(&self, root: &RootMove, loss: Centidiscs) -> Option<Iteration> {
        let last = self.iterations.len().checked_sub(1)?;
        let steps = usize::try_from(loss.0 / LAG_STEP.0).unwrap_or_default();
        let lag = (2 * steps).min(self.max_lag);
        let target = last.saturating_sub(lag).max(last.min(EVEN_ITERATIONS - 1));
        let reached = self.iterations.iter().rposition(|it| Some(it.kind()) == root.kind);
        let wanted = reached.is_none_or(|reached| reached < target);
        self.iterations.get(target).copied().filter(|_| wanted)
    }
}
