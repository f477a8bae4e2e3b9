//! Time management: from the player's clock to the time for one move.
//!
//! Every clock is a [`Bank`]: the time that this move may use, the increment of each move, and the
//! number of moves until the remaining time is lost. The plan predicts the cost of solving the game,
//! and counts the own moves and increments before that. It divides the time among these moves, so
//! that the clock is used up when the game is solved: later moves take about a millisecond.

#[cfg(test)]
mod tests;

use std::time::Duration;

use crate::limits::Limits;
use crate::limits::time_control::TimeControl;
use crate::time::overhead::LearntOverhead;
use crate::time::solve_cost::SolveCost;

/// Time for one move: `soft <= hard <= solve`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TimeBudget {
    /// No iteration begins after this time. If it is less than `hard`, it is adjusted by how settled
    /// the best move is.
    pub soft: Duration,
    /// The search stops at this time.
    pub hard: Duration,
    /// Replaces `hard` for a search that is expected to solve the game: later moves will cost little.
    pub solve: Duration,
}

impl TimeBudget {
    /// All of a time that cannot be saved for later.
    pub const fn whole(time: Duration) -> TimeBudget {
        TimeBudget { soft: time, hard: time, solve: time }
    }

    /// Whether the search should use all of the time, since unused time is lost.
    pub fn is_whole(self) -> bool {
        self.soft >= self.hard
    }

    /// The lesser of each time.
    #[must_use]
    pub fn min(self, other: TimeBudget) -> TimeBudget {
        TimeBudget {
            soft: self.soft.min(other.soft),
            hard: self.hard.min(other.hard),
            solve: self.solve.min(other.solve),
        }
    }
}

/// Empties at which a second of thought gains most: later the solver takes over, earlier the game is
/// too far from its end.
const PEAK_EMPTIES: f64 = 32.0;
/// A move's hard limit is at most this multiple of its share.
const HARD_SHARES: f64 = 4.0;
/// Part of the bank that solving the game may use. The rest is for the next moves if that fails: two
/// empties less are a fifth of the cost.
const SOLVE_PART: f64 = 0.75;
/// Part of the bank that a move may use without solving the game: the later moves need the rest, and
/// an exact score from 24 empties on is worth more than a deeper search at 28.
const UNSOLVED_PART: f64 = 0.5;
/// Time kept for solving the game, as a multiple of the predicted cost. The plan of iterations tries
/// to solve if the bank holds this.
const SOLVE_RESERVE: f64 = 1.4;
/// Time kept for each later move beside its overhead: when the game is solved, a move still takes a
/// millisecond or so to look it up.
const LATER_MOVE: f64 = 0.001;
/// Overhead kept for each later move, as a multiple of the overhead of one move. The quarter more
/// lets a bank that holds too little for that be used a little.
const LATER_OVERHEAD: f64 = 1.25;

/// Returns the time for a search of a position of `empties` empties; `None` if time is no limit.
pub(crate) fn time_budget(
    limits: &Limits,
    empties: u32,
    cost: SolveCost,
    learnt: LearntOverhead,
) -> Option<TimeBudget> {
    let later = limits.move_overhead;
    let now = |time| learnt.at_least(later, time);
    let clock = Bank::of(limits.time)
        .map(|bank| bank.budget(empties, cost, Overheads { now: now(bank.now), later }));
    let whole = |time: Duration| TimeBudget::whole(time.saturating_sub(now(time)));
    match (clock, limits.move_time().map(whole)) {
        (Some(clock), Some(whole)) => Some(clock.min(whole)),
        (clock, whole) => clock.or(whole),
    }
}

/// Times that the moves leave unused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Overheads {
    /// Overhead of this move, raised by earlier overruns.
    now: Duration,
    /// Overhead of each later move, as it was stated: most of them will not overrun.
    later: Duration,
}

/// A clock at the start of a move, whatever its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bank {
    /// Time that this move may use.
    now: Duration,
    /// Time that each own move adds.
    increment: Duration,
    /// Own moves after which time that is left is lost; `None` if that is the end of the game.
    moves: Option<u32>,
}

impl Bank {
    /// The clock of a time control; `None` if there is none.
    fn of(time: TimeControl) -> Option<Bank> {
        Some(match time {
            TimeControl::Unlimited | TimeControl::Move(_) => return None,
            TimeControl::Game { remaining, increment } => {
                Bank { now: remaining, increment, moves: None }
            }
            TimeControl::Period { remaining, moves, main } if main.is_zero() => {
                Bank { now: remaining, increment: Duration::ZERO, moves: Some(moves.max(1)) }
            }
            // The periods after the main time give each move a part of a period.
            TimeControl::Period { remaining, moves, main } => {
                let increment = remaining / moves.max(1);
                Bank { now: main.saturating_add(increment), increment, moves: None }
            }
        })
    }

    /// Returns the time for this move.
    fn budget(self, empties: u32, cost: SolveCost, overhead: Overheads) -> TimeBudget {
        let account = Account::new(self, empties, overhead);
        let plans = (1..=account.moves).map(|moves| account.plan(moves, empties, cost));
        // The game is solved from as many empties as leaves most for each move before that.
        let best = plans.clone().max_by(|a, b| a.share.total_cmp(&b.share));
        let hard = plans.map(|plan| plan.hard).fold(0.0, f64::max);
        let soft = match best {
            // Time that the last move of the plan saves is lost.
            None | Some(SpendingPlan { moves: 1, .. }) => hard,
            Some(plan) => plan.share.min(hard),
        };
        let solve = match account.moves {
            1 => hard,
            _ => hard.max(account.available * SOLVE_PART),
        };
        TimeBudget { soft: seconds(soft), hard: seconds(hard), solve: seconds(solve) }
    }
}

/// A bank less the overhead of the moves to come; all times are in seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Account {
    /// Own moves to the end of the game, or to the end of the bank.
    moves: u32,
    /// Time that this move may use.
    available: f64,
    /// Time that each own move adds, less its overhead; at least 0.
    increment: f64,
}

impl Account {
    fn new(bank: Bank, empties: u32, overhead: Overheads) -> Account {
        // One more than without passes.
        let to_the_end = empties / 2 + 1;
        let moves = bank.moves.unwrap_or(to_the_end).clamp(1, to_the_end);
        let now = bank.now.saturating_sub(overhead.now).as_secs_f64();
        let later = overhead.later.as_secs_f64() * LATER_OVERHEAD + LATER_MOVE;
        let increment = bank.increment.as_secs_f64();
        let reserved = (later - increment).max(0.0) * f64::from(moves - 1);
        Account {
            moves,
            // A bank that cannot pay the overheads is used a little all the same: they may turn out
            // less. A fifth of the average keeps to them as long as the reserve was there once.
            available: (now - reserved).max(now / (5.0 * f64::from(moves))),
            increment: (increment - later).max(0.0),
        }
    }

    /// Plans to use the bank in `moves` own moves, from this one on, and to solve the game after
    /// them, unless the bank ends there.
    fn plan(self, moves: u32, empties: u32, cost: SolveCost) -> SpendingPlan {
        let is_end = moves == self.moves;
        let reserve = match empties.checked_sub(2 * moves) {
            Some(left) if !is_end => cost.to_solve(left).as_secs_f64() * SOLVE_RESERVE,
            _ => 0.0,
        };
        let increments = f64::from(if is_end { moves - 1 } else { moves }) * self.increment;
        let weights: f64 = (0..moves).map(|later| weight(empties.saturating_sub(2 * later))).sum();
        let total = self.available + increments;
        let share = (total - reserve).max(0.0) * weight(empties) / weights;
        // The increments come after the moves, so the bank pays the reserve only in part.
        let spendable = (self.available - (reserve - increments).max(0.0)).max(0.0);
        let returned = self.increment.min(spendable);
        let rest = spendable - returned;
        let cap = returned + rest * HARD_SHARES / (f64::from(moves) + HARD_SHARES - 1.0);
        let cap = if is_end { cap } else { cap.min(returned + self.available * UNSOLVED_PART) };
        SpendingPlan { moves, share, hard: cap.min(share * HARD_SHARES) }
    }
}

/// A plan to spend a bank: this move's part of it, in seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
struct SpendingPlan {
    /// Own moves, this one included, that share the bank.
    moves: u32,
    /// This move's share.
    share: f64,
    /// Maximum time for this move.
    hard: f64,
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// Returns the weight of a move in the sharing of time, 0.2 to 1.2.
fn weight(empties: u32) -> f64 {
    let distance = f64::from(empties) - PEAK_EMPTIES;
    let width = if distance > 0.0 { 11.0 } else { 12.0 };
    0.2 + (-(distance / width).powi(2) / 2.0).exp()
}
