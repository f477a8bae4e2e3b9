//! Replies as JSON.

use serde::Serialize;
use umigame_analysis::report::ReportRecord;
use umigame_engine::Report;
use umigame_othello::formats::pasted::PastedError;

/// A request that failed: what is wrong, and its place in a text where it has one.
#[derive(Serialize, Debug)]
pub struct Fault {
    error: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

impl From<String> for Fault {
    fn from(error: String) -> Fault {
        Fault { error, line: None, column: None }
    }
}

impl From<PastedError> for Fault {
    fn from(PastedError { message, line, column }: PastedError) -> Fault {
        Fault { error: message, line: Some(line), column: Some(column) }
    }
}

/// Returns the reply to a request that failed.
pub fn error(fault: impl Into<Fault>) -> String {
    json(&fault.into())
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
