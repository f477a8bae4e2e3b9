//! Games of files and folders, read on a thread of their own.

use std::convert::Infallible;
use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use pyo3::prelude::*;
use umigame_othello::Record;
use umigame_othello::formats::wthor::WthorNames;
use umigame_othello::formats::{Format, GameEntry, ReadError, read_games};
use umigame_othello::text::shown_path;
use umigame_support::files;
use umigame_training::wthor::NameFiles;

use crate::errors::{of_file, unreadable};
use crate::game::format_of;
use crate::interrupt::CHECK_INTERVAL;

/// Games read ahead of the caller.
const MAX_AHEAD: usize = 256;

/// A game of a file, or the fault that ends the reading of the file.
struct FoundGame {
    path: Arc<Path>,
    entry: Result<GameEntry<ReadError>, ReadError>,
}

/// The games of a file, or of all files of a folder and its subfolders, sorted by name.
pub(crate) struct GameFiles(Mutex<Receiver<FoundGame>>);

/// Sends the games of a file; returns whether anybody wants more.
fn send_games(path: &Arc<Path>, format: Format, games: &SyncSender<FoundGame>) -> bool {
    let send = |entry| games.send(FoundGame { path: Arc::clone(path), entry }).is_ok();
    let names = match format {
        // A faulty file of names leaves its names empty.
        Format::Wthor => {
            NameFiles::beside(path).read(|_, _| Ok::<_, Infallible>(())).unwrap_or_default()
        }
        _ => WthorNames::default(),
    };
    let open = match files::open(path) {
        Ok(open) => BufReader::new(open),
        Err(error) => return send(Err(ReadError::Io(error.to_string()))),
    };
    let mut wanted = true;
    let read = read_games(format, open, &names, &mut |entry| {
        wanted = send(Ok(entry));
        wanted
    });
    wanted && read.map_or_else(|error| send(Err(error)), |_| true)
}

impl GameFiles {
    /// Begins to read.
    ///
    /// # Errors
    /// The path cannot be read, is a file of an unknown format, or a folder without files of games.
    pub(crate) fn open(path: PathBuf, format: Option<&str>) -> PyResult<GameFiles> {
        let failed = |error| of_file(&path, &error);
        let files = if fs::metadata(&path).map_err(failed)?.is_dir() {
            let asked = format.map(|name| format_of(&path, Some(name))).transpose()?;
            let format = |path: &Path| Format::of(path).filter(|&one| asked.unwrap_or(one) == one);
            let files = files::below(&path, |path| format(path).is_some())
                .map_err(|(path, error)| of_file(&path, &error))?;
            if files.is_empty() {
                return Err(unreadable(format!("{}: no file of games in it", shown_path(&path))));
            }
            files
                .into_iter()
                .filter_map(|path| Some((path.as_path().into(), format(&path)?)))
                .collect()
        } else {
            let format = format_of(&path, format)?;
            files::open(&path).map_err(failed)?;
            vec![(Arc::from(path), format)]
        };
        let (sender, games) = sync_channel(MAX_AHEAD);
        thread::Builder::new().name("umigame reader".to_owned()).spawn(move || {
            // A reader that was dropped ends the reading.
            files.iter().all(|(path, format)| send_games(path, *format, &sender));
        })?;
        Ok(GameFiles(Mutex::new(games)))
    }

    /// Waits for the next game; `None` at the end.
    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Option<PyResult<Record>>> {
        let found = loop {
            let next = py.detach(|| {
                let games = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                games.recv_timeout(CHECK_INTERVAL)
            });
            match next {
                Ok(found) => break found,
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        };
        let path = shown_path(&found.path);
        let entry = found.entry.map_err(|why| unreadable(format!("{path}: {why}")))?;
        let place = match entry.line {
            0 => format!("{path}, game {}", entry.game),
            line => format!("{path}, game {}, line {line}", entry.game),
        };
        Ok(Some(entry.record.map_err(|why| unreadable(format!("{place}: {why}")))))
    }
}
