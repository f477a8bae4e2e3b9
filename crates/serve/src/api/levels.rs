//! `levels`: the strengths to choose from.

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use umigame_analysis::levels::LevelRecord;

use super::Api;
use crate::events::json;

#[derive(Serialize)]
struct Levels {
    levels: Vec<LevelRecord>,
    /// The level of requests that state none.
    default: String,
    /// The server has a book.
    book: bool,
    /// The server has games.
    games: bool,
}

pub(crate) async fn reply(State(api): State<Api>) -> Response {
    let (default, book) = (api.level.to_string(), api.book.is_some());
    let games = api.games.is_some();
    json(&Levels { levels: LevelRecord::all(), default, book, games })
}
