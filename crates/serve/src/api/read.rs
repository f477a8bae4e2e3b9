//! `read`: recognises a game or a position in whatever form it was pasted.

use axum::response::Response;
use serde::Deserialize;
use umigame_analysis::pasted::PastedRecord;
use umigame_othello::Record;
use umigame_othello::formats::pasted::{self, Pasted};

use crate::body::LargeJson;
use crate::error::ApiError;
use crate::events::json;

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadRequest {
    text: String,
}

pub(crate) async fn reply(
    LargeJson(request): LargeJson<ReadRequest>,
) -> Result<Response, ApiError> {
    Ok(json(&PastedRecord::from(read(&request.text)?)))
}

/// Reads a game in any form.
///
/// # Errors
/// The fault, with its line and column.
pub(crate) fn read_game(text: &str) -> Result<Record, ApiError> {
    read(text).map(|found| found.record)
}

fn read(text: &str) -> Result<Pasted, ApiError> {
    pasted::read(text).map_err(|error| ApiError::bad(&*error.message).at(error.line, error.column))
}
