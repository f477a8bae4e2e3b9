//! `umigame book`, and playing from a book.

mod cli;
#[path = "../console/mod.rs"]
mod console;
mod kills;
mod play;
#[path = "../support/mod.rs"]
mod support;
