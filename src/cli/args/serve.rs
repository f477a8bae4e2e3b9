//! The arguments of `serve`.

use std::path::PathBuf;

use clap::Args;
use umigame_engine::Strength;

use super::engine::MachineArgs;

/// Serve a page with a board, and JSON for programs, on this machine only
///
/// Prints the address and the token that programs send as the header X-Umigame-Token; the page has it
/// already. Ctrl-C ends the server.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame serve --open
  umigame serve --port 0 --level 20 --threads 4
  umigame serve --book book.sqlite --token my-own-token
  umigame serve --games wthor/ --open
  umigame serve --reports report/ --open
  umigame serve --export site --wasm wasm/dist

Exit codes: 1 the work failed, 2 the command line was wrong or the port is in use, 130 ended by Ctrl-C")]
pub(in crate::cli) struct ServeArgs {
    /// Port on 127.0.0.1; 0 takes any that is free [default: 6464, or one of the nine after it]
    #[arg(long, value_name = "PORT", value_parser = parse_port)]
    pub port: Option<u16>,

    /// Open the page in the browser; with --reports, their index
    #[arg(long)]
    pub open: bool,

    /// Show the pages of a folder of `analyze --html` at /reports/index.html, with the engine behind them
    #[arg(long, value_name = "FOLDER")]
    pub reports: Option<PathBuf>,

    /// Write the page for any web host into FOLDER instead: with the engine as a WebAssembly module
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["port", "open", "token", "book", "games", "level"])]
    pub export: Option<PathBuf>,

    /// npm package with the module and the weights, as wasm/build makes it
    #[arg(long, value_name = "FOLDER", requires = "export", default_value = "wasm/dist")]
    pub wasm: PathBuf,

    /// Token that requests must have [default: a random one each time]
    #[arg(long, value_name = "TEXT", value_parser = parse_token)]
    pub token: Option<String>,

    /// Answer questions about positions from this book, and play from it; see `umigame book`
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,

    /// Show the games that met the position: those of a file or a folder of games (.wtb, .ggf, .sgf,
    /// .pgn, .txt), read in the background [default: those of the book]
    #[arg(long, value_name = "PATH")]
    pub games: Option<PathBuf>,

    /// Strength where a request states none: 1 to 30, or for play a name; see `umigame levels` [default: 16]
    #[arg(short, long, value_name = "LEVEL", help_heading = "Engine")]
    pub level: Option<Strength>,

    #[command(flatten)]
    pub machine: MachineArgs,
}

/// Parses a port. There is no address to choose: whoever could reach it could use the engine.
fn parse_port(text: &str) -> Result<u16, String> {
    let expected = "expected a port from 0 to 65535; umigame listens on 127.0.0.1 only";
    text.parse().map_err(|_| expected.to_owned())
}

/// Parses a token, which goes into a header.
fn parse_token(text: &str) -> Result<String, String> {
    let is_plain =
        (8..=128).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    let expected = "expected 8 to 128 printable ASCII characters without blanks";
    if is_plain { Ok(text.to_owned()) } else { Err(expected.to_owned()) }
}
