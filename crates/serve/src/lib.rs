//! The engine behind HTTP on one's own machine: a page with a board, and JSON for programs.
//!
//! A [`Server`] listens on the loopback address, shows the page, and answers requests below `/api/v1/`,
//! which `openapi.json` describes. One engine serves all requests: its searches take turns, live ones
//! as server-sent events. A search ends with the connection that asked for it.
//!
//! Pages of other sites cannot use the server: it answers to its own names only, refuses the requests
//! of other pages, and wants a token that only its own page and its owner know.
//!
//! ```
//! use umigame_serve::{Port, ServeOptions, Server};
//!
//! let server = Server::bind(ServeOptions { port: Port::Given(0), ..ServeOptions::default() })?;
//! println!("http://{}/", server.address());
//! let handle = server.handle();
//! let running = std::thread::spawn(|| server.run());
//! handle.stop();
//! running.join().expect("no fault")?;
//! # Ok::<(), umigame_serve::ServeError>(())
//! ```
//!
//! | module | |
//! |---|---|
//! | `server`, `connections` | listening, connections and their bounds |
//! | `gate` | who may ask: names of the host, origin, token, rate |
//! | `routes`, `assets` | what is where; the files of the page |
//! | `games` | games in memory, for questions about positions |
//! | `export` | the page without a server, in a folder |
//! | `api` | a file for each kind of request |
//! | `body`, `events`, `error` | requests and replies as JSON and as events |
//! | `search` | the queue of searches, and the thread that owns the engine |

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod api;
mod assets;
mod body;
mod connections;
mod error;
mod events;
mod export;
mod games;
mod gate;
mod reports;
mod routes;
mod search;
mod server;

pub use error::ServeError;
pub use export::{ExportError, Exported, export};
pub use games::ServedGames;
pub use server::{DEFAULT_PORT, Port, ServeOptions, Server, ServerHandle};
