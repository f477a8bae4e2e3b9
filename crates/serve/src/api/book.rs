//! `book`: a position as the book knows it.

use std::sync::PoisonError;

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use umigame_book::{BookError, ChoiceCriterion, MoveRecord, PlayBook, PositionRecord};
use umigame_othello::{Color, Position, position_text};

use super::{Api, position};
use crate::body::Json;
use crate::error::ApiError;
use crate::events::json;

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct BookRequest {
    position: String,
}

/// The position and its moves, as `umigame book show --jsonl` prints them.
#[derive(Serialize)]
struct View {
    #[serde(flatten)]
    position: PositionRecord,
    moves: Vec<MoveRecord>,
}

/// What a compact book has.
#[derive(Serialize)]
struct CompactView {
    position: String,
    in_book: bool,
    moves: Vec<CompactMove>,
}

#[derive(Serialize)]
struct CompactMove {
    r#move: String,
    games: u32,
    win_rate: Option<f64>,
    value: f64,
    trust: Option<String>,
}

pub(crate) async fn reply(
    State(api): State<Api>,
    Json(request): Json<BookRequest>,
) -> Result<Response, ApiError> {
    let Some(book) = &api.book else {
        let message = "there is no book: start the server with --book FILE";
        return Err(ApiError::missing(message));
    };
    let (position, side) = position(&request.position)?;
    let book = book.lock().unwrap_or_else(PoisonError::into_inner);
    view(&book, position, side)
        .map_err(|error| ApiError::failed(format!("cannot read the book: {error}")))
}

fn view(book: &PlayBook, position: Position, side: Color) -> Result<Response, BookError> {
    match book {
        PlayBook::Full { book, .. } => {
            let view = book.view_position(position)?;
            let moves = view.moves.iter().map(MoveRecord::from).collect();
            Ok(json(&View { position: PositionRecord::new(&view, side), moves }))
        }
        PlayBook::Compact(_) => {
            let moves = book.moves(position, ChoiceCriterion::Value)?;
            let moves: Vec<CompactMove> = moves
                .iter()
                .map(|one| CompactMove {
                    r#move: one.played().to_string(),
                    games: one.games,
                    win_rate: one.win_rate,
                    value: one.eval.discs(),
                    trust: one.trust.map(|trust| trust.to_string()),
                })
                .collect();
            let (position, in_book) = (position_text(position, side), !moves.is_empty());
            Ok(json(&CompactView { position, in_book, moves }))
        }
    }
}
