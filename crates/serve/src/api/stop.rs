//! `stop`: ends what runs for a client.

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};

use super::Api;
use crate::body::Json;
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

pub(crate) async fn reply(State(api): State<Api>, Json(request): Json<StopRequest>) -> Response {
    json(&Stopped { stopped: api.clients.stop(&request.client) })
}
