//! Seven to eleven empties: moves ordered by the opponent's mobility, and a
//! small private table.

use super::small::small;
use super::{Reader, SMALL, last, odd_squares};
use crate::board::{Position, Square};
use crate::search::candidates::{Candidate, Candidates};
use crate::search::ordering::{order, quick_worth};
use crate::search::stability::stability_cut;

/// From this many empties on, the table is asked about every move before any
/// is tried: below, looking costs more than it saves.
const ENHANCED: u32 = 9;
/// What playing into an odd quadrant weighs.
const PARITY: i32 = 16;

/// The score in the null window `alpha..alpha + 1`, fail-soft, with any
/// number of empties that is to be read without evaluation.
pub(super) fn by_stage(
    position: Position,
    alpha: i32,
    reader: &mut Reader,
    nodes: &mut u64,
) -> i32 {
    if position.empties() <= 4 {
        return last::few(position, alpha, nodes);
    }
    reader.begin(position);
    below(position, alpha, reader, nodes)
}

/// The same with five empties or more, which are those of the reader's list.
fn below(position: Position, alpha: i32, reader: &mut Reader, nodes: &mut u64) -> i32 {
    if position.empties() <= SMALL {
        small(position, alpha, reader, nodes)
    } else {
        medium(position, alpha, reader, nodes)
    }
}

fn medium(position: Position, alpha: i32, reader: &mut Reader, nodes: &mut u64) -> i32 {
    *nodes += 1;
    if let Some(score) = stability_cut(position, alpha) {
        return score;
    }
    let mut remembered = None;
    if let Some(known) = reader.medium.probe(position) {
        if let Some(score) = known.decided(alpha) {
            return score;
        }
        remembered = known.best();
    }
    let legal = position.moves();
    if legal == 0 {
        if position.passed().moves() == 0 {
            return position.final_score().discs();
        }
        return -medium(position.passed(), -alpha - 1, reader, nodes);
    }
    let (best, square) = best_move(position, alpha, (legal, remembered), reader, nodes);
    reader.medium.store(position, alpha, best, square);
    best
}

/// Tries the moves, the remembered one first, until one is good enough.
fn best_move(
    position: Position,
    alpha: i32,
    (legal, remembered): (u64, Option<Square>),
    reader: &mut Reader,
    nodes: &mut u64,
) -> (i32, Option<Square>) {
    let mut best = (-65, None);
    if let Some(square) = remembered {
        let flips = position.flips(square);
        best = (score_after(position, (square, flips), alpha, reader, nodes), Some(square));
        if best.0 > alpha {
            return best;
        }
    }
    let legal = legal & !remembered.map_or(0, Square::bit);
    let mut candidates = Candidates::default();
    candidates.fill(position, legal, None);
    if position.empties() >= ENHANCED
        && let Some((score, square)) = enhanced_cut(position, &candidates, alpha, reader)
    {
        return (score, Some(square));
    }
    let odd = odd_squares(position.empty());
    order(&mut candidates, position, |candidate, next| worth_with_parity(candidate, next, odd));
    while let Some(Candidate { square, flips, .. }) = candidates.take() {
        let score = score_after(position, (square, flips), alpha, reader, nodes);
        if score > best.0 {
            best = (score, Some(square));
            if score > alpha {
                break;
            }
        }
    }
    best
}

/// What a move is worth without evaluation, given the squares of odd quadrants.
#[inline(always)]
pub(super) fn worth_with_parity(candidate: &Candidate, next: Position, odd: u64) -> i32 {
    let parity = if candidate.square.bit() & odd != 0 { PARITY } else { 0 };
    parity + quick_worth(candidate, next)
}

#[inline(always)]
fn score_after(
    position: Position,
    (square, flips): (Square, u64),
    alpha: i32,
    reader: &mut Reader,
    nodes: &mut u64,
) -> i32 {
    reader.empties.take(square);
    let score = -below(position.after(square, flips), -alpha - 1, reader, nodes);
    reader.empties.put_back(square);
    score
}

/// A score above `alpha` that the table already holds for some move, and the
/// move.
pub(super) fn enhanced_cut(
    position: Position,
    moves: &Candidates,
    alpha: i32,
    reader: &Reader,
) -> Option<(i32, Square)> {
    moves.iter().find_map(|candidate| {
        let score = -i32::from(reader.medium.probe(candidate.after(position))?.upper);
        (score > alpha).then_some((score, candidate.square))
    })
}
