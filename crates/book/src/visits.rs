//! Counts the positions that games met.

use rayon::prelude::*;

use crate::entry::BookEntry;
use crate::game::{BookGame, Visit};
use crate::queries::{PositionEntry, row_order};
use crate::stats::GameStats;

/// Returns the positions of games down to `min_empties`, fewest empties first, in row order.
pub(crate) fn visits_of(games: &[&BookGame], min_empties: u32) -> Vec<Visit> {
    let mut visits = games
        .par_iter()
        .fold(Vec::new, |mut visits, game| {
            game.visits(min_empties, |visit| visits.push(visit));
            visits
        })
        .reduce(Vec::new, |mut all, mut some| {
            all.append(&mut some);
            all
        });
    visits.par_sort_unstable_by_key(|visit| {
        (visit.position.empties(), row_order(visit.position), visit.played)
    });
    visits
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
