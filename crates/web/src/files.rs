//! The files of the page, by name.

use std::borrow::Cow;

pub use rust_embed::EmbeddedFile;
use rust_embed::RustEmbed;

/// The page.
#[derive(RustEmbed)]
#[folder = "page/"]
struct Page;

/// The rules in JavaScript, which the npm package has too.
#[derive(RustEmbed)]
#[folder = "umigame/"]
struct Rules;

/// Files that an exported page needs besides, such as its service worker.
#[derive(RustEmbed)]
#[folder = "static/"]
struct Static;

/// Returns a file of the page, such as `index.html`.
pub fn page_file(name: &str) -> Option<EmbeddedFile> {
    Page::get(name)
}

/// Returns the names of the page's files.
pub fn page_files() -> impl Iterator<Item = Cow<'static, str>> {
    Page::iter()
}

/// Returns a file of the rules in JavaScript, such as `position.js`; the page finds them in `../umigame/`.
pub fn rules_file(name: &str) -> Option<EmbeddedFile> {
    Rules::get(name)
}

/// Returns the names of the files of [`rules_file`].
pub fn rules_files() -> impl Iterator<Item = Cow<'static, str>> {
    Rules::iter()
}

/// Returns a file that the page needs on any web host, such as `sw.js`; it lies beside `index.html`.
pub fn static_file(name: &str) -> Option<EmbeddedFile> {
    Static::get(name)
}

/// Returns the names of the files of [`static_file`].
pub fn static_files() -> impl Iterator<Item = Cow<'static, str>> {
    Static::iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_and_rules_are_found_by_name() {
        assert!(page_file("index.html").is_some());
        assert!(rules_file("position.js").is_some() && rules_file("game.js").is_some());
        assert!(page_files().all(|name| page_file(&name).is_some()));
        assert!(rules_files().all(|name| rules_file(&name).is_some()));
        assert!(static_files().all(|name| static_file(&name).is_some()));
        assert!(page_file("../Cargo.toml").is_none());
    }
}
