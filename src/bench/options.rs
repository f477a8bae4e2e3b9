//! Options that measurements of `umigame` and `umigame-lab` share.

use clap::Args;
use umigame_engine::Confidence;
use umigame_support::args::number_in;

/// Options of a measurement that searches positions.
#[derive(Args, Clone, Copy, Debug)]
pub struct SearchArgs {
    /// Threads per search
    #[arg(long, value_name = "1-256", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=256))]
    pub threads: u32,

    /// Table size and repetitions.
    #[command(flatten)]
    pub repeat: RepeatArgs,

    /// Print JSON Lines, one object per position
    #[arg(long)]
    pub jsonl: bool,
}

/// Table size and repetitions of a measurement.
#[derive(Args, Clone, Copy, Debug)]
pub struct RepeatArgs {
    /// Size of the transposition table in MB
    #[arg(long, value_name = "MB", default_value_t = 64)]
    pub hash: u32,

    /// Repeat each search and report the run of median time
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = parse_runs)]
    pub runs: usize,
}

/// Reads a number of runs.
///
/// # Errors
/// The text is not a number from 1 to 1000.
pub fn parse_runs(text: &str) -> Result<usize, String> {
    number_in(text, 1..=1000, "a number of runs from 1 to 1000")
}

/// Reads the confidence of a selective search in percent.
///
/// # Errors
/// The text is none of the six percentages.
pub fn parse_confidence(text: &str) -> Result<Confidence, String> {
    let confidence = text.parse().ok().and_then(Confidence::from_percent);
    confidence.ok_or_else(|| "expected 73, 87, 95, 98, 99 or 100".to_owned())
}
