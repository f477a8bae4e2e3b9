//! The graph of the score over the moves of a game, as SVG.

use std::fmt::Write as _;

use super::parts::{for_black, grade_class, with_minus_signs};
use crate::judge::Judgement;
use crate::summary::{Analysis, Grade};
use crate::text::number_of;
use umigame_engine::ScoreKind;

/// Margins, in units of the drawing; the numbers of the score stand in the left one.
const LEFT: f64 = 34.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 22.0;

/// Intervals between grid lines, in discs.
const GRID_STEPS_DISCS: [f64; 5] = [1.0, 2.0, 4.0, 8.0, 16.0];
/// Intervals of the grid, at most, unless the widest step needs more.
const MAX_GRID_INTERVALS: f64 = 8.0;

/// The drawing area and its scales.
struct Frame {
    width: f64,
    height: f64,
    plies: f64,
    /// Lowest and highest score shown, in discs.
    min_discs: f64,
    max_discs: f64,
    /// Interval between grid lines, in discs.
    step_discs: f64,
}

impl Frame {
    fn new(analysis: &Analysis, width: u32, height: u32) -> Frame {
        let (mut min, mut max) = (0.0f64, 0.0f64);
        for judged in analysis.judgements() {
            let (low, high) = band(judged);
            (min, max) = (min.min(low), max.max(high));
        }
        let fits = |step: &f64| max - min <= MAX_GRID_INTERVALS * step;
        let step_discs = GRID_STEPS_DISCS.into_iter().find(fits).unwrap_or(16.0);
        Frame {
            width: f64::from(width),
            height: f64::from(height),
            plies: analysis.board().plies().max(1) as f64,
            min_discs: (min / step_discs).floor().min(-1.0) * step_discs,
            max_discs: (max / step_discs).ceil().max(1.0) * step_discs,
            step_discs,
        }
    }

    fn x(&self, ply: f64) -> f64 {
        LEFT + (self.width - LEFT - RIGHT) * ply / self.plies
    }

    fn y(&self, discs: f64) -> f64 {
        let below = (self.max_discs - discs) / (self.max_discs - self.min_discs);
        TOP + (self.height - TOP - BOTTOM) * below.clamp(0.0, 1.0)
    }

    fn point(&self, judged: &Judgement) -> (f64, f64) {
        (self.x(judged.ply as f64), self.y(judged.black().discs()))
    }
}

/// Returns the ends of the band around a score for Black: a standard deviation below and above it, in discs.
fn band(judged: &Judgement) -> (f64, f64) {
    let discs = judged.black().discs();
    let std_dev = judged.value.estimate.std_dev.unwrap_or(0.0);
    ((discs - std_dev).max(-64.0), (discs + std_dev).min(64.0))
}

/// Draws the graph, `width` by `height` units; the style sheet of the page has its colors.
pub(super) fn svg(analysis: &Analysis, width: u32, height: u32) -> String {
    let judgements = analysis.judgements();
    let frame = Frame::new(analysis, width, height);
    let mut drawing = String::new();
    let svg = &mut drawing;
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        svg,
        "<svg class=\"graph\" viewBox=\"0 0 {width} {height}\" data-x=\"{LEFT}\" data-w=\"{}\" \
         role=\"img\" aria-label=\"the score for Black after every move\">",
        frame.width - LEFT - RIGHT
    );
    write_exact_band(svg, &frame, judgements);
    write_grid(svg, &frame);
    write_move_numbers(svg, &frame);
    write_areas(svg, &frame, judgements);
    write_band(svg, &frame, judgements);
    write_curves(svg, &frame, judgements);
    let (left, top, bottom) = (LEFT, TOP, frame.height - BOTTOM);
    let _ = write!(
        svg,
        "<line class=\"at\" x1=\"{left}\" x2=\"{left}\" y1=\"{top}\" y2=\"{bottom}\"/>"
    );
    write_dots(svg, &frame, judgements);
    svg.push_str("</svg>");
    drawing
}

/// Shades the end of the game from which every position has an exact score.
fn write_exact_band(svg: &mut String, frame: &Frame, judgements: &[Judgement]) {
    let last_estimate = judgements.iter().rposition(|judged| judged.value.kind != ScoreKind::Exact);
    let first_exact = last_estimate.map_or(judgements.first(), |last| judgements.get(last + 1));
    let Some(judged) = first_exact else { return };
    let x = frame.x(judged.ply as f64);
    let _ = write!(
        svg,
        "<rect class=\"band\" x=\"{x:.1}\" y=\"{TOP}\" width=\"{:.1}\" height=\"{:.1}\"/>",
        frame.width - RIGHT - x,
        frame.height - BOTTOM - TOP
    );
}

/// Draws the horizontal grid lines with their scores.
fn write_grid(svg: &mut String, frame: &Frame) {
    let right = frame.width - RIGHT;
    let mut discs = frame.min_discs;
    while discs <= frame.max_discs {
        let y = frame.y(discs);
        let class = if discs == 0.0 { "zero" } else { "grid" };
        let label = with_minus_signs(&format!("{discs:+.0}").replace("+0", "0").replace("-0", "0"));
        let _ = write!(
            svg,
            "<line class=\"{class}\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            LEFT - 6.0,
            y + 4.0
        );
        discs += frame.step_discs;
    }
}

fn write_move_numbers(svg: &mut String, frame: &Frame) {
    let every = if frame.plies > 24.0 {
        10.0
    } else if frame.plies > 9.0 {
        5.0
    } else {
        1.0
    };
    let mut ply = 0.0;
    while ply <= frame.plies {
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{ply}</text>",
            frame.x(ply),
            frame.height - 5.0
        );
        ply += every;
    }
}

/// Fills the areas between the curve and zero: above it for Black, below it for White.
fn write_areas(svg: &mut String, frame: &Frame, judgements: &[Judgement]) {
    for (class, sign) in [("up", 1.0), ("down", -1.0)] {
        let zero = frame.y(0.0);
        let mut path = String::new();
        let mut before: Option<(f64, f64)> = None;
        for judged in judgements {
            let (x, discs) = (frame.x(judged.ply as f64), judged.black().discs());
            match before {
                None => {
                    let _ = write!(path, "M{x:.1} {zero:.1}");
                }
                // The area ends where the curve crosses zero.
                Some((x0, discs0)) if discs0 * discs < 0.0 => {
                    let cross = x0 + (x - x0) * discs0 / (discs0 - discs);
                    let _ = write!(path, "L{cross:.1} {zero:.1}");
                }
                Some(_) => {}
            }
            let y = if discs * sign > 0.0 { frame.y(discs) } else { zero };
            let _ = write!(path, "L{x:.1} {y:.1}");
            before = Some((x, discs));
        }
        if let Some((x, _)) = before {
            let _ = write!(svg, "<path class=\"{class}\" d=\"{path}L{x:.1} {zero:.1}z\"/>");
        }
    }
}

/// Shades a standard deviation on either side of the curve.
fn write_band(svg: &mut String, frame: &Frame, judgements: &[Judgement]) {
    let x = |judged: &Judgement| frame.x(judged.ply as f64);
    let ends = judgements.iter().map(|judged| (x(judged), band(judged)));
    let points: Vec<String> = ends
        .clone()
        .map(|(x, (_, high))| (x, high))
        .chain(ends.rev().map(|(x, (low, _))| (x, low)))
        .map(|(x, discs)| format!("{x:.1} {:.1}", frame.y(discs)))
        .collect();
    if !points.is_empty() {
        let _ = write!(svg, "<path class=\"std-dev\" d=\"M{}z\"/>", points.join("L"));
    }
}

/// Draws the curve: solid between two exact scores, else dashed.
fn write_curves(svg: &mut String, frame: &Frame, judgements: &[Judgement]) {
    let (mut estimates, mut exact) = (String::new(), String::new());
    for pair in judgements.windows(2) {
        let [from, to] = pair else { continue };
        let is_exact = from.value.kind == ScoreKind::Exact && to.value.kind == ScoreKind::Exact;
        let path = if is_exact { &mut exact } else { &mut estimates };
        let ((x0, y0), (x1, y1)) = (frame.point(from), frame.point(to));
        // A segment that begins where the path ends continues it.
        if !path.ends_with(&format!("L{x0:.1} {y0:.1}")) {
            let _ = write!(path, "M{x0:.1} {y0:.1}");
        }
        let _ = write!(path, "L{x1:.1} {y1:.1}");
    }
    for (path, class) in [(estimates, "curve guess"), (exact, "curve")] {
        if !path.is_empty() {
            let _ = write!(svg, "<path class=\"{class}\" d=\"{path}\"/>");
        }
    }
}

/// Draws a dot after every inaccuracy, mistake and blunder.
fn write_dots(svg: &mut String, frame: &Frame, judgements: &[Judgement]) {
    for pair in judgements.windows(2) {
        let [before, after] = pair else { continue };
        let (Some(grade), Some(played), Some(loss)) =
            (Grade::of(before), &before.played, before.loss())
        else {
            continue;
        };
        if grade.mark().is_empty() {
            continue;
        }
        let (x, y) = frame.point(after);
        let _ = write!(
            svg,
            "<circle class=\"dot {}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"><title>{}. {} {}: {}, \
             lost {:.1}</title></circle>",
            grade_class(grade),
            number_of(before),
            before.side,
            played.first(),
            for_black(after.value, after.side),
            f64::from(loss) / 100.0,
        );
    }
}
