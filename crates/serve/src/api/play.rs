//! `play`: a move.

use std::sync::{Mutex, PoisonError};

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use umigame_analysis::report::ReportRecord;
use umigame_analysis::request::{ClockTimes, SearchLimits};
use umigame_book::{ChoicePolicy, PlayBook};
use umigame_othello::{Move, Position};

use super::{Api, LevelNumber, client, found, position};
use crate::body::Json;
use crate::error::ApiError;
use crate::events::json;
use crate::search::Kind;

#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PlayRequest {
    position: String,
    client: Option<String>,
    level: Option<LevelNumber>,
    seed: Option<u64>,
    move_time_ms: Option<f64>,
    clock: Option<ClockTimes>,
}

#[derive(Serialize)]
struct Played {
    /// `None` where the game is over.
    r#move: Option<String>,
    /// How it was found.
    from: &'static str,
    report: Option<ReportRecord>,
    stopped: bool,
}

impl Played {
    fn without_search(played: Option<Move>, from: &'static str) -> Played {
        Played {
            r#move: played.map(|played| played.to_string()),
            from,
            report: None,
            stopped: false,
        }
    }
}

pub(crate) async fn reply(
    State(api): State<Api>,
    Json(request): Json<PlayRequest>,
) -> Result<Response, ApiError> {
    let (root, _) = position(&request.position)?;
    let stated = SearchLimits {
        level: request.level.map(|LevelNumber(level)| level),
        time_ms: request.move_time_ms,
        clock: request.clock,
        ..SearchLimits::default()
    };
    let limits = api.limits(stated.options().map_err(ApiError::bad)?).limits();
    if let Some(played) = without_choice(root) {
        return Ok(json(&played));
    }
    let mut random = request.seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed);
    if let Some(known) = api.book.as_deref().and_then(|book| of_book(book, root, &mut random)) {
        return Ok(json(&Played::without_search(Some(known), "book")));
    }
    let ticket = api.clients.begin(client(request.client)?, Kind::Play);
    let search = api.search(ticket, root, limits, false)?;
    let answer = found(search.answer.await.map_err(|_| ApiError::closing())?)?;
    drop(search.ticket);
    Ok(json(&Played {
        r#move: answer.report.best().map(|best| best.first().to_string()),
        from: "search",
        report: Some(ReportRecord::from(&answer.report)),
        stopped: answer.stopped,
    }))
}

/// Returns the answer where there is nothing to choose.
fn without_choice(root: Position) -> Option<Played> {
    let mut legal = root.legal_moves().iter();
    match (legal.next(), legal.next()) {
        _ if root.is_over() => Some(Played::without_search(None, "over")),
        (None, _) => Some(Played::without_search(Some(Move::Pass), "forced")),
        (Some(only), None) => Some(Played::without_search(Some(only.into()), "forced")),
        (Some(_), Some(_)) => None,
    }
}

/// Returns a move of the book. A book that fails does not end the game.
fn of_book(book: &Mutex<PlayBook>, root: Position, random: &mut fastrand::Rng) -> Option<Move> {
    let book = book.lock().unwrap_or_else(PoisonError::into_inner);
    match book.choose(root, ChoicePolicy::default(), random) {
        Ok(known) => known.map(|known| known.played()),
        Err(error) => {
            log::warn!("cannot read the book: {error}");
            None
        }
    }
}
