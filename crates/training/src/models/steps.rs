//! The steps of fitting models, each of which searches with what the steps before it fitted.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::calibrate::{self, CalibrationLine, CalibrationPair};
use super::noise::{self, PhaseFit};
use super::probcut::{self, Cell, Profile, ProfileSettings};
use super::scores::{self, Observation};
use crate::data::Sample;
use crate::error::LearnError;
use crate::errors::Truth;
use crate::searches::Searches;
use crate::sources::keep_random;
use umigame_engine::Confidence;
use umigame_eval::file::{self, FittedModels, Weights};
use umigame_eval::patterns::{PHASES, phase_of};
use umigame_eval::{Evaluation, ProbCutModel, ScoreCalibration, SharedEvaluation};
use umigame_othello::Position;

/// A step. The order is that in which each depends on those before.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Step {
    /// Scale and offset of the values of each phase: it changes the weights themselves.
    Calibrate,
    /// How far shallow searches are from deep ones.
    Probcut,
    /// Which positions searches change more than others.
    Noise,
    /// Estimates of final scores, and how sure they are.
    Scores,
}

impl Step {
    /// Steps that fit models and leave the weights as they are.
    pub const MODELS: [Step; 3] = [Step::Probcut, Step::Noise, Step::Scores];

    /// Returns the name in commands.
    pub fn name(self) -> &'static str {
        match self {
            Step::Calibrate => "calibrate",
            Step::Probcut => "probcut",
            Step::Noise => "noise",
            Step::Scores => "scores",
        }
    }

    /// Returns what the step fits.
    pub fn subject(self) -> &'static str {
        match self {
            Step::Calibrate => "weights",
            Step::Probcut => "ProbCut model",
            Step::Noise => "position noise",
            Step::Scores => "score calibration",
        }
    }

    /// Returns the least depth of its searches: differences of less would say nothing.
    pub fn min_depth(self) -> u32 {
        match self {
            Step::Calibrate => 0,
            Step::Probcut | Step::Scores => 1,
            Step::Noise => 4,
        }
    }
}

/// What a step searches. Each step reads the fields that name it.
#[derive(Clone, Copy, Debug)]
pub struct StepSettings {
    /// Maximum plies of the searches, of all steps.
    pub depth: u32,
    /// Maximum positions for each number of empties, of ProbCut and noise.
    pub positions: usize,
    /// Empties up to which those are solved.
    pub solve: u32,
    /// Maximum positions of each source, chosen at random, of calibration and scores.
    pub sample: usize,
    /// Reference of calibration.
    pub truth: Truth,
    /// Minimum empties of exact scores, of scores.
    pub min_empties: u32,
    /// Maximum empties at which exact scores are known, of scores: results of games count above.
    pub max_exact: u32,
}

impl StepSettings {
    /// Returns the settings for weights from millions of games.
    pub fn of(step: Step) -> StepSettings {
        let (depth, positions, solve, sample) = match step {
            Step::Calibrate => (8, 0, 0, usize::MAX),
            Step::Probcut => (10, 100, 20, 0),
            Step::Noise => (9, 3000, 18, 0),
            Step::Scores => (15, 0, 0, 2000),
        };
        let (truth, min_empties, max_exact) = (Truth::Score, 12, 26);
        StepSettings { depth, positions, solve, sample, truth, min_empties, max_exact }
    }

    fn profiles_at(&self, confidence: Confidence) -> ProfileSettings {
        ProfileSettings { depth: self.depth, solve: self.solve, confidence }
    }
}

/// What a step has found.
#[derive(Debug)]
pub enum Fitted {
    /// Pairs of values and scores, and the lines through them.
    Calibrate {
        /// What the lines are fitted to.
        pairs: Vec<CalibrationPair>,
        /// Line of each phase.
        lines: Vec<CalibrationLine>,
    },
    /// Differences between depths, and the model of them.
    Probcut {
        /// Number of positions.
        positions: usize,
        /// What the model is fitted to.
        cells: Vec<Cell>,
        /// The model.
        model: ProbCutModel,
    },
    /// The noise of each phase that has enough positions.
    Noise {
        /// Number of positions.
        positions: usize,
        /// The fits.
        phases: Vec<PhaseFit>,
    },
    /// Values of searches beside known scores, and the calibration to them.
    Scores {
        /// Number of positions.
        positions: usize,
        /// What the calibration is fitted to.
        observations: Vec<Observation>,
        /// The calibration.
        model: Box<ScoreCalibration>,
    },
}

/// Reason why a step fits nothing.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// The positions or the weights do not suffice.
    #[error("{0}")]
    Insufficient(&'static str),
    /// `stop` was set.
    #[error("stopped")]
    Stopped,
    /// The searches failed.
    #[error(transparent)]
    Learn(#[from] LearnError),
}

/// What a step has found, or why it found nothing.
pub type StepResult<T = Fitted> = Result<T, StepError>;

/// Called with the number of positions searched, and that of all positions of the step.
pub type Progress<'a> = &'a mut dyn FnMut(usize, usize);

/// Weights and their models while they are fitted.
#[derive(Debug)]
pub struct ModelFit<'a> {
    /// The weights; calibration changes them.
    pub weights: Weights,
    /// What the steps have fitted; the rest is as it was before.
    pub models: FittedModels,
    /// Positions, those of each file by themselves.
    pub sources: &'a [Vec<Sample>],
    /// Seed of the choice of positions.
    pub seed: u64,
    /// Positions searched at once. What is fitted does not depend on it.
    pub threads: usize,
    /// Ends the searches when it is set.
    pub stop: &'a AtomicBool,
}

impl ModelFit<'_> {
    /// Takes a step: searches with the weights and the models so far, fits and stores the fit.
    ///
    /// # Errors
    /// Too few positions, a stop, or no memory for a transposition table. Then nothing has changed.
    pub fn take(
        &mut self,
        step: Step,
        settings: &StepSettings,
        progress: Progress<'_>,
    ) -> StepResult {
        match step {
            Step::Calibrate => self.calibrate(settings, progress),
            Step::Probcut => self.probcut(settings, progress),
            Step::Noise => self.noise(settings, progress),
            Step::Scores => self.scores(settings, progress),
        }
    }

    /// Returns the evaluation of the weights with the models so far.
    fn evaluation(&self) -> SharedEvaluation {
        let bytes = file::to_bytes(&self.weights, &self.models);
        Evaluation::from_bytes(&bytes).expect("a file of sound weights").into()
    }

    /// Returns what searches with an evaluation.
    fn searches<'b>(&'b self, evaluation: &'b SharedEvaluation) -> Searches<'b> {
        Searches { evaluation, threads: self.threads, stop: self.stop }
    }

    /// Returns what was found, unless the search for more was stopped.
    fn unless_stopped<T>(&self, found: T) -> StepResult<T> {
        if self.stop.load(Relaxed) { Err(StepError::Stopped) } else { Ok(found) }
    }

    fn calibrate(&mut self, settings: &StepSettings, progress: Progress<'_>) -> StepResult {
        let mut samples = Vec::new();
        for source in self.sources {
            let known = source.iter().filter(|sample| settings.truth.of(sample).is_some());
            let mut known: Vec<Sample> = known.cloned().collect();
            keep_random(&mut known, settings.sample, self.seed);
            samples.extend(known);
        }
        let (evaluation, done) = (self.evaluation(), counter(samples.len(), progress));
        let searches = self.searches(&evaluation);
        let pairs = calibrate::pairs(&samples, settings.truth, settings.depth, searches, done)?;
        if self.unless_stopped(&pairs)?.is_empty() {
            return Err(StepError::Insufficient("no position with such a score"));
        }
        let lines = calibrate::lines(&pairs);
        calibrate::apply(&mut self.weights, &lines);
        Ok(Fitted::Calibrate { pairs, lines: lines.to_vec() })
    }

    fn probcut(&mut self, settings: &StepSettings, progress: Progress<'_>) -> StepResult {
        let (positions, evaluation) = (self.positions(settings), self.evaluation());
        let settings = settings.profiles_at(Confidence::FULL);
        let profiles = self.profiles(&positions, settings, &evaluation, progress)?;
        let cells = probcut::cells(&profiles);
        let model = probcut::fit(&cells)
            .ok_or(StepError::Insufficient("too few positions or too small depths for a fit"))?;
        self.models.probcut = model;
        Ok(Fitted::Probcut { positions: profiles.len(), cells, model })
    }

    fn noise(&mut self, settings: &StepSettings, progress: Progress<'_>) -> StepResult {
        const NO_NETWORK: StepError = StepError::Insufficient("the weights have no network");
        const TOO_FEW: StepError =
            StepError::Insufficient("too few positions for a fit: no phase has 1,000");
        if self.weights.network.is_none() {
            return Err(NO_NETWORK);
        }
        let mut positions = self.positions(settings);
        let mut counts = [0; PHASES];
        positions.iter().for_each(|position| counts[phase_of(position.empties())] += 1);
        let some = !positions.is_empty();
        positions.retain(|position| counts[phase_of(position.empties())] >= noise::MIN_POSITIONS);
        if some && positions.is_empty() {
            return Err(TOO_FEW);
        }
        let evaluation = self.evaluation();
        let settings = settings.profiles_at(Confidence::P95);
        let profiles = self.profiles(&positions, settings, &evaluation, progress)?;
        let (model, phases) = noise::fit(&profiles, &evaluation).ok_or(NO_NETWORK)?;
        if phases.is_empty() {
            return Err(TOO_FEW);
        }
        self.models.noise = model;
        Ok(Fitted::Noise { positions: profiles.len(), phases })
    }

    fn scores(&mut self, settings: &StepSettings, progress: Progress<'_>) -> StepResult {
        let StepSettings { depth, sample, min_empties, max_exact, .. } = *settings;
        let mut known = scores::known_scores(self.sources, min_empties, max_exact);
        known.iter_mut().for_each(|of_source| keep_random(of_source, sample, self.seed));
        let known = known.concat();
        if known.is_empty() {
            return Err(StepError::Insufficient("no position with a known score"));
        }
        let (evaluation, done) = (self.evaluation(), counter(known.len(), progress));
        let observations = scores::observe(&known, depth, self.searches(&evaluation), done)?;
        let model = scores::fit(self.unless_stopped(&observations)?, &self.models.calibration)
            .ok_or(StepError::Insufficient("too few positions with known scores for a fit"))?;
        self.models.calibration = model;
        Ok(Fitted::Scores { positions: known.len(), observations, model: Box::new(model) })
    }

    /// Returns positions of all sources, up to the maximum for each number of empties.
    fn positions(&self, settings: &StepSettings) -> Vec<Position> {
        probcut::choose(self.sources.iter().flatten(), settings.positions, self.seed)
    }

    /// Searches positions at all depths.
    fn profiles(
        &self,
        positions: &[Position],
        settings: ProfileSettings,
        evaluation: &SharedEvaluation,
        progress: Progress<'_>,
    ) -> StepResult<Vec<Profile>> {
        if positions.is_empty() {
            return Err(StepError::Insufficient("no position to search"));
        }
        let done = counter(positions.len(), progress);
        let profiles = probcut::profiles(positions, settings, self.searches(evaluation), done)?;
        self.unless_stopped(profiles)
    }
}

/// Returns a function that counts positions and tells how many are done.
fn counter(all: usize, progress: Progress<'_>) -> impl FnMut() {
    let mut done = 0;
    progress(done, all);
    move || {
        done += 1;
        progress(done, all);
    }
}
