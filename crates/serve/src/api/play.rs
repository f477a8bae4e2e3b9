//! `play`: a move.

use std::sync::{Mutex, PoisonError};

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use umigame_analysis::report::ReportRecord;
use umigame_analysis::request::{ClockTimes, SearchLimits};
use umigame_book::{ChoicePolicy, PlayBook};
use umigame_engine::{Level, LimitOptions, Strength, WeakOptions, Weakness};
use umigame_othello::{Move, Position};

use super::{Api, LevelName, client, found, position};
use crate::body::Json;
use crate::error::ApiError;
use crate::events::json;
use crate::search::{Answer, Kind, WeakMove};

#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PlayRequest {
    position: String,
    client: Option<String>,
    level: Option<LevelName>,
    error: Option<f64>,
    max_error: Option<f64>,
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
    /// Decides choices at random.
    seed: u64,
}

impl Played {
    fn without_search(played: Option<Move>, from: &'static str, seed: u64) -> Played {
        let played = played.map(|played| played.to_string());
        Played { r#move: played, from, report: None, stopped: false, seed }
    }

    fn searched(answer: &Answer, seed: u64) -> Played {
        Played {
            r#move: answer.report.best().map(|best| best.first().to_string()),
            from: "search",
            report: Some(ReportRecord::from(&answer.report)),
            stopped: answer.stopped,
            seed,
        }
    }
}

impl PlayRequest {
    /// The level stated, or the server's where no error is.
    fn strength(&self, api: &Api) -> Option<Strength> {
        let stated = self.level.map(|LevelName(strength)| strength);
        stated.or(self.error.is_none().then_some(api.level))
    }

    /// How the move errs; `None` if it does not.
    fn weakness(&self, api: &Api) -> Result<Option<Weakness>, ApiError> {
        let level = self.strength(api).and_then(Strength::weak);
        let options = WeakOptions { level, error: self.error, max_error: self.max_error };
        options.weakness().map_err(|error| ApiError::bad(error.to_string()))
    }

    fn limits(&self, api: &Api) -> Result<LimitOptions, ApiError> {
        let stated = SearchLimits {
            // A clock or a time bounds the search alone where no level is stated.
            level: self.level.and_then(|LevelName(strength)| strength.level()).map(Level::number),
            time_ms: self.move_time_ms,
            clock: self.clock,
            ..SearchLimits::default()
        };
        Ok(api.limits(stated.options().map_err(ApiError::bad)?))
    }
}

pub(crate) async fn reply(
    State(api): State<Api>,
    Json(request): Json<PlayRequest>,
) -> Result<Response, ApiError> {
    let (root, _) = position(&request.position)?;
    let (limits, weakness) = (request.limits(&api)?, request.weakness(&api)?);
    let client = client(request.client)?;
    // A seed that every client can read: JavaScript has 53 bits.
    let seed = request.seed.unwrap_or_else(|| u64::from(fastrand::u32(..)));
    if let Some(played) = without_choice(root, seed) {
        return Ok(json(&played));
    }
    let ticket = api.clients.begin(client, Kind::Play);
    let stop = ticket.stop_handle();
    if let Some(weakness) = weakness {
        let chosen = WeakMove { position: root, limits, weakness, seed, stop: stop.clone() };
        let report = api.weak.choose(chosen).await?;
        return Ok(json(&Played::searched(&Answer { report, stopped: stop.is_stopped() }, seed)));
    }
    let mut random = fastrand::Rng::with_seed(seed);
    if let Some(known) = api.book.as_deref().and_then(|book| of_book(book, root, &mut random)) {
        return Ok(json(&Played::without_search(Some(known), "book", seed)));
    }
    let search = api.search(ticket, root, limits.limits(), false)?;
    let answer = found(search.answer.await.map_err(|_| ApiError::closing())?)?;
    drop(search.ticket);
    Ok(json(&Played::searched(&answer, seed)))
}

/// Returns the answer where there is nothing to choose.
fn without_choice(root: Position, seed: u64) -> Option<Played> {
    let mut legal = root.legal_moves().iter();
    match (legal.next(), legal.next()) {
        _ if root.is_over() => Some(Played::without_search(None, "over", seed)),
        (None, _) => Some(Played::without_search(Some(Move::Pass), "forced", seed)),
        (Some(only), None) => Some(Played::without_search(Some(only.into()), "forced", seed)),
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
