//! What the options mean, checked once: nothing deeper sees an argument.

use umigame::search::{Level, Megabytes, SearchOptions, TableError};
use umigame::session::Options;

use super::args::{EngineArgs, GameArgs};
use super::bad_input;

/// What the options of a command that plays games mean.
pub(super) fn game_options(args: &GameArgs) -> Options {
    Options { ponder: args.ponder, ..options(&args.engine) }
}

/// What the options given mean.
pub(super) fn options(args: &EngineArgs) -> Options {
    let default = Options::default();
    Options {
        level: args.level.and_then(Level::new),
        depth: args.depth,
        solve_from: args.end_depth,
        nodes: args.nodes,
        move_time: args.move_time,
        game_time: args.game_time,
        search: SearchOptions {
            hash: args.hash.map_or(default.search.hash, |mb| Megabytes(mb as usize)),
            threads: args.threads.map_or(default.search.threads, |n| n as usize),
        },
        ..default
    }
}

/// A table that cannot be had is the fault of `--hash`.
pub(super) fn explain_table(error: TableError) -> anyhow::Error {
    bad_input(format!("--hash: {error}"))
}
