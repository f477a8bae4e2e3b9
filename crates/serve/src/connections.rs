//! Connections: how many there may be, and how long they may be silent.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use http_body_util::BodyExt;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{oneshot, watch};
use tower::ServiceExt;

/// Open connections. Beyond them the oldest one without a request is closed: many systems allow a
/// process about a thousand open files.
const MAX_CONNECTIONS: usize = 400;
/// Time in which the head of a request must come; a connection without requests is closed after it.
const HEAD_TIMEOUT: Duration = Duration::from_secs(20);
/// Bytes of the head of a request, and of replies that wait for a slow reader.
const BUFFER_BYTES: usize = 64 << 10;
/// Pause after a connection that could not be accepted: for want of open files, most often.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);

/// An open connection. Dropping it closes the connection.
struct Connection {
    requests: Arc<AtomicUsize>,
    _close: oneshot::Sender<()>,
}

#[derive(Clone, Default)]
struct Connections(Arc<Mutex<BTreeMap<u64, Connection>>>);

impl Connections {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Connection>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes the oldest connection without a request, where there are too many. Returns whether there
    /// is room for another.
    fn make_room(&self) -> bool {
        let mut open = self.lock();
        if open.len() < MAX_CONNECTIONS {
            return true;
        }
        let idle =
            |(&id, one): (&u64, &Connection)| (one.requests.load(Relaxed) == 0).then_some(id);
        let oldest = open.iter().find_map(idle);
        oldest.is_some_and(|id| open.remove(&id).is_some())
    }
}

/// A request that is being answered.
struct Serving(Arc<AtomicUsize>);

impl Serving {
    fn begin(requests: &Arc<AtomicUsize>) -> Serving {
        requests.fetch_add(1, Relaxed);
        Serving(Arc::clone(requests))
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// Serves connections until `stopped` is true.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    mut stopped: watch::Receiver<bool>,
) {
    let connections = Connections::default();
    let mut next_id = 0;
    loop {
        let accepted = tokio::select! {
            _ = stopped.wait_for(|stopped| *stopped) => return,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, _)) if connections.make_room() => {
                next_id += 1;
                open(&connections, next_id, stream, router.clone());
            }
            Ok(_) => log::warn!("a connection was refused: {MAX_CONNECTIONS} have requests"),
            Err(error) => {
                log::warn!("a connection could not be accepted: {error}");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

fn open(connections: &Connections, id: u64, stream: TcpStream, router: Router) {
    let requests = Arc::new(AtomicUsize::new(0));
    let (close, closed) = oneshot::channel();
    connections.lock().insert(id, Connection { requests: Arc::clone(&requests), _close: close });
    let connections = connections.clone();
    // Values are shown as they come.
    let _ = stream.set_nodelay(true);
    tokio::spawn(async move {
        let service = service_fn(|request: Request<Incoming>| {
            let serving = Serving::begin(&requests);
            let router = router.clone();
            async move {
                let response = router.oneshot(request.map(Body::new)).await?;
                // The request lasts as long as its reply.
                let hold = move |frame| {
                    let _ = &serving;
                    frame
                };
                Ok::<_, Infallible>(response.map(|body| body.map_frame(hold)))
            }
        });
        let served = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIMEOUT)
            .max_buf_size(BUFFER_BYTES)
            .serve_connection(TokioIo::new(stream), service);
        tokio::select! {
            result = served => {
                if let Err(error) = result {
                    log::debug!("a connection ended: {error}");
                }
            }
            _ = closed => {}
        }
        connections.lock().remove(&id);
    });
}
