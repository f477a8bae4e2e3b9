//! The gate: who may ask.
//!
//! A browser lets any page send requests to this machine. The gate answers to the names of the loopback
//! address only, so that a name of another site that leads here gets nothing; it refuses requests that
//! pages of other origins send; and whatever makes the engine work wants the token.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use umigame_othello::text::quote;

use crate::error::ApiError;

/// The header with the token.
pub(crate) const TOKEN: HeaderName = HeaderName::from_static("x-umigame-token");

/// Requests a second that are served in the long run, and at once: far more than a person makes.
const MAX_RATE: f64 = 5000.0;
const MAX_BURST: f64 = 10_000.0;

/// What the gate knows.
#[derive(Clone, Debug)]
pub(crate) struct Gate(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    port: u16,
    token: String,
    /// Requests that may come at once, as of a moment.
    allowance: Mutex<(f64, Instant)>,
}

impl Gate {
    pub fn new(port: u16, token: String) -> Gate {
        let allowance = Mutex::new((MAX_BURST, Instant::now()));
        Gate(Arc::new(Inner { port, token, allowance }))
    }

    pub fn token(&self) -> &str {
        &self.0.token
    }

    /// Lets a request in, or says why not.
    fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), ApiError> {
        self.check_host(uri, headers)?;
        self.check_origin(headers)?;
        if uri
            .path()
            .to_ascii_lowercase()
            .replace("%2e", ".")
            .split(['/', '\\'])
            .any(|part| part == "..")
        {
            return Err(ApiError::bad(format!("`{}`: a path has no `..`", quote(uri.path()))));
        }
        if !self.takes() {
            let message = format!("more than {MAX_RATE} requests a second");
            return Err(ApiError::new(StatusCode::TOO_MANY_REQUESTS, message));
        }
        if !matches!(*method, Method::GET | Method::HEAD) {
            self.check_token(headers)?;
        }
        Ok(())
    }

    /// Whether this is a name of this server.
    fn is_own(&self, host: &str) -> bool {
        let own = |name: &str| {
            let port = host.strip_prefix(name).and_then(|rest| rest.strip_prefix(':'));
            port.is_some_and(|port| port.parse() == Ok(self.0.port))
                || self.0.port == 80 && host == name
        };
        own("127.0.0.1") || own("localhost") || own("[::1]")
    }

    fn check_host(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), ApiError> {
        let mut hosts = headers.get_all(HOST).iter().map(|host| host.to_str().unwrap_or_default());
        let host = hosts.next().unwrap_or_default();
        let of_uri = uri.authority().is_none_or(|authority| self.is_own(authority.as_str()));
        if self.is_own(host) && hosts.next().is_none() && of_uri {
            return Ok(());
        }
        let (host, port) = (quote(host), self.0.port);
        let message =
            format!("the host is `{host}`: expected 127.0.0.1:{port} or localhost:{port}");
        Err(ApiError::new(StatusCode::FORBIDDEN, message))
    }

    fn check_origin(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        for origin in headers.get_all(ORIGIN) {
            let origin = origin.to_str().unwrap_or_default();
            if !origin.strip_prefix("http://").is_some_and(|host| self.is_own(host)) {
                let message =
                    format!("the origin is `{}`: expected this server's page", quote(origin));
                return Err(ApiError::new(StatusCode::FORBIDDEN, message));
            }
        }
        Ok(())
    }

    fn check_token(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        let refused = |message| Err(ApiError::new(StatusCode::UNAUTHORIZED, message));
        let Some(given) = headers.get(TOKEN) else {
            return refused(
                "the header X-Umigame-Token is missing: expected the token that the server printed",
            );
        };
        // The time it takes tells nothing of the token.
        let (given, own) = (given.as_bytes(), self.0.token.as_bytes());
        let differs = given.iter().zip(own).fold(0, |differs, (a, b)| differs | (a ^ b));
        if given.len() != own.len() || differs != 0 {
            return refused(
                "the header X-Umigame-Token is wrong: expected the token that the server printed",
            );
        }
        Ok(())
    }

    /// Takes a request from the allowance; false where there is none left.
    fn takes(&self) -> bool {
        let mut allowance = self.0.allowance.lock().unwrap_or_else(PoisonError::into_inner);
        let (left, since) = *allowance;
        let now = Instant::now();
        let left = (left + MAX_RATE * now.duration_since(since).as_secs_f64()).min(MAX_BURST);
        *allowance = (if left >= 1.0 { left - 1.0 } else { left }, now);
        left >= 1.0
    }
}

/// The gate in front of every request.
pub(crate) async fn admit(State(gate): State<Gate>, request: Request, next: Next) -> Response {
    match gate.check(request.method(), request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_the_loopback_address_with_the_port_are_own() {
        let gate = Gate::new(6464, "t".into());
        for own in ["127.0.0.1:6464", "localhost:6464", "[::1]:6464"] {
            assert!(gate.is_own(own), "{own}");
        }
        for other in [
            "",
            "127.0.0.1",
            "localhost",
            "127.0.0.1:6465",
            "127.0.0.1:",
            "evil.example:6464",
            "localhost.evil.example:6464",
            "127.0.0.1:6464.evil.example",
            "127.0.0.1.evil:6464",
        ] {
            assert!(!gate.is_own(other), "{other}");
        }
        assert!(Gate::new(80, "t".into()).is_own("localhost"));
    }

    #[test]
    fn a_burst_is_served_and_what_comes_at_once_after_it_is_not() {
        let gate = Gate::new(1, "t".into());
        let served = (0..2 * MAX_BURST as usize).filter(|_| gate.takes()).count();
        assert!((MAX_BURST as usize..2 * MAX_BURST as usize).contains(&served), "{served}");
    }
}
