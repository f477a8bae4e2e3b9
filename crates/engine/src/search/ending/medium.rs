//! Seven to twelve empties: moves ordered by the opponent's mobility, and a
//! small private table.

use super::ranked::{Moves, Ranked};
use super::small::small;
use super::{Reader, SMALL, last, odd_squares};
use crate::search::stability::stability_cut;
use umigame_othello::{Position, Square};

/// From this many empties on, the table is asked about every move before any
/// is tried: below, looking costs more than it saves.
const ENHANCED: u32 = 10;

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
    below(position, alpha, position.moves(), reader, nodes)
}

/// The same with five empties or more, which are those of the reader's list,
/// and these legal moves.
#[inline(always)]
fn below(position: Position, alpha: i32, legal: u64, reader: &mut Reader, nodes: &mut u64) -> i32 {
    if position.empties() <= SMALL {
        small(position, alpha, legal, reader, nodes)
    } else {
        medium(position, alpha, legal, reader, nodes)
    }
}

fn medium(position: Position, alpha: i32, legal: u64, reader: &mut Reader, nodes: &mut u64) -> i32 {
    *nodes += 1;
    if let Some(score) = stability_cut(position, alpha) {
        return score;
    }
    let mut remembered = None;
    if let Some(known) = reader.medium.probe(position) {
        if let Some(score) = known.decided(alpha) {
            return score;
        }
        remembered = Some(known.best());
    }
    if legal == 0 {
        let other = position.passed().moves();
        if other == 0 {
            return position.final_score().discs();
        }
        return -medium(position.passed(), -alpha - 1, other, reader, nodes);
    }
    let (best, square) = best_move(position, alpha, (legal, remembered), reader, nodes);
    reader.medium.store_with(position, alpha, best, square);
    best
}

/// Tries the moves, the remembered one first, until one is good enough.
fn best_move(
    position: Position,
    alpha: i32,
    (legal, remembered): (u64, Option<Square>),
    reader: &mut Reader,
    nodes: &mut u64,
) -> (i32, Square) {
    let mut best = (-65, Square::lowest(legal));
    if let Some(square) = remembered {
        let next = position.after(square, position.flips(square));
        let first = Ranked { square, next, replies: next.moves() };
        best = (score_of(first, alpha, reader, nodes), square);
        if best.0 > alpha {
            return best;
        }
    }
    let mut moves = Moves::default();
    moves.fill(position, legal & !remembered.map_or(0, Square::bit));
    if position.empties() >= ENHANCED {
        let after = moves.iter().map(|ranked| (ranked.square, ranked.next));
        if let Some(cut) = enhanced_cut(after, alpha, reader) {
            return cut;
        }
    }
    moves.rank(odd_squares(position.empty()));
    while let Some(ranked) = moves.take() {
        let score = score_of(ranked, alpha, reader, nodes);
        if score > best.0 {
            best = (score, ranked.square);
            if score > alpha {
                break;
            }
        }
    }
    best
}

#[inline(always)]
fn score_of(
    Ranked { square, next, replies }: Ranked,
    alpha: i32,
    reader: &mut Reader,
    nodes: &mut u64,
) -> i32 {
    reader.empties.take(square);
    let score = -below(next, -alpha - 1, replies, reader, nodes);
    reader.empties.put_back(square);
    score
}

/// A score above `alpha` that the table already holds for some move, and the
/// move.
#[inline(always)]
pub(super) fn enhanced_cut(
    mut moves: impl Iterator<Item = (Square, Position)>,
    alpha: i32,
    reader: &Reader,
) -> Option<(i32, Square)> {
    moves.find_map(|(square, next)| {
        let score = -reader.medium.probe(next)?.upper();
        (score > alpha).then_some((score, square))
    })
}
