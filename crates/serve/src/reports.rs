//! Reports of judged games from a folder, with the engine behind them.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::extract::{Path as UrlPath, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use umigame_analysis::html::is_page;
use umigame_othello::text::quote;

use crate::assets::with_token;
use crate::error::ApiError;
use crate::gate::Gate;

/// The script of a report stands in it; it reaches this server and nothing else.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
    img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The report of a long game has a tenth of it.
const MAX_BYTES: u64 = 8 << 20;
/// Bytes in which a report says that it is one.
const HEAD_BYTES: usize = 2048;

/// The folder of reports, where there is one.
#[derive(Clone, Debug)]
pub(crate) struct Reports {
    folder: Option<Arc<PathBuf>>,
    gate: Gate,
}

impl Reports {
    pub fn new(folder: Option<PathBuf>, gate: Gate) -> Reports {
        Reports { folder: folder.map(Arc::new), gate }
    }
}

/// A report, with the token in it.
pub(crate) async fn report(
    State(reports): State<Reports>,
    UrlPath(name): UrlPath<String>,
) -> Response {
    let Reports { folder, gate } = reports;
    let wanted = name.clone();
    let read = move || folder.and_then(|folder| read(&folder, &wanted));
    // A worker that fails has read nothing.
    match tokio::task::spawn_blocking(read).await.ok().flatten() {
        Some(text) => {
            let headers = [
                (CONTENT_TYPE, "text/html; charset=utf-8"),
                (CACHE_CONTROL, "no-store"),
                (CONTENT_SECURITY_POLICY, POLICY),
            ];
            (headers, with_token(&text, &gate)).into_response()
        }
        None => {
            let message = format!("there is no report `{}`", quote(&name));
            ApiError::missing(message).into_response()
        }
    }
}

/// Reads a page that umigame wrote; `None` for any other file.
fn read(folder: &Path, name: &str) -> Option<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let is_name = name.ends_with(".html") && !name.starts_with('.') && name.chars().all(is_plain);
    let path = is_name.then(|| folder.join(name))?;
    // Opening a pipe would wait for its writer.
    if !fs::metadata(&path).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(&path).ok()?.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    is_page(bytes.get(..HEAD_BYTES.min(bytes.len()))?).then(|| String::from_utf8(bytes).ok())?
}
