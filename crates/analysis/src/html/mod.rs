//! HTML pages: the report of a game, and the index of a folder of reports.
//!
//! A page is one file that needs no network, no fonts and no other file. It adapts to wide and
//! narrow screens, to light and dark, and to print. Board and graph are those of the page of
//! `umigame serve`; without scripts a page lacks these two.

mod index;
mod parts;
mod report;
#[cfg(test)]
mod tests;
mod viewer;

pub use index::{IndexEntry, index};
pub use parts::is_page;
pub use report::page;
