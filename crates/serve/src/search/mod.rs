//! One engine for all requests: they take turns.

mod clients;
mod job;
mod queue;

pub(crate) use clients::{Clients, Kind, Ticket};
pub(crate) use job::Answer;
pub(crate) use queue::{Searcher, SearcherThread};
