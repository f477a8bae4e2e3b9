//! Reliability of estimates against known scores: slope and offset of truth on estimate, the share
//! of errors within the standard deviation, and predicted probabilities beside what happened.

use serde::Serialize;

use super::data::Sample;
use super::error::LearnError;
use super::errors::Truth;
use super::models::calibrate::TABLE_PER_THREAD;
use super::searches::Searches;
use umigame_engine::batch::Worker;
use umigame_engine::{Confidence, Estimate, Limits, Wdl};
use umigame_othello::Eval;
use umigame_support::picture::{self, Curve, Plot, Style, outline};

/// Positions from which a tenth of predicted probabilities says something.
pub const MIN_TENTH_POSITIONS: usize = 100;
/// Parts of the reliability plot, each with as many positions.
const PLOT_PARTS: usize = 20;

/// An estimate beside the known score, both for the side to move in discs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct JudgedEstimate {
    /// Ply of the position.
    pub ply: u32,
    /// Estimate.
    pub estimate: f64,
    /// Its standard deviation, if known.
    pub std_dev: Option<f64>,
    /// Its probabilities of win, draw and loss, if known.
    pub wdl: Option<Wdl>,
    /// Known score.
    pub truth: f64,
}

/// Searches the samples with a known score as a hint would, to `depth` plies at a confidence, and
/// returns the reported estimates. Depth 0 is the static evaluation, which has no certainty.
///
/// `done` is called after each. When `stop` is set, the estimates found so far are returned.
///
/// # Errors
/// No memory for the transposition table.
pub fn judge(
    samples: &[Sample],
    truth: Truth,
    depth: u32,
    confidence: Confidence,
    searches: Searches<'_>,
    done: impl FnMut(),
) -> Result<Vec<JudgedEstimate>, LearnError> {
    let known = samples.iter().filter(|sample| !sample.position.legal_moves().is_empty());
    let known = known.filter_map(|sample| Some((sample, f64::from(truth.of(sample)?) / 100.0)));
    let limits = Limits::midgame(depth, confidence);
    let answer = |worker: &mut Worker<'_>, (sample, truth): (&Sample, f64)| {
        let position = sample.position;
        let Estimate { eval, std_dev, wdl } = if depth == 0 {
            let centidiscs = searches.evaluation.evaluate_position(position);
            Estimate::unsure(Eval::from_centidiscs(centidiscs))
        } else {
            worker.own().clear();
            searches.search(worker.own(), position, &limits)?.best()?.estimate
        };
        Some(JudgedEstimate { ply: sample.ply(), estimate: eval.discs(), std_dev, wdl, truth })
    };
    searches.all(known, TABLE_PER_THREAD, answer, done)
}

/// Line from estimate to truth, by least squares.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
pub struct TruthLine {
    /// Positions.
    #[serde(rename = "positions")]
    pub count: usize,
    /// Discs of truth for a disc of the estimate; 1 is right.
    pub slope: f64,
    /// Standard error of the slope.
    pub slope_error: f64,
    /// Mean of truth minus estimate, in discs; 0 is right.
    pub offset: f64,
    /// Mean absolute difference, in discs.
    pub error: f64,
}

impl TruthLine {
    /// Returns the line through estimates; `None` of fewer than three or all alike.
    pub fn of(judged: &[JudgedEstimate]) -> Option<TruthLine> {
        let count = judged.len();
        let n = count as f64;
        let mean =
            |value: &dyn Fn(&JudgedEstimate) -> f64| judged.iter().map(value).sum::<f64>() / n;
        let (estimate, truth) = (mean(&|one| one.estimate), mean(&|one| one.truth));
        let variance = mean(&|one| (one.estimate - estimate).powi(2));
        if count < 3 || variance < 1e-9 {
            return None;
        }
        let slope = mean(&|one| (one.estimate - estimate) * (one.truth - truth)) / variance;
        let left = mean(&|one| (one.truth - truth - slope * (one.estimate - estimate)).powi(2));
        Some(TruthLine {
            count,
            slope,
            slope_error: (left / variance / (n - 2.0)).sqrt(),
            offset: truth - estimate,
            error: mean(&|one| (one.truth - one.estimate).abs()),
        })
    }
}

/// Returns the estimates in three parts of equal size, by their magnitude.
pub fn thirds(judged: &[JudgedEstimate]) -> Vec<Vec<JudgedEstimate>> {
    let mut sorted = judged.to_vec();
    sorted.sort_by(|a, b| a.estimate.abs().total_cmp(&b.estimate.abs()));
    sorted.chunks(sorted.len().div_ceil(3).max(1)).map(<[JudgedEstimate]>::to_vec).collect()
}

/// Returns the share of errors within the standard deviation, 0 to 1, and its mean in discs; `None` where no
/// estimate has a sigma.
pub fn coverage(judged: &[JudgedEstimate]) -> Option<(f64, f64)> {
    let within = |one: &JudgedEstimate, sigma| (one.truth - one.estimate).abs() <= sigma;
    let known =
        judged.iter().filter_map(|one| one.std_dev.map(|sigma| (sigma, within(one, sigma))));
    let sigmas: Vec<(f64, bool)> = known.collect();
    let count = sigmas.len() as f64;
    let within = sigmas.iter().filter(|(_, within)| *within).count() as f64;
    let sum: f64 = sigmas.iter().map(|(sigma, _)| sigma).sum();
    (!sigmas.is_empty()).then(|| (within / count, sum / count))
}

/// A tenth of predicted probabilities.
#[derive(Clone, Copy, PartialEq, Serialize, Debug)]
pub struct Tenth {
    /// Positions.
    #[serde(rename = "positions")]
    pub count: usize,
    /// Mean of the predicted probabilities, 0 to 1.
    pub predicted: f64,
    /// Share of positions where it happened, 0 to 1.
    pub happened: f64,
}

/// The event that probabilities predict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// The side to move wins.
    Win,
    /// It loses.
    Loss,
}

/// Returns the tenths of the predicted probabilities of an event that hold a position.
pub fn tenths(judged: &[JudgedEstimate], event: Event) -> Vec<Tenth> {
    let mut parts = [(0usize, 0.0, 0.0); 10];
    for one in judged {
        let Some(wdl) = one.wdl else { continue };
        let (predicted, happened) = match event {
            Event::Win => (wdl.win(), one.truth > 0.0),
            Event::Loss => (wdl.loss(), one.truth < 0.0),
        };
        let part = &mut parts[((10.0 * predicted) as usize).min(9)];
        part.0 += 1;
        part.1 += predicted;
        part.2 += f64::from(u8::from(happened));
    }
    let tenth = |(count, predicted, happened)| {
        let n = count as f64;
        Tenth { count, predicted: predicted / n, happened: happened / n }
    };
    parts.into_iter().filter(|part| part.0 > 0).map(tenth).collect()
}

/// Draws mean truth over estimate, with the band of sigma, and below it what happened over the
/// predicted probabilities, as SVG.
///
/// # Errors
/// A message from the drawing library.
pub fn svg(judged: &[JudgedEstimate]) -> Result<String, String> {
    let mut sorted = judged.to_vec();
    sorted.sort_by(|a, b| a.estimate.total_cmp(&b.estimate));
    let parts = sorted.chunks(sorted.len().div_ceil(PLOT_PARTS).max(1));
    let part = |part: &[JudgedEstimate]| {
        let mean = |value: &dyn Fn(&JudgedEstimate) -> f64| {
            part.iter().map(value).sum::<f64>() / part.len() as f64
        };
        let sigma = mean(&|one| one.std_dev.unwrap_or(0.0));
        (mean(&|one| one.estimate), mean(&|one| one.truth), sigma)
    };
    let means: Vec<(f64, f64, f64)> = parts.map(part).collect();
    let low = means.first().map_or(-1.0, |first| first.0.floor());
    let high = means.last().map_or(1.0, |last| last.0.ceil()).max(low + 1.0);
    let truth = means.iter().map(|&(estimate, truth, _)| (estimate, truth)).collect();
    let ends = |&(estimate, _, sigma): &_| (estimate, estimate - sigma, estimate + sigma);
    let band = outline(means.iter().map(ends));
    let happened = |event| {
        let tenths = tenths(judged, event).into_iter();
        let shown = tenths.filter(|tenth| tenth.count >= MIN_TENTH_POSITIONS);
        shown.map(|tenth| (100.0 * tenth.predicted, 100.0 * tenth.happened)).collect()
    };
    let right = |begin: f64, end: f64| {
        Curve::new("right", vec![(begin, begin), (end, end)], 7, Style::Line)
    };
    let of_scores = vec![
        Curve::new("estimate +- standard deviation", band, 0, Style::Band),
        right(low, high),
        Curve::new("exact score", truth, 0, Style::Marked),
    ];
    let of_results = vec![
        right(0.0, 100.0),
        Curve::new("win", happened(Event::Win), 0, Style::Marked),
        Curve::new("loss", happened(Event::Loss), 1, Style::Marked),
    ];
    picture::svg(&[
        Plot::new("Mean score over estimate, discs", "estimate, discs", low..high, of_scores),
        Plot::new("Happened over predicted, %", "predicted, %", 0.0..100.0, of_results),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::drawn_score;
    use umigame_eval::estimate::ScoreDistribution;

    /// Returns estimates of scores that are drawn as predicted, stretched and shifted.
    fn judged(slope: f64, offset: f64) -> Vec<JudgedEstimate> {
        let mut random = fastrand::Rng::with_seed(31);
        let mut one = || {
            let center = 60.0 * (random.f64() - 0.5);
            let spread = ScoreDistribution { center, std_dev: 1.0 + 5.0 * random.f64() };
            let truth = drawn_score(&spread, random.f64());
            let estimate = (center - offset) / slope;
            let known = spread.estimate();
            JudgedEstimate { ply: 36, estimate, std_dev: known.std_dev, wdl: known.wdl, truth }
        };
        (0..20_000).map(|_| one()).collect()
    }

    #[test]
    fn right_estimates_have_slope_1_coverage_68_percent_and_probabilities_that_come_true() {
        let judged = judged(1.0, 0.0);
        let line = TruthLine::of(&judged).expect("a line");
        assert!((line.slope - 1.0).abs() < 4.0 * line.slope_error, "{line:?}");
        assert!(line.offset.abs() < 0.1 && line.slope_error < 0.01, "{line:?}");
        let (within, sigma) = coverage(&judged).expect("sigmas");
        assert!((within - 0.67).abs() < 0.02 && (sigma - 3.5).abs() < 0.1, "{within} {sigma}");
        for event in [Event::Win, Event::Loss] {
            let tenths = tenths(&judged, event);
            assert_eq!(tenths.iter().map(|tenth| tenth.count).sum::<usize>(), judged.len());
            for tenth in tenths.iter().filter(|tenth| tenth.count >= 300) {
                assert!((tenth.predicted - tenth.happened).abs() < 0.08, "{tenth:?}");
            }
        }
        assert!(svg(&judged).is_ok_and(|picture| picture.contains("</svg>")));
    }

    #[test]
    fn small_and_shifted_estimates_are_found_out() {
        let line = TruthLine::of(&judged(1.2, 0.5)).expect("a line");
        assert!((line.slope - 1.2).abs() < 0.02, "{line:?}");
        let parts = thirds(&judged(1.2, 0.5));
        assert_eq!(parts.len(), 3);
        let largest = |part: &[JudgedEstimate]| {
            part.iter().fold(0.0, |m: f64, one| m.max(one.estimate.abs()))
        };
        assert!(largest(&parts[0]) < largest(&parts[1]) && largest(&parts[1]) < largest(&parts[2]));
        assert_eq!(TruthLine::of(&[]), None);
    }
}
