//! The speedup by threads as a picture.

use plotters::prelude::*;

use super::scaling::ScalingRow;
use umigame_support::picture::{self, Area, DrawError};

/// Rows of some work, one for each number of threads, with its name. The first is that of one
/// thread.
pub type ScalingCurve = (String, Vec<ScalingRow>);

/// Draws the speedup of each work beside the ideal one.
///
/// # Errors
/// The drawing library fails.
pub fn scaling_svg(curves: &[ScalingCurve]) -> Result<String, String> {
    picture::svg(|area| draw(area, curves))
}

fn draw(area: &Area<'_>, curves: &[ScalingCurve]) -> Result<(), DrawError> {
    let threads = |row: &ScalingRow| row.threads as f64;
    let rows = curves.iter().flat_map(|(_, rows)| rows);
    let most = rows.map(threads).fold(2.0, f64::max);
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .caption("Speedup by threads", ("sans-serif", 20))
        .x_label_area_size(36)
        .y_label_area_size(56)
        .build_cartesian_2d(1.0..most, 0.0..most * 1.1)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_desc("threads")
        .y_desc("times as fast as one thread")
        .x_label_formatter(&|value| format!("{value:.0}"))
        .draw()?;
    picture::curve(&mut chart, "ideal", [(1.0, 1.0), (most, most)], BLACK.mix(0.4))?;
    for (index, (name, rows)) in curves.iter().enumerate() {
        let Some(one_thread) = rows.first() else { continue };
        let points: Vec<_> =
            rows.iter().map(|row| (threads(row), row.speedup(one_thread))).collect();
        picture::curve(&mut chart, name, points, Palette99::pick(index).to_rgba())?;
    }
    picture::legend(&mut chart, SeriesLabelPosition::UpperLeft)
}
