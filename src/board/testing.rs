//! Random games for tests: the positions on which laws are checked.

use super::{Position, squares};

/// Calls `check` on at least `count` positions of random games from the
/// start, every position with at least one legal move for the side to move.
pub fn random_positions(seed: u64, count: usize, mut check: impl FnMut(Position)) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut seen = 0;
    while seen < count {
        let mut position = Position::START;
        loop {
            if position.moves() == 0 {
                position = position.passed();
            }
            let moves = position.moves();
            if moves == 0 {
                break;
            }
            check(position);
            seen += 1;
            let chosen = random.usize(0..moves.count_ones() as usize);
            if let Some(next) = squares(moves).nth(chosen).and_then(|square| position.place(square))
            {
                position = next;
            }
        }
    }
}
