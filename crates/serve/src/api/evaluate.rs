//! `evaluate`: the value of a position without a search.

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use umigame_othello::Eval;

use super::{Api, position};
use crate::body::Json;
use crate::error::ApiError;
use crate::events::json;

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct EvaluateRequest {
    position: String,
}

#[derive(Serialize)]
struct Value {
    /// Discs for the side to move.
    eval: f64,
}

pub(crate) async fn reply(
    State(api): State<Api>,
    Json(request): Json<EvaluateRequest>,
) -> Result<Response, ApiError> {
    let (position, _) = position(&request.position)?;
    let centidiscs = api.evaluation.evaluate_position(position);
    Ok(json(&Value { eval: Eval::from_centidiscs(centidiscs).discs() }))
}
