//! `games`: the games that met a position.

use std::ops::RangeInclusive;

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use umigame_book::{FoundGame, FoundGames, GameFilter, GameStats};
use umigame_othello::{Color, Move, Position, position_text};

use super::{Api, position};
use crate::body::Json;
use crate::error::ApiError;
use crate::events::json;
use crate::games::ServedGames;

/// Games returned where no number is stated, and at most.
const DEFAULT_GAMES: usize = 50;
const MAX_GAMES: usize = 1000;

#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct GamesRequest {
    position: String,
    #[serde(default)]
    player: String,
    #[serde(default)]
    event: String,
    from_year: Option<u16>,
    to_year: Option<u16>,
    limit: Option<usize>,
}

/// The games that met a position.
#[derive(Serialize)]
struct GamesRecord {
    position: String,
    /// More games may come.
    loading: bool,
    /// Games of the archive, whatever positions they met.
    archive: usize,
    #[serde(flatten)]
    stats: StatsRecord,
    moves: Vec<MoveRecord>,
    found: Vec<GameRecord>,
}

/// Games and results, for the side to move.
#[derive(Serialize)]
struct StatsRecord {
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    win_rate: Option<f64>,
}

#[derive(Serialize)]
struct MoveRecord {
    r#move: String,
    #[serde(flatten)]
    stats: StatsRecord,
}

#[derive(Serialize)]
struct GameRecord {
    black: String,
    white: String,
    event: String,
    date: String,
    /// Score for Black.
    result: Option<i32>,
    start: String,
    moves: Vec<String>,
    ply: usize,
    next: Option<String>,
}

pub(crate) async fn reply(
    State(api): State<Api>,
    Json(request): Json<GamesRequest>,
) -> Result<Response, ApiError> {
    let Some(games) = api.games else {
        let message = "there are no games: start the server with --games PATH";
        return Err(ApiError::missing(message));
    };
    let (root, side) = position(&request.position)?;
    let limit = request.limit.unwrap_or(DEFAULT_GAMES);
    if limit > MAX_GAMES {
        let message = format!("the limit: expected at most {MAX_GAMES}, found {limit}");
        return Err(ApiError::bad(message));
    }
    let years = years(request.from_year, request.to_year)?;
    let GamesRequest { player, event, .. } = request;
    let filter = GameFilter { player, event, years };
    // It reads moves of every game.
    let found = tokio::task::spawn_blocking(move || record(&games, root, side, &filter, limit));
    Ok(json(&found.await.map_err(|_| ApiError::closing())?))
}

/// Returns the years asked for; games without a date where none is stated.
fn years(from: Option<u16>, to: Option<u16>) -> Result<RangeInclusive<u16>, ApiError> {
    let years = match (from, to) {
        (None, None) => 0..=u16::MAX,
        (from, to) => from.unwrap_or(1)..=to.unwrap_or(u16::MAX),
    };
    if years.is_empty() {
        let (from, to) = years.into_inner();
        let message =
            format!("the years: expected the first before the last, found {from} to {to}");
        return Err(ApiError::bad(message));
    }
    Ok(years)
}

fn record(
    games: &ServedGames,
    root: Position,
    side: Color,
    filter: &GameFilter,
    limit: usize,
) -> GamesRecord {
    // Asked first: games that came after it would be left unmentioned.
    let loading = !games.is_complete();
    let archive = games.archive();
    let FoundGames { stats, moves, games } = archive.find(root, side, filter, limit);
    GamesRecord {
        position: position_text(root, side),
        loading,
        archive: archive.len(),
        stats: StatsRecord::from(stats),
        moves: moves.into_iter().map(MoveRecord::from).collect(),
        found: games.into_iter().map(GameRecord::from).collect(),
    }
}

impl From<GameStats> for StatsRecord {
    fn from(stats: GameStats) -> StatsRecord {
        let GameStats { games, wins, draws, losses, .. } = stats;
        StatsRecord { games, wins, draws, losses, win_rate: stats.win_rate() }
    }
}

impl From<(Move, GameStats)> for MoveRecord {
    fn from((played, stats): (Move, GameStats)) -> MoveRecord {
        MoveRecord { r#move: played.to_string(), stats: StatsRecord::from(stats) }
    }
}

impl From<FoundGame> for GameRecord {
    fn from(game: FoundGame) -> GameRecord {
        GameRecord {
            result: game.result.map(|score| score.discs()),
            start: position_text(game.start, game.side),
            moves: game.moves.iter().map(Move::to_string).collect(),
            ply: game.ply,
            next: game.next().map(|next| next.to_string()),
            black: game.black,
            white: game.white,
            event: game.event,
            date: game.date,
        }
    }
}
