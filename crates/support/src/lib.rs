//! What every program of umigame needs: one frame for the command line, and small tools beside it.
//!
//! A program hands [`frame::run`] its command line and its commands. The frame prints help and errors,
//! starts the log, flushes the output and returns the exit code ([`exit::Exit`]).
//!
//! ```
//! use umigame_support::exit::{Exit, bad_input};
//! use umigame_support::frame::{LogArgs, run};
//!
//! let done = run("example", Ok(3), |_| LogArgs::default(), |count, out| {
//!     writeln!(out, "{count} games")?;
//!     Ok(Exit::Done)
//! });
//! let wrong = run("example", Ok(()), |()| LogArgs::default(), |(), _| Err(bad_input("no games")));
//! assert_eq!((done, wrong), (0, 2));
//! ```
//!
//! ```
//! use std::time::Duration;
//! use umigame_support::time;
//!
//! assert_eq!(time::parse("500ms")?, Duration::from_millis(500));
//! assert!(time::parse("2 parsecs").is_err());
//! # Ok::<(), time::ParseTimeError>(())
//! ```
//!
//! | module | |
//! |---|---|
//! | [`frame`] | a program from its command line to its exit code |
//! | [`exit`] | exit codes, bad input, messages on standard error |
//! | [`args`] | parsers of option values |
//! | [`time`] | lengths of time as people type them |
//! | [`progress`] | progress bars |
//! | [`interrupt`] | Ctrl-C in long work |
//! | [`files`] | files written in one step, or read up to a size |
//! | [`pipe`] | pipes whose reader has gone |
//! | [`picture`] | common parts of all plots |
//! | [`random`] | random numbers of a numbered piece of work |

// `eprintln!` and `println!` panic if their stream is full or its reader has gone.
#![cfg_attr(not(test), deny(clippy::print_stderr, clippy::print_stdout))]

pub mod args;
pub mod exit;
pub mod files;
pub mod frame;
pub mod interrupt;
pub mod picture;
pub mod pipe;
pub mod progress;
pub mod random;
pub mod time;
