//! Exports the positions of a book as CSV and as JSON Lines.

use std::io::{self, Write};

use serde::Serialize;

use umigame_othello::{Color, Move, Position, position_text};

use crate::book::{Book, MAX_PLY};
use crate::canonical::CanonicalPosition;
use crate::entry::{BookEntry, Trust};
use crate::error::BookError;
use crate::minimax::MAX_EMPTIES;
use crate::orientation::UsualOrientation;
use crate::stats::GameStats;

/// A text format for positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportFormat {
    /// A header, then one line for each position. One field has all moves with their games, as
    /// `f5:12 d6:3`.
    Csv,
    /// One JSON object a line for each position.
    JsonLines,
}

/// Selects positions to export.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExportFilter {
    /// Last ply.
    pub max_ply: u8,
    /// Games that met the position, at least.
    pub min_games: u32,
    /// Only positions with a search of their own.
    pub searched_only: bool,
}

impl Default for ExportFilter {
    /// All positions.
    fn default() -> ExportFilter {
        ExportFilter { max_ply: MAX_PLY, min_games: 0, searched_only: false }
    }
}

impl ExportFilter {
    /// Iterates over the layers of the selection, by their empties, last ply first.
    pub(crate) fn layers(self) -> impl DoubleEndedIterator<Item = u32> {
        u32::from(MAX_PLY.saturating_sub(self.max_ply))..=MAX_EMPTIES
    }

    fn accepts(self, entry: &BookEntry) -> bool {
        entry.stats.games >= self.min_games && (!self.searched_only || entry.search.is_some())
    }
}

/// A position as exported.
#[derive(Serialize, Debug)]
struct ExportedPosition {
    position: String,
    ply: i64,
    #[serde(flatten)]
    results: ExportedResults,
    search: Option<f64>,
    depth: Option<String>,
    answer: Option<String>,
    value: Option<f64>,
    trust: Option<String>,
    fully_searched: bool,
    moves: Vec<ExportedMove>,
}

#[derive(Serialize, Debug)]
struct ExportedResults {
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    mean: Option<f64>,
    best: Option<i8>,
    worst: Option<i8>,
}

#[derive(Serialize, Debug)]
struct ExportedMove {
    r#move: String,
    #[serde(flatten)]
    results: ExportedResults,
}

impl From<&GameStats> for ExportedResults {
    fn from(stats: &GameStats) -> ExportedResults {
        ExportedResults {
            games: stats.games,
            wins: stats.wins,
            draws: stats.draws,
            losses: stats.losses,
            mean: stats.mean().map(|mean| (mean * 1000.0).round() / 1000.0),
            best: stats.best(),
            worst: stats.worst(),
        }
    }
}

impl ExportedPosition {
    /// Takes a position in any orientation; moves are written in it.
    fn of(position: Position, entry: &BookEntry) -> ExportedPosition {
        let search = entry.search.as_ref();
        let canonical = CanonicalPosition::of(position);
        let move_text = |played: Move| canonical.usual_move(played).to_string();
        let moves = entry.moves().map(|(played, stats)| ExportedMove {
            r#move: move_text(played),
            results: stats.into(),
        });
        ExportedPosition {
            position: position_text(position, Color::Black),
            ply: i64::from(MAX_PLY) - i64::from(position.empties()),
            results: ExportedResults::from(&entry.stats),
            search: search.map(|search| search.eval.discs()),
            depth: search.map(|search| search.kind.to_string()),
            answer: search.and_then(|search| search.best).map(move_text),
            value: entry.value.map(|value| value.eval.discs()),
            trust: entry.value.map(|value| value.trust.to_string()),
            fully_searched: entry.value.is_some_and(|value| value.trust == Trust::Exact),
            moves: moves.collect(),
        }
    }

    /// Returns the line of CSV; no field contains a comma or a quote.
    fn csv(&self) -> String {
        fn field<T: ToString>(value: Option<T>) -> String {
            value.map_or(String::new(), |value| value.to_string())
        }
        let ExportedResults { games, wins, draws, losses, mean, best, worst } = &self.results;
        let moves: Vec<String> =
            self.moves.iter().map(|one| format!("{}:{}", one.r#move, one.results.games)).collect();
        [
            self.position.clone(),
            self.ply.to_string(),
            games.to_string(),
            wins.to_string(),
            draws.to_string(),
            losses.to_string(),
            field(*mean),
            field(*best),
            field(*worst),
            field(self.search),
            field(self.depth.as_ref()),
            field(self.answer.as_ref()),
            field(self.value),
            field(self.trust.as_ref()),
            u8::from(self.fully_searched).to_string(),
            moves.join(" "),
        ]
        .join(",")
    }
}

const CSV_HEADER: &str = "position,ply,games,wins,draws,losses,mean,best,worst,search,depth,\
answer,value,trust,fully_searched,moves";

impl Book {
    /// Writes the selected positions as text, first ply first; returns their number.
    ///
    /// Positions have the orientation of games beginning with f5.
    ///
    /// # Errors
    /// The book cannot be read, or `out` cannot be written.
    pub fn export(
        &self,
        out: &mut dyn Write,
        format: ExportFormat,
        filter: ExportFilter,
    ) -> Result<usize, BookError> {
        if format == ExportFormat::Csv {
            writeln!(out, "{CSV_HEADER}")?;
        }
        let mut count = 0;
        let mut orientation = UsualOrientation::default();
        for empties in filter.layers().rev() {
            let layer = self.database.layer(empties)?;
            let positions = orientation.next_layer(&layer);
            for (position, (_, entry)) in positions.iter().zip(&layer) {
                if !filter.accepts(entry) {
                    continue;
                }
                let exported = ExportedPosition::of(*position, entry);
                let line = match format {
                    ExportFormat::Csv => exported.csv(),
                    ExportFormat::JsonLines => {
                        serde_json::to_string(&exported).map_err(io::Error::from)?
                    }
                };
                writeln!(out, "{line}")?;
                count += 1;
            }
        }
        Ok(count)
    }
}
