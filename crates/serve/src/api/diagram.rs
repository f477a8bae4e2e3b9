//! `diagram`: a board as a picture.

use axum::response::Response;
use serde::Serialize;
use umigame_analysis::picture::DiagramRequest;

use crate::body::Json;
use crate::error::ApiError;
use crate::events::json;

#[derive(Serialize)]
struct Drawn {
    svg: String,
}

pub(crate) async fn reply(Json(request): Json<DiagramRequest>) -> Result<Response, ApiError> {
    Ok(json(&Drawn { svg: request.svg().map_err(ApiError::bad)? }))
}
