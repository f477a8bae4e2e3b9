//! The score of a game over its moves, as SVG.

use std::fmt::Write as _;

use super::{class, for_black};
use crate::judge::Judgement;
use crate::summary::{Analysis, Grade};
use crate::text::number_of;
use umigame_engine::search::ScoreKind;

/// Room for the numbers on the left.
const LEFT: f64 = 34.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 22.0;

/// Where the numbers lie in the drawing.
struct Frame {
    width: f64,
    height: f64,
    plies: f64,
    /// The least and the greatest score shown, in discs.
    least: f64,
    most: f64,
}

impl Frame {
    fn x(&self, ply: f64) -> f64 {
        LEFT + (self.width - LEFT - RIGHT) * ply / self.plies
    }

    fn y(&self, discs: f64) -> f64 {
        let below = (self.most - discs) / (self.most - self.least);
        TOP + (self.height - TOP - BOTTOM) * below.clamp(0.0, 1.0)
    }

    fn point(&self, judged: &Judgement) -> (f64, f64) {
        (self.x(judged.ply as f64), self.y(judged.black().discs()))
    }
}

/// Draws the graph in so many units; it takes its colours from the page.
pub(super) fn write(svg: &mut String, analysis: &Analysis, width: u32, height: u32) {
    let judgements = analysis.judgements();
    let plies = analysis.board().plies().max(1) as f64;
    let scores = || judgements.iter().map(|judged| judged.black().discs());
    let (least, most) = (scores().fold(0.0, f64::min), scores().fold(0.0, f64::max));
    // A multiple of four lines or so, none of them crowded.
    let steps = [1.0, 2.0, 4.0, 8.0, 16.0];
    let step = steps.into_iter().find(|step| most - least <= 8.0 * step).unwrap_or(16.0);
    let most = (most / step).ceil().max(1.0) * step;
    let least = (least / step).floor().min(-1.0) * step;
    let frame = Frame { width: f64::from(width), height: f64::from(height), plies, least, most };
    let _ = write!(
        svg,
        "<svg class=\"graph\" viewBox=\"0 0 {width} {height}\" data-x=\"{LEFT}\" data-w=\"{}\" \
         role=\"img\" aria-label=\"the score for Black after every move\">",
        frame.width - LEFT - RIGHT
    );
    write_frame(svg, &frame, step, judgements);
    write_areas(svg, &frame, judgements);
    write_curves(svg, &frame, judgements);
    let (left, top, bottom) = (LEFT, TOP, frame.height - BOTTOM);
    let _ = write!(
        svg,
        "<line class=\"at\" x1=\"{left}\" x2=\"{left}\" y1=\"{top}\" y2=\"{bottom}\"/>"
    );
    write_dots(svg, &frame, judgements);
    svg.push_str("</svg>");
}

/// Lines, numbers and words.
fn write_frame(svg: &mut String, frame: &Frame, step: f64, judgements: &[Judgement]) {
    let (right, bottom) = (frame.width - RIGHT, frame.height - BOTTOM);
    // From the first position of which all that follow are proven.
    let guesses = judgements.iter().rposition(|judged| judged.value.kind != ScoreKind::Exact);
    let first = guesses.map_or(judgements.first(), |last| judgements.get(last + 1));
    if let Some(judged) = first {
        let x = frame.x(judged.ply as f64);
        let _ = write!(
            svg,
            "<rect class=\"band\" x=\"{x:.1}\" y=\"{TOP}\" width=\"{:.1}\" height=\"{:.1}\"/>",
            right - x,
            bottom - TOP
        );
    }
    let mut discs = frame.least;
    while discs <= frame.most {
        let y = frame.y(discs);
        let class = if discs == 0.0 { "zero" } else { "grid" };
        let label = super::minus(&format!("{discs:+.0}").replace("+0", "0").replace("-0", "0"));
        let _ = write!(
            svg,
            "<line class=\"{class}\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            LEFT - 6.0,
            y + 4.0
        );
        discs += step;
    }
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

/// What lies between the curve and the line of zero: Black's above, White's
/// below.
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
                // Where the curve crosses the line, the area ends on it.
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

/// The curve: whole where both of its ends are proven.
fn write_curves(svg: &mut String, frame: &Frame, judgements: &[Judgement]) {
    let (mut guess, mut exact) = (String::new(), String::new());
    for pair in judgements.windows(2) {
        let [from, to] = pair else { continue };
        let proven = from.value.kind == ScoreKind::Exact && to.value.kind == ScoreKind::Exact;
        let path = if proven { &mut exact } else { &mut guess };
        let ((x0, y0), (x1, y1)) = (frame.point(from), frame.point(to));
        // A stretch goes on where the last one of its path ended.
        if !path.ends_with(&format!("L{x0:.1} {y0:.1}")) {
            let _ = write!(path, "M{x0:.1} {y0:.1}");
        }
        let _ = write!(path, "L{x1:.1} {y1:.1}");
    }
    for (path, class) in [(guess, "curve guess"), (exact, "curve")] {
        if !path.is_empty() {
            let _ = write!(svg, "<path class=\"{class}\" d=\"{path}\"/>");
        }
    }
}

/// A dot behind every move that lost something.
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
            class(grade),
            number_of(before),
            before.side,
            played.first(),
            for_black(after.value, after.side),
            f64::from(loss) / 100.0,
        );
    }
}
