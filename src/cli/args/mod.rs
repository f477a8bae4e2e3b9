//! The arguments as typed; [`super::settings`] interprets them. `convert`, `book`, `match` and
//! `learn` keep their arguments in their own files.

mod analyze;
mod bench;
mod book;
mod diagram;
mod solve;
mod time;

use std::ffi::OsString;
use std::ops::RangeBounds;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use umigame_engine::Confidence;

use super::bad_input;
pub(super) use analyze::AnalyzeArgs;
pub(super) use bench::{BenchArgs, BenchCommand, FfoArgs};
pub(super) use book::{BookArgs, ByArg};
pub(super) use diagram::DiagramArgs;
pub(super) use solve::SolveArgs;
pub(super) use time::{parse_hours, parse_time};

const EXAMPLES: &str = "\
Examples:
  umigame play                         play in the terminal
  umigame nboard --level 20            the engine for NBoard, at level 20
  umigame hint f5d6c3 -n 3             the three best moves after f5 d6 c3
  umigame analyze game.ggf             judge a game move by move
  umigame solve problems.obf --jsonl   solve positions, one JSON object a line
  umigame solve --help                 the options of a command

Exit codes:
    0  done; also when the reader of the output closed the pipe
    1  the work failed, or a result is not the expected one
    2  the command line or the input was wrong
  130  interrupted; finished results are kept";

/// An Othello engine: NBoard and GTP on standard input and output, a prompt
/// for people, exact solving, analysis of games
///
/// Options follow the command. Without a command, umigame detects the protocol
/// from the first line of standard input; on a terminal it opens the prompt.
#[derive(Parser, Debug)]
#[command(name = "umigame", version, after_help = EXAMPLES, max_term_width = 100)]
pub(super) struct Cli {
    #[command(flatten)]
    pub serve: ServeArgs,

    /// Evaluate with the weights in this file instead of the embedded ones
    #[arg(long, global = true, help_heading = "Common", value_name = "FILE")]
    pub weights: Option<PathBuf>,

    /// Log more on standard error; -vv and -vvv log still more
    #[arg(short, long, global = true, help_heading = "Common", action = clap::ArgAction::Count)]
    pub verbose: u8,

    /// Log nothing
    #[arg(short, long, global = true, help_heading = "Common", conflicts_with = "verbose")]
    pub quiet: bool,

    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Cli {
    /// Parses a command line; its first word is the name of the program.
    ///
    /// # Errors
    /// A word that clap refuses, or an option before the command. `--help` and
    /// `--version` are errors too: their text is the message.
    pub(super) fn read(words: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
        let mut definition = Cli::command();
        let matches = definition.try_get_matches_from_mut(normalized(words))?;
        if let Some(command) = matches.subcommand_name() {
            let misplaced = definition.get_arguments().find(|option| {
                let source = matches.value_source(option.get_id().as_str());
                !option.is_global_set() && source == Some(ValueSource::CommandLine)
            });
            if let Some(option) = misplaced {
                let message =
                    format!("{option}: options follow the command: umigame {command} ...");
                return Err(definition.error(ErrorKind::ArgumentConflict, message));
            }
        }
        Cli::from_arg_matches(&matches)
    }
}

#[derive(Subcommand, Debug)]
pub(super) enum Command {
    /// Speak the NBoard protocol on standard input and output
    Nboard(ServeArgs),
    /// Speak GTP version 2 on standard input and output
    Gtp(ServeArgs),
    /// Play in the terminal; `help` lists the commands of the prompt
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

/// Options of the protocols.
#[derive(Args, Clone, Default, Debug)]
pub(super) struct ServeArgs {
    /// Write every line of input and output to this file, with its time;
    /// `umigame replay` reads it
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,

    #[command(flatten)]
    pub game: GameArgs,
}

impl ServeArgs {
    /// Refuses `--record`, for the prompt that a command line without a
    /// command opens on a terminal.
    pub(super) fn without_record(self) -> anyhow::Result<GameArgs> {
        match self.record {
            Some(_) => Err(bad_input("--record: the prompt has no such option")),
            None => Ok(self.game),
        }
    }
}

/// Options of the commands that play games.
#[derive(Args, Clone, Default, Debug)]
pub(super) struct GameArgs {
    #[command(flatten)]
    pub engine: EngineArgs,

    /// Time for all moves of the engine in a game: 90s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = parse_time, conflicts_with = "move_time",
          help_heading = "Engine")]
    pub game_time: Option<Duration>,

    /// Search during the opponent's turn
    #[arg(long, help_heading = "Engine")]
    pub ponder: bool,

    #[command(flatten)]
    pub book: BookArgs,
}

/// Options of the commands that search: strength, time, memory.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Engine")]
pub(super) struct EngineArgs {
    /// Strength, 1 to 30; `umigame levels` prints the table [default: 16]
    #[arg(short, long, value_name = "1-30", conflicts_with = "depth",
          value_parser = clap::value_parser!(u32).range(1..=30))]
    pub level: Option<u32>,

    /// Plies to search, instead of a level
    #[arg(long, value_name = "1-60", value_parser = clap::value_parser!(u32).range(1..=60))]
    pub depth: Option<u32>,

    /// Solve exactly from this number of empties
    #[arg(long, value_name = "0-60", value_parser = clap::value_parser!(u32).range(0..=60))]
    pub end_depth: Option<u32>,

    /// Maximum number of nodes a move
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// Time for a move: 500ms, 5s, 1m; a plain number is seconds
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub move_time: Option<Duration>,

    #[command(flatten)]
    pub machine: MachineArgs,
}

/// Options that say how much of the machine a search uses.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Engine")]
pub(super) struct MachineArgs {
    /// Search threads [default: 1]
    #[arg(long, value_name = "1-256", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub threads: Option<u32>,

    /// Size of the transposition table in megabytes [default: 64]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub hash: Option<u32>,
}

/// A position, in one word or in several.
#[derive(Args, Debug)]
pub(super) struct PositionArgs {
    /// 64 squares from a1 to h8 (X x * B b, O o W w 0, - .) and the side to
    /// move, the moves of a game such as f5d6c3, a line of OBF, or a board as
    /// `umigame play` draws it
    #[arg(allow_hyphen_values = true)]
    pub position: String,

    /// The rest of POSITION, where it is several words: the side to move, or
    /// further moves
    #[arg(value_name = "MORE")]
    pub more: Vec<String>,
}

/// Print the best moves of a position, each with its score, depth and PV
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame hint f5d6c3 -n 3
  umigame hint f5 --move-time 2s --jsonl
  umigame hint ---------------------------OX------XO--------------------------- X

Exit codes: 0 done, 1 the work failed, 2 the command line or the position was wrong")]
pub(super) struct HintArgs {
    #[command(flatten)]
    pub position: PositionArgs,

    /// Number of best moves
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub count: u32,

    /// Print one JSON object a line
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
  umigame explain ---------------------------OX------XO--------------------------- X

Exit codes: 0 done, 1 the work failed, 2 the command line or the position was wrong")]
pub(super) struct ExplainArgs {
    #[command(flatten)]
    pub position: PositionArgs,
}

/// Feed a record to the engine again and compare its output
///
/// A record is made with --record. Times are not compared. Lines of output
/// are marked < if they are as recorded, - if they are missing, and + if they
/// are new.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  umigame nboard --record talk.txt     then, later: umigame replay talk.txt

Exit codes: 0 as recorded, 1 the output differs, 2 the file is no record")]
pub(super) struct ReplayArgs {
    /// File that --record wrote
    pub file: PathBuf,

    /// Keep the pauses of the record
    #[arg(long)]
    pub timed: bool,
}

/// Count the move sequences of a given length, to check the move generator
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  umigame perft 10                     the last line begins: 10 24571284

Exit codes: 0 done, 1 the work failed, 2 the command line was wrong")]
pub(super) struct PerftArgs {
    /// Plies; every depth up to it is counted
    #[arg(value_parser = clap::value_parser!(u32).range(1..=30))]
    pub depth: u32,

    /// Count a forced pass as no ply
    #[arg(long)]
    pub pass_free: bool,

    /// Use the mailbox board instead of the bitboards; slower
    #[arg(long)]
    pub mailbox: bool,
}

/// Parses a number in `range`.
///
/// # Errors
/// A sentence that says what was expected.
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

/// Translates Edax's spellings. In Edax `-nboard`, `-gtp` and `-solve` are
/// options that may stand anywhere; here they become the command, and move
/// before the options.
fn normalized(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    let command =
        words.iter().position(|word| matches!(word.to_str(), Some("-nboard" | "-gtp" | "-solve")));
    if let Some(at) = command {
        let command = words.remove(at).to_string_lossy().trim_start_matches('-').into();
        words.insert(at.min(1), command);
    }
    for word in &mut words {
        if let Some("-level" | "-depth" | "-move-time" | "-game-time") = word.to_str() {
            *word = format!("-{}", word.to_string_lossy()).into();
        }
    }
    words
}
