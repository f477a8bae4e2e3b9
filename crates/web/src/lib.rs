//! The page of umigame: a board with values, in HTML, CSS and JavaScript, as files in a library.
//!
//! With the feature `files`, [`page_file`] and [`rules_file`] hand out the files that a server sends.
//! The other texts are for pages that are one file: the report of a game and its index.
//!
//! ```
//! # #[cfg(feature = "files")]
//! assert!(umigame_web::page_file("index.html").is_some());
//! ```

#[cfg(test)]
mod bundle;
#[cfg(feature = "files")]
mod files;

#[cfg(feature = "files")]
pub use files::{
    EmbeddedFile, page_file, page_files, rules_file, rules_files, static_file, static_files,
};

/// The style sheet of the page, that of its board first.
pub const STYLE: &str =
    concat!(include_str!("../umigame/board.css"), include_str!("../page/style.css"));
/// The style sheet of reports and their index, which follows [`STYLE`].
pub const REPORT_STYLE: &str = include_str!("../report/report.css");
/// The script of the report of a game, all in one.
pub const REPORT_SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/report.js"));
/// The script of an index of reports.
pub const INDEX_SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/index.js"));
