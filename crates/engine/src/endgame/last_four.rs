//! The last four empties, a function for each number of them.
//!
//! Null windows only; fail-soft. The flips of all squares of a node are computed at once: they overlap in
//! the processor, and a test that would spare some of them is often mispredicted.

use umigame_eval::parity::odd_quadrant_squares;
use umigame_eval::value::{Discs, NullWindow, Unit};
use umigame_othello::{Bitboard, Position, Square, kernels};

/// Stands for a side without a legal move.
const NO_MOVE: Discs = Discs::NEG_INFINITY;

/// Returns the score with one empty square. The opponent has every disc that is not `player`'s.
#[inline(always)]
fn one(player: Bitboard, window: NullWindow<Discs>, square: Square) -> Discs {
    let own = player.count() as i32;
    let flipped = kernels::last_flips(player.bits(), square) as i32;
    if flipped > 0 {
        return Discs(2 * (own + flipped + 1) - 64);
    }
    // A square that stays empty goes to the winner; the opponent's move there only lowers the score.
    let upper = Discs(if own >= 32 { 2 * own - 62 } else { 2 * own - 64 });
    if upper <= window.alpha {
        return upper;
    }
    let flipped = kernels::last_flips(!player.with(square).bits(), square) as i32;
    if flipped > 0 { Discs(2 * (own - flipped) - 64) } else { upper }
}

/// Returns the best score of the listed moves from the enclosing function as soon as one is above
/// `alpha`; else evaluates to the best of all, `NO_MOVE` without a legal one. Each move comes with
/// a name for its flips and the squares that it leaves. Written out, not looped: squares read from a
/// list in memory right after they were written stall the processor.
macro_rules! best_of {
    ($position:ident, $window:ident, $(($square:ident, $flipped:ident, $left:expr))*, $score:expr) => {{
        $(let $flipped = $position.flips($square);)*
        let mut best = NO_MOVE;
        $(
            if !$flipped.is_empty() {
                let score = -$score($position.after($square, $flipped), $left);
                if score > $window.alpha {
                    return score;
                }
                best = best.max(score);
            }
        )*
        best
    }};
}

/// Returns the score of a position by `search_moves`, which the other side gets if the side to move
/// has no move.
#[inline(always)]
fn or_passed<const N: usize>(
    position: Position,
    window: NullWindow<Discs>,
    squares: [Square; N],
    nodes: &mut u64,
    search_moves: impl Fn(Position, NullWindow<Discs>, [Square; N], &mut u64) -> Discs,
) -> Discs {
    *nodes += 1;
    match search_moves(position, window, squares, nodes) {
        NO_MOVE => {
            passed(position, move || search_moves(position.passed(), -window, squares, nodes))
        }
        best => best,
    }
}

/// Returns the score where the side to move has no move: by the other side's moves, or by the discs
/// if it has none either.
#[inline(never)]
fn passed(position: Position, search_replies: impl FnOnce() -> Discs) -> Discs {
    match search_replies() {
        NO_MOVE => position.final_score().into(),
        best => -best,
    }
}

/// Searches a position of two empties.
#[inline(always)]
fn two(
    position: Position,
    window: NullWindow<Discs>,
    squares: [Square; 2],
    nodes: &mut u64,
) -> Discs {
    or_passed(position, window, squares, nodes, two_moves)
}

#[inline(always)]
fn two_moves(
    position: Position,
    window: NullWindow<Discs>,
    [a, b]: [Square; 2],
    nodes: &mut u64,
) -> Discs {
    best_of!(position, window, (a, at_a, b)(b, at_b, a), |next: Position, left| {
        *nodes += 1;
        one(next.player(), -window, left)
    })
}

/// Searches a position of three empties in the order given.
#[inline(never)]
fn three(
    position: Position,
    window: NullWindow<Discs>,
    squares: [Square; 3],
    nodes: &mut u64,
) -> Discs {
    or_passed(position, window, squares, nodes, three_moves)
}

#[inline(always)]
fn three_moves(
    position: Position,
    window: NullWindow<Discs>,
    [a, b, c]: [Square; 3],
    nodes: &mut u64,
) -> Discs {
    best_of!(position, window, (a, at_a, [b, c])(b, at_b, [a, c])(c, at_c, [a, b]), |next, left| {
        two(next, -window, left, nodes)
    })
}

/// Orders three empty squares by parity: a square alone in its quadrant comes first.
#[inline(always)]
fn by_parity([a, b, c]: [Square; 3]) -> [Square; 3] {
    let quadrant = |square: Square| square.index() & 0o44;
    if quadrant(a) == quadrant(b) {
        [c, a, b]
    } else if quadrant(a) == quadrant(c) {
        [b, a, c]
    } else {
        [a, b, c]
    }
}

/// Searches a position of four empties in the order given.
#[inline(never)]
pub(super) fn four(
    position: Position,
    window: NullWindow<Discs>,
    squares: [Square; 4],
    nodes: &mut u64,
) -> Discs {
    or_passed(position, window, squares, nodes, four_moves)
}

#[inline(always)]
fn four_moves(
    position: Position,
    window: NullWindow<Discs>,
    [a, b, c, d]: [Square; 4],
    nodes: &mut u64,
) -> Discs {
    best_of!(
        position,
        window,
        (a, at_a, [b, c, d])(b, at_b, [a, c, d])(c, at_c, [a, b, d])(d, at_d, [a, b, c]),
        |next, left| three(next, -window, by_parity(left), nodes)
    )
}

/// Searches a position of at most four empties.
pub(super) fn few(position: Position, window: NullWindow<Discs>, nodes: &mut u64) -> Discs {
    let empty = position.empty();
    let mut rest = empty.iter();
    let mut next = || rest.next();
    match (next(), next(), next(), next()) {
        (Some(a), Some(b), Some(c), Some(d)) => {
            let odd = odd_quadrant_squares(empty);
            let mut squares = [a, b, c, d];
            squares.sort_by_key(|&square| !odd.contains(square));
            four(position, window, squares, nodes)
        }
        (Some(a), Some(b), Some(c), None) => three(position, window, by_parity([a, b, c]), nodes),
        (Some(a), Some(b), None, None) => two(position, window, [a, b], nodes),
        (Some(a), None, None, None) => {
            *nodes += 1;
            one(position.player(), window, a)
        }
        _ => position.final_score().into(),
    }
}
