//! One engine for all requests: they take turns.

mod clients;
mod job;
mod queue;
mod weak;

pub(crate) use clients::{Clients, Kind, Ticket};
pub(crate) use job::Answer;
pub(crate) use queue::{Searcher, SearcherThread};
pub(crate) use weak::{WeakMove, WeakSearcher};
