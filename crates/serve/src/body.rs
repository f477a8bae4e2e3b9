//! Bodies of requests as JSON, in bounded time and memory.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::ApiError;

/// Bytes of a request about a position.
const SMALL: usize = 64 << 10;
/// Bytes of a request about a game.
const LARGE: usize = 1 << 20;
/// Time in which a body must come.
const TIMEOUT: Duration = Duration::from_secs(10);

/// One more than the largest `u64`.
const U64_END: f64 = (1_u128 << 64) as f64;

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
    parse(&bytes).map_err(|error| {
        ApiError::bad(format!("the body is not the JSON that was expected: {error}"))
    })
}

/// Parses a body; `12.0` is accepted for a whole number, as JSON Schema has it and Python writes it.
fn parse<T: DeserializeOwned>(bytes: &[u8]) -> serde_json::Result<T> {
    serde_json::from_slice(bytes).or_else(|error| {
        let Ok(mut value) = serde_json::from_slice(bytes) else { return Err(error) };
        make_whole(&mut value);
        T::deserialize(value).map_err(|_| error)
    })
}

/// Turns numbers without a fraction into integers; no request has negative ones.
fn make_whole(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            let whole = number.as_f64().filter(|whole| whole.fract() == 0.0);
            if let Some(whole) = whole.filter(|whole| (0.0..U64_END).contains(whole)) {
                *number = (whole as u64).into();
            }
        }
        Value::Array(values) => values.iter_mut().for_each(make_whole),
        Value::Object(fields) => fields.values_mut().for_each(make_whole),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_without_a_fraction_is_whole() {
        assert_eq!(parse::<Vec<u8>>(b"[1, 2.0, 3e1]").expect("whole numbers"), [1, 2, 30]);
        assert_eq!(
            parse::<[u64; 2]>(b"[1e18, 18446744073709551615]").ok(),
            Some([10_u64.pow(18), u64::MAX])
        );
        assert!(parse::<u64>(b"1e20").is_err());
        for (wrong, place) in
            [("[1.5]", "column 4"), ("[256.0]", "column 6"), ("[-1.0]", "column 5")]
        {
            let error = parse::<Vec<u8>>(wrong.as_bytes()).expect_err(wrong).to_string();
            assert!(error.contains(place), "{error}");
        }
    }
}
