//! A report of a search as JSON, in the words that pages, programs and the npm package share.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use umigame_engine::{Bound, Confidence, Report, ReportLine, ScoreKind};

use crate::estimate::EstimateRecord;

/// A [`Report`]; evals are discs for the side to move.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct ReportRecord {
    lines: Vec<LineRecord>,
    kind: &'static str,
    depth: Option<u8>,
    confidence: u8,
    label: String,
    nodes: u64,
    ms: f64,
    ms_to_exact: Option<f64>,
}

#[derive(Serialize, Clone, PartialEq, Debug)]
struct LineRecord {
    r#move: String,
    moves: Vec<String>,
    eval: f64,
    #[serde(flatten)]
    estimate: EstimateRecord,
    #[serde(with = "BoundName")]
    bound: Bound,
    label: String,
}

/// The words for a [`Bound`].
#[derive(Serialize, Deserialize)]
#[serde(remote = "Bound", rename_all = "lowercase")]
pub(crate) enum BoundName {
    Exact,
    Lower,
    Upper,
}

impl From<&Report> for ReportRecord {
    fn from(report: &Report) -> ReportRecord {
        let (kind, depth, confidence) = match report.kind {
            ScoreKind::Depth { plies, confidence } => ("depth", Some(plies), confidence),
            ScoreKind::Endgame { confidence } => ("endgame", None, confidence),
            ScoreKind::Exact => ("exact", None, Confidence::FULL),
            ScoreKind::WinLossDraw => ("winLossDraw", None, Confidence::FULL),
        };
        ReportRecord {
            lines: report.lines.iter().map(LineRecord::from).collect(),
            kind,
            depth,
            confidence: confidence.percent(),
            label: report.kind.to_string(),
            nodes: report.nodes,
            ms: millis(report.elapsed),
            ms_to_exact: report.time_to_exact.map(millis),
        }
    }
}

impl From<&ReportLine> for LineRecord {
    fn from(line: &ReportLine) -> LineRecord {
        LineRecord {
            r#move: line.first().to_string(),
            moves: line.moves.iter().map(ToString::to_string).collect(),
            eval: line.eval().discs(),
            estimate: line.estimate.into(),
            bound: line.bound,
            label: line.kind.to_string(),
        }
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
