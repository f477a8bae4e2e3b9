//! `analyze` at the prompt: the game judged, as a table or a page.

use std::path::{Path, PathBuf};

use umigame_analysis::html::page;
use umigame_analysis::{Analysis, Judgement};
use umigame_engine::{Limits, Listener};
use umigame_othello::Record;
use umigame_support::exit::shown;
use umigame_support::files;

use crate::cli::analyze::pages::{is_foreign, is_page_name};
use crate::cli::analyze::settings_sentence;
use crate::cli::browser;
use crate::session::Session;

/// A page to write: `--html FILE [--open]`.
#[derive(Debug)]
pub(super) struct PageRequest {
    path: PathBuf,
    opens: bool,
}

impl PageRequest {
    /// Reads what follows `analyze`; `None` where that is nothing.
    ///
    /// # Errors
    /// Words that ask for something else, or a file that is not to be written.
    pub(super) fn read(text: &str) -> Result<Option<PageRequest>, String> {
        if text.is_empty() {
            return Ok(None);
        }
        let (name, opens) = match text.strip_suffix("--open") {
            Some(before) if before.ends_with(char::is_whitespace) => (before.trim_end(), true),
            _ => (text, false),
        };
        let name = name.strip_prefix("--html").filter(|name| name.starts_with([' ', '\t', '=']));
        let name = name.map_or("", |name| name.trim_start_matches(['=', ' ', '\t']));
        if name.is_empty() {
            return Err("expected nothing, or --html FILE, or --html FILE --open".to_owned());
        }
        let path = PathBuf::from(name);
        if !is_page_name(&path) {
            return Err(format!("{}: expected a name in .html", shown(&path)));
        }
        if is_foreign(&path) {
            return Err(format!(
                "{}: exists already and is no page of umigame: expected another name",
                shown(&path)
            ));
        }
        Ok(Some(PageRequest { path, opens }))
    }

    /// Writes the page of a judged game, and opens it where that was asked for.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn write(
        &self,
        record: Record,
        judgements: Vec<Judgement>,
        limits: &Limits,
    ) -> Result<(), String> {
        let path: &Path = &self.path;
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", shown(path));
        let analysis = Analysis::new(record, judgements).map_err(|error| failed(&error))?;
        let text = page(&analysis, &settings_sentence(limits), None);
        files::replace(path, text.as_bytes()).map_err(|error| failed(&error))?;
        if self.opens {
            // The browser may have another folder of its own.
            browser::open(std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
        }
        Ok(())
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// Judges every position of the game, first to last; the first are missing where the search was stopped.
pub(super) fn judge(session: &mut Session, listener: &dyn Listener) -> Vec<Judgement> {
    let mut judgements = Vec::new();
    session.analyze(listener, &mut |judged| judgements.push(judged.clone()));
    // The analysis goes from the last move to the first.
    judgements.reverse();
    judgements
}
