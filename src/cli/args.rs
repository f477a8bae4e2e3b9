//! The command line as it was typed. What it means is in [`super::settings`].

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use umigame::search::Selectivity;

use super::bad_input;

const EXAMPLES: &str = "\
Examples:
  umigame play                         play in the terminal
  umigame nboard --level 20            the engine for NBoard, 20 strong
  umigame hint f5d6c3 -n 3             the three best moves after f5 d6 c3
  umigame solve problems.obf --jsonl   solve positions, one JSON object a line

Exit codes:
  0  done, also where the reader of the output went away
  1  the work failed, or a score differs from the expected one
  2  the command line or the input was wrong";

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

    /// Evaluate by this file of weights instead of those in the binary;
    /// `handmade` is the evaluation without any
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
    Play(EngineArgs),
    Hint(HintArgs),
    Solve(SolveArgs),
    Explain(ExplainArgs),
    Convert(super::convert::ConvertArgs),
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
    pub engine: EngineArgs,

    /// Write every line in and out to this file, with the time; see `replay`
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

impl ServeArgs {
    /// As [`EngineArgs::or`].
    pub(super) fn or(self, outer: ServeArgs) -> Result<ServeArgs> {
        let engine = self.engine.or(outer.engine)?;
        Ok(ServeArgs { engine, record: self.record.or(outer.record) })
    }

    /// Refuses `--record` for a command that speaks no protocol; the options
    /// of the engine are left.
    pub(super) fn without_record(self, command: &str) -> Result<EngineArgs> {
        match self.record {
            Some(_) => Err(bad_input(format!("--record: {command} takes no such option"))),
            None => Ok(self.engine),
        }
    }

    /// Refuses all of these options.
    pub(super) fn none_for(self, command: &str) -> Result<()> {
        self.without_record(command)?.none_for(command)
    }
}

/// How strong, how long, with how much memory.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Engine")]
pub(super) struct EngineArgs {
    /// Strength from 1 to 30; see `umigame levels` [default: 12]
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
}

/// Print what each side has in a position and what it is worth
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

/// Solve the positions of an OBF file exactly and compare with its scores
///
/// A line is 64 squares, the side to move and, for comparison, scores: `X;
/// G8:+18; H1:+12;` or `X; +18;`. What follows % is a comment. A line that
/// cannot be read is named on standard error and the others are solved.
///
/// With --threads, as many positions are searched at once, and the last ones
/// by all threads together; answers come in the order of the lines. With
/// --depth it does not solve but measures how far a limited search is from
/// the scores of the file.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame solve problems.obf
  umigame solve problems.obf --all-moves --jsonl > scores.jsonl
  umigame solve many.obf --threads 8 --hash 1024 --resume answers.jsonl
  umigame solve many.obf --depth 10 --selectivity 73
  echo 'XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X' | umigame solve -

Exit codes: 0 all right, 1 a score differs or was not proven, 2 a line could not be read,
130 interrupted: what is printed is the beginning of the answer, without gaps")]
pub(super) struct SolveArgs {
    /// The file; - is standard input
    pub file: PathBuf,

    /// Only who wins; not with --depth
    #[arg(long, conflicts_with_all = ["window", "depth"])]
    pub wld: bool,

    /// The score where it lies between A and B, else only that it is at most
    /// A or at least B; not with --depth
    #[arg(long, num_args = 2, value_names = ["A", "B"], allow_negative_numbers = true,
          conflicts_with = "depth")]
    pub window: Option<Vec<i32>>,

    /// The score of every move, each compared
    #[arg(long)]
    pub all_moves: bool,

    /// Search to so many plies instead of to the end
    #[arg(long, value_name = "1-60", value_parser = clap::value_parser!(u32).range(1..=60))]
    pub depth: Option<u32>,

    /// With --depth, how sure to be of what is left out: 73, 87, 95, 98, 99,
    /// or 100, which leaves nothing out [default: 100]
    #[arg(long, value_name = "PERCENT", requires = "depth", value_parser = parse_selectivity)]
    pub selectivity: Option<Selectivity>,

    /// Positions to visit for each line; what is not proven by then is said
    /// to be so
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// Positions searched at once [default: 1]
    #[arg(long, value_name = "1-256", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub threads: Option<u32>,

    /// Memory for the transposition tables, all threads together [default: 64]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub hash: Option<u32>,

    /// One JSON object a line
    #[arg(long)]
    pub jsonl: bool,

    /// Write the answers to this file, one JSON object a line, and go on
    /// after those that it holds already
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
}

impl SolveArgs {
    /// These options, and the ones given before the command where these are
    /// silent.
    ///
    /// # Errors
    /// An option that means nothing where every position is a game of its own.
    pub(super) fn engine(&self, outer: EngineArgs) -> Result<EngineArgs> {
        let &SolveArgs { depth, nodes, threads, hash, .. } = self;
        let own = EngineArgs { depth, nodes, threads, hash, ..EngineArgs::default() };
        let engine = own.or(outer)?;
        let useless =
            EngineArgs { threads: None, hash: None, nodes: None, depth: None, ..engine.clone() };
        useless.none_for("solve")?;
        Ok(engine)
    }
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

/// Search a fixed set of positions; their node total is the signature
///
/// With one thread the signature is the same on every machine and with every
/// build; it changes where the search or the evaluation does.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  umigame bench                        the signature and the speed, in seconds
  umigame bench ffo --to 44            the first five of the FFO endings
  umigame bench kernels --runs 9       the kernels beside the portable ones
  umigame bench midgame --lines 4      the four best moves of twenty positions to depth 18
  umigame bench --levels 26 --positions 6
                                       the seconds a move of level 26
  umigame bench scaling --threads 4    the same endings with 1 to 4 threads"
)]
pub(super) struct BenchArgs {
    #[command(subcommand)]
    pub command: Option<BenchCommand>,

    /// Measure the seconds a move at each level instead
    #[arg(long, value_name = "FIRST-LAST", num_args = 0..=1, default_missing_value = "1-30",
          value_parser = parse_levels, conflicts_with = "runs")]
    pub levels: Option<(u32, u32)>,

    /// With --levels, on so many of the 24 positions
    #[arg(long, value_name = "1-24", default_value_t = 24, requires = "levels",
          value_parser = parse_positions)]
    pub positions: usize,

    /// Search so often and take the median time
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = parse_runs)]
    pub runs: usize,
}

/// What else is measured.
#[derive(Subcommand, Debug)]
pub(super) enum BenchCommand {
    Ffo(FfoArgs),
    Kernels(KernelsArgs),
    Midgame(MidgameArgs),
    Scaling(ScalingArgs),
}

/// Solve the FFO endings 40 to 59, with nodes, time and speed of each
///
/// The later ones take long; --from and --to choose. A score that is wrong
/// ends the command with 1.
#[derive(Args, Debug)]
pub(super) struct FfoArgs {
    /// The first ending
    #[arg(long, value_name = "40-59", default_value_t = 40)]
    pub from: u32,

    /// The last one
    #[arg(long, value_name = "40-59", default_value_t = 59)]
    pub to: u32,

    /// Threads for one ending
    #[arg(long, value_name = "1-256", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=256))]
    pub threads: u32,

    /// Memory for the transposition table
    #[arg(long, value_name = "MB", default_value_t = 64)]
    pub hash: u32,

    /// Solve each so often and take the run of median time
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = parse_runs)]
    pub runs: usize,

    /// One JSON object a line
    #[arg(long)]
    pub jsonl: bool,
}

/// Time the kernels of this binary beside the portable ones
#[derive(Args, Debug)]
pub(super) struct KernelsArgs {
    /// Measure so often and take the median
    #[arg(long, value_name = "COUNT", default_value_t = 5, value_parser = parse_runs)]
    pub runs: usize,
}

/// Search twenty positions of games after 12 to 30 plies to a depth
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  umigame bench midgame --lines 4 --runs 3")]
pub(super) struct MidgameArgs {
    /// Plies to search
    #[arg(long, value_name = "1-60", default_value_t = 18,
          value_parser = clap::value_parser!(u32).range(1..=60))]
    pub depth: u32,

    /// How sure to be of what is left out: 73, 87, 95, 98, 99, or 100, which
    /// leaves nothing out
    #[arg(long, value_name = "PERCENT", default_value = "95", value_parser = parse_selectivity)]
    pub selectivity: Selectivity,

    /// How many of the best moves get a score
    #[arg(long, value_name = "COUNT", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=64))]
    pub lines: u32,

    /// Threads for one position
    #[arg(long, value_name = "1-256", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=256))]
    pub threads: u32,

    /// Memory for the transposition table
    #[arg(long, value_name = "MB", default_value_t = 64)]
    pub hash: u32,

    /// Search each so often and take the run of median time
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = parse_runs)]
    pub runs: usize,

    /// One JSON object a line
    #[arg(long)]
    pub jsonl: bool,
}

/// Solve FFO endings with 1, 2 and more threads: how much faster, how many
/// more nodes
#[derive(Args, Debug)]
pub(super) struct ScalingArgs {
    /// The first ending
    #[arg(long, value_name = "40-59", default_value_t = 50)]
    pub from: u32,

    /// The last one
    #[arg(long, value_name = "40-59", default_value_t = 54)]
    pub to: u32,

    /// The greatest number of threads
    #[arg(long, value_name = "1-256", default_value_t = 2,
          value_parser = clap::value_parser!(u32).range(1..=256))]
    pub threads: u32,

    /// Memory for the transposition table
    #[arg(long, value_name = "MB", default_value_t = 64)]
    pub hash: u32,

    /// Solve each so often and take the run of median time
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = parse_runs)]
    pub runs: usize,
}

fn parse_selectivity(text: &str) -> Result<Selectivity, String> {
    let level = text.parse().ok().and_then(Selectivity::from_percent);
    level.ok_or_else(|| "expected 73, 87, 95, 98, 99 or 100".to_owned())
}

fn parse_runs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(runs @ 1..=1000) => Ok(runs),
        _ => Err("expected a number of runs from 1 to 1000".to_owned()),
    }
}

fn parse_positions(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(positions @ 1..=24) => Ok(positions),
        _ => Err("expected a number of positions from 1 to 24".to_owned()),
    }
}

/// Reads `1-30` or `7`.
fn parse_levels(text: &str) -> Result<(u32, u32), String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last && last <= 30 => Ok((first, last)),
        _ => Err("expected a level from 1 to 30, or a range of them such as 1-12".to_owned()),
    }
}

/// Reads a length of time: a number with `ms`, `s`, `m` or `h`; a plain
/// number is seconds.
pub(super) fn parse_time(text: &str) -> Result<Duration, String> {
    const EXPECTED: &str =
        "expected a number above 0 with ms, s, m or h, such as 500ms, 5s or 1.5m";
    let text = text.trim();
    let digits = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let seconds = match unit.trim() {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(EXPECTED.to_owned()),
    };
    let number: f64 = number.parse().map_err(|_| EXPECTED.to_owned())?;
    match Duration::try_from_secs_f64(number * seconds) {
        Ok(time) if time.is_zero() => Err(EXPECTED.to_owned()),
        Ok(time) if time <= MOST_TIME => Ok(time),
        _ => Err("expected at most 1000h".to_owned()),
    }
}

/// Sums of times must not overflow anywhere.
const MOST_TIME: Duration = Duration::from_secs(1000 * 3600);

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
