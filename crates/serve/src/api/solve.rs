//! `solve`: the exact score of a position, or its sign, however long it takes.

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use umigame_analysis::request::{GoalName, SearchLimits};
use umigame_engine::Limits;

use super::{Api, client, position};
use crate::body::Json;
use crate::error::ApiError;
use crate::events::WantsEvents;
use crate::search::Kind;

#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SolveRequest {
    position: String,
    client: Option<String>,
    goal: Option<GoalName>,
    lines: Option<usize>,
}

pub(crate) async fn reply(
    State(api): State<Api>,
    WantsEvents(events): WantsEvents,
    Json(request): Json<SolveRequest>,
) -> Result<Response, ApiError> {
    let (root, _) = position(&request.position)?;
    let stated =
        SearchLimits { goal: request.goal, lines: request.lines, ..SearchLimits::default() };
    let stated = stated.options().map_err(ApiError::bad)?;
    let ticket = api.clients.begin(client(request.client)?, Kind::Hint);
    let limits = Limits::exact().with_goal(stated.goal).with_lines(stated.lines.unwrap_or(1));
    // It may take hours, and others shall not wait for it.
    api.search(ticket, root, limits, true)?.reply(events).await
}
