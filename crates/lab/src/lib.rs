//! Development of the Othello engine umigame: matches with statistics, learning, measurements.
//!
//! | module | |
//! |---|---|
//! | [`arena`] | matches between engines over NBoard and GTP, Elo with intervals, sequential tests |
//! | [`learn`] | weights from self-play: games, labels, fitting, calibration |
//! | [`measure`] | the signature of the engine, the FFO test, speed of search, threads and kernels |
//! | [`tune`] | constants of the search tuned by nodes or by games |
//! | [`files`] | files written in one step |
//! | [`interrupt`] | Ctrl-C in long work |
//! | [`pipe`] | pipes whose reader has gone |
//! | [`time`] | lengths of time as people type them |
//! | [`wthor`] | the three files of a WTHOR archive |
//!
//! The statistics of a match count pairs of games, since an opening is played twice with colours
//! swapped. Of 20 pairs, 3 lost both games, 2 scored half a point, and so on:
//!
//! ```
//! use umigame_lab::arena::Pentanomial;
//!
//! let elo = Pentanomial([3, 2, 5, 4, 6]).elo().unwrap();
//! println!("Elo {:+.0} [{:+.0}, {:+.0}]", elo.value, elo.low, elo.high);
//! assert!(elo.contains(0.0), "20 pairs prove no difference");
//! ```
//!
//! The binary `umigame-lab` has the measurements that only developers of the engine run.

pub mod arena;
pub mod files;
pub mod interrupt;
pub mod learn;
pub mod measure;
mod picture;
pub mod pipe;
mod random;
pub mod time;
pub mod tune;
pub mod wthor;
