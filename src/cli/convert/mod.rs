//! `umigame convert`: games from one format into another.

#[cfg(test)]
mod fuzz;
mod games;
mod read;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
pub use games::{
    ConvertError, Format, GameError, Reader, Summary, convert, convert_folder, files_of,
};

use super::{Outcome, bad_input, complain, must_exist};

/// Convert games from one format into another, by the names of the files
///
/// .ggf holds everything; .sgf no times; .pgn neither times nor evaluations;
/// .txt the moves alone, one game a line; .obf the last position of each
/// game; .wtb (WTHOR) is only read. A folder stands for all the files of
/// games in it. A game that cannot be read is named on standard error and
/// the others are converted.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame convert games.ggf games.sgf
  umigame convert wthor/ all.ggf
  umigame convert wthor/ transcripts/ --to txt

Exit codes: 0 all right, 1 a file could not be written, 2 a game or a file could not be read")]
pub(super) struct ConvertArgs {
    /// A file, or a folder of files
    pub input: PathBuf,

    /// The file to write; with --to a folder, with a file for each input
    pub output: PathBuf,

    /// Write a folder, in this format: ggf, sgf, pgn, txt or obf
    #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
    pub to: Option<Format>,
}

fn parse_format(text: &str) -> Result<Format, String> {
    Format::named(&text.to_ascii_lowercase())
        .filter(|&format| format != Format::Wthor)
        .ok_or_else(|| "expected ggf, sgf, pgn, txt or obf".to_string())
}

pub(super) fn run(args: &ConvertArgs, out: &mut dyn Write) -> Result<Outcome> {
    must_exist(&args.input, "convert")?;
    let mut report = |error: &GameError| complain(error);
    let summary = match args.to {
        Some(format) => convert_folder(&args.input, &args.output, format, &mut report),
        None => convert(&args.input, &args.output, &mut report),
    };
    let Summary { files, games, failed } = summary.map_err(explain)?;
    writeln!(out, "# files {files}, games {games}, not readable {failed}")?;
    Ok(if failed == 0 { Outcome::Done } else { Outcome::BadInput })
}

/// Whatever is wrong with what is read, the user has named it.
fn explain(error: ConvertError) -> anyhow::Error {
    match error {
        ConvertError::NotWritable { .. } => error.into(),
        _ => bad_input(error),
    }
}
