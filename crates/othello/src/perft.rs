//! Perft: the number of move sequences of a given length, a check of move generation.
//!
//! A game that ends early counts as one sequence. A pass either costs a ply or is free; the two
//! conventions differ from depth 9.

use crate::board::Board;
use crate::position::Position;

/// The cost of a pass in plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassRule {
    /// A pass is a ply, like any move.
    CostsPly,
    /// A pass takes no ply.
    Free,
}

/// Counts the sequences of `depth` plies from a position, with bitboards.
pub fn perft(position: Position, depth: u32, rule: PassRule) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    if moves.is_empty() {
        let passed = position.passed();
        if passed.legal_moves().is_empty() {
            return 1;
        }
        return perft(passed, depth - u32::from(rule == PassRule::CostsPly), rule);
    }
    if depth == 1 {
        return u64::from(moves.count());
    }
    moves
        .iter()
        .map(|square| perft(position.after(square, position.flips(square)), depth - 1, rule))
        .sum()
}

/// Counts the sequences of `depth` plies with the mailbox board, by play and undo. Leaves the board
/// unchanged.
pub fn perft_mailbox(board: &mut Board, depth: u32, rule: PassRule) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves: Vec<_> = board.legal_squares().collect();
    if moves.is_empty() {
        if board.pass().is_err() {
            return 1;
        }
        let count = perft_mailbox(board, depth - u32::from(rule == PassRule::CostsPly), rule);
        board.undo();
        return count;
    }
    let mut count = 0;
    for square in moves {
        if board.play(square).is_ok() {
            count += perft_mailbox(board, depth - 1, rule);
            board.undo();
        }
    }
    count
}
