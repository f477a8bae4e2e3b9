//! Options of the commands that search or play games.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::book::BookArgs;
use umigame_engine::Strength;
use umigame_support::time;

/// Options of the prompt.
#[derive(Args, Clone, Default, Debug)]
pub(in crate::cli) struct PlayArgs {
    /// Keep the games in this new file, as .ggf, .sgf, .pgn or .txt: written after every move
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,

    #[command(flatten)]
    pub game: GameArgs,
}

/// Options of the commands that play games.
#[derive(Args, Clone, Default, Debug)]
pub(in crate::cli) struct GameArgs {
    #[command(flatten)]
    pub engine: EngineArgs,

    /// Time for all moves of the engine in a game: 90s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = time::parse_positive, conflicts_with = "move_time",
          help_heading = "Engine")]
    pub game_time: Option<Duration>,

    /// Time that each move leaves unused, for pipes, scheduling and the client: raise it
    /// where moves come late [default: 2ms]
    #[arg(long, value_name = "TIME", value_parser = time::parse, help_heading = "Engine")]
    pub move_overhead: Option<Duration>,

    /// Search during the opponent's turn
    #[arg(long, help_heading = "Engine")]
    pub ponder: bool,

    #[command(flatten)]
    pub weak: WeakArgs,

    #[command(flatten)]
    pub book: BookArgs,
}

/// Options of play that errs.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Engine")]
pub(in crate::cli) struct WeakArgs {
    /// Err as people do: lose about this many discs a game, at any level with a number
    #[arg(long, value_name = "DISCS", allow_negative_numbers = true)]
    pub error: Option<f64>,

    /// Lose at most this many discs in a move, with --error or a level with a name
    #[arg(long, value_name = "DISCS", allow_negative_numbers = true)]
    pub max_error: Option<f64>,

    /// Seed of the errors, for the same game again [default: random]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

/// Options of the commands that search: strength, time, memory.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Engine")]
pub(in crate::cli) struct EngineArgs {
    /// Strength: 1 to 30, or for play a name such as beginner, below 1; `umigame levels` lists all
    /// [default: 16]
    #[arg(short, long, value_name = "LEVEL", conflicts_with = "depth")]
    pub level: Option<Strength>,

    /// Plies to search, instead of a level
    #[arg(long, value_name = "1-60", value_parser = clap::value_parser!(u32).range(1..=60))]
    pub depth: Option<u32>,

    /// Solve exactly from this number of empties [default: the level's]
    #[arg(long, aliases = ["end-depth", "exact"], value_name = "0-60",
          value_parser = clap::value_parser!(u32).range(0..=60))]
    pub exact_from: Option<u32>,

    /// Maximum number of nodes a move
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// Time for a move: 500ms, 5s, 1m; a plain number is seconds
    #[arg(long, value_name = "TIME", value_parser = time::parse_positive)]
    pub move_time: Option<Duration>,

    #[command(flatten)]
    pub machine: MachineArgs,
}

impl EngineArgs {
    /// Returns the name of an option that was given.
    pub(in crate::cli) fn first_given(&self) -> Option<&'static str> {
        let MachineArgs { threads, hash } = &self.machine;
        let given = [
            ("--level", self.level.is_some()),
            ("--depth", self.depth.is_some()),
            ("--exact-from", self.exact_from.is_some()),
            ("--nodes", self.nodes.is_some()),
            ("--move-time", self.move_time.is_some()),
            ("--threads", threads.is_some()),
            ("--hash", hash.is_some()),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
    }
}

/// Options that say how much of the machine a search uses.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Engine")]
pub(in crate::cli) struct MachineArgs {
    /// Search threads [default: 1]
    #[arg(long, value_name = "1-256", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub threads: Option<u32>,

    /// Size of the transposition table in megabytes [default: 64]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub hash: Option<u32>,
}
