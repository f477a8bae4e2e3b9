//! From what the clock shows to the time for one move.

use std::time::Duration;

/// What a player's clock allows at the start of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allowance {
    /// So long for this move.
    Move(Duration),
    /// So long for the rest of the game, and an increment for each move made.
    Game {
        /// Left on the clock; zero where it has run out.
        remaining: Duration,
        /// Added after each of one's own moves.
        increment: Duration,
    },
    /// So long for the next few moves, then a new period (Canadian byo-yomi).
    Period {
        /// Left in the period.
        remaining: Duration,
        /// Moves to make in it, at least 1.
        moves: u32,
        /// Main time still left besides.
        main: Duration,
    },
}

/// Time for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// No new iteration begins after this.
    pub soft: Duration,
    /// The search stops here, wherever it is.
    pub hard: Duration,
}

/// Kept back from every allowance for what the clock sees and the engine
/// does not: pipes, scheduling, the client's own work.
const MARGIN: Duration = Duration::from_millis(30);
/// The least time for a move, even with an empty clock: enough for a legal
/// move of depth 1.
const LEAST: Duration = Duration::from_millis(5);

/// The time for this move, with this many empties on the board.
pub fn budget(allowance: Allowance, empties: u32) -> Budget {
    match allowance {
        Allowance::Move(time) => {
            let hard = usable(time);
            Budget { soft: hard, hard }
        }
        Allowance::Game { remaining, increment } => game_budget(remaining, increment, empties),
        Allowance::Period { remaining, moves, main } => {
            let share = main / 20 + remaining / moves.max(1);
            let hard = usable(share);
            Budget { soft: hard.mul_f64(0.7), hard }
        }
    }
}

/// The margin is kept back, but no more than a third of what there is.
fn usable(time: Duration) -> Duration {
    time.saturating_sub(MARGIN.min(time / 3)).max(LEAST)
}

/// Own moves left are about half the empties, but the last dozen empties are
/// solved in no time: the clock is shared among the moves before them.
fn game_budget(remaining: Duration, increment: Duration, empties: u32) -> Budget {
    let moves_to_think = (empties.saturating_sub(14) / 2).max(3);
    let share = remaining / moves_to_think + increment.mul_f64(0.8);
    let most = usable(remaining / 4);
    let soft = usable(share).min(most);
    Budget { soft: soft.mul_f64(0.7), hard: (soft * 2).min(most).max(LEAST) }
}
