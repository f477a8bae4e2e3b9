//! Replies as JSON.

use serde::Serialize;
use umigame_analysis::report::ReportRecord;
use umigame_engine::Report;

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

/// Returns a report as JSON, as `index.d.ts` has it.
pub fn report(report: &Report) -> String {
    json(&ReportRecord::from(report))
}
