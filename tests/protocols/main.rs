//! NBoard and GTP over real pipes, and the examples of protocol.md.

mod examples;
mod gtp_commands;
mod gtp_play;
mod nboard_other;
mod nboard_position;
mod nboard_search;
mod play_while_thinking;
mod ponder;
mod search_faults;
mod stops;
#[path = "../support/mod.rs"]
mod support;
