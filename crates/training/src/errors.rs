//! Errors of the static evaluation, or of estimates, against known scores, by ply.

use derive_more::{Add, Sum};
use rayon::prelude::*;

use super::data::{Sample, SampleOutcome};
use umigame_othello::Position;
use umigame_support::picture::{self, Curve, Plot, Style};

/// Plies at which a side can have a move.
pub const PLIES: usize = 60;

/// Reference that values are compared with.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Truth {
    /// Exact score if known, otherwise the mean result of games.
    #[default]
    Score,
    /// Exact score; positions without one are skipped.
    Exact,
    /// Value of the deepest search.
    Search,
}

impl Truth {
    /// Returns the reference of a sample in centidiscs, or `None` if the sample has none.
    pub fn of(self, sample: &Sample) -> Option<i32> {
        match (self, sample.outcome()) {
            (Truth::Search, _) => sample.searched().map(|found| found.value.centidiscs()),
            (_, SampleOutcome::Exact(score)) => Some(score.to_eval().centidiscs()),
            (Truth::Score, SampleOutcome::Games(mean)) => Some(mean.centidiscs()),
            _ => None,
        }
    }
}

/// Sums over differences of values from their reference, in whole centidiscs, so that their order
/// does not matter.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Add, Sum)]
pub struct Errors {
    /// Number of positions.
    pub count: u64,
    sum: i64,
    absolute: i64,
    squares: i64,
}

impl Errors {
    fn add(&mut self, difference: i32) {
        let difference = i64::from(difference);
        self.count += 1;
        self.sum += difference;
        self.absolute += difference.abs();
        self.squares += difference * difference;
    }

    fn mean(self, sum: i64) -> f64 {
        sum as f64 / self.count.max(1) as f64
    }

    /// Returns the mean absolute error, in discs.
    pub fn mean_absolute(self) -> f64 {
        self.mean(self.absolute) / 100.0
    }

    /// Returns the mean squared error, in square discs.
    pub fn mean_square(self) -> f64 {
        self.mean(self.squares) / 10_000.0
    }

    /// Returns the mean error, in discs: positive if values are too high.
    pub fn bias(self) -> f64 {
        self.mean(self.sum) / 100.0
    }
}

/// Returns the errors at each ply of `evaluate`, which returns centidiscs for the side to move.
pub fn by_ply(
    samples: &[Sample],
    truth: Truth,
    evaluate: impl Fn(Position) -> i32 + Sync,
) -> [Errors; PLIES] {
    let none = || [Errors::default(); PLIES];
    let add = |mut errors: [Errors; PLIES], sample: &Sample| {
        if let Some(truth) = truth.of(sample)
            && let Some(errors) = errors.get_mut(sample.ply() as usize)
        {
            errors.add(evaluate(sample.position) - truth);
        }
        errors
    };
    let join =
        |one: [Errors; PLIES], two: [Errors; PLIES]| std::array::from_fn(|ply| one[ply] + two[ply]);
    samples.par_iter().fold(none, add).reduce(none, join)
}

/// Returns the errors at each ply of estimates, each given as its ply, the estimate and the truth in
/// centidiscs.
pub fn of_estimates(estimates: impl Iterator<Item = (u32, i32, i32)>) -> [Errors; PLIES] {
    let mut errors = [Errors::default(); PLIES];
    for (ply, estimate, truth) in estimates {
        if let Some(errors) = errors.get_mut(ply as usize) {
            errors.add(estimate - truth);
        }
    }
    errors
}

/// Draws mean absolute error and bias by ply as SVG.
///
/// # Errors
/// A message from the drawing library.
pub fn svg(errors: &[Errors; PLIES]) -> Result<String, String> {
    let plot = |title: &str, value: fn(Errors) -> f64| {
        let known = errors.iter().enumerate().filter(|(_, errors)| errors.count > 0);
        let points = known.map(|(ply, errors)| (ply as f64, value(*errors))).collect();
        let curve = Curve::new("evaluation", points, 0, Style::Line);
        Plot::new(title, "ply", 0.0..PLIES as f64, vec![curve])
    };
    picture::svg(&[
        plot("Mean absolute error, discs", Errors::mean_absolute),
        plot("Bias, discs", Errors::bias),
    ])
}
