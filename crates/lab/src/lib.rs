//! Measurements and tuning for developers of the Othello engine umigame.
//!
//! | module | |
//! |---|---|
//! | [`measure`] | speed of search, threads and kernels |
//! | [`tune`] | constants of the search tuned by nodes or by games |
//!
//! The binary `umigame-lab` has a command for each.

pub mod measure;
pub mod tune;
