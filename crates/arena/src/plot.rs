//! Plot of a match as SVG: Elo and disc difference with 95 % intervals, by pairs of games.

use std::ops::Range;

use plotters::prelude::*;

use umigame_support::picture::{self, Area, DrawError, SIZE};

use super::report::signed;
use super::standings::Standings;
use super::stats::{Estimate, Tally};

/// Elo at which a curve is cut off: a side that wins every game has an infinite Elo.
const MAX_PLOT_ELO: f64 = 1000.0;
/// Pairs before the interval counts for the scale: earlier ones are too wide.
const MIN_SCALE_PAIRS: usize = 8;

/// A curve: number of pairs, and the estimate after them.
type Curve = Vec<(f64, Estimate)>;

/// Draws the course of each pairing.
///
/// # Errors
/// The drawing library fails.
pub fn svg(standings: &Standings) -> Result<String, String> {
    picture::svg(|area| draw(area, standings))
}

fn draw(area: &Area<'_>, standings: &Standings) -> Result<(), DrawError> {
    let (top, bottom) = area.split_vertically(SIZE.1 as i32 / 2);
    let curves = |estimate: fn(&Tally) -> Option<Estimate>| -> Vec<Curve> {
        let curve = |course: &Vec<Tally>| {
            let points = course.iter().enumerate();
            points
                .filter_map(|(index, tally)| Some(((index + 1) as f64, estimate(tally)?)))
                .collect()
        };
        standings.course.iter().map(curve).collect()
    };
    let names: Vec<String> = standings
        .schedule
        .pairings
        .iter()
        .map(|&(first, second)| format!("{} - {}", standings.names[first], standings.names[second]))
        .collect();
    panel(&top, "Elo", &curves(|tally| tally.pairs.elo()), &names)?;
    panel(&bottom, "Discs a game", &curves(|tally| tally.pair_discs.estimate()), &names)
}

fn panel(
    area: &Area<'_>,
    title: &str,
    curves: &[Curve],
    names: &[String],
) -> Result<(), DrawError> {
    let pairs = curves.iter().flatten().map(|(pair, _)| *pair).fold(2.0, f64::max);
    let heights = heights(curves);
    let clip = |value: f64| value.clamp(heights.start, heights.end);
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .caption(format!("{title}, with 95 % interval"), ("sans-serif", 20))
        .x_label_area_size(36)
        .y_label_area_size(56)
        .build_cartesian_2d(0.0..pairs, heights.clone())?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_desc("pairs of games")
        .y_desc(title)
        .x_label_formatter(&|value| format!("{value:.0}"))
        .y_label_formatter(&|value| signed(*value, 1))
        .draw()?;
    chart.draw_series(LineSeries::new([(0.0, 0.0), (pairs, 0.0)], BLACK.mix(0.6)))?;
    for (index, (curve, name)) in curves.iter().zip(names).enumerate() {
        let color = Palette99::pick(index).to_rgba();
        let low = curve.iter().map(|(pair, it)| (*pair, clip(it.low)));
        let band: Vec<_> =
            curve.iter().map(|(pair, it)| (*pair, clip(it.high))).chain(low.rev()).collect();
        chart.draw_series(std::iter::once(Polygon::new(band, color.mix(0.15))))?;
        let points = curve.iter().map(|(pair, it)| (*pair, clip(it.value)));
        picture::curve(&mut chart, name, points, color)?;
    }
    picture::legend(&mut chart, SeriesLabelPosition::LowerRight)
}

/// Returns the vertical scale: zero, and every value and interval from [`MIN_SCALE_PAIRS`] on.
fn heights(curves: &[Curve]) -> Range<f64> {
    let (mut low, mut high) = (-1.0f64, 1.0f64);
    for curve in curves {
        for (index, (_, it)) in curve.iter().enumerate() {
            let settled = index + 1 >= MIN_SCALE_PAIRS.min(curve.len());
            let ends = if settled { [it.low, it.high] } else { [0.0, 0.0] };
            for value in ends.into_iter().chain(settled.then_some(it.value)) {
                let value = value.clamp(-MAX_PLOT_ELO, MAX_PLOT_ELO);
                low = low.min(value);
                high = high.max(value);
            }
        }
    }
    let room = (high - low) * 0.05;
    low - room..high + room
}
