//! Common parts of all plots: size, SVG output, legend.

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

/// Width and height of a picture, in pixels.
pub const SIZE: (u32, u32) = (960, 720);

/// Error of the drawing library.
pub type DrawError = Box<dyn std::error::Error>;
/// Area of a picture.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// Coordinate system of one panel.
pub type Chart<'a, 'b> =
    ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Returns the SVG text of a picture drawn on white.
///
/// # Errors
/// A message from the drawing library.
pub fn svg(draw: impl FnOnce(&Area<'_>) -> Result<(), DrawError>) -> Result<String, String> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        let filled = area.fill(&WHITE).map_err(DrawError::from);
        filled.and_then(|()| draw(&area)).map_err(|error| error.to_string())?;
    }
    Ok(text)
}

/// Draws a curve with an entry in the legend.
pub fn curve(
    chart: &mut Chart<'_, '_>,
    name: &str,
    points: impl IntoIterator<Item = (f64, f64)>,
    color: RGBAColor,
) -> Result<(), DrawError> {
    chart
        .draw_series(LineSeries::new(points, color.stroke_width(2)))?
        .label(name)
        .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    Ok(())
}

/// Draws the legend at `position`.
pub fn legend<'a, 'b: 'a>(
    chart: &mut Chart<'a, 'b>,
    position: SeriesLabelPosition,
) -> Result<(), DrawError> {
    chart
        .configure_series_labels()
        .position(position)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    Ok(())
}
