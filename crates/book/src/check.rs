//! Is everything in the book as it must be?
//!
//! The database checks its pages; then every position is looked at, ply by
//! ply from the end: it is folded, its moves are legal, its games are those
//! that a recount of the games finds, its value is what follows from the
//! positions after it, and nothing proven contradicts something proven.

use std::fmt;

use umigame_othello::{Color, Position, position_text};

use super::add::{entries_of, steps_of};
use super::entry::{BookEntry, BookValue, Trust};
use super::error::BookError;
use super::minimax::{Layers, MAX_EMPTIES, PositionMap, after, value_of};
use super::queries::{BookCounts, Held, order};
use super::{Book, CanonicalPosition};

/// How many complaints are kept; the others are counted.
const KEPT: usize = 20;

/// What a check found.
#[derive(Clone, Debug, Default)]
pub struct CheckReport {
    /// What was looked at.
    pub counts: BookCounts,
    /// How many things are wrong.
    pub wrong: u64,
    /// The first of them.
    pub complaints: Vec<Fault>,
}

/// Something that is not as it must be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The position, where it is about one.
    pub position: Option<Position>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Some(position) => {
                write!(f, "{}: {}", position_text(position, Color::Black), self.what)
            }
            None => f.write_str(&self.what),
        }
    }
}

impl CheckReport {
    fn complain(&mut self, position: Option<Position>, what: impl Into<String>) {
        self.wrong += 1;
        if self.complaints.len() < KEPT {
            self.complaints.push(Fault { position, what: what.into() });
        }
    }
}

impl Book {
    /// Looks at all of the book; `layer` hears of the empties of each ply
    /// when it is done.
    ///
    /// # Errors
    /// The file cannot be read any further; what can be read and is wrong is
    /// among the complaints.
    pub fn check(&mut self, mut layer: impl FnMut(u32)) -> Result<CheckReport, BookError> {
        let mut checked = CheckReport { counts: self.counts()?, ..CheckReport::default() };
        for complaint in self.sql.integrity()? {
            checked.complain(None, complaint);
        }
        let strays = self.sql.stray_moves()?;
        if strays > 0 {
            checked.complain(None, format!("{strays} moves belong to no position"));
        }
        let mut games = Vec::new();
        let mut last = None;
        loop {
            let some = self.sql.games_after(last, super::add::MAX_GAMES_PER_COMMIT)?;
            let Some((identity, _)) = some.last() else { break };
            last = Some(*identity);
            for (identity, game) in some {
                if game.identity() != identity {
                    checked.complain(None, format!("game {}: another identity", game.moves_text()));
                }
                games.push(game);
            }
        }
        let steps = steps_of(&games.iter().collect::<Vec<_>>(), self.min_empties);
        drop(games);
        let mut layers = Layers::default();
        let mut values = PositionMap::default();
        let mut rest = steps.as_slice();
        for empties in 0..=MAX_EMPTIES {
            let here = rest.partition_point(|step| step.position.empties() <= empties);
            let (now, later) = rest.split_at(here);
            rest = later;
            let held = self.sql.layer(empties)?;
            recount(&held, entries_of(now), &mut checked);
            for (position, entry) in &held {
                look_at(*position, empties, entry, &mut checked);
            }
            check_values(held, &mut layers, &mut values, &mut checked);
            layer(empties);
        }
        Ok(checked)
    }
}

/// Compares what is held of the games with what a recount finds.
fn recount(held: &[Held], found: Vec<Held>, checked: &mut CheckReport) {
    let mut found = found.into_iter().peekable();
    for (position, entry) in held {
        while let Some((at, _)) = found.next_if(|(at, _)| order(*at) < order(*position)) {
            checked.complain(Some(at), "a game met it and the book lacks it");
        }
        let counted = found.next_if(|(at, _)| at == position);
        let counted = counted.map(|(_, entry)| entry).unwrap_or_default();
        if counted.tally != entry.tally {
            let (held, found) = (entry.tally.games, counted.tally.games);
            let what =
                format!("its results differ from those of its games ({held} games, found {found})");
            checked.complain(Some(*position), what);
        } else if counted.moves != entry.moves {
            checked.complain(
                Some(*position),
                "the results of its moves differ from those of its games",
            );
        }
    }
    for (at, _) in found {
        checked.complain(Some(at), "a game met it and the book lacks it");
    }
}

fn look_at(position: Position, empties: u32, entry: &BookEntry, checked: &mut CheckReport) {
    if position.player & position.opponent != 0 {
        return checked.complain(Some(position), "a square has two discs");
    }
    if position.empties() != empties || CanonicalPosition::of(position).position() != position {
        checked.complain(Some(position), "it is not folded, or in the wrong ply");
    }
    let best = entry.searched.and_then(|searched| searched.best);
    for played in entry.moves().map(|(played, _)| played).chain(best) {
        let one = CanonicalPosition::of(position).fold(played);
        if after(position, played).is_none() || one != played {
            checked.complain(Some(position), format!("its move {played} is illegal or not folded"));
        }
    }
}

/// Values anew, and the proven ones twice: without the searches of the
/// positions themselves too.
fn check_values(
    mut held: Vec<Held>,
    layers: &mut Layers,
    values: &mut PositionMap<BookValue>,
    checked: &mut CheckReport,
) {
    let stored: Vec<Option<BookValue>> = held.iter().map(|(_, entry)| entry.value).collect();
    layers.value(&mut super::minimax::borrowed(&mut held));
    for ((position, entry), stored) in held.iter().zip(stored) {
        if entry.value != stored {
            let what =
                format!("its value is {}, what follows is {}", text(stored), text(entry.value));
            checked.complain(Some(*position), what);
        }
        if let Some(own) = entry.value.filter(|own| own.trust == Trust::Exact)
            && entry.searched.is_some()
        {
            check_proof(*position, own, values, checked);
        }
    }
    values.clear();
    values.extend(held.iter().filter_map(|(position, entry)| Some((*position, entry.value?))));
}

/// A proven value must agree with those that are proven after it.
fn check_proof(
    position: Position,
    own: BookValue,
    values: &PositionMap<BookValue>,
    checked: &mut CheckReport,
) {
    let mut best = None;
    let follows = value_of(position, None, |next| {
        let value = values.get(&next).copied();
        best = best.max(value.filter(|v| v.trust == Trust::Exact).map(|v| -v.eval));
        value
    });
    let differs = follows.is_some_and(|v| v.trust == Trust::Exact && v.eval != own.eval);
    if differs || best.is_some_and(|best| best > own.eval) {
        checked
            .complain(Some(position), "its proven value and those after it contradict each other");
    }
}

fn text(value: Option<BookValue>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| format!("{} ({})", value.eval, value.trust))
}
