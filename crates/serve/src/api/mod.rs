//! The requests of the API, a file each.

pub mod analyze;
pub mod book;
pub mod diagram;
pub mod evaluate;
pub mod games;
pub mod hint;
pub mod layers;
mod level;
pub mod levels;
pub mod play;
pub mod read;
pub mod solve;
pub mod stop;

use std::sync::{Arc, Mutex};

use serde::Serialize;
use tokio::sync::Semaphore;
use umigame_analysis::report::ReportRecord;
use umigame_book::PlayBook;
use umigame_engine::{
    Level, LimitOptions, Limits, Report, SearchFault, SharedEvaluation, Strength,
};
use umigame_othello::{Color, Position, parse_position};

use crate::error::ApiError;
use crate::events::Work;
use crate::games::ServedGames;
use crate::search::{Answer, Clients, Searcher, Ticket, WeakSearcher};

use level::LevelName;

/// Analyses at once; each has a thread of its own that waits for its searches.
const MAX_ANALYSES: usize = 8;
/// Longest name of a client, in characters.
const MAX_CLIENT_CHARS: usize = 64;

/// What requests need.
#[derive(Clone, Debug)]
pub(crate) struct Api {
    pub searcher: Searcher,
    pub weak: WeakSearcher,
    pub clients: Clients,
    pub evaluation: SharedEvaluation,
    /// The level of requests that state no limits.
    pub level: Strength,
    pub book: Option<Arc<Mutex<PlayBook>>>,
    pub games: Option<ServedGames>,
    pub analyses: Arc<Semaphore>,
}

/// A search that runs.
type Search = Work<Report, Result<Answer, SearchFault>>;

impl Api {
    /// Returns the bound of analyses at once.
    pub fn analyses() -> Arc<Semaphore> {
        Arc::new(Semaphore::new(MAX_ANALYSES))
    }

    /// Returns the limits that were stated, at the server's level where nothing that ends a search was.
    fn limits(&self, stated: LimitOptions) -> LimitOptions {
        if ends_by_itself(&stated) {
            return stated;
        }
        // A level that errs is for play; values are those of the default.
        LimitOptions { level: Some(self.level.level().unwrap_or(Level::DEFAULT)), ..stated }
    }

    /// Begins a search.
    fn search(
        &self,
        ticket: Ticket,
        position: Position,
        limits: Limits,
        is_endless: bool,
    ) -> Result<Search, ApiError> {
        let waiting = self.searcher.begin(position, limits, is_endless, ticket.stop_handle())?;
        Ok(Work {
            ticket,
            reports: waiting.reports,
            answer: waiting.answer,
            report_json: |report| text(&ReportRecord::from(report)),
            answer_json: |answer| Ok(text(&ResultRecord::from(found(answer)?))),
        })
    }
}

/// Whether something that was stated ends a search.
fn ends_by_itself(stated: &LimitOptions) -> bool {
    stated.level.is_some() || stated.depth.is_some() || stated.is_bounded()
}

/// Returns what a search found, or that it failed.
fn found(answer: Result<Answer, SearchFault>) -> Result<Answer, ApiError> {
    answer.map_err(|fault| ApiError::failed(fault.to_string()))
}

fn text(value: &impl Serialize) -> String {
    // Serialisation fails for maps without text keys only; there are none.
    serde_json::to_string(value).unwrap_or_default()
}

/// The end of a search.
#[derive(Serialize)]
struct ResultRecord {
    #[serde(flatten)]
    report: ReportRecord,
    stopped: bool,
}

impl From<Answer> for ResultRecord {
    fn from(answer: Answer) -> ResultRecord {
        ResultRecord { report: ReportRecord::from(&answer.report), stopped: answer.stopped }
    }
}

/// Reads 64 squares and the side to move.
fn position(text: &str) -> Result<(Position, Color), ApiError> {
    parse_position(text).map_err(|error| {
        let bad = ApiError::bad(format!("the position: {error}"));
        match error.column() {
            Some(column) => bad.at(1, column),
            None => bad,
        }
    })
}

/// Checks the name of a client.
fn client(name: Option<String>) -> Result<Option<String>, ApiError> {
    match &name {
        Some(long) if long.chars().count() > MAX_CLIENT_CHARS => Err(ApiError::bad(format!(
            "the client: expected at most {MAX_CLIENT_CHARS} characters"
        ))),
        _ => Ok(name),
    }
}
