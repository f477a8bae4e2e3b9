//! How far evaluations are from the truth, ply by ply, without any search.

use rayon::prelude::*;

use super::data::{Outcome, Sample};
use super::plot::{self, Panel, Style};
use umigame_othello::Position;

/// Plies at which somebody can move.
pub const PLIES: usize = 60;

/// What counts as the truth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Truth {
    /// The exact score, or else the mean result of games.
    #[default]
    Score,
    /// The exact score alone.
    Exact,
    /// The value of the deepest search.
    Search,
}

impl Truth {
    /// In centidiscs; `None` where it is not known of a position.
    pub fn of(self, sample: &Sample) -> Option<i32> {
        match (self, sample.outcome()) {
            (Truth::Search, _) => sample.searched().map(|found| found.value.centidiscs()),
            (_, Outcome::Exact(score)) => Some(score.to_eval().centidiscs()),
            (Truth::Score, Outcome::Games(mean)) => Some(mean.centidiscs()),
            _ => None,
        }
    }
}

/// Differences of evaluations from the truth, summed up. Sums are whole
/// numbers of centidiscs, so that their order does not matter.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Errors {
    /// How many positions.
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

    /// These and others together.
    #[must_use]
    pub fn with(self, other: &Errors) -> Errors {
        Errors {
            count: self.count + other.count,
            sum: self.sum + other.sum,
            absolute: self.absolute + other.absolute,
            squares: self.squares + other.squares,
        }
    }

    fn mean(self, sum: i64) -> f64 {
        sum as f64 / self.count.max(1) as f64
    }

    /// The mean distance from the truth, in discs.
    pub fn mean_absolute(self) -> f64 {
        self.mean(self.absolute) / 100.0
    }

    /// The mean of the squared distances, in square discs.
    pub fn mean_square(self) -> f64 {
        self.mean(self.squares) / 10_000.0
    }

    /// Those of all plies together.
    pub fn sum(errors: &[Errors]) -> Errors {
        errors.iter().fold(Errors::default(), |sum, errors| sum.with(errors))
    }

    /// How much too high evaluations are on the average, in discs.
    pub fn bias(self) -> f64 {
        self.mean(self.sum) / 100.0
    }
}

/// The errors at each ply of an evaluation in centidiscs for the side to
/// move.
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
    let join = |one: [Errors; PLIES], two: [Errors; PLIES]| {
        std::array::from_fn(|ply| one[ply].with(&two[ply]))
    };
    samples.par_iter().fold(none, add).reduce(none, join)
}

/// An evaluation's name and its errors at each ply.
pub type Curve = (String, [Errors; PLIES]);

/// Draws mean absolute error and bias of several evaluations by ply.
///
/// # Errors
/// A sentence from the drawing library.
pub fn svg(curves: &[Curve]) -> Result<String, String> {
    let panel = |title: &str, of: fn(Errors) -> f64| {
        let curve = |(color, (name, errors)): (usize, &Curve)| {
            let known = errors.iter().enumerate().filter(|(_, errors)| errors.count > 0);
            let points = known.map(|(ply, errors)| (ply as f64, of(*errors))).collect();
            plot::Curve { name: name.clone(), points, color, style: Style::Line }
        };
        Panel {
            title: title.to_owned(),
            across: "ply".to_owned(),
            span: 0.0..PLIES as f64,
            curves: curves.iter().enumerate().map(curve).collect(),
        }
    };
    plot::svg(&[
        panel("Mean absolute error, discs", Errors::mean_absolute),
        panel("Bias, discs", Errors::bias),
    ])
}
