//! The commands of the real binary: what they read and print, files, exit codes, interrupts.

mod analyze;
mod arguments;
mod bench;
#[path = "../console/mod.rs"]
mod console;
mod convert;
mod diagram;
mod learn;
mod play;
mod play_terminal;
mod processor;
mod protocols;
mod serve;
mod solve;
mod stderr;
#[path = "../support/mod.rs"]
mod support;
mod unicode_paths;
mod unix_only;
