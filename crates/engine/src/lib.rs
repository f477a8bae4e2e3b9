//! Evaluation and search for Othello.

pub mod eval;
mod memory;
pub mod search;
mod threads;
