//! Replies as JSON.

use serde::Serialize;
use umigame_analysis::estimate::EstimateRecord;
use umigame_engine::{Bound, Confidence, Report, ReportLine, ScoreKind};

/// The reply to a request that failed.
#[derive(Serialize)]
struct ErrorReply<'a> {
    error: &'a str,
}

/// Returns the reply to a request that failed.
pub fn error(message: &str) -> String {
    json(&ErrorReply { error: message })
}

/// Returns a value as JSON.
pub fn json(value: &impl Serialize) -> String {
    // Serialisation fails for maps without text keys only; there are none.
    serde_json::to_string(value).unwrap_or_default()
}

/// A report, as `index.d.ts` has it.
#[derive(Serialize)]
struct ReportReply {
    lines: Vec<LineReply>,
    kind: &'static str,
    depth: Option<u8>,
    confidence: u8,
    label: String,
    nodes: u64,
    ms: f64,
}

#[derive(Serialize)]
struct LineReply {
    r#move: String,
    moves: Vec<String>,
    eval: f64,
    #[serde(flatten)]
    estimate: EstimateRecord,
    bound: &'static str,
}

/// Returns a report as JSON; evals are discs.
pub fn report(report: &Report) -> String {
    let (kind, depth, confidence) = match report.kind {
        ScoreKind::Depth { plies, confidence } => ("depth", Some(plies), confidence),
        ScoreKind::Endgame { confidence } => ("endgame", None, confidence),
        ScoreKind::Exact => ("exact", None, Confidence::FULL),
        ScoreKind::WinLossDraw => ("winLossDraw", None, Confidence::FULL),
    };
    json(&ReportReply {
        lines: report.lines.iter().map(line).collect(),
        kind,
        depth,
        confidence: confidence.percent(),
        label: report.kind.to_string(),
        nodes: report.nodes,
        ms: report.elapsed.as_secs_f64() * 1000.0,
    })
}

fn line(line: &ReportLine) -> LineReply {
    LineReply {
        r#move: line.first().to_string(),
        moves: line.moves.iter().map(ToString::to_string).collect(),
        eval: line.eval().discs(),
        estimate: line.estimate.into(),
        bound: match line.bound {
            Bound::Exact => "exact",
            Bound::Lower => "lower",
            Bound::Upper => "upper",
        },
    }
}
