//! `stop`: ends what runs for a client.

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};

use super::{Api, client};
use crate::body::Json;
use crate::error::ApiError;
use crate::events::json;

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct StopRequest {
    client: String,
}

#[derive(Serialize)]
struct Stopped {
    /// Something ran.
    stopped: bool,
}

pub(crate) async fn reply(
    State(api): State<Api>,
    Json(request): Json<StopRequest>,
) -> Result<Response, ApiError> {
    let stopped = client(Some(request.client))?.is_some_and(|name| api.clients.stop(&name));
    Ok(json(&Stopped { stopped }))
}
