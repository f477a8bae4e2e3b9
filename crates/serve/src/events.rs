//! Replies that come as a stream of events, or at their end as one object.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Serialize;
use tokio::sync::{oneshot, watch};

use crate::error::ApiError;
use crate::search::Ticket;

/// A comment after this time without an event shows whether the reader is still there.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// Whether a request wants events.
pub(crate) struct WantsEvents(pub bool);

impl<S: Sync> FromRequestParts<S> for WantsEvents {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<WantsEvents, Infallible> {
        let mut accepted =
            parts.headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
        Ok(WantsEvents(accepted.any(|value| value.contains("text/event-stream"))))
    }
}

/// Returns a value as a reply.
pub(crate) fn json(value: &impl Serialize) -> Response {
    // Serialisation fails for maps without text keys only; there are none.
    object(serde_json::to_string(value).unwrap_or_default())
}

/// Returns a JSON text as a reply.
pub(crate) fn object(text: String) -> Response {
    ([(CONTENT_TYPE, "application/json")], text).into_response()
}

/// Work that runs: what it has found so far, and its end. `R` and `A` have a form in JSON.
pub(crate) struct Work<R, A> {
    /// Ends the work when it is dropped.
    pub ticket: Ticket,
    pub reports: watch::Receiver<Option<R>>,
    pub answer: oneshot::Receiver<A>,
    pub report_json: fn(&R) -> String,
    pub answer_json: fn(A) -> Result<String, ApiError>,
}

impl<R, A> Work<R, A>
where
    R: Send + Sync + 'static,
    A: Send + 'static,
{
    /// Replies with events where they are wanted, else with the end.
    pub async fn reply(self, wants_events: bool) -> Result<Response, ApiError> {
        if wants_events { Ok(self.events()) } else { self.end().await.map(object) }
    }

    async fn end(self) -> Result<String, ApiError> {
        let answer = self.answer.await.map_err(|_| ApiError::closing())?;
        (self.answer_json)(answer)
    }

    /// Events `report`, of which a slow reader misses some, and at last `end` or `error`.
    fn events(self) -> Response {
        let events = stream::unfold(Some(self), |work| async {
            let mut work = work?;
            if work.reports.changed().await.is_ok() {
                let report = work.reports.borrow_and_update().as_ref().map(work.report_json);
                return Some((event("report", report.unwrap_or_default()), Some(work)));
            }
            let end = match work.end().await {
                Ok(end) => event("end", end),
                Err(error) => event("error", error.json()),
            };
            Some((end, None))
        });
        let keep_alive = KeepAlive::new().interval(KEEP_ALIVE);
        Sse::new(events).keep_alive(keep_alive).into_response()
    }
}

fn event(name: &str, data: String) -> Result<Event, Infallible> {
    Ok(Event::default().event(name).data(data))
}
