//! Games, endings and times that take minutes or a quiet machine. Most are ignored by default; each
//! names its command.

mod games_over_pipes;
mod latency;
mod solver_check;
#[path = "../support/mod.rs"]
mod support;
