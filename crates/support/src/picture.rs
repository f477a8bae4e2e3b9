//! Plots of curves as SVG.

use std::ops::Range;

use plotters::coord::Shift;
pub use plotters::prelude::SeriesLabelPosition as Corner;
use plotters::prelude::*;

/// Width and height of a picture, in pixels.
const SIZE: (u32, u32) = (960, 720);
/// Height of the first of two plots, in percent.
const FIRST_PLOT_PERCENT: u32 = 60;

/// One plot of a picture.
#[derive(Clone, Debug)]
pub struct Plot {
    /// Title: the quantity drawn, with its unit.
    pub title: String,
    /// Label of the x axis.
    pub across: &'static str,
    /// Range of the x axis.
    pub span: Range<f64>,
    /// Range of the y axis; curves are cut off there.
    pub heights: Range<f64>,
    /// Curves, back to front.
    pub curves: Vec<Curve>,
    /// Place of the legend.
    pub legend: Corner,
}

impl Plot {
    /// Makes a plot of all points, with zero; the legend is on the upper right.
    pub fn new(title: &str, across: &'static str, span: Range<f64>, curves: Vec<Curve>) -> Plot {
        let points = curves.iter().flat_map(|curve| &curve.points);
        let heights = range(points.map(|(_, height)| *height), 0.0..1.0);
        Plot { title: title.to_owned(), across, span, heights, curves, legend: Corner::UpperRight }
    }
}

/// A named sequence of points.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Name in the legend; without one it is not there.
    pub name: String,
    /// Points, from left to right; of a band those of its outline.
    pub points: Vec<(f64, f64)>,
    /// Number of the color.
    pub color: usize,
    /// What is drawn.
    pub style: Style,
}

impl Curve {
    /// Makes a curve of its parts.
    pub fn new(name: &str, points: Vec<(f64, f64)>, color: usize, style: Style) -> Curve {
        Curve { name: name.to_owned(), points, color, style }
    }
}

/// How the points of a curve are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// As a line.
    Line,
    /// As a line with a mark at each point.
    Marked,
    /// As a light area with these corners.
    Band,
}

/// Returns the outline of the band between two lines.
pub fn outline(
    points: impl DoubleEndedIterator<Item = (f64, f64, f64)> + Clone,
) -> Vec<(f64, f64)> {
    let high = points.clone().map(|(x, _, high)| (x, high));
    high.chain(points.rev().map(|(x, low, _)| (x, low))).collect()
}

/// Returns the range of all values and of those given, with some room.
pub fn range(values: impl Iterator<Item = f64>, least: Range<f64>) -> Range<f64> {
    let wider = |range: Range<f64>, value: f64| range.start.min(value)..range.end.max(value);
    let Range { start, end } = values.fold(least, wider);
    let room = (end - start) * 0.05;
    if start < 0.0 { start - room..end + room } else { start..end + room }
}

/// Draws one plot, or two one below the other, on white.
///
/// # Errors
/// A message from the drawing library.
pub fn svg(plots: &[Plot]) -> Result<String, String> {
    let mut text = String::new();
    draw(SVGBackend::with_string(&mut text, SIZE).into_drawing_area(), plots)
        .map_err(|error| error.to_string())?;
    Ok(text)
}

type DrawError = Box<dyn std::error::Error>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

fn draw(area: Area<'_>, plots: &[Plot]) -> Result<(), DrawError> {
    area.fill(&WHITE)?;
    match plots {
        [] => Ok(()),
        [one] => draw_plot(&area, one),
        [first, second, ..] => {
            let (top, bottom) = area.split_vertically(SIZE.1 * FIRST_PLOT_PERCENT / 100);
            draw_plot(&top, first)?;
            draw_plot(&bottom, second)
        }
    }
}

fn draw_plot(area: &Area<'_>, plot: &Plot) -> Result<(), DrawError> {
    let Plot { title, across, span, heights, curves, legend } = plot;
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .caption(title, ("sans-serif", 20))
        .x_label_area_size(36)
        .y_label_area_size(56)
        .build_cartesian_2d(span.clone(), heights.clone())?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_desc(*across)
        .x_label_formatter(&|width| format!("{width:.0}"))
        .y_label_formatter(&|height| format!("{height:.1}"))
        .draw()?;
    chart.draw_series(LineSeries::new([(span.start, 0.0), (span.end, 0.0)], BLACK.mix(0.6)))?;
    for Curve { name, points, color, style } in curves {
        let cut = |&(x, y): &(f64, f64)| (x, y.clamp(heights.start, heights.end));
        let points: Vec<_> = points.iter().map(cut).collect();
        let is_band = *style == Style::Band;
        let color = Palette99::pick(*color).mix(if is_band { 0.15 } else { 1.0 });
        if *style == Style::Marked {
            let mark = |&point| Circle::new(point, 4, color.filled());
            chart.draw_series(points.iter().map(mark))?;
        }
        let drawn = if is_band {
            chart.draw_series([Polygon::new(points, color.filled())])?
        } else {
            chart.draw_series(LineSeries::new(points, color.stroke_width(2)))?
        };
        if !name.is_empty() {
            let stroke = color.stroke_width(if is_band { 10 } else { 2 });
            drawn.label(name).legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], stroke));
        }
    }
    chart
        .configure_series_labels()
        .position(legend.clone())
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    Ok(())
}
