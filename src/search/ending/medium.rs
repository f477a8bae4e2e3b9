//! Seven to eleven empties: moves ordered by the opponent's mobility, and a
//! small private table.

use super::small::{Empties, small};
use super::{Cache, SMALL, last, odd_squares};
use crate::board::{Position, Square};
use crate::search::candidates::Candidates;
use crate::search::ordering::{order, square_worth, weighted_mobility};
use crate::search::stability::stability_cut;

/// From this many empties on, the table is asked about every move before any
/// is tried: below, looking costs more than it saves.
const ENHANCED: u32 = 9;
/// What a move of the opponent weighs against where a move lies.
const MOBILITY: i32 = 32;
/// What playing into an odd quadrant weighs.
const PARITY: i32 = 16;

/// The score in the null window `alpha..alpha + 1`, fail-soft, with any
/// number of empties that is to be read without evaluation.
pub(super) fn by_stage(position: Position, alpha: i32, cache: &mut Cache, nodes: &mut u64) -> i32 {
    match position.empties() {
        0..=4 => last::few(position, alpha, nodes),
        5..=SMALL => small(position, alpha, &mut Empties::new(position.empty()), nodes),
        _ => medium(position, alpha, cache, nodes),
    }
}

fn medium(position: Position, alpha: i32, cache: &mut Cache, nodes: &mut u64) -> i32 {
    *nodes += 1;
    if let Some(score) = stability_cut(position, alpha) {
        return score;
    }
    let mut remembered = None;
    if let Some(known) = cache.probe(position) {
        if i32::from(known.lower) > alpha {
            return i32::from(known.lower);
        }
        if i32::from(known.upper) <= alpha {
            return i32::from(known.upper);
        }
        remembered = known.best();
    }
    let legal = position.moves();
    if legal == 0 {
        if position.passed().moves() == 0 {
            return position.final_score().discs();
        }
        return -medium(position.passed(), -alpha - 1, cache, nodes);
    }
    let (best, square) = best_move(position, alpha, (legal, remembered), cache, nodes);
    cache.store(position, alpha, best, square);
    best
}

/// Tries the moves, the remembered one first, until one is good enough.
fn best_move(
    position: Position,
    alpha: i32,
    (legal, remembered): (u64, Option<Square>),
    cache: &mut Cache,
    nodes: &mut u64,
) -> (i32, Option<Square>) {
    let mut best = (-65, None);
    if let Some(square) = remembered {
        let next = position.after(square, position.flips(square));
        best = (-by_stage(next, -alpha - 1, cache, nodes), Some(square));
        if best.0 > alpha {
            return best;
        }
    }
    let legal = legal & !remembered.map_or(0, Square::bit);
    let mut candidates = Candidates::new(position, legal);
    if position.empties() >= ENHANCED
        && let Some(cut) = enhanced_cut(position, &candidates, alpha, cache)
    {
        return cut;
    }
    let odd = odd_squares(position.empty());
    order(&mut candidates, position, None, |candidate, next| {
        let parity = if candidate.square.bit() & odd != 0 { PARITY } else { 0 };
        square_worth(candidate.square) + parity - MOBILITY * weighted_mobility(next.moves())
    });
    while let Some(candidate) = candidates.take_best() {
        let score = -by_stage(candidate.after(position), -alpha - 1, cache, nodes);
        if score > best.0 {
            best = (score, Some(candidate.square));
            if score > alpha {
                break;
            }
        }
    }
    best
}

/// A score above `alpha` that the table already holds for some move.
pub(super) fn enhanced_cut(
    position: Position,
    moves: &Candidates,
    alpha: i32,
    cache: &Cache,
) -> Option<(i32, Option<Square>)> {
    moves.iter().find_map(|candidate| {
        let score = -i32::from(cache.probe(candidate.after(position))?.upper);
        (score > alpha).then_some((score, Some(candidate.square)))
    })
}
