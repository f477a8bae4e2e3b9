//! The whole road, from nothing to weights: rounds of games that each have
//! the weights of the round before for a teacher.
//!
//! The first teacher knows nothing, so that its games are decided by the
//! endings, which are solved exactly. From round to round there are more
//! games, of deeper searches. What is done is read from the folder: the games
//! of a round are a file of training data, its weights the mark that it is
//! over. So the road goes on where it was left, and one that was left often
//! comes to the same weights.

mod plan;
mod record;
#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use super::LearnError;
use super::calibrate;
use super::data::{self, DataError, Outcome, Sample, Writer, fold};
use super::errors::{self, Errors, PLIES, Truth};
use super::fit::{self, FitSettings, is_held_out};
use super::network::{self, NetworkSettings};
use super::play::{self, Until};
use super::plot::{self, Curve, Panel, Style};
use super::probcut::{self, ProfileSettings};
use crate::files;
use umigame_engine::eval::file::{self, Weights, WeightsFile};
use umigame_engine::eval::{ErrorModel, Evaluation, MidBoard, SharedEvaluation};

pub use plan::{Plan, Round};
pub use record::{Done, OfPly, Record};

/// The weights of the last round.
pub const WEIGHTS: &str = "umigame.weights";
/// What was done, for people and for the next run.
pub const RECORD: &str = "record.json";
/// The errors of each round's weights, drawn.
pub const LEARNING: &str = "learning.svg";
/// The errors of the last weights by ply, drawn.
pub const ERRORS: &str = "errors.svg";

/// Positions that the last weights are calibrated on, at most.
const MOST_CALIBRATED: usize = 12_000;
/// Positions for each number of empties that ProbCut's deviations are
/// measured on.
const PROBED: usize = 60;

/// How far the work has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// The round at hand, from 1.
    pub round: usize,
    /// How many there are.
    pub rounds: usize,
    /// Whether its games are played and its weights are being fitted.
    pub is_fitting: bool,
    /// How much of the work is done, 0 to 1, by what it is expected to cost.
    pub share: f64,
}

/// Goes the whole road, or what is left of it: its record once the end is
/// reached, `None` where `stop` came first. `command` is for the record.
///
/// # Errors
/// A folder that holds another plan's road, or anything damaged; what the
/// system says.
pub fn learn(
    plan: &Plan,
    command: &str,
    folder: &Path,
    threads: usize,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&Progress),
) -> Result<Option<Record>, LearnError> {
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let record = Record::open(&folder.join(RECORD), plan, command)?;
    let (before, begun) = (record.hours, Instant::now());
    let mut road = Road { plan, rounds: plan.rounds(), folder, record, threads, stop, tell };
    let mut go = || -> Result<bool, LearnError> {
        for at in 0..road.rounds.len() {
            if !road.path(at, "weights").exists() && !road.round(at)? {
                return Ok(false);
            }
        }
        Ok(true)
    };
    let at_end = go()?;
    road.record.hours = before + begun.elapsed().as_secs_f64() / 3600.0;
    let at_end = at_end && road.finish()?;
    road.record.write(&folder.join(RECORD))?;
    Ok(at_end.then_some(road.record))
}

/// What the weights of a file are known by; nothing where it is none.
fn number_of(bytes: &[u8]) -> String {
    WeightsFile::new(bytes)
        .map_or_else(|_| String::new(), |file| format!("{:08x}", file.checksum()))
}

fn failed(path: &Path) -> impl Fn(io::Error) -> LearnError + '_ {
    |error| DataError::Io { path: path.to_owned(), error }.into()
}

struct Road<'a> {
    plan: &'a Plan,
    rounds: Vec<Round>,
    folder: &'a Path,
    record: Record,
    threads: usize,
    stop: &'a AtomicBool,
    tell: &'a mut dyn FnMut(&Progress),
}

impl Road<'_> {
    /// Whether a fit goes on: not after it was stopped.
    fn go_on(&self) -> ControlFlow<()> {
        if self.stop.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// The file of a round, from 0.
    fn path(&self, at: usize, kind: &str) -> PathBuf {
        self.folder.join(format!("round-{}.{kind}", at + 1))
    }

    /// Tells that so much of a round's games, and then of its fit, is done.
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

    /// The evaluation that a round made; before the first, one that knows
    /// nothing.
    fn made_by(&self, rounds: usize) -> Result<Evaluation, LearnError> {
        let Some(last) = rounds.checked_sub(1) else { return Ok(Evaluation::nothing()) };
        let path = self.path(last, "weights");
        let bytes = fs::read(&path).map_err(failed(&path))?;
        Evaluation::from_bytes(&bytes)
            .map_err(|error| LearnError::Source { path: path.clone(), why: error.to_string() })
    }

    /// Plays the games of a round and makes weights of them: `false` where it
    /// was stopped.
    fn round(&mut self, at: usize) -> Result<bool, LearnError> {
        let (begun, round) = (Instant::now(), self.rounds[at]);
        let teacher = SharedEvaluation::from(self.made_by(at)?);
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
            Done {
                depth: round.depth,
                exact: round.exact,
                games: round.games,
                positions: writer.records(),
                teacher: format!("{:08x}", teacher.checksum()),
                fitted_to: samples.len() as u64,
                weights: format!("{:08x}", fitted.checksum()),
                hours_played: played.as_secs_f64() / 3600.0,
                hours_fitted: (begun.elapsed() - played).as_secs_f64() / 3600.0,
                error: 0.0,
            },
        );
        self.record.write(&self.folder.join(RECORD))?;
        // Last: it says that the round is over.
        let path = self.path(at, "weights");
        files::replace(&path, &file::to_bytes(&fitted, &ErrorModel::DEFAULT))
            .map_err(failed(&path))?;
        Ok(true)
    }

    /// What weights are fitted to after a round: its positions and those of
    /// the round before; of older rounds, whose teachers knew little, only
    /// what does not depend on a teacher.
    fn samples(&self, at: usize) -> Result<Vec<Sample>, LearnError> {
        let files = |rounds: std::ops::Range<usize>| -> Vec<PathBuf> {
            rounds.map(|round| self.path(round, "umi")).collect()
        };
        let recent = at.saturating_sub(1);
        let mut samples = data::load(&files(0..recent))?;
        samples.retain(|sample| matches!(sample.outcome(), Outcome::Exact(_)));
        samples.extend(data::load(&files(recent..at + 1))?);
        fold(&mut samples);
        Ok(samples)
    }

    fn fit(&mut self, at: usize, samples: &[Sample]) -> Option<Weights> {
        let mut settings =
            FitSettings { iterations: self.plan.iterations, ..FitSettings::default() };
        if at == 0 {
            // What a search says that knows nothing is worth nothing.
            settings.targets.blend = 1.0;
        }
        let fitted = fit::fit(samples, &settings, None, |done| {
            self.tell(at, 1.0, done as f64 / fit::STEPS as f64);
            self.go_on()
        });
        fitted.map(|fitted| fitted.weights)
    }

    /// Compares the weights of all rounds on positions that no fit has seen,
    /// those of the last round, writes what there is to show, and gives the
    /// last weights their finish: `false` where that was stopped.
    fn finish(&mut self) -> Result<bool, LearnError> {
        let last = self.rounds.len() - 1;
        let mut samples = data::load(&[self.path(last, "umi")])?;
        samples.retain(is_held_out);
        let of = |evaluation: &Evaluation| {
            errors::by_ply(&samples, Truth::Score, |position| {
                evaluation.evaluate(&MidBoard::new(position))
            })
        };
        let made: Result<Vec<_>, LearnError> =
            (1..=self.rounds.len()).map(|rounds| Ok(of(&self.made_by(rounds)?))).collect();
        let made = made?;
        self.record.set_errors(&made);
        self.write(LEARNING, &self.learning(&made))?;
        self.write(ERRORS, &errors::svg(&made[last]))?;
        let path = self.folder.join(WEIGHTS);
        if fs::read(&path).is_ok_and(|bytes| self.record.weights == number_of(&bytes)) {
            return Ok(true);
        }
        let Some((weights, deviations)) = self.tuned(last, &samples)? else { return Ok(false) };
        self.record.weights = format!("{:08x}", weights.checksum());
        files::replace(&path, &file::to_bytes(&weights, &deviations)).map_err(failed(&path))?;
        Ok(true)
    }

    /// The last weights, calibrated on positions held out, and what ProbCut
    /// must know of them; `None` where it was stopped.
    fn tuned(
        &self,
        last: usize,
        held_out: &[Sample],
    ) -> Result<Option<(Weights, ErrorModel)>, LearnError> {
        let path = self.path(last, "weights");
        let bytes = fs::read(&path).map_err(failed(&path))?;
        let damaged = |why: String| LearnError::Source { path: path.clone(), why };
        let weights = file::from_bytes(&bytes).map_err(|error| damaged(error.to_string()))?;
        let Some(mut weights) = self.with_network(last, weights)? else { return Ok(None) };
        let (depth, solve) = (u32::from(self.plan.depth), u32::from(self.plan.exact));
        let mut chosen = held_out.to_vec();
        fastrand::Rng::with_seed(self.plan.seed).shuffle(&mut chosen);
        chosen.truncate(MOST_CALIBRATED);
        let damaged_now = || damaged("too few weights".into());
        let uncalibrated = Evaluation::from_weights(&weights).ok_or_else(damaged_now)?;
        let how = (depth, &uncalibrated.into());
        let pairs = calibrate::pairs(&chosen, Truth::Score, how, self.threads, self.stop, || ())?;
        calibrate::apply(&mut weights, &calibrate::lines(&pairs));
        let evaluation = Evaluation::from_weights(&weights).ok_or_else(damaged_now)?.into();
        let positions = probcut::choose(held_out, PROBED, self.plan.seed);
        let settings = ProfileSettings { depth: depth + 2, solve };
        let profiles =
            probcut::profiles(&positions, settings, &evaluation, self.threads, self.stop, || ())?;
        let fitted = probcut::fit(&probcut::cells(&profiles));
        let tuned = (weights, fitted.unwrap_or(ErrorModel::DEFAULT));
        Ok((!self.stop.load(Relaxed)).then_some(tuned))
    }

    /// The weights of a round with a network that corrects them, if that
    /// makes them better: it takes more positions than weights do. `None`
    /// where it was stopped.
    fn with_network(&self, at: usize, weights: Weights) -> Result<Option<Weights>, LearnError> {
        let settings = NetworkSettings { seed: self.plan.seed, ..NetworkSettings::default() };
        let trained = network::train(&self.samples(at)?, &weights, &settings, |_| self.go_on());
        Ok(trained.map(|trained| if trained.is_better() { trained.weights } else { weights }))
    }

    fn write(&self, name: &str, picture: &Result<String, String>) -> Result<(), LearnError> {
        let path = self.folder.join(name);
        match picture {
            Ok(text) => files::replace(&path, text.as_bytes()).map_err(failed(&path)),
            Err(why) => Err(LearnError::Source { path, why: why.clone() }),
        }
    }

    /// Mean errors in three parts of the game over the positions played.
    fn learning(&self, made: &[[Errors; PLIES]]) -> Result<String, String> {
        let mut sum = 0;
        let positions: Vec<f64> = self
            .record
            .rounds
            .iter()
            .map(|done| {
                sum += done.positions;
                sum as f64 / 1000.0
            })
            .collect();
        let end = positions.last().copied().unwrap_or(1.0) * 1.05;
        let parts = [(0..20, "ply 0-19"), (20..40, "ply 20-39"), (40..PLIES, "ply 40-59")];
        let mut curves = Vec::new();
        for (color, (plies, name)) in parts.into_iter().enumerate() {
            let error = |errors: &[Errors]| Errors::sum(&errors[plies.clone()]).mean_absolute();
            let points = positions.iter().zip(made).map(|(&at, errors)| (at, error(errors)));
            curves.push(Curve {
                name: name.to_owned(),
                points: points.collect(),
                color,
                style: Style::Marked,
            });
        }
        plot::svg(&[Panel {
            title: "Mean absolute error after each round, discs".to_owned(),
            across: "thousands of positions".to_owned(),
            span: 0.0..end,
            curves,
        }])
    }
}
