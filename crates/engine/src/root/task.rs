//! The iteration that the threads of a search share at the root.

use crate::parallel::SharedIteration;
use crate::root::root_move::RootMove;
use crate::time::iteration::Iteration;

/// An iteration as each thread begins it.
#[derive(Clone, Debug)]
pub(crate) struct RootTask {
    pub iteration: Iteration,
    pub lines: usize,
    /// The moves of the root as the iteration before left them.
    pub moves: Vec<RootMove>,
}

/// An iteration that the threads of a search share. Its result is the moves of the first to finish; if it
/// is stopped, the best move that a thread has found better than that of the iteration before.
pub(crate) type SharedRoot = SharedIteration<RootTask, Vec<RootMove>, RootMove>;
