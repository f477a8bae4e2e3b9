//! Five empties and a few more: a table of their own, moves in the order of
//! parity and of their squares' worth, the empties in a doubly linked list.
//!
//! After: the EBOARD of Turtle, and G. Andersson's endgame solver.

use super::{EndgameState, last_four, odd_squares};
use crate::search::ordering::square_score;
use crate::search::stability::late_stability_cut;
use umigame_othello::{Position, Square, squares};

/// Link of the list's head and end.
const HEAD: usize = 64;
/// Links are kept below this, so that no index is out of range.
const LINKS: usize = 128;

/// The empty squares as a doubly linked list, the best square first: a
/// square is taken and put back in constant time.
#[derive(Clone, Debug)]
pub(super) struct Empties {
    next: [u8; LINKS],
    previous: [u8; LINKS],
}

impl Empties {
    /// The list of the squares in `empty`.
    pub fn new(empty: u64) -> Empties {
        let mut list = Empties { next: [HEAD as u8; LINKS], previous: [HEAD as u8; LINKS] };
        for square in squares(empty) {
            list.insert(square);
        }
        list
    }

    /// Puts a square behind those of greater or equal worth.
    fn insert(&mut self, square: Square) {
        let mut at = HEAD;
        while let Some(next) = self.after(at) {
            if square_score(next) < square_score(square) {
                break;
            }
            at = next.index();
        }
        self.previous[square.index()] = at as u8;
        self.next[square.index()] = self.next[at];
        self.put_back(square);
    }

    #[inline(always)]
    fn after(&self, link: usize) -> Option<Square> {
        Square::from_index(usize::from(self.next[link % LINKS]))
    }

    /// Unlinks a square, which keeps its own links.
    #[inline(always)]
    pub fn take(&mut self, square: Square) {
        let (next, previous) = (self.next[square.index()], self.previous[square.index()]);
        self.next[usize::from(previous) % LINKS] = next;
        self.previous[usize::from(next) % LINKS] = previous;
    }

    /// Links a square in again where it was taken; squares go back in the
    /// reverse order of their taking.
    #[inline(always)]
    pub fn put_back(&mut self, square: Square) {
        let (next, previous) = (self.next[square.index()], self.previous[square.index()]);
        self.next[usize::from(previous) % LINKS] = square.index() as u8;
        self.previous[usize::from(next) % LINKS] = square.index() as u8;
    }

    /// The squares from the best on.
    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = Square> + '_ {
        let mut at = HEAD;
        std::iter::from_fn(move || {
            let square = self.after(at)?;
            at = square.index();
            Some(square)
        })
    }

    /// The four squares left, those of odd quadrants first.
    #[inline(always)]
    fn last_four(&self, empty: u64) -> [Square; 4] {
        let mut squares = [Square::A1; 4];
        for (slot, square) in squares.iter_mut().zip(self.iter()) {
            *slot = square;
        }
        let odd = odd_squares(empty);
        // Either all four are odd, or none, or two: only then order matters.
        if (odd & empty).count_ones() == 2 {
            squares.sort_by_key(|square| square.bit() & odd == 0);
        }
        squares
    }
}

/// The score in the null window `alpha..alpha + 1`, fail-soft, with at least
/// five empty squares, which are those of the state's list, and these legal
/// moves.
pub(super) fn parity_search(
    position: Position,
    alpha: i32,
    moves: u64,
    state: &mut EndgameState,
    nodes: &mut u64,
) -> i32 {
    *nodes += 1;
    if let Some(score) = late_stability_cut(position, alpha) {
        return score;
    }
    if let Some(score) = state.parity_cache.decided(position, alpha) {
        return score;
    }
    if moves == 0 {
        let other = position.passed().moves();
        if other == 0 {
            return position.final_score().discs();
        }
        return -parity_search(position.passed(), -alpha - 1, other, state, nodes);
    }
    let best = best_by_parity(position, alpha, moves, state, nodes);
    state.parity_cache.store(position, alpha, best);
    best
}

/// Tries the moves, those in odd quadrants first, until one is good enough.
fn best_by_parity(
    position: Position,
    alpha: i32,
    moves: u64,
    state: &mut EndgameState,
    nodes: &mut u64,
) -> i32 {
    let empty = position.empty();
    let to_last = empty.count_ones() == 5;
    let odd = odd_squares(empty);
    let mut best = -65;
    for part in [moves & odd, moves & !odd] {
        let mut left = part;
        let mut link = HEAD;
        while left != 0 {
            let Some(square) = state.empties.after(link) else { break };
            link = square.index();
            if left & square.bit() == 0 {
                continue;
            }
            left ^= square.bit();
            let next = position.after(square, position.flips(square));
            state.empties.take(square);
            let score = if to_last {
                -four(next, -alpha - 1, state, nodes)
            } else {
                -parity_search(next, -alpha - 1, next.moves(), state, nodes)
            };
            state.empties.put_back(square);
            if score > best {
                best = score;
                if score > alpha {
                    return score;
                }
            }
        }
    }
    best
}

/// The score with four empty squares, which are those of the state's list:
/// many ways lead to so late a position.
#[inline(always)]
fn four(position: Position, alpha: i32, state: &mut EndgameState, nodes: &mut u64) -> i32 {
    if let Some(score) = late_stability_cut(position, alpha) {
        return score;
    }
    if let Some(score) = state.four_cache.decided(position, alpha) {
        return score;
    }
    let squares = state.empties.last_four(position.empty());
    let score = last_four::four(position, alpha, squares, nodes);
    state.four_cache.store(position, alpha, score);
    score
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_gives_every_square_once_the_best_first_and_takes_them_back() {
        let mut random = fastrand::Rng::with_seed(9);
        for _ in 0..1_000 {
            let empty = random.u64(..) & random.u64(..);
            let mut list = Empties::new(empty);
            let before: Vec<_> = list.iter().collect();
            assert_eq!(before.iter().fold(0, |bits, s| bits | s.bit()), empty);
            assert!(before.is_sorted_by_key(|&square| -square_score(square)));
            let mut order = before.clone();
            random.shuffle(&mut order);
            for (taken, square) in order.iter().enumerate() {
                list.take(*square);
                assert_eq!(list.iter().count(), before.len() - taken - 1);
            }
            for square in order.iter().rev() {
                list.put_back(*square);
            }
            assert_eq!(list.iter().collect::<Vec<_>>(), before);
        }
    }
}
