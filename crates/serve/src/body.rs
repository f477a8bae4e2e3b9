//! Bodies of requests as JSON, in bounded time and memory.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;

use crate::error::ApiError;

/// Bytes of a request about a position.
const SMALL: usize = 64 << 10;
/// Bytes of a request about a game.
const LARGE: usize = 1 << 20;
/// Time in which a body must come.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A body of at most 64 KiB.
pub(crate) struct Json<T>(pub T);

/// A body of at most 1 MiB.
pub(crate) struct LargeJson<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequest<S> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Json<T>, ApiError> {
        read(request.into_body(), SMALL).await.map(Json)
    }
}

impl<T: DeserializeOwned, S: Sync> FromRequest<S> for LargeJson<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<LargeJson<T>, ApiError> {
        read(request.into_body(), LARGE).await.map(LargeJson)
    }
}

async fn read<T: DeserializeOwned>(body: Body, most: usize) -> Result<T, ApiError> {
    let too_large = || {
        let message = format!("the body is too large: expected at most {most} bytes");
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    };
    let late = |_| {
        let message = format!("the body did not come within {} s", TIMEOUT.as_secs());
        ApiError::new(StatusCode::REQUEST_TIMEOUT, message)
    };
    let read = Limited::new(body, most).collect();
    let bytes = match tokio::time::timeout(TIMEOUT, read).await.map_err(late)? {
        Ok(read) => read.to_bytes(),
        Err(error) if error.is::<LengthLimitError>() => return Err(too_large()),
        Err(error) => return Err(ApiError::bad(format!("the body is cut off: {error}"))),
    };
    serde_json::from_slice(&bytes).map_err(|error| {
        ApiError::bad(format!("the body is not the JSON that was expected: {error}"))
    })
}
