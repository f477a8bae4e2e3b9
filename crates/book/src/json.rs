//! A view of a position as JSON: the position and its moves, with scores in discs for the side to move.

use serde::Serialize;

use umigame_othello::openings::Opening;
use umigame_othello::{Color, Move, position_text};

use crate::entry::{BookEntry, BookValue, Trust};
use crate::stats::GameStats;
use crate::view::{MoveView, PositionView};

/// The fields that positions and moves share.
#[derive(Serialize, Clone, Debug)]
struct CommonRecord {
    opening: Option<&'static str>,
    opening_japanese: Option<&'static str>,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    win_rate: Option<f64>,
    mean: Option<f64>,
    best: Option<i8>,
    worst: Option<i8>,
    value: Option<f64>,
    trust: Option<String>,
    fully_searched: bool,
}

impl CommonRecord {
    fn new(opening: Option<&Opening>, stats: &GameStats, value: Option<BookValue>) -> CommonRecord {
        let GameStats { games, wins, draws, losses, .. } = *stats;
        CommonRecord {
            opening: opening.and_then(Opening::english),
            opening_japanese: opening.and_then(Opening::japanese),
            games,
            wins,
            draws,
            losses,
            win_rate: stats.win_rate(),
            mean: stats.mean(),
            best: stats.best(),
            worst: stats.worst(),
            value: value.map(|value| value.eval.discs()),
            trust: value.map(|value| value.trust.to_string()),
            fully_searched: value.is_some_and(|value| value.trust == Trust::Exact),
        }
    }
}

/// A position.
#[derive(Serialize, Clone, Debug)]
pub struct PositionRecord {
    position: String,
    ply: i32,
    in_book: bool,
    #[serde(flatten)]
    common: CommonRecord,
    search: Option<f64>,
    depth: Option<String>,
}

impl PositionRecord {
    /// Returns the record of a position in which `side` is to move.
    pub fn new(view: &PositionView, side: Color) -> PositionRecord {
        let empty = BookEntry::default();
        let entry = view.entry.as_ref().unwrap_or(&empty);
        PositionRecord {
            position: position_text(view.position, side),
            ply: view.ply,
            in_book: view.entry.is_some(),
            common: CommonRecord::new(view.opening.as_ref(), &entry.stats, entry.value),
            search: entry.search.map(|search| search.eval.discs()),
            depth: entry.search.map(|search| search.kind.to_string()),
        }
    }
}

/// A move.
#[derive(Serialize, Clone, Debug)]
pub struct MoveRecord {
    r#move: String,
    like: Vec<String>,
    #[serde(flatten)]
    common: CommonRecord,
}

impl From<&MoveView> for MoveRecord {
    fn from(one: &MoveView) -> MoveRecord {
        MoveRecord {
            r#move: one.played.to_string(),
            like: one.equivalent.iter().map(Move::to_string).collect(),
            common: CommonRecord::new(one.opening.as_ref(), &one.stats, one.value),
        }
    }
}
