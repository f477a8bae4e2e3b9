//! Replies as JSON.

use serde::Serialize;
use umigame_analysis::report::ReportRecord;
use umigame_engine::{Report, Strength};

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

/// A level, as `index.d.ts` has it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LevelReply {
    level: String,
    text: String,
    depth: u32,
    exact_from: u32,
    rating: Option<i32>,
}

/// Returns a level with what there is to know of it.
pub fn level(strength: Strength) -> LevelReply {
    let limits = strength.searches_at().limits();
    LevelReply {
        level: strength.to_string(),
        text: strength.text(),
        depth: limits.max_depth(),
        exact_from: limits.exact_from(),
        rating: strength.rating(),
    }
}

/// Returns a report as JSON, as `index.d.ts` has it.
pub fn report(report: &Report) -> String {
    json(&ReportRecord::from(report))
}
