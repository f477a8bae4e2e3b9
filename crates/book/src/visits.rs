//! Counts the positions that games met.

use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use crate::entry::BookEntry;
use crate::error::BookError;
use crate::game::{BookGame, Visit};
use crate::interrupt;
use crate::minimax::MAX_EMPTIES;
use crate::queries::{PositionEntry, row_order};
use crate::stats::GameStats;

/// Games read between two checks for an interrupt: some milliseconds.
pub(crate) const GAMES_PER_CHECK: usize = 2_000;

/// Returns the positions of games down to `min_empties`, fewest empties first, in row order.
///
/// # Errors
/// An interrupt.
pub(crate) fn visits_of(
    games: &[&BookGame],
    min_empties: u32,
    stop: &AtomicBool,
) -> Result<Vec<Visit>, BookError> {
    let mut layers: Vec<Vec<Visit>> = vec![Vec::new(); MAX_EMPTIES as usize + 1];
    for games in games.chunks(GAMES_PER_CHECK) {
        interrupt::check(stop)?;
        let visits: Vec<Vec<Visit>> = games
            .par_iter()
            .map(|game| {
                let mut visits = Vec::new();
                game.visits(min_empties, |visit| visits.push(visit));
                visits
            })
            .collect();
        for visit in visits.into_iter().flatten() {
            if let Some(layer) = layers.get_mut(visit.position.empties() as usize) {
                layer.push(visit);
            }
        }
    }
    for layer in &mut layers {
        interrupt::check(stop)?;
        layer.par_sort_unstable_by_key(|visit| (row_order(visit.position), visit.played));
    }
    Ok(layers.concat())
}

/// Counts sorted visits by position and move; the entries have the order of the visits.
pub(crate) fn entries_of(visits: &[Visit]) -> Vec<PositionEntry> {
    visits
        .chunk_by(|one, other| one.position == other.position)
        .filter_map(|of_position| {
            let mut entry = BookEntry::default();
            for of_move in of_position.chunk_by(|one, other| one.played == other.played) {
                let mut stats = GameStats::default();
                of_move.iter().for_each(|visit| stats.add(&GameStats::of_game(visit.result)));
                entry.add_games(of_move.first()?.played, &stats);
            }
            Some((of_position.first()?.position, entry))
        })
        .collect()
}

/// Splits off the visits with at most this many empties from the front of `rest`.
pub(crate) fn split_layer<'a>(rest: &mut &'a [Visit], empties: u32) -> &'a [Visit] {
    let end = rest.partition_point(|visit| visit.position.empties() <= empties);
    let (layer, later) = rest.split_at(end);
    *rest = later;
    layer
}
