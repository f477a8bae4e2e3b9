//! The empty squares as a doubly linked list, best square first: after Turtle's EBOARD. The search takes
//! them from a word of bits, which is faster; its tests go by this list.

use crate::moves::ordering::square_score;
use umigame_othello::{Bitboard, Square};

/// Link of the list's head and end.
pub(super) const HEAD: usize = 64;
/// Size of the arrays of links: link numbers are taken modulo this, so that no index is out of
/// range.
const LINKS: usize = 128;

/// A list from which a square is removed, and restored, in constant time.
#[derive(Clone, Debug)]
pub(super) struct Empties {
    next: [u8; LINKS],
    previous: [u8; LINKS],
}

impl Empties {
    /// Lists the squares of `empty`.
    pub fn new(empty: Bitboard) -> Empties {
        let mut list = Empties { next: [HEAD as u8; LINKS], previous: [HEAD as u8; LINKS] };
        for square in empty {
            list.insert(square);
        }
        list
    }

    /// Inserts a square behind those of greater or equal score.
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
        self.restore(square);
    }

    /// Returns the square behind a link; `None` at the end of the list.
    pub fn after(&self, link: usize) -> Option<Square> {
        Square::from_index(usize::from(self.next[link % LINKS]))
    }

    /// Removes a square, which keeps its own links.
    pub fn remove(&mut self, square: Square) {
        let (next, previous) = (self.next[square.index()], self.previous[square.index()]);
        self.next[usize::from(previous) % LINKS] = next;
        self.previous[usize::from(next) % LINKS] = previous;
    }

    /// Restores a removed square where it was. Squares are restored in the reverse order of their
    /// removal.
    pub fn restore(&mut self, square: Square) {
        let (next, previous) = (self.next[square.index()], self.previous[square.index()]);
        self.next[usize::from(previous) % LINKS] = square.index() as u8;
        self.previous[usize::from(next) % LINKS] = square.index() as u8;
    }

    /// The squares, best first.
    fn iter(&self) -> impl Iterator<Item = Square> + '_ {
        let mut at = HEAD;
        std::iter::from_fn(move || {
            let square = self.after(at)?;
            at = square.index();
            Some(square)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_holds_every_square_once_best_first_and_restores_what_it_removed() {
        let mut random = fastrand::Rng::with_seed(9);
        for _ in 0..1_000 {
            let empty = Bitboard::from_bits(random.u64(..) & random.u64(..));
            let mut list = Empties::new(empty);
            let before: Vec<_> = list.iter().collect();
            assert_eq!(before.iter().copied().collect::<Bitboard>(), empty);
            assert!(before.is_sorted_by_key(|&square| -square_score(square)));
            let mut order = before.clone();
            random.shuffle(&mut order);
            for (removed, square) in order.iter().enumerate() {
                list.remove(*square);
                assert_eq!(list.iter().count(), before.len() - removed - 1);
            }
            for square in order.iter().rev() {
                list.restore(*square);
            }
            assert_eq!(list.iter().collect::<Vec<_>>(), before);
        }
    }
}
