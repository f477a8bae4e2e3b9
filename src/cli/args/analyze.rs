//! The arguments of `analyze`.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args;
use umigame_support::args::range_in;

use super::engine::EngineArgs;

/// Judge a game move by move: scores, losses, turning points
///
/// Works from the end of the game to its start; endgames are exact. Each move has its score, the
/// best move and the discs it lost; a game has the losses of each side, its turning points and its
/// opening. Scores are for Black; an estimate has its standard deviation and the probabilities for
/// Black. The depth says how a score was found: `exact`, `end@73%`
/// (searched to the end of the game; each branch left out is irrelevant with a probability of 73 %),
/// `16@73%` (16 moves deep). Moves
/// that lose 2, 4 and 10 discs are marked ?!, ? and ??.
///
/// The default is level 16. --move-time and --nodes limit all searches of a move together; without
/// --level or --depth they are the only limit.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame analyze f5d6c3d3c4f4f6f3e6
  umigame analyze game.ggf --exact-from 24
  umigame analyze final.wtb --games 3 --html final.html --open
  umigame analyze games/ --html report/ --threads 4
  umigame convert old.sgf new.ggf && umigame analyze new.ggf --jsonl

Exit codes: 0 done, 1 a file could not be written, 2 a game or a file could not be read,
130 interrupted; the moves judged so far are printed and marked as incomplete")]
pub(in crate::cli) struct AnalyzeArgs {
    /// A file of games (.ggf, .sgf, .pgn, .txt, .wtb), a folder of them, the moves of a game such as
    /// f5d6c3, or - for standard input
    pub game: OsString,

    /// Only these games of the file or folder, numbered from 1: 3, or 10-19
    #[arg(long, value_name = "FIRST-LAST", value_parser = parse_games)]
    pub games: Option<RangeInclusive<usize>>,

    /// Value all legal moves of each position, not just the best and the one played: for the board of
    /// the page and for JSON. Takes five to ten times as long
    #[arg(long)]
    pub all_moves: bool,

    /// Print one JSON object a line for each game
    #[arg(long)]
    pub jsonl: bool,

    /// Write a page for a browser: a name in .html for one game, else a folder with a page for each
    /// game and an index. In a folder, only pages that umigame wrote are replaced
    #[arg(long, value_name = "PATH")]
    pub html: Option<PathBuf>,

    /// Open the page of --html, or its index, in the browser
    #[arg(long, requires = "html")]
    pub open: bool,

    /// Replace any file in the folder of --html
    #[arg(long, requires = "html")]
    pub force: bool,

    #[command(flatten)]
    pub engine: EngineArgs,
}

/// Parses `3` or `10-19`.
fn parse_games(text: &str) -> Result<RangeInclusive<usize>, String> {
    range_in(text, 1.., "a number from 1, or two such as 10-19")
}
