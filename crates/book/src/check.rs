//! Checks a whole book.
//!
//! SQLite checks its pages. Then every position is checked, layer by layer from the end of the
//! game: it is canonical, its moves are legal, its results are those of a recount of the games, its
//! value follows from the positions after it, and no two proofs contradict each other.

use std::fmt;

use umigame_othello::{Color, Position, position_text};

use crate::add::MAX_GAMES_PER_COMMIT;
use crate::book::Book;
use crate::canonical::CanonicalPosition;
use crate::entry::{BookEntry, BookValue, Trust};
use crate::error::BookError;
use crate::game::BookGame;
use crate::interrupt;
use crate::minimax::{LayerValues, MAX_EMPTIES, PositionMap, minimax_value, successor};
use crate::queries::{BookCounts, PositionEntry, row_order};
use crate::visits::{entries_of, split_layer, visits_of};

/// Faults kept in a report; further ones are counted.
const MAX_FAULTS_KEPT: usize = 20;

const MISSING: &str = "a game met this position, but the book lacks it";

/// The result of a check.
#[derive(Clone, Debug, Default)]
pub struct CheckReport {
    /// Rows checked.
    pub counts: BookCounts,
    /// Number of faults.
    pub fault_count: u64,
    /// The first 20 faults.
    pub faults: Vec<Fault>,
}

/// A fault of a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The position, where the fault is about one.
    pub position: Option<Position>,
    /// Description.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Some(position) => {
                write!(f, "{}: {}", position_text(position, Color::Black), self.message)
            }
            None => f.write_str(&self.message),
        }
    }
}

impl CheckReport {
    fn add(&mut self, position: Option<Position>, message: impl Into<String>) {
        self.fault_count += 1;
        if self.faults.len() < MAX_FAULTS_KEPT {
            self.faults.push(Fault { position, message: message.into() });
        }
    }
}

impl Book {
    /// Checks the whole book; calls `layer_done` with the empties of each layer, 0 to 64.
    ///
    /// # Errors
    /// The file cannot be read any further. Readable faults are in the report.
    pub fn check(&mut self, mut layer_done: impl FnMut(u32)) -> Result<CheckReport, BookError> {
        let mut report = CheckReport { counts: self.counts()?, ..CheckReport::default() };
        for fault in self.database.integrity_faults()? {
            report.add(None, fault);
        }
        let strays = self.database.stray_moves()?;
        if strays > 0 {
            report.add(None, format!("moves without a position: {strays}"));
        }
        let games = self.checked_games(&mut report)?;
        let every: Vec<&BookGame> = games.iter().collect();
        let visits = visits_of(&every, self.min_empties, &interrupt::NEVER)?;
        drop(every);
        drop(games);
        let mut values = ValueCheck::default();
        let mut rest = visits.as_slice();
        for empties in 0..=MAX_EMPTIES {
            let layer = self.database.layer(empties)?;
            compare_counts(&layer, entries_of(split_layer(&mut rest, empties)), &mut report);
            for (position, entry) in &layer {
                check_position(*position, empties, entry, &mut report);
            }
            values.check(layer, &mut report);
            layer_done(empties);
        }
        Ok(report)
    }

    /// Reads all games and checks their ids.
    fn checked_games(&self, report: &mut CheckReport) -> Result<Vec<BookGame>, BookError> {
        let mut games = Vec::new();
        let mut last = None;
        loop {
            let some = self.database.games_after(last, MAX_GAMES_PER_COMMIT)?;
            let Some((id, _)) = some.last() else { return Ok(games) };
            last = Some(*id);
            for (id, game) in some {
                if game.id() != id {
                    report.add(None, format!("game {}: wrong id", game.moves_text()));
                }
                games.push(game);
            }
        }
    }
}

/// Compares the stored results of a layer with those of a recount.
fn compare_counts(
    layer: &[PositionEntry],
    recounted: Vec<PositionEntry>,
    report: &mut CheckReport,
) {
    let mut recounted = recounted.into_iter().peekable();
    for (position, entry) in layer {
        let here = row_order(*position);
        while let Some((at, _)) = recounted.next_if(|(at, _)| row_order(*at) < here) {
            report.add(Some(at), MISSING);
        }
        let counted = recounted.next_if(|(at, _)| at == position);
        let counted = counted.map(|(_, entry)| entry).unwrap_or_default();
        if counted.stats != entry.stats {
            let (stored, counted) = (entry.stats.games, counted.stats.games);
            let message = format!(
                "its results differ from those of its games (stored {stored}, counted {counted})"
            );
            report.add(Some(*position), message);
        } else if counted.moves != entry.moves {
            let message = "the results of its moves differ from those of its games";
            report.add(Some(*position), message);
        }
    }
    for (at, _) in recounted {
        report.add(Some(at), MISSING);
    }
}

/// Checks that a position is canonical, in its layer, and has legal canonical moves.
fn check_position(position: Position, empties: u32, entry: &BookEntry, report: &mut CheckReport) {
    let canonical = CanonicalPosition::of(position);
    if position.empties() != empties || canonical.position() != position {
        report.add(Some(position), "it is not canonical, or stored under other empties");
    }
    let best = entry.search.and_then(|search| search.best);
    for played in entry.moves().map(|(played, _)| played).chain(best) {
        let is_legal = successor(position, played).is_some();
        if !is_legal || canonical.canonical_move(played) != played {
            let message = format!("its move {played} is illegal or not canonical");
            report.add(Some(position), message);
        }
    }
}

/// Computes values anew and compares them with the stored ones.
#[derive(Default)]
struct ValueCheck {
    values: LayerValues,
    /// Values of the layer before.
    previous: PositionMap<BookValue>,
}

impl ValueCheck {
    fn check(&mut self, mut layer: Vec<PositionEntry>, report: &mut CheckReport) {
        let stored: Vec<Option<BookValue>> = layer.iter().map(|(_, entry)| entry.value).collect();
        let mut entries: Vec<_> =
            layer.iter_mut().map(|(position, entry)| (*position, entry)).collect();
        self.values.set(&mut entries);
        for ((position, entry), stored) in layer.iter().zip(stored) {
            if entry.value != stored {
                let (stored, computed) = (text(stored), text(entry.value));
                let message = format!("its value is {stored}, computed {computed}");
                report.add(Some(*position), message);
            }
            if let Some(own) = entry.value.filter(|own| own.trust == Trust::Exact)
                && entry.search.is_some()
            {
                self.check_proof(*position, own, report);
            }
        }
        self.previous.clear();
        let values = layer.iter().filter_map(|(position, entry)| Some((*position, entry.value?)));
        self.previous.extend(values);
    }

    /// Checks that a proof by search agrees with the proven values after the position.
    fn check_proof(&self, position: Position, own: BookValue, report: &mut CheckReport) {
        let mut best_proven = None;
        let follows = minimax_value(position, None, |child| {
            let value = self.previous.get(&child).copied();
            let proven = value.filter(|value| value.trust == Trust::Exact);
            best_proven = best_proven.max(proven.map(|value| -value.eval));
            value
        });
        let differs = follows.is_some_and(|v| v.trust == Trust::Exact && v.eval != own.eval);
        if differs || best_proven.is_some_and(|best| best > own.eval) {
            report.add(Some(position), "its proven value contradicts those after it");
        }
    }
}

fn text(value: Option<BookValue>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| format!("{} ({})", value.eval, value.trust))
}
