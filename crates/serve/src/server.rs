//! A server from its start to its end.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::watch;
use umigame_book::PlayBook;
use umigame_engine::{Engine, EngineOptions, Evaluation, Level, SharedEvaluation, Strength};

use crate::api::Api;
use crate::connections::serve;
use crate::error::ServeError;
use crate::games::ServedGames;
use crate::gate::Gate;
use crate::routes::router;
use crate::search::{Clients, SearcherThread, WeakSearcher};

/// The port that is tried first unless another is given.
pub const DEFAULT_PORT: u16 = 6464;
/// Ports that are tried from the first one on.
const TRIED_PORTS: u16 = 10;
/// Random bytes of a token.
const TOKEN_BYTES: usize = 16;
/// What still runs at the end of the server is left alone after this time.
const END_TIMEOUT: Duration = Duration::from_millis(500);

/// Where to listen on the loopback address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Port {
    /// This port; 0 for any that is free.
    Given(u16),
    /// The first free one from this port on, of a few.
    From(u16),
}

/// What a server needs.
#[derive(Debug)]
pub struct ServeOptions {
    /// Where to listen.
    pub port: Port,
    /// The token that requests must have; a random one without it.
    pub token: Option<String>,
    /// Weights of the engine.
    pub evaluation: SharedEvaluation,
    /// Memory and threads of the engine.
    pub engine: EngineOptions,
    /// The level of requests that state no limits; one that errs is for play alone.
    pub level: Strength,
    /// Book for questions about positions, and for moves.
    pub book: Option<PlayBook>,
    /// Games for questions about positions.
    pub games: Option<ServedGames>,
    /// Folder of reports, pages that `umigame analyze --html` wrote, for `/reports/`.
    pub reports: Option<PathBuf>,
}

/// The default engine on the default port, without a book.
impl Default for ServeOptions {
    fn default() -> ServeOptions {
        ServeOptions {
            port: Port::From(DEFAULT_PORT),
            token: None,
            evaluation: Evaluation::embedded(),
            engine: EngineOptions::default(),
            level: Strength::Level(Level::DEFAULT),
            book: None,
            games: None,
            reports: None,
        }
    }
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: String,
    stop: watch::Sender<bool>,
    stopped: watch::Receiver<bool>,
    api: Api,
    searches: SearcherThread,
    reports: Option<PathBuf>,
}

/// Ends a server from any thread.
#[derive(Clone, Debug)]
pub struct ServerHandle(watch::Sender<bool>);

impl ServerHandle {
    /// Ends the server: its searches stop, its connections close.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Server {
    /// Listens, and makes the engine.
    ///
    /// # Errors
    /// A port in use, or an engine that the machine has no room for.
    pub fn bind(options: ServeOptions) -> Result<Server, ServeError> {
        let (listener, address) = listen(options.port)?;
        let engine = Engine::new(options.evaluation.clone(), options.engine)?;
        let system = |error: std::io::Error| ServeError::System(error.to_string());
        let searches = SearcherThread::start(engine).map_err(system)?;
        let token = options.token.map_or_else(random_token, Ok)?;
        let (stop, stopped) = watch::channel(false);
        let api = Api {
            searcher: searches.searcher(),
            clients: Clients::new(searches.searcher()),
            weak: WeakSearcher::new(options.evaluation.clone()),
            evaluation: options.evaluation,
            level: options.level,
            book: options.book.map(|book| Arc::new(Mutex::new(book))),
            games: options.games,
            analyses: Api::analyses(),
        };
        let reports = options.reports;
        Ok(Server { listener, address, token, stop, stopped, api, searches, reports })
    }

    /// The address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The token that requests must have.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Returns what ends the server.
    pub fn handle(&self) -> ServerHandle {
        ServerHandle(self.stop.clone())
    }

    /// Serves until [`ServerHandle::stop`].
    ///
    /// # Errors
    /// The system gives no threads.
    pub fn run(self) -> Result<(), ServeError> {
        let system = |error: std::io::Error| ServeError::System(error.to_string());
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("requests")
            .enable_io()
            .enable_time()
            .build()
            .map_err(system)?;
        let gate = Gate::new(self.address.port(), self.token.clone());
        let router = router(self.api, gate, self.reports);
        let listener = {
            let _inside = runtime.enter();
            tokio::net::TcpListener::from_std(self.listener).map_err(system)?
        };
        runtime.block_on(serve(listener, router, self.stopped));
        // Searches end first: analyses wait for them.
        drop(self.searches);
        runtime.shutdown_timeout(END_TIMEOUT);
        Ok(())
    }
}

fn listen(port: Port) -> Result<(TcpListener, SocketAddr), ServeError> {
    let (first, last) = match port {
        Port::Given(port) => (port, port),
        Port::From(port) => (port, port.saturating_add(TRIED_PORTS - 1)),
    };
    for port in first..=last {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let failed = |error| ServeError::Listen(address, error);
        match TcpListener::bind(address) {
            Ok(listener) => {
                listener.set_nonblocking(true).map_err(failed)?;
                let address = listener.local_addr().map_err(failed)?;
                return Ok((listener, address));
            }
            Err(error) if error.kind() == ErrorKind::AddrInUse => {}
            Err(error) => return Err(failed(error)),
        }
    }
    Err(if first == last {
        ServeError::PortInUse(first)
    } else {
        ServeError::PortsInUse(first, last)
    })
}

fn random_token() -> Result<String, ServeError> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes).map_err(|error| ServeError::System(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
