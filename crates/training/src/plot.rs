//! Curves as SVG.

use std::ops::Range;

use plotters::prelude::*;

use umigame_support::picture::{self, Area, DrawError, SIZE};

/// One plot of a picture.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Title: the quantity drawn, with its unit.
    pub title: String,
    /// Label of the x axis.
    pub across: String,
    /// Range of the x axis.
    pub span: Range<f64>,
    /// Area behind the curves.
    pub band: Option<Band>,
    /// Curves.
    pub curves: Vec<Curve>,
}

/// An area between two lines.
#[derive(Clone, Debug)]
pub struct Band {
    /// Name in the legend.
    pub name: String,
    /// Lower end from left to right.
    pub low: Vec<(f64, f64)>,
    /// Upper end, at the same places.
    pub high: Vec<(f64, f64)>,
}

/// A curve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Name in the legend.
    pub name: String,
    /// Points from left to right.
    pub points: Vec<(f64, f64)>,
    /// Index of the color.
    pub color: usize,
    /// Style.
    pub style: Style,
}

/// Style of a curve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Line without marks.
    Plain,
    /// Line with a mark at each point, for few points.
    Marked,
}

/// Height of the first of two panels, in percent.
const FIRST_PANEL_PERCENT: u32 = 60;

/// Draws one panel, or two below each other.
///
/// # Errors
/// A message from the drawing library.
pub fn svg(panels: &[Panel]) -> Result<String, String> {
    picture::svg(|area| draw(area, panels))
}

fn draw(area: &Area<'_>, panels: &[Panel]) -> Result<(), DrawError> {
    match panels {
        [one] => draw_panel(area, one),
        [first, second, ..] => {
            let (top, bottom) = area.split_vertically(SIZE.1 * FIRST_PANEL_PERCENT / 100);
            draw_panel(&top, first)?;
            draw_panel(&bottom, second)
        }
        [] => Ok(()),
    }
}

fn draw_panel(area: &Area<'_>, panel: &Panel) -> Result<(), DrawError> {
    let ends = panel.band.iter().flat_map(|band| band.low.iter().chain(&band.high));
    let points = panel.curves.iter().flat_map(|curve| &curve.points).chain(ends);
    let heights = points.map(|(_, height)| *height);
    let (low, high) = heights.fold((0.0f64, 1.0f64), |(low, high), it| (low.min(it), high.max(it)));
    let room = (high - low) * 0.05;
    let low = if low < 0.0 { low - room } else { low };
    let span = panel.span.clone();
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .caption(&panel.title, ("sans-serif", 20))
        .x_label_area_size(36)
        .y_label_area_size(56)
        .build_cartesian_2d(span.clone(), low..high + room)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_desc(&panel.across)
        .x_label_formatter(&|width| format!("{width:.0}"))
        .y_label_formatter(&|height| format!("{height:.1}"))
        .draw()?;
    chart.draw_series(LineSeries::new([(span.start, 0.0), (span.end, 0.0)], BLACK.mix(0.6)))?;
    if let Some(Band { name, low, high }) = &panel.band {
        let outline = low.iter().chain(high.iter().rev()).copied();
        let filled = Palette99::pick(0).mix(0.15).filled();
        chart
            .draw_series([Polygon::new(outline.collect::<Vec<_>>(), filled)])?
            .label(name)
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 18, y + 5)], filled));
    }
    for Curve { name, points, color, style } in &panel.curves {
        let color = Palette99::pick(*color).mix(1.0);
        picture::curve(&mut chart, name, points.iter().copied(), color)?;
        if *style == Style::Marked {
            let mark = |&point| Circle::new(point, 4, color.filled());
            chart.draw_series(points.iter().map(mark))?;
        }
    }
    picture::legend(&mut chart, SeriesLabelPosition::UpperRight)
}
