//! The files of the page, which lie in the binary: those of `umigame-web`.

use std::borrow::Cow;
use std::fmt::Write as _;

use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use umigame_othello::openings;
use umigame_othello::text::quote;
use umigame_web::{EmbeddedFile, page_file, rules_file};

use crate::error::ApiError;
use crate::gate::Gate;

/// Where the page finds the token.
pub(crate) const TOKEN_TAG: &str = r#"<meta name="umigame-token" content="">"#;

/// The page, with the token in it.
pub(crate) async fn page(State(gate): State<Gate>) -> Response {
    let Some(file) = page_file("index.html") else { return missing("index.html") };
    let headers = [(CONTENT_TYPE, "text/html; charset=utf-8"), (CACHE_CONTROL, "no-store")];
    (headers, with_token(&String::from_utf8_lossy(&file.data), &gate)).into_response()
}

/// Returns a page with the token in it.
pub(crate) fn with_token(page: &str, gate: &Gate) -> String {
    let own =
        TOKEN_TAG.replace(r#"content="""#, &format!(r#"content="{}""#, escaped(gate.token())));
    page.replacen(TOKEN_TAG, &own, 1)
}

/// Returns a text as the value of an attribute in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

/// A file of the page.
pub(crate) async fn web(Path(path): Path<String>, headers: HeaderMap) -> Response {
    page_file(&path).map_or_else(|| missing(&path), |found| file(found, &headers))
}

/// A file of the rules; `openings.tsv` has the names of openings.
pub(crate) async fn rules(Path(path): Path<String>, headers: HeaderMap) -> Response {
    if path == "openings.tsv" {
        return tagged("openings", "text/tab-separated-values; charset=utf-8", &headers, || {
            opening_table().into_bytes().into()
        });
    }
    rules_file(&path).map_or_else(|| missing(&path), |found| file(found, &headers))
}

/// Moves, English name, Japanese name.
pub(crate) fn opening_table() -> String {
    let mut table = String::new();
    for opening in openings::all() {
        let [english, japanese] =
            [opening.english(), opening.japanese()].map(Option::unwrap_or_default);
        // Writing to a string cannot fail.
        let _ = writeln!(table, "{}\t{english}\t{japanese}", opening.moves);
    }
    table
}

fn file(file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let hash: String =
        file.metadata.sha256_hash().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let kind = file.metadata.mimetype().to_owned();
    let kind = if kind.starts_with("text/") { kind + "; charset=utf-8" } else { kind };
    tagged(&hash, &kind, headers, || file.data)
}

/// Returns a file, or that the browser has it already.
fn tagged(
    tag: &str,
    kind: &str,
    headers: &HeaderMap,
    bytes: impl FnOnce() -> Cow<'static, [u8]>,
) -> Response {
    let tag = format!("\"{}-{tag}\"", env!("CARGO_PKG_VERSION"));
    let common = [(ETAG, tag.clone()), (CACHE_CONTROL, "no-cache".to_owned())];
    if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    (common, [(CONTENT_TYPE, kind.to_owned())], bytes().into_owned()).into_response()
}

fn missing(path: &str) -> Response {
    ApiError::missing(format!("there is no file `{}`", quote(path))).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_a_place_for_the_token() {
        let page = page_file("index.html").expect("a page");
        assert!(String::from_utf8_lossy(&page.data).contains(TOKEN_TAG));
    }

    #[test]
    fn a_token_cannot_leave_its_attribute() {
        assert_eq!(escaped("a\"><b&"), "a&quot;>&lt;b&amp;");
    }
}
