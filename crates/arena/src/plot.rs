//! Plot of a match as SVG: Elo and disc difference with 95 % intervals, by pairs of games.

use umigame_support::picture::{self, Corner, Curve, Plot, Style, outline};

use super::standings::Standings;
use super::stats::{Estimate, Tally};

/// Elo at which a curve is cut off: a side that wins every game has an infinite Elo.
const MAX_PLOT_ELO: f64 = 1000.0;
/// Pairs before the interval counts for the scale: earlier ones are too wide.
const MIN_SCALE_PAIRS: usize = 8;

/// Draws the course of each pairing.
///
/// # Errors
/// The drawing library fails.
pub fn svg(standings: &Standings) -> Result<String, String> {
    picture::svg(&[
        plot(standings, "Elo", |tally| tally.pairs.elo()),
        plot(standings, "Discs a game", |tally| tally.pair_discs.estimate()),
    ])
}

fn plot(standings: &Standings, title: &str, estimate: fn(&Tally) -> Option<Estimate>) -> Plot {
    let (mut curves, mut settled, mut pairs) = (Vec::new(), Vec::new(), 2.0f64);
    let courses = standings.course.iter().zip(&standings.schedule.pairings);
    for (color, (course, &(first, second))) in courses.enumerate() {
        let found: Vec<(f64, Estimate)> = (1..)
            .zip(course)
            .filter_map(|(pair, tally)| Some((f64::from(pair), estimate(tally)?)))
            .collect();
        let known = found.get(MIN_SCALE_PAIRS.min(found.len()).saturating_sub(1)..);
        settled.extend(known.unwrap_or_default().iter().flat_map(|(_, it)| [it.low, it.high]));
        pairs = found.iter().map(|(pair, _)| *pair).fold(pairs, f64::max);
        let band = outline(found.iter().map(|(pair, it)| (*pair, it.low, it.high)));
        let values = found.iter().map(|(pair, it)| (*pair, it.value)).collect();
        let name = format!("{} - {}", standings.names[first], standings.names[second]);
        curves.push(Curve::new("", band, color, Style::Band));
        curves.push(Curve::new(&name, values, color, Style::Line));
    }
    let settled = settled.into_iter().map(|value| value.clamp(-MAX_PLOT_ELO, MAX_PLOT_ELO));
    Plot {
        title: format!("{title}, with 95 % interval"),
        across: "pairs of games",
        span: 0.0..pairs,
        heights: picture::range(settled, -1.0..1.0),
        curves,
        legend: Corner::LowerRight,
    }
}
