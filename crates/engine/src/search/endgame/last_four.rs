//! The last four empties, a function for each number of them.
//!
//! All take the null window `alpha..alpha + 1` and are fail-soft: a score at
//! most `alpha` is an upper bound, a greater one a lower bound.

use umigame_othello::{COLUMN_A, Position, Square, kernels};

/// No score yet: below every score there is.
const NONE: i32 = -65;

/// The squares next to each square: where none of the opponent's discs is
/// next door, nothing can flip.
static NEIGHBORS: [u64; 64] = {
    let mut table = [0u64; 64];
    let mut square = 0;
    while square < 64 {
        let bit = 1u64 << square;
        let across = bit | (bit & !COLUMN_A) >> 1 | (bit & !(COLUMN_A << 7)) << 1;
        table[square] = (across | across << 8 | across >> 8) & !bit;
        square += 1;
    }
    table
};

/// The flips of a disc on `square`, looked for only where the opponent is
/// next door.
#[inline(always)]
fn flips(position: Position, square: Square) -> u64 {
    if NEIGHBORS[square.index()] & position.opponent == 0 { 0 } else { position.flips(square) }
}

/// The score with one empty square, in the null window `alpha..alpha + 1`.
/// `player` has these discs, the opponent every other square but `square`.
#[inline(always)]
fn one(player: u64, alpha: i32, square: Square) -> i32 {
    let own = player.count_ones() as i32;
    let flipped = kernels::last_flips(player, square) as i32;
    if flipped > 0 {
        return 2 * (own + flipped + 1) - 64;
    }
    // Where the square stays empty it goes to the winner; the opponent's move
    // only makes it less.
    let most = if own >= 32 { 2 * own - 62 } else { 2 * own - 64 };
    if most <= alpha {
        return most;
    }
    let flipped = kernels::last_flips(!(player | square.bit()), square) as i32;
    if flipped > 0 { 2 * (own - flipped) - 64 } else { most }
}

/// The best of playing each square with the others left, by the score that
/// the last expression gives; `NONE` where no square can be played. Written
/// out, not looped: from a list of squares in memory each would be read right
/// after it is written there, which stalls.
macro_rules! best_of {
    ($position:ident, $alpha:ident, $(($square:ident, $left:expr))*, $score:expr) => {{
        let mut best = NONE;
        $(
            let flipped = flips($position, $square);
            if flipped != 0 {
                let score = -$score($position.after($square, flipped), $left);
                if score > $alpha {
                    return score;
                }
                best = best.max(score);
            }
        )*
        best
    }};
}

/// The score of a position from what `played` finds, which tells by `NONE` that
/// the side to move has no move.
#[inline(always)]
fn or_passed<const N: usize>(
    position: Position,
    alpha: i32,
    squares: [Square; N],
    nodes: &mut u64,
    played: impl Fn(Position, i32, [Square; N], &mut u64) -> i32,
) -> i32 {
    *nodes += 1;
    match played(position, alpha, squares, nodes) {
        NONE => passed(position, move || played(position.passed(), -alpha - 1, squares, nodes)),
        best => best,
    }
}

/// The score where the side to move has to pass, from what the other side can
/// play, or the game is over.
#[inline(never)]
fn passed(position: Position, other: impl FnOnce() -> i32) -> i32 {
    match other() {
        NONE => position.final_score().discs(),
        best => -best,
    }
}

/// The score with two empty squares.
#[inline(always)]
fn two(position: Position, alpha: i32, squares: [Square; 2], nodes: &mut u64) -> i32 {
    or_passed(position, alpha, squares, nodes, two_played)
}

#[inline(always)]
fn two_played(position: Position, alpha: i32, [a, b]: [Square; 2], nodes: &mut u64) -> i32 {
    best_of!(position, alpha, (a, b)(b, a), |next: Position, left| {
        *nodes += 1;
        one(next.player, -alpha - 1, left)
    })
}

/// The score with three empty squares, tried in the order given.
#[inline(never)]
fn three(position: Position, alpha: i32, squares: [Square; 3], nodes: &mut u64) -> i32 {
    or_passed(position, alpha, squares, nodes, three_played)
}

#[inline(always)]
fn three_played(position: Position, alpha: i32, [a, b, c]: [Square; 3], nodes: &mut u64) -> i32 {
    best_of!(position, alpha, (a, [b, c])(b, [a, c])(c, [a, b]), |next, left| {
        two(next, -alpha - 1, left, nodes)
    })
}

/// Three empty squares in the order of parity: a square alone in its
/// quadrant first.
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

/// The score with four empty squares, those of odd quadrants first.
#[inline(never)]
pub(super) fn four(position: Position, alpha: i32, squares: [Square; 4], nodes: &mut u64) -> i32 {
    or_passed(position, alpha, squares, nodes, four_played)
}

#[inline(always)]
fn four_played(position: Position, alpha: i32, [a, b, c, d]: [Square; 4], nodes: &mut u64) -> i32 {
    best_of!(
        position,
        alpha,
        (a, [b, c, d])(b, [a, c, d])(c, [a, b, d])(d, [a, b, c]),
        |next, left| three(next, -alpha - 1, by_parity(left), nodes)
    )
}

/// The score with at most four empty squares.
pub(super) fn few(position: Position, alpha: i32, nodes: &mut u64) -> i32 {
    let empty = position.empty();
    let mut rest = umigame_othello::squares(empty);
    let mut next = || rest.next();
    match (next(), next(), next(), next()) {
        (Some(a), Some(b), Some(c), Some(d)) => {
            let odd = super::odd_squares(empty);
            let mut squares = [a, b, c, d];
            squares.sort_by_key(|square| square.bit() & odd == 0);
            four(position, alpha, squares, nodes)
        }
        (Some(a), Some(b), Some(c), None) => three(position, alpha, by_parity([a, b, c]), nodes),
        (Some(a), Some(b), None, None) => two(position, alpha, [a, b], nodes),
        (Some(a), None, None, None) => {
            *nodes += 1;
            one(position.player, alpha, a)
        }
        _ => position.final_score().discs(),
    }
}
