//! `analyze`: a game judged move by move, from its end.

use std::thread;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use tokio::sync::{oneshot, watch};
use umigame_analysis::Analysis;
use umigame_analysis::request::SearchLimits;
use umigame_engine::{Limits, Report, StopHandle};
use umigame_othello::{Position, Record};

use super::read::read_game;
use super::{Api, LevelName, client};
use crate::body::LargeJson;
use crate::error::ApiError;
use crate::events::{WantsEvents, Work};
use crate::search::{Kind, Searcher};

/// Pause before a search is asked for again where too many wait.
const BUSY_PAUSE: Duration = Duration::from_millis(20);

#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct AnalyzeRequest {
    game: String,
    client: Option<String>,
    level: Option<LevelName>,
    depth: Option<u32>,
    /// Moves valued in each position; the one played is always among them.
    lines: Option<usize>,
    confidence: Option<u32>,
    exact_from: Option<u32>,
    /// Of each search.
    time_ms: Option<f64>,
}

impl AnalyzeRequest {
    fn limits(&self, api: &Api) -> Result<Limits, ApiError> {
        let stated = SearchLimits {
            level: self.level.map(LevelName::number).transpose()?,
            depth: self.depth,
            lines: self.lines,
            confidence: self.confidence,
            exact_from: self.exact_from,
            time_ms: self.time_ms,
            ..SearchLimits::default()
        };
        Ok(api.limits(stated.options().map_err(ApiError::bad)?).limits())
    }
}

pub(crate) async fn reply(
    State(api): State<Api>,
    WantsEvents(events): WantsEvents,
    LargeJson(request): LargeJson<AnalyzeRequest>,
) -> Result<Response, ApiError> {
    let record = read_game(&request.game)?;
    let limits = request.limits(&api)?;
    let permit = api.analyses.clone().try_acquire_owned().map_err(|_| ApiError::busy())?;
    let ticket = api.clients.begin(client(request.client)?, Kind::Analysis);
    let stop = ticket.stop_handle();
    let (sender, reports) = watch::channel(None);
    let (answer, end) = oneshot::channel();
    tokio::task::spawn_blocking(move || {
        let _permit = permit;
        // Nobody may wait for it any more.
        let _ = answer.send(analyze(record, &limits, &api.searcher, &stop, &sender));
    });
    Work {
        ticket,
        reports,
        answer: end,
        report_json: json,
        answer_json: |answer: Result<Judged, ApiError>| {
            answer.map(|Judged { analysis, stopped }| with_end(&json(&analysis), stopped))
        },
    }
    .reply(events)
    .await
}

/// The end of an analysis.
struct Judged {
    analysis: Analysis,
    stopped: bool,
}

fn analyze(
    record: Record,
    limits: &Limits,
    searcher: &Searcher,
    stop: &StopHandle,
    reports: &watch::Sender<Option<Analysis>>,
) -> Result<Judged, ApiError> {
    let mut search = |position, limits: &Limits| search(searcher, position, limits, stop);
    let mut grown = |analysis: &Analysis| _ = reports.send_replace(Some(analysis.clone()));
    let analysis = Analysis::of_game(record, limits, &mut search, &mut grown)
        .map_err(|error| ApiError::bad(error.to_string()))?;
    Ok(Judged { analysis, stopped: stop.is_stopped() })
}

fn json(analysis: &Analysis) -> String {
    umigame_analysis::json(analysis, None, 1)
}

/// Waits for a search; `None` where the analysis was stopped, or the server ends.
fn search(
    searcher: &Searcher,
    position: Position,
    limits: &Limits,
    stop: &StopHandle,
) -> Option<Report> {
    while !stop.is_stopped() && !searcher.is_closed() {
        match searcher.begin(position, limits.clone(), false, stop.clone()) {
            Ok(waiting) => {
                let answer = waiting.answer.blocking_recv().ok()?.ok()?;
                return (!answer.stopped).then_some(answer.report);
            }
            Err(_) => thread::sleep(BUSY_PAUSE),
        }
    }
    None
}

/// Adds to an object in JSON whether it was stopped.
fn with_end(object: &str, stopped: bool) -> String {
    let inside = object.strip_suffix('}').unwrap_or(object);
    format!("{inside},\"stopped\":{stopped}}}")
}
