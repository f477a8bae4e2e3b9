//! `levels`: the strengths to choose from.

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use umigame_engine::Level;

use super::Api;
use crate::events::json;

#[derive(Serialize)]
struct Levels {
    levels: Vec<LevelRecord>,
    /// The level of searches that state no limits; `None` where the server has others.
    default: Option<String>,
    /// The server has a book.
    book: bool,
}

#[derive(Serialize)]
struct LevelRecord {
    level: String,
    name: String,
    text: String,
    depth: u32,
    exact_from: u32,
    rating: Option<f64>,
}

fn record(level: Level) -> LevelRecord {
    let (number, limits) = (level.number(), level.limits());
    let (depth, exact_from) = (limits.max_depth(), limits.exact_from());
    LevelRecord {
        level: number.to_string(),
        name: format!("Level {number}"),
        text: format!("looks {depth} plies ahead, exact from {exact_from} empties"),
        depth,
        exact_from,
        rating: None,
    }
}

pub(crate) async fn reply(State(api): State<Api>) -> Response {
    let stated = &api.limits;
    let level = stated.level.or(stated.depth.is_none().then_some(Level::DEFAULT));
    let default = level.map(|level| level.number().to_string());
    let book = api.book.is_some();
    json(&Levels { levels: Level::all().map(record).collect(), default, book })
}
