//! `umigame convert`: games from one format into another.

mod error;
mod read;
#[cfg(test)]
mod tests;
mod visible;
mod write;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
pub use error::{ConvertError, GameError};
pub use read::{GameReader, files_of, files_of_games};
pub use umigame_othello::formats::Format;
use visible::VisibleText;
pub use write::{Converter, Summary};

use umigame_support::exit::{Exit, bad_input, complain, is_dash, shown};

/// Convert games from one format into another
///
/// The extension of a file is its format. .ggf holds everything; .sgf no
/// times; .pgn neither times nor evals; .txt the moves alone, one game a line;
/// .obf the last position of each game; .wtb (WTHOR) moves and results of
/// finished games, with the names in .jou and .trn files beside it.
/// A folder stands for all files of games in it. A file that is named as OUTPUT is replaced; in a
/// folder as OUTPUT, existing files are replaced only with --force. A game that cannot be read is
/// reported on standard error; the others are converted.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame convert games.ggf games.sgf
  umigame convert wthor/ all.ggf
  umigame convert wthor/ transcripts/ --to txt
  umigame convert games.ggf - --to txt | head
  echo f5d6c3 | umigame convert - game.ggf

Exit codes: 0 done, 1 a file could not be written, 2 the command line was wrong, or a game or a
file could not be read")]
pub(super) struct ConvertArgs {
    /// File, or folder of files; - is standard input
    pub input: PathBuf,

    /// File to write; - is standard output. With --to, folder to write, with a
    /// file for each input
    pub output: PathBuf,

    /// Format of OUTPUT if it is a folder or standard output: ggf, sgf, pgn,
    /// txt, obf, or for a folder wtb
    #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
    pub to: Option<Format>,

    /// Replace existing files in a folder
    #[arg(long, requires = "to")]
    pub force: bool,

    /// Format of standard input: ggf, sgf, pgn, txt or obf [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = parse_text_format)]
    pub from: Option<Format>,
}

fn parse_format(text: &str) -> Result<Format, String> {
    Format::named(&text.to_ascii_lowercase())
        .ok_or_else(|| "expected ggf, sgf, pgn, txt, obf or wtb".to_string())
}

fn parse_text_format(text: &str) -> Result<Format, String> {
    match parse_format(text) {
        Ok(format) if format != Format::Wthor => Ok(format),
        _ => Err("expected ggf, sgf, pgn, txt or obf".to_string()),
    }
}

pub(super) fn run(args: &ConvertArgs, out: &mut dyn Write) -> Result<Exit> {
    let to_stdout = is_dash(&args.output);
    check(args)?;
    let mut report = |error: &GameError| complain(error);
    let mut converter = Converter::new(args.from, &mut report);
    let converted = match args.to {
        Some(format) if to_stdout && io::stdout().is_terminal() => {
            converter.convert_to_stream(&args.input, &mut VisibleText(out), format)
        }
        Some(format) if to_stdout => converter.convert_to_stream(&args.input, out, format),
        Some(format) => converter.convert_to_folder(&args.input, &args.output, format, args.force),
        None => converter.convert_to_file(&args.input, &args.output),
    };
    converted.map_err(classify)?;
    let Summary { files, games, failed } = converter.summary();
    let summary = format!("# files {files}, games {games}, not converted {failed}");
    if to_stdout {
        // Standard output holds games alone. A summary that nobody reads is no failure.
        let _ = writeln!(io::stderr(), "{summary}");
    } else {
        writeln!(out, "{summary}")?;
    }
    Ok(if failed == 0 { Exit::Done } else { Exit::BadInput })
}

/// Refuses arguments that do not fit together, and an input that is missing.
fn check(args: &ConvertArgs) -> Result<()> {
    let from_stdin = is_dash(&args.input);
    if is_dash(&args.output) && args.to.is_none() {
        return Err(bad_input("-: standard output needs its format: add --to, such as --to txt"));
    }
    if is_dash(&args.output) && args.to == Some(Format::Wthor) {
        return Err(bad_input(
            "--to wtb: WTHOR is three files: expected ggf, sgf, pgn, txt or obf on standard output",
        ));
    }
    if from_stdin && !is_dash(&args.output) && args.to.is_some() {
        return Err(bad_input("--to: standard input goes into one file, whose name is its format"));
    }
    if args.from.is_some() && !from_stdin {
        return Err(bad_input("--from: the name of a file is its format; --from is for -"));
    }
    if !from_stdin && !args.input.exists() {
        return Err(bad_input(format!("{}: no such file or folder", shown(&args.input))));
    }
    Ok(())
}

/// An input that cannot be read is bad input: the user named it.
fn classify(error: ConvertError) -> anyhow::Error {
    match error {
        ConvertError::Input { .. } => bad_input(error),
        ConvertError::Output { .. } => error.into(),
        ConvertError::Stream(error) => error.into(),
    }
}
