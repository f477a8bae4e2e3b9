//! `umigame-lab learn fit-models`: the models of weights, fitted to searches with them.

mod tables;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use umigame_eval::Evaluation;
use umigame_eval::file::{FittedModels, Weights};
use umigame_training::data::Sample;
use umigame_training::errors::Truth;
use umigame_training::models::{ModelFit, Step, StepError, StepSettings};
use umigame_training::sources;

use super::common::{explain, parse_weights, read_weights, threads, write_weights};
use tables::Tables;
use umigame_support::exit::{Exit, bad_input, shown};
use umigame_support::interrupt::{INTERRUPTED, outcome, stop_when_interrupted};
use umigame_support::progress;

/// Fit the models of weights: ProbCut model, position noise and score calibration
///
/// Each step searches with the models that the steps before it have fitted:
/// calibrate, only where named, changes the weights themselves: for each phase, a line from the values of
/// searches with leaves at that phase, at 73 %, to known scores.
/// probcut compares the values of all depths at full confidence, and exact scores with few empties.
/// noise does so at 95 %, and fits which positions searches change more than others; phases with fewer
/// than 1,000 positions keep the average.
/// scores searches positions with known scores to every depth at 73 %, a part of them at other
/// confidences and to the end of the game, and fits estimates, standard deviations and probabilities.
/// Above --max-exact empties the results of games count, of which files that hold exact scores of the
/// same positions say how far they are from the truth; without such files they do not count.
///
/// A step of the default for which there are too few positions is left out, with a warning. What is
/// fitted does not depend on the number of threads.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  umigame-lab learn fit-models human.umi games.umi --into new.weights
  umigame-lab learn fit-models strong.umi --steps calibrate --into new.weights
  umigame-lab learn fit-models games.obf --steps probcut --positions 20 --depth 8 --solve 0
  umigame-lab learn fit-models human.umi --steps scores --sample 2000 --depth 8")]
pub(super) struct FitModelsArgs {
    /// Training data, or OBF lines, with scores for calibrate and scores
    #[arg(value_name = "FILES", required = true)]
    files: Vec<PathBuf>,

    /// Steps to take, whatever their order here [default: probcut,noise,scores]
    #[arg(long, value_name = "STEPS", value_enum, value_delimiter = ',')]
    steps: Vec<Step>,

    /// Fit the models of the weights in this file and store them there [default: those of --weights, and
    /// store nothing]
    #[arg(long, value_name = "WEIGHTS")]
    into: Option<PathBuf>,

    /// Maximum plies of the searches; 0, of calibrate, for the static evaluation [default: calibrate 8,
    /// probcut 10, noise 9, scores 15]
    #[arg(long, value_name = "0-30", value_parser = clap::value_parser!(u32).range(0..=30))]
    depth: Option<u32>,

    /// Maximum positions of probcut and noise for each number of empties [default: 100, 3000]
    #[arg(long, value_name = "COUNT")]
    positions: Option<usize>,

    /// Maximum empties of those that are solved [default: probcut 20, noise 18]
    #[arg(long, value_name = "0-30", value_parser = clap::value_parser!(u32).range(0..=30))]
    solve: Option<u32>,

    /// Maximum positions of calibrate and scores from each file, chosen at random [default: all, 2000]
    #[arg(long, value_name = "COUNT")]
    sample: Option<usize>,

    /// Reference of calibrate
    #[arg(long, value_name = "REFERENCE", value_enum, default_value_t)]
    truth: Truth,

    /// Minimum empties of positions with an exact score, of scores
    #[arg(long, value_name = "1-60", default_value_t = StepSettings::of(Step::Scores).min_empties,
          value_parser = clap::value_parser!(u32).range(1..=60))]
    min_empties: u32,

    /// Maximum empties at which exact scores are known, of scores; results of games count above
    #[arg(long, value_name = "1-60", default_value_t = StepSettings::of(Step::Scores).max_exact,
          value_parser = clap::value_parser!(u32).range(1..=60))]
    max_exact: u32,

    /// Write every observation of scores into this file, as comma-separated values
    #[arg(long, value_name = "FILE")]
    observations: Option<PathBuf>,

    /// Seed of the choice of positions
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// Positions searched at once [default: one for each core]
    #[arg(long, value_name = "1-256", value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: Option<u32>,

    /// Print one JSON object for each row
    #[arg(long)]
    jsonl: bool,
}

impl FitModelsArgs {
    /// Returns the steps in their order, those of the default if none is named.
    fn steps(&self) -> Result<Vec<Step>> {
        let mut steps = self.steps.clone();
        if steps.is_empty() {
            steps.extend(Step::MODELS);
        }
        steps.sort_unstable();
        steps.dedup();
        if self.observations.is_some() && !steps.contains(&Step::Scores) {
            return Err(bad_input("--observations: expected the step scores in --steps"));
        }
        for &step in &steps {
            if let Some(depth) = self.depth.filter(|&depth| depth < step.min_depth()) {
                let (name, min) = (step.name(), step.min_depth());
                return Err(bad_input(format!("--depth {depth}: step {name} takes {min} to 30")));
            }
        }
        Ok(steps)
    }

    fn settings(&self, step: Step) -> StepSettings {
        let default = StepSettings::of(step);
        StepSettings {
            depth: self.depth.unwrap_or(default.depth),
            positions: self.positions.unwrap_or(default.positions),
            solve: self.solve.unwrap_or(default.solve),
            sample: self.sample.unwrap_or(default.sample),
            truth: self.truth,
            min_empties: self.min_empties,
            max_exact: self.max_exact,
        }
    }

    /// Reads the weights to fit models of: those of `--into`, of `--weights`, or the embedded ones.
    fn weights(&self, named: Option<&Path>) -> Result<(Weights, FittedModels)> {
        let Some(into) = &self.into else {
            return match named {
                Some(named) => read_weights("--weights", named),
                None => Ok(parse_weights(Evaluation::embedded_file())?),
            };
        };
        let found = read_weights("--into", into)?;
        if let Some(named) = named
            && read_weights("--weights", named)?.0.checksum() != found.0.checksum()
        {
            let (into, named) = (shown(into), shown(named));
            return Err(bad_input(format!("--into: {into} has other weights than {named}")));
        }
        Ok(found)
    }
}

pub(super) fn run(
    weights: Option<&Path>,
    args: &FitModelsArgs,
    out: &mut dyn Write,
) -> Result<Exit> {
    let steps = args.steps()?;
    let (weights, models) = args.weights(weights)?;
    let sources: Result<Vec<Vec<Sample>>> =
        args.files.iter().map(|file| sources::read(file).map_err(explain)).collect();
    let mut fit = ModelFit {
        weights,
        models,
        sources: &sources?,
        seed: args.seed,
        threads: threads(args.threads),
        stop: &INTERRUPTED,
    };
    stop_when_interrupted()?;
    let mut tables = Tables::new(args.jsonl, out);
    let mut fitted = 0;
    for step in steps {
        let bar = progress::bar(Some(0), "positions");
        bar.set_message(step.name());
        let found = fit.take(step, &args.settings(step), &mut |done, all| {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        });
        bar.finish_and_clear();
        match found {
            Ok(found) => {
                tables.print(&found)?;
                if let Some(path) = &args.observations {
                    tables::write_observations(path, &found)?;
                }
                fitted += 1;
            }
            Err(StepError::Stopped) => return Ok(Exit::Interrupted),
            Err(StepError::Learn(error)) => return Err(explain(error)),
            Err(StepError::Insufficient(why)) if args.steps.is_empty() => {
                let (name, subject) = (step.name(), step.subject());
                log::warn!("step {name} is left out, the {subject} stays as it was: {why}");
            }
            Err(StepError::Insufficient(why)) => {
                let files: Vec<String> = args.files.iter().map(|file| shown(file)).collect();
                let (name, files) = (step.name(), files.join(", "));
                return Err(bad_input(format!("step {name}: {files}: {why}")));
            }
        }
    }
    if fitted == 0 {
        return Err(bad_input("no step could be taken"));
    }
    if let (Some(path), Exit::Done) = (&args.into, outcome()) {
        write_weights(path, &fit.weights, &fit.models)?;
    }
    Ok(outcome())
}
