//! The pages of `--html`: one file, or a folder with an index.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use umigame_analysis::Analysis;
use umigame_analysis::html::{IndexEntry, index, is_page, page};
use umigame_support::files;

use umigame_support::exit::{bad_input, shown};

/// File of the index in a folder of reports.
const INDEX_FILE: &str = "index.html";

/// Bytes read of a file to see whether it is a page.
const MAX_HEAD_BYTES: u64 = 2048;

/// Writes a page for each game.
pub(super) struct Pages {
    path: PathBuf,
    /// Sentence on how the games were searched.
    settings: String,
    /// Number of games to judge.
    games: usize,
    /// Entries of the index; `None` where one game has one file.
    entries: Option<Vec<IndexEntry>>,
}

impl Pages {
    /// Prepares pages for this many games: a file where the name ends in .html, else a folder.
    ///
    /// # Errors
    /// There are several games for one file; the folder is a file, cannot be made, or has a file of
    /// the same name that is no page of umigame, unless `force` is set.
    pub(super) fn new(path: &Path, games: usize, settings: String, force: bool) -> Result<Pages> {
        let is_folder = !is_page_name(path) || path.is_dir();
        let name = shown(path);
        if !is_folder && games != 1 {
            return Err(bad_input(format!(
                "{name}: {games} games need a folder: expected a name without .html, \
                 or one game chosen with --games"
            )));
        }
        // Reported before the games are judged, not after.
        if is_folder {
            if path.exists() && !path.is_dir() {
                return Err(bad_input(format!(
                    "{name}: this is a file: expected a folder, or a name that ends in .html"
                )));
            }
            fs::create_dir_all(path).with_context(|| name)?;
            let index = path.join(INDEX_FILE);
            files::can_replace(&index).with_context(|| shown(&index))?;
            let pages = (1..=games).map(|number| path.join(page_file(number)));
            if !force && let Some(other) = pages.chain([index]).find(|page| is_foreign(page)) {
                return Err(bad_input(format!(
                    "{}: no page of umigame: expected another folder, or --force to replace it",
                    shown(&other)
                )));
            }
        } else {
            files::can_replace(path).with_context(|| name)?;
        }
        let entries = is_folder.then(Vec::new);
        Ok(Pages { path: path.to_path_buf(), settings, games, entries })
    }

    /// Writes the page of a game.
    pub(super) fn add(&mut self, analysis: &Analysis) -> Result<()> {
        let Pages { path, settings, entries, .. } = self;
        let (target, back) = match entries {
            None => (path.clone(), None),
            Some(entries) => {
                let link = page_file(entries.len() + 1);
                let target = path.join(&link);
                entries.push(IndexEntry::new(analysis, link));
                (target, Some(INDEX_FILE))
            }
        };
        write(&target, &page(analysis, settings, back))?;
        if self.entries.is_none() {
            announce(&target);
        }
        Ok(())
    }

    /// Writes the index of a folder. Returns the file to open.
    pub(super) fn finish(&mut self) -> Result<PathBuf> {
        let Some(entries) = &self.entries else { return Ok(self.path.clone()) };
        let missing = self.games.saturating_sub(entries.len());
        let target = self.path.join(INDEX_FILE);
        write(&target, &index(entries, missing, &self.settings))?;
        announce(&target);
        Ok(target)
    }
}

/// Returns the name of the page of a game in a folder.
fn page_file(number: usize) -> String {
    format!("{number:04}.html")
}

/// Returns whether a name is that of a page rather than a folder.
pub(in crate::cli) fn is_page_name(path: &Path) -> bool {
    let extension = path.extension().map(|e| e.to_ascii_lowercase());
    extension.is_some_and(|e| e == "html" || e == "htm")
}

/// Returns whether a file exists and is no page of umigame.
pub(in crate::cli) fn is_foreign(page: &Path) -> bool {
    let mut start = Vec::new();
    let Ok(metadata) = page.metadata() else { return false };
    let read = |file: fs::File| file.take(MAX_HEAD_BYTES).read_to_end(&mut start);
    !metadata.is_file() || fs::File::open(page).and_then(read).is_err() || !is_page(&start)
}

/// Names a written file on standard error, unless --quiet.
pub(in crate::cli) fn announce(path: &Path) {
    if log::max_level() > log::LevelFilter::Off {
        // The file is written whether or not anybody reads this.
        let _ = writeln!(io::stderr(), "wrote {}", shown(path));
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    files::replace(path, text.as_bytes()).with_context(|| shown(path))
}
