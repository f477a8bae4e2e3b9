//! How far evaluations are from the truth, ply by ply, without any search.

use plotters::coord::Shift;
use plotters::prelude::*;
use rayon::prelude::*;

use super::data::{Outcome, Sample};
use crate::board::Position;

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
    fn of(self, sample: &Sample) -> Option<i32> {
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

/// Width and height of the picture, in pixels.
const SIZE: (u32, u32) = (960, 720);

/// Draws mean absolute error and bias of several evaluations by ply.
///
/// # Errors
/// A sentence from the drawing library.
pub fn svg(curves: &[(String, [Errors; PLIES])]) -> Result<String, String> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        draw(&area, curves).map_err(|error| error.to_string())?;
    }
    Ok(text)
}

type Problem = Box<dyn std::error::Error>;
type Curves<'a> = &'a [(String, [Errors; PLIES])];

fn draw(area: &DrawingArea<SVGBackend<'_>, Shift>, curves: Curves<'_>) -> Result<(), Problem> {
    area.fill(&WHITE)?;
    let (top, bottom) = area.split_vertically(SIZE.1 as i32 * 3 / 5);
    panel(&top, "Mean absolute error, discs", curves, Errors::mean_absolute)?;
    panel(&bottom, "Bias, discs", curves, Errors::bias)
}

fn panel(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    title: &str,
    curves: Curves<'_>,
    of: fn(Errors) -> f64,
) -> Result<(), Problem> {
    let points = |errors: &[Errors; PLIES]| -> Vec<(f64, f64)> {
        let known = errors.iter().enumerate().filter(|(_, errors)| errors.count > 0);
        known.map(|(ply, errors)| (ply as f64, of(*errors))).collect()
    };
    let heights = curves.iter().flat_map(|(_, errors)| points(errors)).map(|(_, height)| height);
    let (low, high) = heights.fold((0.0f64, 1.0f64), |(low, high), it| (low.min(it), high.max(it)));
    let room = (high - low) * 0.05;
    let low = if low < 0.0 { low - room } else { low };
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .caption(title, ("sans-serif", 20))
        .x_label_area_size(36)
        .y_label_area_size(56)
        .build_cartesian_2d(0.0..60.0, low..high + room)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_desc("ply")
        .x_label_formatter(&|ply| format!("{ply:.0}"))
        .y_label_formatter(&|height| format!("{height:.1}"))
        .draw()?;
    chart.draw_series(LineSeries::new([(0.0, 0.0), (60.0, 0.0)], BLACK.mix(0.6)))?;
    for (index, (name, errors)) in curves.iter().enumerate() {
        let color = Palette99::pick(index).to_rgba();
        chart
            .draw_series(LineSeries::new(points(errors), color.stroke_width(2)))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    Ok(())
}
