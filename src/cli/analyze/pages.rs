//! The pages of `--html`: one file, or a folder with an index.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use umigame::analysis::Analysis;
use umigame::analysis::html::{Entry, index, page};
use umigame::files;

use crate::cli::{bad_input, shown};

/// The index of a folder of reports.
const INDEX: &str = "index.html";

/// Writes a page for each game.
pub(super) struct Pages {
    path: PathBuf,
    /// How the games were searched.
    settings: String,
    /// What the index will hold; `None` where one game has one file.
    entries: Option<Vec<Entry>>,
}

impl Pages {
    /// Pages for so many games: a file for one, a folder for several, or
    /// where there is a folder of that name.
    ///
    /// # Errors
    /// The folder cannot be made, or a file of that name is in its place.
    pub(super) fn new(path: &Path, games: usize, settings: String) -> Result<Pages> {
        let is_folder = games > 1 || path.is_dir();
        if is_folder {
            if path.is_file() {
                let name = shown(path);
                return Err(bad_input(format!(
                    "{name}: {games} games need a folder, and this is a file; \
                     choose one game with --games N"
                )));
            }
            fs::create_dir_all(path).with_context(|| shown(path))?;
        }
        Ok(Pages { path: path.to_path_buf(), settings, entries: is_folder.then(Vec::new) })
    }

    /// Writes the page of a game.
    pub(super) fn add(&mut self, analysis: &Analysis) -> Result<()> {
        let Pages { path, settings, entries } = self;
        let (target, back) = match entries {
            None => (path.clone(), None),
            Some(entries) => {
                let link = format!("{:04}.html", entries.len() + 1);
                let target = path.join(&link);
                entries.push(Entry::new(analysis, link));
                (target, Some(INDEX))
            }
        };
        write(&target, &page(analysis, settings, back))
    }

    /// Writes the index, where there is to be one.
    pub(super) fn finish(&mut self) -> Result<()> {
        match &self.entries {
            Some(entries) => write(&self.path.join(INDEX), &index(entries, &self.settings)),
            None => Ok(()),
        }
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    files::replace(path, text.as_bytes()).with_context(|| shown(path))
}
