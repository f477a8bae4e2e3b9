//! The arguments of `diagram`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::engine::EngineArgs;

/// Draw a board as SVG: a position, or the numbered moves of a game
///
/// A game is drawn as in Othello books: the discs of the start, and every move as a disc with its
/// number. --after and --position draw a position of the game instead; --values searches it, and writes
/// each legal move's score on its square, in discs for the side to move.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame diagram f5d6c3d3c4 tiger.svg
  umigame diagram f5d6c3d3c4 tiger.svg --position --last --legal
  umigame diagram game.ggf move20.svg --after 20 --last --values --level 20
  umigame diagram ---------------------------OX------XO---------------------------X - > start.svg")]
pub(in crate::cli) struct DiagramArgs {
    /// A file of games, the moves of a game such as f5d6c3, or 64 squares from a1 to h8 (X x * B b,
    /// O o W w 0, - .) and the side to move
    pub game: OsString,

    /// The file to write, or - for standard output
    pub out: PathBuf,

    /// Game of the file, numbered from 1
    #[arg(long, value_name = "NUMBER", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub number: u32,

    /// Draw the position after the last move of the game
    #[arg(long, conflicts_with = "after")]
    pub position: bool,

    /// Draw the position after this many moves; passes do not count
    #[arg(long, value_name = "MOVES")]
    pub after: Option<u32>,

    /// Mark the last move of a position
    #[arg(long)]
    pub last: bool,

    /// Mark the legal moves of a position
    #[arg(long)]
    pub legal: bool,

    /// Write the score of each legal move on its square, its standard deviation below it; the best on
    /// white
    #[arg(long)]
    pub values: bool,

    /// Width and height in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 480,
          value_parser = clap::value_parser!(u32).range(16..=20_000))]
    pub size: u32,

    #[command(flatten)]
    pub engine: EngineArgs,
}
