//! `layers`: features of a position by square.

use std::collections::BTreeMap;

use axum::response::Response;
use serde::{Deserialize, Serialize};
use umigame_eval::layers::Layers;
use umigame_othello::{Bitboard, Color};

use super::position;
use crate::body::Json;
use crate::error::ApiError;
use crate::events::json;

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct LayersRequest {
    position: String,
}

#[derive(Serialize)]
struct Sides {
    black: Vec<String>,
    white: Vec<String>,
}

#[derive(Serialize)]
struct LayersRecord {
    stable: Sides,
    frontier: Sides,
    regions: Vec<Vec<String>>,
    openness: BTreeMap<String, u32>,
}

fn squares(set: Bitboard) -> Vec<String> {
    set.iter().map(|square| square.to_string()).collect()
}

fn sides([own, other]: [Bitboard; 2], side: Color) -> Sides {
    let (black, white) = if side == Color::Black { (own, other) } else { (other, own) };
    Sides { black: squares(black), white: squares(white) }
}

pub(crate) async fn reply(Json(request): Json<LayersRequest>) -> Result<Response, ApiError> {
    let (position, side) = position(&request.position)?;
    let layers = Layers::of(position);
    let named = |(square, count): (umigame_othello::Square, u32)| (square.to_string(), count);
    Ok(json(&LayersRecord {
        stable: sides(layers.stable, side),
        frontier: sides(layers.frontier, side),
        regions: layers.regions.into_iter().map(squares).collect(),
        openness: layers.openness.into_iter().map(named).collect(),
    }))
}
