//! `umigame-lab learn scores`: the score model, from values of searches to estimates of final scores.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use umigame_engine::SharedEvaluation;
use umigame_eval::file::FittedModels;
use umigame_eval::score_calibration::ScoreCalibration;
use umigame_othello::Position;
use umigame_training::data::{Sample, SampleOutcome};
use umigame_training::models::scores::{
    self, KnownScore, Observation, ObserveSettings, game_noise, known_scores, result_above,
};
use umigame_training::sources;

use super::common::{MeasureArgs, choose, explain, threads, write_weights};
use umigame_support::exit::{Exit, bad_input};
use umigame_support::interrupt::{INTERRUPTED, outcome, stop_when_interrupted};
use umigame_support::progress;

/// Fit the score model: estimates of final scores, and how sure they are
///
/// Searches positions with known scores to every depth up to --depth at 73 %, a part of them at other
/// confidences and to the end of the game, and fits estimate, sigma and probabilities to the exact scores.
/// Above --max-exact empties the results of games count, of which FILES that hold exact scores of the
/// same positions say how far they are from the truth; without such files they do not count. With
/// --into, the fit is stored in that weights file, usually the one of --weights. The fit does not
/// depend on the number of threads.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame-lab --weights new.weights learn scores human.umi random.umi xot.umi games.umi --into new.weights
  umigame-lab learn scores human.umi --sample 2000 --depth 8")]
pub(super) struct ScoresArgs {
    /// Training data, or OBF lines with scores
    #[arg(value_name = "FILES", required = true)]
    files: Vec<PathBuf>,

    /// Maximum plies of the searches
    #[arg(long, value_name = "1-30", default_value_t = 15,
          value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,

    /// Minimum empties of positions with an exact score
    #[arg(long, value_name = "1-60", default_value_t = 12,
          value_parser = clap::value_parser!(u32).range(1..=60))]
    min_empties: u32,

    /// Maximum empties at which exact scores are known; results of games count above
    #[arg(long, value_name = "1-60", default_value_t = 26,
          value_parser = clap::value_parser!(u32).range(1..=60))]
    max_exact: u32,

    /// Maximum number of positions of each file, chosen at random
    #[arg(long, value_name = "COUNT", default_value_t = 2000)]
    sample: usize,

    /// Write every observation into this file, as comma-separated values
    #[arg(long, value_name = "FILE")]
    observations: Option<PathBuf>,

    #[command(flatten)]
    measure: MeasureArgs,
}

pub(super) fn run(
    evaluation: &SharedEvaluation,
    args: &ScoresArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let weights = args.measure.weights()?;
    let known = known(args)?;
    if known.is_empty() {
        return Err(bad_input("no position with a known score in the files"));
    }
    stop_when_interrupted()?;
    let bar = progress::bar(Some(known.len() as u64), "positions");
    let settings = ObserveSettings { depth: args.depth, threads: threads(args.measure.threads) };
    let observed = scores::observe(&known, settings, evaluation, &INTERRUPTED, || bar.inc(1));
    bar.finish_and_clear();
    let observations = observed.map_err(explain)?;
    if outcome() == Exit::Interrupted {
        return Ok(Exit::Interrupted);
    }
    if let Some(path) = &args.observations {
        write_observations(path, &observations)?;
    }
    let Some(model) = scores::fit(&observations, evaluation.score_calibration()) else {
        return Err(bad_input("too few positions with known scores for a fit"));
    };
    print(&observations, &model, args.measure.jsonl, out)?;
    if !args.measure.jsonl {
        writeln!(out, "# {} positions", known.len())?;
    }
    if let (Some(path), Some((weights, models))) = (&args.measure.into, weights) {
        write_weights(path, &weights, &FittedModels { score: model, ..models })?;
    }
    Ok(Exit::Done)
}

/// Reads the known scores of all files. Results of games have one noise, the mean of those of the files
/// with positions whose exact score is known: of a few hundred results a handful decides.
fn known(args: &ScoresArgs) -> Result<Vec<KnownScore>> {
    let files: Result<Vec<Vec<Sample>>> =
        args.files.iter().map(|file| sources::read(file).map_err(explain)).collect();
    let files = files?;
    let exact = |sample: &Sample| match sample.outcome() {
        SampleOutcome::Exact(score) => Some((sample.position, f64::from(score.discs()))),
        _ => None,
    };
    let exact: HashMap<Position, f64> = files.iter().flatten().filter_map(exact).collect();
    let noises: Vec<f64> = files.iter().filter_map(|games| game_noise(games, &exact)).collect();
    let noise = (!noises.is_empty()).then(|| noises.iter().sum::<f64>() / noises.len() as f64);
    let is_result = |sample: &Sample| result_above(sample, args.max_exact).is_some();
    if noise.is_none() && files.iter().flatten().any(is_result) {
        log::warn!(
            "results of games do not count: no file has exact scores of positions of these games"
        );
    }
    let mut all = Vec::new();
    for samples in &files {
        let mut known = known_scores(samples, args.min_empties, args.max_exact, noise);
        choose(&mut known, args.sample, args.measure.seed);
        all.extend(known);
    }
    Ok(all)
}

/// Depths of the table.
const SHOWN_DEPTHS: [u32; 8] = [1, 2, 4, 6, 8, 10, 12, 15];

/// Errors of the observations of one kind of search.
#[derive(Default)]
struct Row {
    count: f64,
    before: f64,
    after: f64,
    sigma: f64,
    covered: f64,
}

impl Row {
    fn add(&mut self, one: &Observation, model: &ScoreCalibration) {
        let spread = model.distribution(&one.features, one.value);
        let error = (one.truth - spread.center).abs();
        self.count += 1.0;
        self.before += (one.truth - one.value).abs();
        self.after += error;
        self.sigma += spread.std_dev;
        self.covered += f64::from(u8::from(error <= spread.std_dev));
    }
}

/// Prints the errors of estimates of exact scores, by depth and confidence.
fn print(
    observations: &[Observation],
    model: &ScoreCalibration,
    jsonl: bool,
    out: &mut dyn Write,
) -> Result<()> {
    if !jsonl {
        writeln!(out, "search     positions  error  estimate  sigma  within  (discs)")?;
    }
    let exact = || observations.iter().filter(|one| one.noise == 0.0);
    let mut rows: Vec<(String, Row)> = Vec::new();
    for depth in SHOWN_DEPTHS {
        let mut row = Row::default();
        let at_depth = |one: &&Observation| {
            let is_cut = one.features.cut_sigmas.is_finite();
            one.features.plies == Some(depth) && is_cut == (depth > 3)
        };
        exact().filter(at_depth).for_each(|one| row.add(one, model));
        rows.push((format!("depth {depth}"), row));
    }
    let mut ending = Row::default();
    let is_ending = |one: &&Observation| one.features.plies.is_none();
    exact().filter(is_ending).for_each(|one| ending.add(one, model));
    rows.push(("ending".to_owned(), ending));
    for (name, row) in rows.iter().filter(|(_, row)| row.count > 0.0) {
        let mean = |sum: f64| sum / row.count;
        let [before, after, sigma, within] =
            [row.before, row.after, row.sigma, row.covered].map(mean);
        if jsonl {
            let line = serde_json::json!({
                "search": name, "positions": row.count, "error_before": before,
                "error_after": after, "sigma": sigma, "within": within,
            });
            writeln!(out, "{line}")?;
        } else {
            writeln!(
                out,
                "{name:9}  {:>9}  {before:>5.2}  {after:>8.2}  {sigma:>5.2}  {:>4.1} %",
                row.count,
                100.0 * within
            )?;
        }
    }
    Ok(())
}

fn write_observations(path: &Path, observations: &[Observation]) -> Result<()> {
    let mut text = "kind,empties,plies,cut_sigmas,noise_log,value,truth,variance\n".to_owned();
    for Observation { features, value, truth, noise } in observations {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "{},{},{},{},{:.3}",
            if features.plies.is_some() { "depth" } else { "ending" },
            features.empties,
            features.plies.map_or(String::new(), |plies| plies.to_string()),
            features.cut_sigmas,
            features.noise.log()
        );
        let _ = writeln!(text, ",{value:.2},{truth},{noise:.2}");
    }
    std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
}
