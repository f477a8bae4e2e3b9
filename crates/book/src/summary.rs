//! The facts about a position that choosing a move needs.

use umigame_othello::{Eval, Move};

use crate::entry::{BookEntry, BookValue};

/// The facts about a position that choosing a move needs, for its side to move.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct PositionSummary {
    pub value: Option<BookValue>,
    /// The search of the position, where it has a best move.
    pub search: Option<SearchedMove>,
    /// Games with a result.
    pub results: u32,
    /// Two for a win, one for a draw.
    pub half_points: u32,
    /// Mean result of the games; 0 without any.
    pub mean: Eval,
}

/// The best move of a search and its value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct SearchedMove {
    pub eval: Eval,
    /// In canonical form.
    pub best: Move,
}

impl PositionSummary {
    /// Returns wins plus half the draws as a share of the results, 0 to 1.
    pub fn win_rate(&self) -> Option<f64> {
        (self.results > 0).then(|| f64::from(self.half_points) / (2.0 * f64::from(self.results)))
    }
}

impl From<&BookEntry> for PositionSummary {
    fn from(entry: &BookEntry) -> PositionSummary {
        let stats = &entry.stats;
        let search = entry
            .search
            .and_then(|search| Some(SearchedMove { eval: search.eval, best: search.best? }));
        let mean = stats.mean().map_or(0.0, |mean| (100.0 * mean).round());
        PositionSummary {
            value: entry.value,
            search,
            results: stats.results(),
            half_points: stats.wins.saturating_mul(2).saturating_add(stats.draws),
            mean: Eval::from_centidiscs(mean as i32),
        }
    }
}
