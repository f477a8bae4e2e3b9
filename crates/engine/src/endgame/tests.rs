//! The endgame search without evaluation against plain negamax over a list of the empties.

use super::empties::{Empties, HEAD};
use super::{EndgameState, mobility_search};
use umigame_eval::value::{Discs, NullWindow};
use umigame_othello::{Position, testing};

/// Returns the score of a position, whose empties are listed, by trying every square of the list.
fn negamax(position: Position, empties: &mut Empties) -> i32 {
    let mut best = None;
    let mut at = HEAD;
    while let Some(square) = empties.after(at) {
        at = square.index();
        if let Some(next) = position.play(square) {
            empties.remove(square);
            let score = -negamax(next, empties);
            empties.restore(square);
            best = best.max(Some(score));
        }
    }
    best.unwrap_or_else(|| {
        if position.passed().legal_moves().is_empty() {
            position.final_score().discs()
        } else {
            -negamax(position.passed(), empties)
        }
    })
}

#[test]
fn null_windows_tell_on_which_side_the_score_lies() {
    const MAX_CHECKED: [usize; 9] = [3_000, 3_000, 3_000, 2_000, 1_000, 500, 200, 60, 30];
    let (mut state, mut nodes) = (EndgameState::new(), 0);
    let mut checked = [0; 9];
    testing::random_positions(11, 40_000, |position| {
        let empties = position.empties() as usize;
        if empties > 8 || checked[empties] > MAX_CHECKED[empties] {
            return;
        }
        checked[empties] += 1;
        let score = negamax(position, &mut Empties::new(position.empty()));
        for alpha in [score - 3, score - 2, score - 1, score, score + 1, -1, 0] {
            let window = NullWindow::above(Discs(alpha));
            let Discs(found) =
                mobility_search::solve_small(position, window, &mut state, &mut nodes);
            assert_eq!(found > alpha, score > alpha, "{position:?} {alpha} {found} {score}");
            assert!(if found > alpha { found <= score } else { found >= score });
        }
    });
    assert!(checked[1..].iter().all(|&count| count > 20), "{checked:?}");
}
