//! The rounds of learning from nothing, and the finish of the last weights.

use std::fs;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use super::super::data::{self, Sample, SampleOutcome, Writer, fold};
use super::super::error::{LearnError, io_error};
use super::super::errors::{self, Errors, PLIES, Truth};
use super::super::fit::{self, FitSettings, is_held_out};
use super::super::models::{ModelFit, Step, StepError, StepSettings};
use super::super::network::{self, NetworkSettings};
use super::super::play::{self, Until};
use super::plan::{Plan, Round};
use super::progress::Progress;
use super::record::{FinishedRound, Record};
use umigame_eval::file::{self, FittedModels, Weights, WeightsFile};
use umigame_eval::{Evaluation, SharedEvaluation};
use umigame_support::files;
use umigame_support::picture::{self, Curve, Plot, Style};

/// Weights of the last round, calibrated.
pub const WEIGHTS_FILE: &str = "umigame.weights";
/// Record of the work, for people and for resuming.
pub(crate) const RECORD_FILE: &str = "record.json";
/// Plot of the errors of each round's weights.
pub(crate) const LEARNING_FILE: &str = "learning.svg";
/// Plot of the errors of the last weights by ply.
pub(crate) const ERRORS_FILE: &str = "errors.svg";

/// Maximum number of positions that the last weights are calibrated on.
const MAX_CALIBRATION_POSITIONS: usize = 12_000;
/// Positions for each number of empties that the ProbCut model is fitted to.
const PROBCUT_POSITIONS: usize = 60;
/// The same of the position noise: 1,000 for each phase of two plies are the least.
const NOISE_POSITIONS: usize = 500;
/// Empties up to which the positions of the noise are solved: more would take minutes.
const NOISE_MAX_SOLVE: u32 = 12;

/// Does the work of `plan` that the folder does not hold yet, and returns its record, or `None` if
/// `stop` was set before the end.
///
/// `command` is noted in the record. `tell` is called with the progress.
///
/// # Errors
/// A folder that holds the work of another plan or damaged files; I/O errors.
pub fn learn(
    plan: &Plan,
    command: &str,
    folder: &Path,
    threads: usize,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&Progress),
) -> Result<Option<Record>, LearnError> {
    fs::create_dir_all(folder).map_err(io_error(folder))?;
    let record = Record::open(&folder.join(RECORD_FILE), plan, command)?;
    let (hours_before, begun) = (record.hours, Instant::now());
    let mut rounds = Rounds { plan, rounds: plan.rounds(), folder, record, threads, stop, tell };
    let complete = rounds.run_all()?;
    rounds.record.hours = hours_before + begun.elapsed().as_secs_f64() / 3600.0;
    let complete = complete && rounds.finish()?;
    rounds.record.write(&folder.join(RECORD_FILE))?;
    Ok(complete.then_some(rounds.record))
}

/// Returns the checksum of a weights file as text, empty if it is none.
fn checksum_of(bytes: &[u8]) -> String {
    WeightsFile::new(bytes)
        .map_or_else(|_| String::new(), |file| format!("{:08x}", file.checksum()))
}

/// Weights with their models.
struct FinishedWeights {
    weights: Weights,
    models: FittedModels,
}

struct Rounds<'a> {
    plan: &'a Plan,
    rounds: Vec<Round>,
    folder: &'a Path,
    record: Record,
    threads: usize,
    stop: &'a AtomicBool,
    tell: &'a mut dyn FnMut(&Progress),
}

impl Rounds<'_> {
    fn go_on(&self) -> ControlFlow<()> {
        if self.stop.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Returns the path of a file of a round, counted from 0.
    fn path(&self, at: usize, kind: &str) -> PathBuf {
        self.folder.join(format!("round-{}.{kind}", at + 1))
    }

    /// Tells the progress in round `at`: the shares of its games and of its fit that are done.
    fn tell(&mut self, at: usize, played: f64, fitted: f64) {
        let cost = |rounds: &[Round]| rounds.iter().map(Round::cost).sum::<f64>();
        let round = self.rounds[at];
        let done = cost(&self.rounds[..at])
            + played * round.play_cost()
            + fitted * (round.cost() - round.play_cost());
        (self.tell)(&Progress {
            round: at + 1,
            rounds: self.rounds.len(),
            is_fitting: fitted > 0.0 || played >= 1.0,
            share: done / cost(&self.rounds),
        });
    }

    /// Runs the rounds without weights; `false` if stopped.
    fn run_all(&mut self) -> Result<bool, LearnError> {
        for at in 0..self.rounds.len() {
            if !self.path(at, "weights").exists() && !self.run(at)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the evaluation after a number of rounds.
    fn evaluation_after(&self, rounds: usize) -> Result<Evaluation, LearnError> {
        let Some(last) = rounds.checked_sub(1) else { return Ok(Evaluation::nothing()) };
        let path = self.path(last, "weights");
        let bytes = fs::read(&path).map_err(io_error(&path))?;
        Evaluation::from_bytes(&bytes).map_err(|error| LearnError::source(&path, error))
    }

    /// Plays the games of a round and fits weights to them; `false` if stopped.
    fn run(&mut self, at: usize) -> Result<bool, LearnError> {
        let (begun, round) = (Instant::now(), self.rounds[at]);
        let teacher = SharedEvaluation::from(self.evaluation_after(at)?);
        let settings = self.plan.play_settings(at, round, teacher.clone());
        let mut writer = Writer::append(&self.path(at, "umi"))?;
        let mut games = writer.games(&settings.recipe());
        let share = |games: u64| games as f64 / round.games as f64;
        self.tell(at, share(games), 0.0);
        let until = Until::Games(round.games);
        play::play(&settings, until, self.threads, &mut writer, self.stop, |block| {
            games += u64::from(block.games);
            self.tell(at, share(games), 0.0);
        })?;
        if self.stop.load(Relaxed) {
            return Ok(false);
        }
        let played = begun.elapsed();
        let samples = self.samples(at)?;
        let Some(fitted) = self.fit(at, &samples) else { return Ok(false) };
        self.record.set(
            at,
            FinishedRound {
                round,
                positions: writer.records(),
                teacher: format!("{:08x}", teacher.checksum()),
                fitted_to: samples.len() as u64,
                weights: format!("{:08x}", fitted.checksum()),
                hours_played: played.as_secs_f64() / 3600.0,
                hours_fitted: (begun.elapsed() - played).as_secs_f64() / 3600.0,
                error: 0.0,
            },
        );
        self.record.write(&self.folder.join(RECORD_FILE))?;
        // Last, because it marks the round as finished.
        let path = self.path(at, "weights");
        files::replace(&path, &file::to_bytes(&fitted, &FittedModels::DEFAULT))
            .map_err(io_error(&path))?;
        Ok(true)
    }

    /// Returns the samples that a round is fitted to: its own and those of the round before. Of
    /// older rounds, whose teachers were weak, only exact scores, which depend on no teacher.
    fn samples(&self, at: usize) -> Result<Vec<Sample>, LearnError> {
        let files = |rounds: Range<usize>| -> Vec<PathBuf> {
            rounds.map(|round| self.path(round, "umi")).collect()
        };
        let recent = at.saturating_sub(1);
        let mut samples = data::load(&files(0..recent))?;
        samples.retain(|sample| matches!(sample.outcome(), SampleOutcome::Exact(_)));
        samples.extend(data::load(&files(recent..at + 1))?);
        fold(&mut samples);
        Ok(samples)
    }

    fn fit(&mut self, at: usize, samples: &[Sample]) -> Option<Weights> {
        let mut settings =
            FitSettings { iterations: self.plan.iterations, ..FitSettings::default() };
        if at == 0 {
            // The teacher of the first round values every position at 0.
            settings.targets.blend = 1.0;
        }
        let fitted = fit::fit(samples, &settings, None, |done| {
            self.tell(at, 1.0, done as f64 / fit::STEPS as f64);
            self.go_on()
        });
        fitted.map(|fitted| fitted.weights)
    }

    /// Compares the weights of all rounds on the validation set of the last round, draws the plots
    /// and finishes the last weights; `false` if stopped.
    fn finish(&mut self) -> Result<bool, LearnError> {
        let last = self.rounds.len() - 1;
        let mut held_out = data::load(&[self.path(last, "umi")])?;
        held_out.retain(is_held_out);
        let errors_after = |rounds: usize| {
            let evaluation = self.evaluation_after(rounds)?;
            let value = |position| evaluation.evaluate_position(position);
            Ok(errors::by_ply(&held_out, Truth::Score, value))
        };
        let errors: Result<Vec<_>, LearnError> =
            (1..=self.rounds.len()).map(errors_after).collect();
        let errors = errors?;
        self.record.set_errors(&errors);
        self.write_picture(LEARNING_FILE, &self.learning_curves(&errors))?;
        self.write_picture(ERRORS_FILE, &errors::svg(&errors[last]))?;
        let path = self.folder.join(WEIGHTS_FILE);
        if fs::read(&path).is_ok_and(|bytes| self.record.weights == checksum_of(&bytes)) {
            return Ok(true);
        }
        let Some(finished) = self.finish_weights(last, &held_out)? else { return Ok(false) };
        self.record.weights = format!("{:08x}", finished.weights.checksum());
        let bytes = file::to_bytes(&finished.weights, &finished.models);
        files::replace(&path, &bytes).map_err(io_error(&path))?;
        Ok(true)
    }

    /// Trains a network for the last weights, calibrates them and fits their models as far as the
    /// positions suffice; `None` if stopped.
    fn finish_weights(
        &self,
        last: usize,
        held_out: &[Sample],
    ) -> Result<Option<FinishedWeights>, LearnError> {
        let path = self.path(last, "weights");
        let bytes = fs::read(&path).map_err(io_error(&path))?;
        let weights = file::from_bytes(&bytes).map_err(|error| LearnError::source(&path, error))?;
        let Some(weights) = self.with_network(last, weights)? else { return Ok(None) };
        let mut fit = ModelFit {
            weights,
            models: FittedModels::DEFAULT,
            sources: &[held_out.to_vec()],
            seed: self.plan.seed,
            threads: self.threads,
            stop: self.stop,
        };
        let (depth, solve) = (u32::from(self.plan.depth), u32::from(self.plan.exact));
        // No scores: the exact ones of these games lie in endings alone.
        for step in [Step::Calibrate, Step::Probcut, Step::Noise] {
            let settings = StepSettings {
                depth: if step == Step::Calibrate {
                    depth
                } else {
                    (depth + 2).max(step.min_depth())
                },
                positions: if step == Step::Noise { NOISE_POSITIONS } else { PROBCUT_POSITIONS },
                solve: if step == Step::Noise { solve.min(NOISE_MAX_SOLVE) } else { solve },
                sample: MAX_CALIBRATION_POSITIONS,
                ..StepSettings::of(step)
            };
            match fit.take(step, &settings, &mut |_, _| ()) {
                Ok(_) | Err(StepError::Insufficient(_)) => {}
                Err(StepError::Stopped) => return Ok(None),
                Err(StepError::Learn(error)) => return Err(error),
            }
        }
        Ok(Some(FinishedWeights { weights: fit.weights, models: fit.models }))
    }

    /// Returns the weights of a round with a network if that lowers the validation error (a network
    /// takes more positions than weights do), otherwise without; `None` if stopped.
    fn with_network(&self, at: usize, weights: Weights) -> Result<Option<Weights>, LearnError> {
        let settings = NetworkSettings { seed: self.plan.seed, ..NetworkSettings::default() };
        let trained = network::train(&self.samples(at)?, &weights, &settings, |_| self.go_on());
        Ok(trained.map(|trained| if trained.is_better() { trained.weights } else { weights }))
    }

    fn write_picture(
        &self,
        name: &str,
        picture: &Result<String, String>,
    ) -> Result<(), LearnError> {
        let path = self.folder.join(name);
        match picture {
            Ok(text) => files::replace(&path, text.as_bytes()).map_err(io_error(&path)),
            Err(why) => Err(LearnError::source(&path, why)),
        }
    }

    /// Draws the errors in three parts of the game over the number of positions played.
    fn learning_curves(&self, rounds: &[[Errors; PLIES]]) -> Result<String, String> {
        let mut sum = 0;
        let thousands = |round: &FinishedRound| {
            sum += round.positions;
            sum as f64 / 1000.0
        };
        let positions: Vec<f64> = self.record.rounds.iter().map(thousands).collect();
        let end = positions.last().copied().unwrap_or(1.0) * 1.05;
        let parts = [(0..20, "ply 0-19"), (20..40, "ply 20-39"), (40..PLIES, "ply 40-59")];
        let curve = |(color, (plies, name)): (usize, (Range<usize>, &str))| {
            let error = |errors: &[Errors]| {
                errors[plies.clone()].iter().copied().sum::<Errors>().mean_absolute()
            };
            let points = positions.iter().zip(rounds).map(|(&at, errors)| (at, error(errors)));
            Curve::new(name, points.collect(), color, Style::Marked)
        };
        let curves = parts.into_iter().enumerate().map(curve).collect();
        let title = "Mean absolute error after each round, discs";
        picture::svg(&[Plot::new(title, "thousands of positions", 0.0..end, curves)])
    }
}
