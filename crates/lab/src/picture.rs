//! What every plot shares: its size, its way into an SVG text, its legend.

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

/// Width and height of a picture, in pixels.
pub(crate) const SIZE: (u32, u32) = (960, 720);

/// Why a picture could not be drawn.
pub(crate) type Problem = Box<dyn std::error::Error>;
/// A part of a picture.
pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// The plane of one panel.
pub(crate) type Chart<'a, 'b> =
    ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// The text of a picture, drawn on white.
///
/// # Errors
/// A sentence from the drawing library.
pub(crate) fn svg(draw: impl FnOnce(&Area<'_>) -> Result<(), Problem>) -> Result<String, String> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        let filled = area.fill(&WHITE).map_err(Problem::from);
        filled.and_then(|()| draw(&area)).map_err(|error| error.to_string())?;
    }
    Ok(text)
}

/// A curve with its entry in the legend.
pub(crate) fn curve(
    chart: &mut Chart<'_, '_>,
    name: &str,
    points: impl IntoIterator<Item = (f64, f64)>,
    color: RGBAColor,
) -> Result<(), Problem> {
    chart
        .draw_series(LineSeries::new(points, color.stroke_width(2)))?
        .label(name)
        .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    Ok(())
}

/// The legend, in a corner where the curves leave room.
pub(crate) fn legend<'a, 'b: 'a>(
    chart: &mut Chart<'a, 'b>,
    position: SeriesLabelPosition,
) -> Result<(), Problem> {
    chart
        .configure_series_labels()
        .position(position)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    Ok(())
}
