//! The evaluation as the search calls it: in centidiscs, within a window.

use crate::moves::move_picker::ScoredMove;
use crate::worker::Worker;
use umigame_eval::value::Centidiscs;
use umigame_eval::value::Window;
use umigame_eval::{MidBoard, Uncertainty};

impl Worker<'_> {
    /// Evaluates a position.
    pub(crate) fn evaluate(&self, board: &MidBoard) -> Centidiscs {
        Centidiscs(self.shared.evaluation.evaluate(board))
    }

    /// Evaluates a position as exactly as `window` needs it.
    #[inline(always)]
    pub(crate) fn evaluate_within(
        &self,
        board: &MidBoard,
        window: Window<Centidiscs>,
    ) -> Centidiscs {
        let Window { alpha, beta } = window;
        Centidiscs(self.shared.evaluation.evaluate_within(board, (alpha.0, beta.0)))
    }

    /// [`Worker::evaluate_within`], and how uncertain the value is.
    #[inline(always)]
    pub(crate) fn evaluate_with_uncertainty(
        &self,
        board: &MidBoard,
        window: Window<Centidiscs>,
    ) -> (Centidiscs, Uncertainty) {
        let Window { alpha, beta } = window;
        let evaluation = &self.shared.evaluation;
        let (value, uncertainty) = evaluation.evaluate_with_uncertainty(board, (alpha.0, beta.0));
        (Centidiscs(value), uncertainty)
    }

    /// Evaluates the position after a move for the side then to move, as exactly as `window`, that
    /// side's, needs it.
    #[inline(always)]
    pub(crate) fn evaluate_after(
        &self,
        board: &MidBoard,
        played: &ScoredMove,
        window: Window<Centidiscs>,
    ) -> Centidiscs {
        let Window { alpha, beta } = window;
        Centidiscs(self.shared.evaluation.evaluate_after(
            board,
            played.square,
            played.flips,
            (alpha.0, beta.0),
        ))
    }

    /// Evaluates the position after a move by the patterns alone, which is cheap and good enough to
    /// order moves. Counts a node.
    #[inline(always)]
    pub(crate) fn ordering_eval(&mut self, board: &MidBoard, played: &ScoredMove) -> Centidiscs {
        self.nodes += 1;
        Centidiscs(self.shared.evaluation.pattern_eval_after(board, played.square, played.flips))
    }
}
