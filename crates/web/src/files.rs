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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_and_rules_are_found_by_name() {
        assert!(page_file("index.html").is_some());
        assert!(rules_file("position.js").is_some() && rules_file("game.js").is_some());
        assert!(page_files().all(|name| page_file(&name).is_some()));
        assert!(page_file("../Cargo.toml").is_none());
    }
}
