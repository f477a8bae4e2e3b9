//! `umigame-lab learn probcut`: the error model of shallow searches.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use umigame_engine::{Confidence, SharedEvaluation};
use umigame_eval::ProbCutModel;
use umigame_eval::file::FittedModels;
use umigame_training::models::probcut::{self, Cell, Profile, ProfileSettings};
use umigame_training::sources;

use super::common::{MeasureArgs, explain, threads, write_weights};
use umigame_support::exit::{Exit, bad_input, shown};
use umigame_support::interrupt::{INTERRUPTED, outcome, stop_when_interrupted};
use umigame_support::progress;

/// Fit the error model of ProbCut: how far shallow searches are from deep ones
///
/// Searches positions at every depth up to --depth with full confidence, and solves those with at
/// most --solve empties. Prints mean and sigma of the differences, and the fitted sigma. With
/// --into, the fit is stored in that weights file, usually the one of --weights.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame-lab learn probcut a.umi
  umigame-lab --weights new.weights learn probcut a.umi --into new.weights
  umigame-lab learn probcut games.obf --positions 20 --depth 8 --solve 0")]
pub(super) struct ProbcutArgs {
    /// Training data, or OBF: one position a line
    #[arg(value_name = "FILE")]
    from: PathBuf,

    /// Maximum number of positions for each number of empties
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    positions: usize,

    /// Maximum depth
    #[arg(long, value_name = "1-30", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,

    /// Maximum number of empties of positions that are solved
    #[arg(long, value_name = "0-30", default_value_t = 20,
          value_parser = clap::value_parser!(u32).range(0..=30))]
    solve: u32,

    #[command(flatten)]
    measure: MeasureArgs,
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &ProbcutArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let weights = args.measure.weights()?;
    let (depth, solve) = (args.depth, args.solve);
    let settings = ProfileSettings { depth, solve, confidence: Confidence::FULL };
    let profiles = searched(evaluation, &args.from, args.positions, settings, &args.measure)?;
    let cells = probcut::cells(&profiles);
    let fitted = probcut::fit(&cells);
    print(&cells, &fitted.unwrap_or(*evaluation.probcut_model()), args.measure.jsonl, out)?;
    if outcome() == Exit::Interrupted {
        return Ok(Exit::Interrupted);
    }
    let Some(fitted) = fitted else {
        return Err(bad_input("too few positions or too small depths for a fit"));
    };
    if !args.measure.jsonl {
        let coefficients: Vec<String> = fitted.0.iter().map(|it| format!("{it:.4}")).collect();
        writeln!(out, "# {} positions; {}", profiles.len(), coefficients.join(" "))?;
    }
    if let (Some(path), Some((weights, models))) = (&args.measure.into, weights) {
        write_weights(path, &weights, &FittedModels { error: fitted, ..models })?;
    }
    Ok(Exit::Done)
}

/// Searches up to `count` positions of a file for each number of empties, until an interrupt.
pub(super) fn searched(
    evaluation: &SharedEvaluation,
    from: &Path,
    count: usize,
    settings: ProfileSettings,
    measure: &MeasureArgs,
) -> Result<Vec<Profile>> {
    let samples = sources::read(from).map_err(explain)?;
    let positions = probcut::choose(&samples, count, measure.seed);
    if positions.is_empty() {
        return Err(bad_input(format!("{}: no position to search", shown(from))));
    }
    stop_when_interrupted()?;
    let bar = progress::bar(Some(positions.len() as u64), "positions");
    let threads = threads(measure.threads);
    let profiles =
        probcut::profiles(&positions, settings, evaluation, threads, &INTERRUPTED, || bar.inc(1))
            .map_err(explain)?;
    bar.finish_and_clear();
    Ok(profiles)
}

/// Returns whether a cell is in the table: even depths, which tell enough.
fn is_shown(cell: &Cell) -> bool {
    let even = |depth: u32| depth.is_multiple_of(2);
    even(cell.shallow) && cell.deep.is_none_or(even)
}

fn print(cells: &[Cell], fitted: &ProbCutModel, jsonl: bool, out: &mut dyn Write) -> Result<()> {
    if !jsonl {
        writeln!(out, "empties  shallow  deep  positions   mean  sigma  fitted  (discs)")?;
    }
    for cell in cells.iter().filter(|cell| jsonl || is_shown(cell)) {
        let spread = match cell.deep {
            Some(deep) => fitted.midgame(cell.empties, cell.shallow, deep),
            None => fitted.endgame(cell.empties, cell.shallow),
        };
        if jsonl {
            let line = serde_json::json!({
                "empties": cell.empties, "shallow": cell.shallow, "deep": cell.deep,
                "positions": cell.count, "mean": cell.mean / 100.0,
                "sigma": cell.sigma / 100.0, "fitted_mean": spread.mean / 100.0,
                "fitted_sigma": spread.sigma / 100.0,
            });
            writeln!(out, "{line}")?;
        } else {
            let deep = cell.deep.map_or("end".to_owned(), |deep| deep.to_string());
            writeln!(
                out,
                "{:>7}  {:>7}  {deep:>4}  {:>9}  {:>5.2}  {:>5.2}  {:>6.2}",
                cell.empties,
                cell.shallow,
                cell.count,
                cell.mean / 100.0,
                cell.sigma / 100.0,
                spread.sigma / 100.0
            )?;
        }
    }
    Ok(())
}
