//! `umigame-lab learn label`: training data from positions of other sources.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use umigame_engine::SharedEvaluation;
use umigame_training::Searches;
use umigame_training::data::{Block, Writer};
use umigame_training::label::{self, LabelSettings};
use umigame_training::sources::{self, Part, Selection};

use super::common::{SampleArgs, explain, parse_empties};
use umigame_support::exit::{Exit, shown};
use umigame_support::interrupt::{INTERRUPTED, outcome, stop_when_interrupted};
use umigame_support::progress;

/// Label the positions of a file or of human games
///
/// Positions with at most --exact-from empties get their exact score, others the value of a search to
/// --depth at 73 %. Symmetric positions are labelled once; positions whose exact score is in IN are
/// skipped. Run the same command again to resume.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame-lab learn label a.umi --out deep.umi --exact-from 18 --depth 12 --sample 100000
  umigame-lab learn label problems.obf --out problems.umi --exact-from 20 --depth 12
  umigame-lab learn label --wthor wthor --empties 10-16 --out human.umi --exact-from 16 --depth 8
  umigame-lab learn label --wthor wthor --theoretical --out at24.umi
  umigame-lab learn label --wthor wthor --theoretical --part 1/2 --out human-fit.umi
  umigame-lab learn label games.umi --empties 22-26 --exact-from 26 --sample 2000 --out exact.umi")]
pub(super) struct LabelArgs {
    /// Training data, or OBF: one position a line
    #[arg(value_name = "IN", required_unless_present = "wthor", conflicts_with = "wthor")]
    from: Option<PathBuf>,

    /// Label the positions of the games in the .wtb files of this folder
    #[arg(long, value_name = "FOLDER")]
    wthor: Option<PathBuf>,

    /// Take the exact scores stored with the games, most of them at 24 empties, without a search
    #[arg(long, requires = "wthor", conflicts_with_all = ["empties", "exact_from", "depth"])]
    theoretical: bool,

    /// Training data to append to; created if missing
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Maximum number of empties of positions that are solved exactly
    #[arg(long, value_name = "0-40", default_value_t = 16,
          value_parser = clap::value_parser!(u8).range(0..=40))]
    exact_from: u8,

    /// Plies of the searches of other positions
    #[arg(long, value_name = "1-30", default_value_t = 10,
          value_parser = clap::value_parser!(u8).range(1..=30))]
    depth: u8,

    /// Range of empties of the positions
    #[arg(long, value_name = "FIRST-LAST", default_value = "1-60", value_parser = parse_empties)]
    empties: RangeInclusive<u32>,

    /// Only part K of N equal parts without a position in common, whatever the source
    #[arg(long, value_name = "K/N", value_parser = parse_part)]
    part: Option<Part>,

    #[command(flatten)]
    chosen: SampleArgs,
}

fn parse_part(text: &str) -> Result<Part, String> {
    let expected = || "expected a part and their number, such as 1/2".to_owned();
    let (number, of) = text.split_once('/').ok_or_else(expected)?;
    match (number.parse(), of.parse()) {
        (Ok(number), Ok(of)) if (1..=of).contains(&number) => Ok(Part { number, of }),
        _ => Err(expected()),
    }
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &LabelArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let begun = Instant::now();
    let selection = if args.theoretical {
        Selection::Theoretical
    } else {
        Selection::Positions(args.empties.clone())
    };
    let samples = match (&args.from, &args.wthor) {
        (Some(file), _) => sources::read(file),
        (None, Some(folder)) => sources::read_wthor(folder, &selection),
        (None, None) => Ok(Vec::new()),
    };
    let mut samples = samples.map_err(explain)?;
    if !args.theoretical {
        samples.retain(|sample| args.empties.contains(&sample.position.empties()));
    }
    if let Some(part) = args.part {
        samples.retain(|sample| part.holds(sample.position));
    }
    args.chosen.choose(&mut samples);
    let mut writer = Writer::append(&args.out).map_err(|error| explain(error.into()))?;
    let settings =
        LabelSettings { depth: args.depth, exact: args.exact_from, weights: evaluation.checksum() };
    let before = writer.records();
    stop_when_interrupted()?;
    let result = if args.theoretical {
        label::copy(&samples, &mut writer)
    } else {
        let positions = label::unlabelled(&samples);
        let bar = progress::bar(Some(positions.len() as u64), "positions");
        let mut done = writer.games(&label::recipe(&settings, &positions));
        bar.set_position(done);
        bar.reset_eta();
        let written = |block: &Block| {
            done += u64::from(block.games);
            bar.set_position(done);
        };
        let threads = args.chosen.threads();
        let searches = Searches { evaluation, threads, stop: &INTERRUPTED };
        let result = label::label(&settings, &positions, searches, &mut writer, written);
        bar.finish_and_clear();
        result
    };
    let (positions, seconds) = (writer.records() - before, begun.elapsed().as_secs_f64());
    let rate = positions as f64 / seconds.max(1e-9);
    let (file, all) = (shown(&args.out), writer.records());
    write!(out, "{positions} positions in {seconds:.1} s: {rate:.0} positions/s; ")?;
    writeln!(out, "{file} holds {all} positions")?;
    result.map_err(explain)?;
    Ok(outcome())
}
