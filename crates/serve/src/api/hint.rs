//! `hint`: the best moves of a position.

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use umigame_analysis::request::{ClockTimes, SearchLimits};
use umigame_engine::{LimitOptions, Limits};

use super::{Api, LevelName, client, ends_by_itself, position};
use crate::body::Json;
use crate::error::ApiError;
use crate::events::WantsEvents;
use crate::search::Kind;

/// Lines of a live hint that states no number.
const LIVE_LINES: usize = 4;

#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct HintRequest {
    position: String,
    client: Option<String>,
    level: Option<LevelName>,
    depth: Option<u32>,
    lines: Option<usize>,
    focus: Option<bool>,
    confidence: Option<u32>,
    exact_from: Option<u32>,
    time_ms: Option<f64>,
    nodes: Option<u64>,
    clock: Option<ClockTimes>,
}

impl HintRequest {
    fn stated(&self) -> Result<LimitOptions, ApiError> {
        let limits = SearchLimits {
            level: self.level.map(LevelName::number).transpose()?,
            depth: self.depth,
            confidence: self.confidence,
            exact_from: self.exact_from,
            goal: None,
            lines: self.lines,
            focus: self.focus,
            nodes: self.nodes,
            time_ms: self.time_ms,
            clock: self.clock,
        };
        limits.options().map_err(ApiError::bad)
    }
}

pub(crate) async fn reply(
    State(api): State<Api>,
    WantsEvents(events): WantsEvents,
    Json(request): Json<HintRequest>,
) -> Result<Response, ApiError> {
    let (root, _) = position(&request.position)?;
    let stated = request.stated()?;
    let ticket = api.clients.begin(client(request.client)?, Kind::Hint);
    let is_endless = events && !ends_by_itself(&stated);
    let limits = if is_endless {
        let lines = stated.lines.unwrap_or(LIVE_LINES);
        let limits = Limits::exact().with_lines(lines).with_focus(stated.focus);
        let confidence = stated.confidence.unwrap_or(limits.confidence());
        limits.with_confidence(confidence)
    } else {
        let lines = stated.lines.unwrap_or(if events { LIVE_LINES } else { 1 });
        api.limits(stated).limits().with_lines(lines)
    };
    api.search(ticket, root, limits, is_endless)?.reply(events).await
}
