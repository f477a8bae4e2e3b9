//! The arguments as typed; [`super::settings`] interprets them. `convert`, `book`, `match` and
//! `learn` keep their arguments in their own files.

mod analyze;
mod bench;
mod book;
mod diagram;
mod engine;
mod help;
mod serve;
mod shell;
mod solve;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::LazyLock;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use umigame_othello::kernels;
use umigame_support::frame::LogArgs;

use super::position::PositionArgs;
pub(super) use analyze::AnalyzeArgs;
pub(super) use bench::{BenchArgs, BenchCommand, FfoArgs};
pub(super) use book::{BookArgs, ByArg};
pub(super) use diagram::DiagramArgs;
pub(super) use engine::{EngineArgs, GameArgs, MachineArgs, PlayArgs};
pub(super) use serve::ServeArgs;
pub(super) use shell::{CompletionsArgs, ManArgs};
pub(super) use solve::SolveArgs;

const EXAMPLES: &str = "\
Examples:
  umigame nboard --level 20            the engine for NBoard, at level 20
  umigame hint f5d6c3 -n 3             the three best moves after f5 d6 c3
  umigame analyze game.ggf             judge a game move by move
  umigame solve --help                 the options of a command

Exit codes: 0 done, 1 the work failed, 2 the command line or the input was wrong, 130 interrupted";

const NBOARD_EXAMPLES: &str = "\
Examples, as the command of an engine in NBoard:
  umigame nboard
  umigame nboard --level 24 --threads 4 --hash 512
  umigame nboard --book book.sqlite";

const GTP_EXAMPLES: &str = "\
Examples:
  umigame gtp --level 20
  umigame gtp --move-time 2s --ponder
  printf 'play b f5\\ngenmove w\\nquit\\n' | umigame gtp";

const PLAY_EXAMPLES: &str = "\
Examples:
  umigame play --level 4
  umigame play --level beginner
  umigame play --game-time 5m --save games.ggf
  printf 'mode 3\\nf5d6c3\\nhint 3\\n' | umigame play";

/// Exit codes of a command whose help does not list its own.
const USUAL_EXIT_CODES: &str = "Exit codes: 0 done, 1 the work failed, 2 the command line or the input was wrong, \
     130 interrupted";

/// An Othello engine: NBoard and GTP on standard input and output, a prompt for people, exact
/// solving, analysis of games
///
/// Options follow the command. Without a command, umigame detects the protocol from the first line of
/// standard input; on a terminal it opens the prompt. Then the options are those of nboard and play.
#[derive(Parser, Debug)]
#[command(name = "umigame", version, after_help = EXAMPLES, max_term_width = 100)]
pub(super) struct Cli {
    #[command(flatten)]
    pub game: GameArgs,

    /// Evaluate with the weights in this file instead of the embedded ones
    #[arg(long, global = true, help_heading = "Common", value_name = "FILE")]
    pub weights: Option<PathBuf>,

    #[command(flatten)]
    pub log: LogArgs,

    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Cli {
    /// Returns the commands and their options, with all that their help says.
    pub(super) fn definition() -> clap::Command {
        help::grouped(with_exit_codes(Cli::command()).version(VERSION.as_str()))
    }

    /// Parses a command line; its first word is the name of the program.
    ///
    /// # Errors
    /// A word that clap refuses, or an option before the command. `--help` and
    /// `--version` are errors too: their text is the message.
    pub(super) fn read(words: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
        let mut definition = Cli::definition();
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

/// The version and the build, and the way to a faster one if there is one.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let version = format!("{} ({})", env!("CARGO_PKG_VERSION"), kernels::BUILT_FOR);
    match crate::cli::processor::faster_build() {
        Some(advice) => format!("{version}\n{advice}"),
        None => version,
    }
});

/// Adds the usual exit codes to the help of every command that does not list its own.
fn with_exit_codes(command: clap::Command) -> clap::Command {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let command = if help.contains("Exit codes") {
        command
    } else {
        command.after_help(format!("{help}\n\n{USUAL_EXIT_CODES}").trim().to_owned())
    };
    command.mut_subcommands(with_exit_codes)
}

#[derive(Subcommand, Debug)]
pub(super) enum Command {
    /// Speak the NBoard protocol on standard input and output
    #[command(after_help = NBOARD_EXAMPLES)]
    Nboard(GameArgs),
    /// Speak GTP version 2 on standard input and output
    #[command(after_help = GTP_EXAMPLES)]
    Gtp(GameArgs),
    /// Play in the terminal; `help` lists the commands of the prompt
    #[command(after_help = PLAY_EXAMPLES)]
    Play(PlayArgs),
    Serve(ServeArgs),
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
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Print the best moves of a position, each with its score, depth and PV
///
/// An estimate has its standard deviation in discs, within which the true score lies in two of three
/// positions, and the probabilities of win, draw and loss.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame hint f5d6c3 -n 3
  umigame hint f5d6c3 --board
  umigame hint f5 --move-time 2s --jsonl
  umigame hint ---------------------------OX------XO--------------------------- X

Exit codes: 0 done, 1 the work failed, 2 the command line or the position was wrong")]
pub(super) struct HintArgs {
    #[command(flatten)]
    pub position: PositionArgs,

    /// Number of best moves [default: 1, with --board all]
    #[arg(short = 'n', long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    pub count: Option<u32>,

    /// Draw the board, too, with each move's score on its square; a star marks the best
    #[arg(long)]
    pub board: bool,

    /// Print one JSON object a line
    #[arg(long, conflicts_with = "board")]
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

/// Returns whether a word that begins with a dash is a board, whose first square is empty: no option
/// has three such letters, and a board with a wrong letter in it is long.
fn begins_with_squares(word: &str) -> bool {
    let first = word.split([' ', ';']).next().unwrap_or_default();
    let is_board = first.len() >= 3 && first.chars().all(|letter| "-.XxOo*BbWw0".contains(letter));
    word.starts_with('-') && (is_board || word.starts_with("---") && word.len() >= 60)
}

/// Translates Edax's spellings, and writes an empty a1 as a dot. In Edax `-nboard`, `-gtp` and `-solve` are
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
        if word.to_str().is_some_and(begins_with_squares) {
            // clap takes a word that begins with a dash for an option.
            let squares = word.to_string_lossy().replacen('-', ".", 1);
            *word = squares.into();
        }
        if let Some("-level" | "-depth" | "-move-time" | "-game-time") = word.to_str() {
            *word = format!("-{}", word.to_string_lossy()).into();
        }
    }
    words
}
