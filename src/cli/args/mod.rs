//! The command line as it was typed. What it means is in [`super::settings`].
//! Some commands keep their arguments beside their work.

mod analyze;
mod bench;
mod book;
mod diagram;
mod solve;

use std::ffi::OsString;
use std::ops::RangeBounds;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use umigame_engine::search::Confidence;

use super::bad_input;
pub(super) use analyze::AnalyzeArgs;
pub(super) use bench::{BenchArgs, BenchCommand, FfoArgs};
pub(super) use book::{BookArgs, ByArg};
pub(super) use diagram::DiagramArgs;
pub(super) use solve::SolveArgs;

const EXAMPLES: &str = "\
Examples:
  umigame play                         play in the terminal
  umigame nboard --level 20            the engine for NBoard, 20 strong
  umigame hint f5d6c3 -n 3             the three best moves after f5 d6 c3
  umigame analyze game.ggf             judge a game move by move
  umigame solve problems.obf --jsonl   solve positions, one JSON object a line

Exit codes:
    0  done, also where the reader of the output went away
    1  the work failed, or a score differs from the expected one
    2  the command line or the input was wrong
  130  solve, analyze or learn was interrupted; what was done is kept";

/// An Othello engine: NBoard and GTP on standard input and output, a prompt
/// for people, and exact solving.
///
/// Without a command it takes the protocol from the first line of standard
/// input, or opens the prompt where that is a terminal.
#[derive(Parser, Debug)]
#[command(name = "umigame", version, after_help = EXAMPLES, max_term_width = 100)]
pub(super) struct Cli {
    #[command(flatten)]
    pub serve: ServeArgs,

    /// Evaluate with the weights of this file instead of the embedded ones
    #[arg(long, global = true, value_name = "FILE")]
    pub weights: Option<PathBuf>,

    /// Log more on standard error; twice for still more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,

    /// Log nothing
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,

    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Subcommand, Debug)]
pub(super) enum Command {
    /// Speak the NBoard protocol on standard input and output
    Nboard(ServeArgs),
    /// Speak GTP, version 2, on standard input and output
    Gtp(ServeArgs),
    /// Play in the terminal; type help there for the words
    Play(GameArgs),
    Hint(HintArgs),
    Solve(SolveArgs),
    Analyze(Box<AnalyzeArgs>),
    Diagram(DiagramArgs),
    Explain(ExplainArgs),
    Convert(super::convert::ConvertArgs),
    Book(super::book::BookCommandArgs),
    Perft(PerftArgs),
    Bench(BenchArgs),
    Match(Box<super::match_::MatchArgs>),
    Learn(super::learn::LearnArgs),
    /// Print the table of levels
    Levels,
    Replay(ReplayArgs),
}

/// The options of the protocols.
#[derive(Args, Clone, Default, Debug)]
pub(super) struct ServeArgs {
    #[command(flatten)]
    pub game: GameArgs,

    /// Write every line in and out to this file, with the time; see `replay`
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

impl ServeArgs {
    /// As [`EngineArgs::or`].
    pub(super) fn or(self, outer: ServeArgs) -> Result<ServeArgs> {
        let game = self.game.or(outer.game)?;
        Ok(ServeArgs { game, record: self.record.or(outer.record) })
    }

    /// Refuses `--record` for a command that speaks no protocol.
    pub(super) fn without_record(self, command: &str) -> Result<GameArgs> {
        match self.record {
            Some(_) => Err(bad_input(format!("--record: {command} takes no such option"))),
            None => Ok(self.game),
        }
    }

    /// Refuses `--ponder` too, for a command that plays no games.
    pub(super) fn without_ponder(self, command: &str) -> Result<GameArgs> {
        let game = self.without_record(command)?;
        match game.ponder {
            true => Err(bad_input(format!("--ponder: {command} takes no such option"))),
            false => Ok(game),
        }
    }

    /// Refuses all but the options of the engine, for a command that plays no
    /// games.
    pub(super) fn only_engine(self, command: &str) -> Result<EngineArgs> {
        let game = self.without_ponder(command)?;
        match game.book.first_given() {
            Some(option) => Err(bad_input(format!("{option}: {command} takes no such option"))),
            None => Ok(game.engine),
        }
    }

    /// Refuses all of these options.
    pub(super) fn none_for(self, command: &str) -> Result<()> {
        self.only_engine(command)?.none_for(command)
    }
}

/// The options of whatever plays games.
#[derive(Args, Clone, Default, Debug)]
pub(super) struct GameArgs {
    #[command(flatten)]
    pub engine: EngineArgs,

    /// Search on while the opponent thinks
    #[arg(long, help_heading = "Engine")]
    pub ponder: bool,

    #[command(flatten)]
    pub book: BookArgs,
}

impl GameArgs {
    /// As [`EngineArgs::or`].
    pub(super) fn or(self, outer: GameArgs) -> Result<GameArgs> {
        let engine = self.engine.or(outer.engine)?;
        let book = self.book.or(outer.book);
        Ok(GameArgs { engine, ponder: self.ponder || outer.ponder, book })
    }
}

/// How strong, how long, with how much memory.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Engine")]
pub(super) struct EngineArgs {
    /// Strength from 1 to 30; see `umigame levels` [default: 16]
    #[arg(short, long, value_name = "1-30", conflicts_with = "depth",
          value_parser = clap::value_parser!(u32).range(1..=30))]
    pub level: Option<u32>,

    /// Plies to search, in place of a level
    #[arg(long, value_name = "1-60", value_parser = clap::value_parser!(u32).range(1..=60))]
    pub depth: Option<u32>,

    /// Empties from which endings are read out exactly
    #[arg(long, value_name = "0-60", value_parser = clap::value_parser!(u32).range(0..=60))]
    pub end_depth: Option<u32>,

    /// Positions to visit for a move
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// Time for a move: 500ms, 5s, 1m; a plain number is seconds
    #[arg(long, value_name = "TIME", value_parser = parse_time, conflicts_with = "game_time")]
    pub move_time: Option<Duration>,

    /// Time for all of the engine's moves of a game: 90s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub game_time: Option<Duration>,

    /// Threads that search [default: 1]
    #[arg(long, value_name = "1-256", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub threads: Option<u32>,

    /// Memory for the transposition table [default: 64]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub hash: Option<u32>,
}

impl EngineArgs {
    /// These options, and the ones given before the command where these are
    /// silent.
    ///
    /// # Errors
    /// An option here and one before the command that exclude each other.
    pub(super) fn or(self, outer: EngineArgs) -> Result<EngineArgs> {
        let merged = EngineArgs {
            level: self.level.or(outer.level),
            depth: self.depth.or(outer.depth),
            end_depth: self.end_depth.or(outer.end_depth),
            nodes: self.nodes.or(outer.nodes),
            move_time: self.move_time.or(outer.move_time),
            game_time: self.game_time.or(outer.game_time),
            threads: self.threads.or(outer.threads),
            hash: self.hash.or(outer.hash),
        };
        if merged.level.is_some() && merged.depth.is_some() {
            return Err(bad_input("--level and --depth cannot be used together"));
        }
        if merged.move_time.is_some() && merged.game_time.is_some() {
            return Err(bad_input("--move-time and --game-time cannot be used together"));
        }
        Ok(merged)
    }

    /// Refuses every one of these options for a command that has no use for
    /// them.
    ///
    /// # Errors
    /// The first option that was given.
    pub(super) fn none_for(&self, command: &str) -> Result<()> {
        let given = [
            ("--level", self.level.is_some()),
            ("--depth", self.depth.is_some()),
            ("--end-depth", self.end_depth.is_some()),
            ("--nodes", self.nodes.is_some()),
            ("--move-time", self.move_time.is_some()),
            ("--game-time", self.game_time.is_some()),
            ("--threads", self.threads.is_some()),
            ("--hash", self.hash.is_some()),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => {
                Err(bad_input(format!("{option}: {command} takes no such option")))
            }
            None => Ok(()),
        }
    }
}

/// Print the best moves of a position, each with its score, depth and play
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame hint f5d6c3 -n 3
  umigame hint f5 --move-time 2s --jsonl
  umigame hint ---------------------------OX------XO--------------------------- X")]
pub(super) struct HintArgs {
    /// 64 squares from a1 to h8 (X x * B b, O o W w 0, - .) and the side to
    /// move, or the moves of a game such as f5d6c3
    #[arg(allow_hyphen_values = true)]
    pub position: String,

    /// The side to move, unless it ends POSITION
    pub side: Option<String>,

    /// How many of the best moves
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub count: u32,

    /// One JSON object a line
    #[arg(long)]
    pub jsonl: bool,

    #[command(flatten)]
    pub engine: EngineArgs,

    #[command(flatten)]
    pub book: BookArgs,
}

/// Explain the static evaluation of a position
///
/// Prints what each side has and where (mobility, corners, stable discs, edge
/// shapes, parity ...), then the value without search as a sum: the mean of
/// quick games at this phase, what each group of patterns adds to it, and the
/// network's correction. The patterns with the largest values are drawn.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame explain f5d6c3d3c4
  umigame explain ---------------------------OX------XO--------------------------- X")]
pub(super) struct ExplainArgs {
    /// 64 squares from a1 to h8 (X x * B b, O o W w 0, - .) and the side to
    /// move, or the moves of a game such as f5d6c3
    #[arg(allow_hyphen_values = true)]
    pub position: String,

    /// The side to move, unless it ends POSITION
    pub side: Option<String>,
}

/// Feed the lines of a record to the engine and compare what it says
///
/// A record is made with --record. Seconds are not compared. Lines said now
/// are marked <, lines missing now -, and lines that are new +.
#[derive(Args, Debug)]
pub(super) struct ReplayArgs {
    /// The record
    pub file: PathBuf,

    /// Keep the pauses of the record too
    #[arg(long)]
    pub timed: bool,
}

/// Count the move sequences of a given length, to check the move generator
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  umigame perft 10                     the last line begins: 10 24571284")]
pub(super) struct PerftArgs {
    /// Plies; every depth up to it is counted
    #[arg(value_parser = clap::value_parser!(u32).range(1..=30))]
    pub depth: u32,

    /// A forced pass takes no ply
    #[arg(long)]
    pub pass_free: bool,

    /// With the mailbox board, slow and obvious, instead of the bitboards
    #[arg(long)]
    pub mailbox: bool,
}

/// A number within a range, or what was expected in its place.
pub(in crate::cli) fn number_in<T: FromStr + PartialOrd>(
    text: &str,
    range: impl RangeBounds<T>,
    expected: &str,
) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("expected {expected}"))
}

fn parse_selectivity(text: &str) -> Result<Confidence, String> {
    let level = text.parse().ok().and_then(Confidence::from_percent);
    level.ok_or_else(|| "expected 73, 87, 95, 98, 99 or 100".to_owned())
}

/// Reads a length of time above zero; see [`umigame_lab::time`].
pub(super) fn parse_time(text: &str) -> Result<Duration, String> {
    umigame_lab::time::parse_positive(text).map_err(|error| error.to_string())
}

/// The command line with the spellings of Edax that people's fingers know
/// turned into ours.
pub(super) fn typed(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    args.into_iter()
        .map(|arg| match arg.to_str() {
            Some("-nboard") => "nboard".into(),
            Some("-gtp") => "gtp".into(),
            Some("-solve") => "solve".into(),
            Some("-level") => "--level".into(),
            Some("-depth") => "--depth".into(),
            Some("-move-time") => "--move-time".into(),
            Some("-game-time") => "--game-time".into(),
            _ => arg,
        })
        .collect()
}
