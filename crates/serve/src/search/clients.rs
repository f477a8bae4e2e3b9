//! Who has asked for what: a newer request of a client ends its older one of the same kind.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use umigame_engine::StopHandle;

use super::queue::Searcher;

/// A kind of request of which a client has one at a time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Kind {
    Hint,
    Analysis,
    Play,
}

type Requests = HashMap<(String, Kind), (u64, StopHandle)>;

/// The requests that run for clients with a name.
#[derive(Clone, Debug)]
pub(crate) struct Clients(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    searcher: Searcher,
    requests: Mutex<Requests>,
    last: AtomicU64,
}

impl Clients {
    pub fn new(searcher: Searcher) -> Clients {
        Clients(Arc::new(Inner {
            searcher,
            requests: Mutex::default(),
            last: AtomicU64::default(),
        }))
    }

    fn requests(&self) -> MutexGuard<'_, Requests> {
        self.0.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a request, and ends the older one of the client.
    pub fn begin(&self, client: Option<String>, kind: Kind) -> Ticket {
        let stop = StopHandle::default();
        let registered = client.map(|client| {
            let id = self.0.last.fetch_add(1, Relaxed);
            let key = (client, kind);
            let older = self.requests().insert(key.clone(), (id, stop.clone()));
            if let Some((_, older)) = older {
                self.0.searcher.stop(&older);
            }
            (key, id)
        });
        Ticket { stop, clients: self.clone(), registered }
    }

    /// Ends all requests of a client. Returns whether there were any.
    pub fn stop(&self, client: &str) -> bool {
        let requests = self.requests();
        let of_client = requests.iter().filter(|((name, _), _)| name == client);
        let stops: Vec<StopHandle> = of_client.map(|(_, (_, stop))| stop.clone()).collect();
        drop(requests);
        for stop in &stops {
            self.0.searcher.stop(stop);
        }
        !stops.is_empty()
    }
}

/// A request that runs. Dropping it ends its searches: its connection has closed.
#[derive(Debug)]
pub(crate) struct Ticket {
    stop: StopHandle,
    clients: Clients,
    registered: Option<((String, Kind), u64)>,
}

impl Ticket {
    /// Returns what ends its searches.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.clients.0.searcher.stop(&self.stop);
        if let Some((key, id)) = self.registered.take() {
            let mut requests = self.clients.requests();
            // A newer one has its place.
            if requests.get(&key).is_some_and(|(of, _)| *of == id) {
                requests.remove(&key);
            }
        }
    }
}
