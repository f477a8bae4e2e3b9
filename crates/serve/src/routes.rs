//! What is where.

use std::path::PathBuf;

use axum::Router;
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::{MethodRouter, get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use umigame_othello::text::quote;

use crate::api::{self, Api};
use crate::assets;
use crate::error::ApiError;
use crate::gate::{Gate, admit};
use crate::reports::{self, Reports};

/// The description of what is below `/api/v1/`.
const OPENAPI: &str = include_str!("../openapi.json");

/// Headers of every reply: the page takes nothing from elsewhere, and no other page shows it or reads
/// its files.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// The requests of the API.
fn api_routes() -> [(&'static str, MethodRouter<Api>); 13] {
    [
        ("/api/v1/openapi.json", get(openapi)),
        ("/api/v1/levels", get(api::levels::reply)),
        ("/api/v1/hint", post(api::hint::reply)),
        ("/api/v1/solve", post(api::solve::reply)),
        ("/api/v1/evaluate", post(api::evaluate::reply)),
        ("/api/v1/analyze", post(api::analyze::reply)),
        ("/api/v1/play", post(api::play::reply)),
        ("/api/v1/read", post(api::read::reply)),
        ("/api/v1/layers", post(api::layers::reply)),
        ("/api/v1/diagram", post(api::diagram::reply)),
        ("/api/v1/book", post(api::book::reply)),
        ("/api/v1/games", post(api::games::reply)),
        ("/api/v1/stop", post(api::stop::reply)),
    ]
}

/// Returns the whole server behind its gate.
pub(crate) fn router(api: Api, gate: Gate, reports: Option<PathBuf>) -> Router {
    let mut requests = Router::new();
    for (path, method) in api_routes() {
        requests = requests.route(path, method);
    }
    let page = Router::new()
        .route("/", get(assets::page))
        .route("/web/{*path}", get(assets::web))
        .route("/umigame/{*path}", get(assets::rules))
        .with_state(gate.clone());
    let reports = Router::new()
        .route("/reports/{name}", get(reports::report))
        .with_state(Reports::new(reports, gate.clone()));
    let mut router = requests
        .with_state(api)
        .merge(page)
        .merge(reports)
        .fallback(not_found)
        .method_not_allowed_fallback(wrong_method)
        .layer(CatchPanicLayer::custom(|_| fault().into_response()))
        .layer(from_fn_with_state(gate, admit));
    for (name, value) in HEADERS {
        // A report has a policy of its own.
        router = router
            .layer(SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value)));
    }
    router
}

async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI)
}

async fn not_found(uri: Uri) -> ApiError {
    ApiError::missing(format!("there is nothing at `{}`", quote(uri.path())))
}

async fn wrong_method(uri: Uri) -> ApiError {
    let message = format!("`{}` has another method: see /api/v1/openapi.json", quote(uri.path()));
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, message)
}

fn fault() -> ApiError {
    ApiError::failed("the request failed: a fault of the server")
}
