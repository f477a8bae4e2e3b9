//! The page of umigame: a board with values, in HTML, CSS and JavaScript, as files in a library.
//!
//! With the feature `files`, [`page_file`] and [`rules_file`] hand out the files that a server sends.
//!
//! ```
//! # #[cfg(feature = "files")]
//! assert!(umigame_web::page_file("index.html").is_some());
//! ```

#[cfg(feature = "files")]
mod files;

#[cfg(feature = "files")]
pub use files::{EmbeddedFile, page_file, page_files, rules_file};
