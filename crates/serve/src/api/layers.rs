//! `layers`: features of a position by square.

use axum::response::Response;
use serde::Deserialize;
use umigame_analysis::layers::LayersRecord;

use super::position;
use crate::body::Json;
use crate::error::ApiError;
use crate::events::json;

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct LayersRequest {
    position: String,
}

pub(crate) async fn reply(Json(request): Json<LayersRequest>) -> Result<Response, ApiError> {
    let (position, side) = position(&request.position)?;
    Ok(json(&LayersRecord::of(position, side)))
}
