//! Errors: of starting a server, and of a request as JSON.

use std::net::SocketAddr;

use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use umigame_engine::EngineError;

/// Reason why a server cannot start or go on.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The port is taken.
    #[error("port {0} is in use: choose another, or 0 for any that is free")]
    PortInUse(u16),
    /// Every port that was tried is taken.
    #[error("ports {0} to {1} are in use: choose another, or 0 for any that is free")]
    PortsInUse(u16, u16),
    /// The address cannot be listened on.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, std::io::Error),
    /// The machine has no room for the engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The system gives no threads, or no random token.
    #[error("the server cannot start: {0}")]
    System(String),
}

/// A request that failed: its status, and what the client is told.
#[derive(Clone, Debug)]
pub(crate) struct ApiError {
    pub status: StatusCode,
    message: String,
    /// Line and column of the fault in a text, from 1.
    place: Option<(usize, usize)>,
}

#[derive(Serialize)]
struct Body<'a> {
    error: Fault<'a>,
}

#[derive(Serialize)]
struct Fault<'a> {
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

impl ApiError {
    pub fn new(status: StatusCode, message: impl Into<String>) -> ApiError {
        ApiError { status, message: message.into(), place: None }
    }

    /// What was sent is wrong.
    pub fn bad(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, message)
    }

    /// Nothing is there.
    pub fn missing(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, message)
    }

    /// The server failed: a fault of its own, or of the machine.
    pub fn failed(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    /// The server has too much to do.
    pub fn busy() -> ApiError {
        let message = "too many requests wait for the engine: try again";
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// The server ends.
    pub fn closing() -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "the server is ending")
    }

    /// Adds the line and the column of the fault.
    pub fn at(self, line: usize, column: usize) -> ApiError {
        ApiError { place: Some((line, column)), ..self }
    }

    /// The error as JSON.
    pub fn json(&self) -> String {
        let (line, column) = self.place.unzip();
        let body = Body { error: Fault { message: &self.message, line, column } };
        serde_json::to_string(&body).unwrap_or_default()
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response =
            (self.status, [(CONTENT_TYPE, "application/json")], self.json()).into_response();
        let later = [StatusCode::SERVICE_UNAVAILABLE, StatusCode::TOO_MANY_REQUESTS];
        if later.contains(&self.status) {
            response.headers_mut().insert(RETRY_AFTER, 1.into());
        }
        response
    }
}
