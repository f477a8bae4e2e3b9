//! How a weak player values its moves, and which one it chooses.
//!
//! It begins with the values of its search. Where it overlooks replies, a move gets the value that the
//! best reply it has seen would leave. The less it knows about positions, the more it counts the discs
//! that a move flips.

use super::profile::Weakness;
use crate::report::ReportLine;
use umigame_eval::Evaluation;
use umigame_eval::value::Centidiscs;
use umigame_othello::{Bitboard, Move, Position, Square};

/// The squares along the sides of the board.
const EDGES: Bitboard = Bitboard::from_bits(0xFF81_8181_8181_81FF);
/// A reply at the edge is this many times as likely to be overlooked as one in the middle.
const REPLY_EDGE_FACTOR: f64 = 1.5;
/// The same of a move of the player's own.
const OWN_EDGE_FACTOR: f64 = 3.5;
/// On a full board replies are this many times as likely to be overlooked as at the start.
const LATE_FACTOR: f64 = 1.8;
/// The most likely oversight still does not happen now and then.
const MAX_OVERSIGHT: f64 = 0.95;
/// Moves of about the same worth are chosen among by whim: up to this many centidiscs.
const WHIM_CENTIDISCS: f64 = 150.0;

/// How a player of some carelessness looks at a position.
#[derive(Clone, Copy, Debug)]
struct Habits {
    /// Probability to overlook a reply in the middle of an empty board.
    overlooks: f64,
    /// Probability to miss a move of its own there.
    misses: f64,
    /// Share of a position's worth that it understands.
    knowledge: f64,
    /// Worth of a flipped disc to it, in centidiscs.
    greed: f64,
    /// Its whim, in centidiscs.
    whim: f64,
}

impl Habits {
    fn of(weakness: &Weakness) -> Habits {
        let carelessness = weakness.carelessness();
        Habits {
            overlooks: 0.9 * carelessness,
            misses: 0.25 * carelessness.powi(8),
            knowledge: 1.0 - carelessness.powi(2),
            greed: 250.0 * carelessness.powi(2),
            whim: WHIM_CENTIDISCS * carelessness,
        }
    }
}

/// Chooses among the lines of a search of every move, best first: the index of the move that the player
/// believes in most, of those that lose no more than it may.
pub(super) fn choose(
    weakness: &Weakness,
    position: Position,
    lines: &[ReportLine],
    evaluation: &Evaluation,
    random: &mut fastrand::Rng,
) -> usize {
    let habits = Habits::of(weakness);
    let best = lines.first().map_or(0, |line| line.eval().centidiscs());
    let mut chosen = (f64::NEG_INFINITY, 0);
    for (index, line) in lines.iter().enumerate() {
        let (value, Move::Place(square)) = (line.eval().centidiscs(), line.first()) else {
            continue;
        };
        let lateness = 1.0 + (LATE_FACTOR - 1.0) * (1.0 - f64::from(position.empties()) / 60.0);
        let looks = Looks { lateness, evaluation };
        let hope = looks.hope(position, square, habits.overlooks, random);
        let flips = f64::from(position.flips(square).count());
        let whim = habits.whim * random.f64();
        let missed = random.f64() < oversight(habits.misses * lateness, square, OWN_EDGE_FACTOR);
        let mut belief = habits.knowledge * (f64::from(value) + hope) + habits.greed * flips + whim;
        if missed {
            // It is still there if nothing else is seen.
            belief -= 100_000.0;
        }
        if weakness.allows(Centidiscs(best - value)) && belief > chosen.0 {
            chosen = (belief, index);
        }
    }
    chosen.1
}

/// The probability to overlook a disc on a square, from that in the middle and the factor at the edge.
fn oversight(middle: f64, square: Square, edge_factor: f64) -> f64 {
    let factor = if EDGES.contains(square) { edge_factor } else { 1.0 };
    (factor * middle).min(MAX_OVERSIGHT)
}

/// A look at the replies to a move.
struct Looks<'a> {
    lateness: f64,
    evaluation: &'a Evaluation,
}

impl Looks<'_> {
    /// Returns by how much the best reply that the player sees is worse for its opponent than the best
    /// of all, in centidiscs, at least 0. If it sees none, it hopes for the kindest.
    fn hope(
        &self,
        position: Position,
        square: Square,
        overlooks: f64,
        random: &mut fastrand::Rng,
    ) -> f64 {
        let after = position.after(square, position.flips(square));
        let (mut least, mut least_seen, mut most) = (f64::INFINITY, f64::INFINITY, 0.0);
        for reply in after.legal_moves() {
            let left = self.worth(after.after(reply, after.flips(reply)));
            most = if least.is_finite() { left.max(most) } else { left };
            least = left.min(least);
            if random.f64() >= oversight(overlooks * self.lateness, reply, REPLY_EDGE_FACTOR) {
                least_seen = left.min(least_seen);
            }
        }
        if least.is_infinite() { 0.0 } else { least_seen.min(most) - least }
    }

    /// The worth of a position to the player, whose turn it is, without a search.
    fn worth(&self, position: Position) -> f64 {
        if position.is_over() {
            f64::from(position.final_score().to_eval().centidiscs())
        } else {
            f64::from(self.evaluation.evaluate_position(position))
        }
    }
}
