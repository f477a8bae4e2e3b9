//! The positions of a book as CSV and as JSON Lines.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use umigame_othello::files;
use umigame_othello::{Color, Position, position_text};

use super::entry::{BookEntry, Trust};
use super::error::BookError;
use super::stats::GameStats;
use super::{Book, MAX_PLY};

/// A format to write positions in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextFormat {
    /// A heading, then a line for each position; the moves are in one field,
    /// as `f5:12 d6:3` with the games of each.
    Csv,
    /// An object for each position.
    JsonLines,
}

/// Which positions to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExportFilter {
    /// The last ply.
    pub max_ply: u8,
    /// Games that must have met a position.
    pub min_games: u32,
    /// Only positions that were searched themselves.
    pub searched: bool,
}

impl Default for ExportFilter {
    /// All positions.
    fn default() -> ExportFilter {
        ExportFilter { max_ply: MAX_PLY, min_games: 0, searched: false }
    }
}

impl ExportFilter {
    /// The layers that it may take positions from, by their empties.
    pub(super) fn layers(self) -> impl Iterator<Item = u32> {
        u32::from(MAX_PLY.saturating_sub(self.max_ply))..=super::minimax::MAX_EMPTIES
    }

    fn takes(self, entry: &BookEntry) -> bool {
        entry.tally.games >= self.min_games && (!self.searched || entry.searched.is_some())
    }
}

/// A position as JSON.
#[derive(Serialize, Debug)]
struct Line {
    position: String,
    ply: i64,
    #[serde(flatten)]
    results: Results,
    search: Option<f64>,
    depth: Option<String>,
    answer: Option<String>,
    value: Option<f64>,
    trust: Option<String>,
    fully_searched: bool,
    moves: Vec<MoveLine>,
}

#[derive(Serialize, Debug)]
struct Results {
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    mean: Option<f64>,
    best: Option<i8>,
    worst: Option<i8>,
}

#[derive(Serialize, Debug)]
struct MoveLine {
    r#move: String,
    #[serde(flatten)]
    results: Results,
}

impl From<&GameStats> for Results {
    fn from(tally: &GameStats) -> Results {
        Results {
            games: tally.games,
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            mean: tally.mean().map(|mean| (mean * 1000.0).round() / 1000.0),
            best: tally.best(),
            worst: tally.worst(),
        }
    }
}

impl Line {
    fn of(position: Position, entry: &BookEntry) -> Line {
        let searched = entry.searched.as_ref();
        Line {
            position: position_text(position, Color::Black),
            ply: i64::from(MAX_PLY) - i64::from(position.empties()),
            results: Results::from(&entry.tally),
            search: searched.map(|searched| searched.eval.discs()),
            depth: searched.map(|searched| searched.kind.to_string()),
            answer: searched.and_then(|searched| searched.best).map(|best| best.to_string()),
            value: entry.value.map(|value| value.eval.discs()),
            trust: entry.value.map(|value| value.trust.to_string()),
            fully_searched: entry.value.is_some_and(|value| value.trust == Trust::Exact),
            moves: entry
                .moves()
                .map(|(played, tally)| MoveLine {
                    r#move: played.to_string(),
                    results: tally.into(),
                })
                .collect(),
        }
    }

    /// No field has a comma or a quote in it.
    fn csv(&self) -> String {
        fn field<T: ToString>(value: Option<T>) -> String {
            value.map_or(String::new(), |value| value.to_string())
        }
        let Results { games, wins, draws, losses, mean, best, worst } = &self.results;
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

const HEADING: &str = "position,ply,games,wins,draws,losses,mean,best,worst,search,depth,answer,\
value,trust,fully_searched,moves";

impl Book {
    /// Writes positions into a file, which appears whole or not at all; how
    /// many.
    ///
    /// # Errors
    /// The book cannot be read, or the file not be written.
    pub fn write_text(
        &self,
        path: &Path,
        format: TextFormat,
        selection: ExportFilter,
    ) -> Result<usize, BookError> {
        let failed = |error: io::Error| BookError::failed(path, error);
        files::replace_with(path, failed, |out| self.write_lines(out, path, format, selection))
    }

    fn write_lines(
        &self,
        out: &mut dyn Write,
        path: &Path,
        format: TextFormat,
        selection: ExportFilter,
    ) -> Result<usize, BookError> {
        let failed = |error: io::Error| BookError::failed(path, error);
        if format == TextFormat::Csv {
            writeln!(out, "{HEADING}").map_err(failed)?;
        }
        let mut count = 0;
        // From the start of the game on.
        let layers: Vec<u32> = selection.layers().collect();
        for empties in layers.into_iter().rev() {
            for (position, entry) in self.sql.layer(empties)? {
                if !selection.takes(&entry) {
                    continue;
                }
                let line = Line::of(position, &entry);
                let text = match format {
                    TextFormat::Csv => line.csv(),
                    TextFormat::JsonLines => serde_json::to_string(&line)
                        .map_err(|error| BookError::failed(path, error))?,
                };
                writeln!(out, "{text}").map_err(failed)?;
                count += 1;
            }
        }
        Ok(count)
    }
}
