//! What every program of umigame needs.
//!
//! | module | |
//! |---|---|
//! | [`files`] | files written in one step |
//! | [`interrupt`] | Ctrl-C in long work |
//! | [`picture`] | common parts of all plots |
//! | [`pipe`] | pipes whose reader has gone |
//! | [`random`] | random numbers of a numbered piece of work |
//! | [`time`] | lengths of time as people type them |

pub mod files;
pub mod interrupt;
pub mod picture;
pub mod pipe;
pub mod random;
pub mod time;
