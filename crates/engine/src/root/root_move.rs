//! The moves of the root with their results.

use std::cmp::Reverse;

use crate::limits::Goal;
use crate::parallel::PvMove;
use crate::report::variation::Variation;
use crate::report::{Bound, ScoreKind};
use umigame_eval::value::{Centidiscs, Discs, Window};
use umigame_othello::{Move, Position};

/// A move of the root with its latest result.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub played: Move,
    pub next: Position,
    pub value: Centidiscs,
    pub bound: Bound,
    /// The kind of the search behind the value; `None` before the first.
    pub kind: Option<ScoreKind>,
    /// The play expected after the move.
    pub variation: Variation,
}

impl RootMove {
    fn new(played: Move, next: Position) -> RootMove {
        RootMove {
            played,
            next,
            value: Centidiscs(0),
            bound: Bound::Exact,
            kind: None,
            variation: Variation::default(),
        }
    }

    /// The empties of the root.
    pub fn empties(&self) -> u32 {
        self.next.empties() + u32::from(self.played != Move::Pass)
    }

    /// The move and the play expected after it.
    pub fn moves(&self) -> Vec<Move> {
        std::iter::once(self.played).chain(self.variation.moves().iter().copied()).collect()
    }

    /// Sets the result of a search.
    pub fn found(&mut self, value: Centidiscs, kind: ScoreKind, variation: Variation) {
        (self.value, self.bound, self.variation) = (value, Bound::Exact, variation);
        self.kind = Some(kind);
    }

    /// Its result as other threads of the search take it.
    pub fn to_pv_move(&self, is_exact: bool) -> PvMove {
        PvMove { played: self.played, value: self.value, is_exact, rest: self.variation.clone() }
    }

    /// Sets the value and its bound after a search in the fixed window of `goal`.
    pub fn set_by_goal(&mut self, goal: Goal, value: Centidiscs, window: Window<Centidiscs>) {
        (self.value, self.bound) = match goal {
            Goal::WinLossDraw => (Discs(value.0.signum()).to_centidiscs(), Bound::Exact),
            _ if value <= window.alpha && window.alpha > Centidiscs::MIN => {
                (window.alpha, Bound::Upper)
            }
            _ if value >= window.beta && window.beta < Centidiscs::MAX => {
                (window.beta, Bound::Lower)
            }
            _ => (value, Bound::Exact),
        };
    }
}

/// Sorts moves by value, best first; of equals the first stays first.
pub(super) fn sort_by_value(moves: &mut [RootMove]) {
    moves.sort_by_key(|root| Reverse(root.value));
}

/// The legal moves, or the pass; none if the game is over.
pub(crate) fn root_moves(position: Position) -> Vec<RootMove> {
    let legal = position.legal_moves();
    if legal.is_empty() && !position.is_over() {
        return vec![RootMove::new(Move::Pass, position.passed())];
    }
    legal
        .iter()
        .filter_map(|square| Some(RootMove::new(Move::Place(square), position.play(square)?)))
        .collect()
}
