//! The three files of a WTHOR archive: games (`.wtb`), names of players (`.jou`), of tournaments
//! (`.trn`).
//!
//! The archive of the French federation has one pair of names for the games of all years. Others may
//! lie beside it: a file of games with a file of names of its own name uses that one, and the rest of
//! the folder does not.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use umigame_othello::formats::wthor::{Archive, Names, WthorError, WthorNames};

use umigame_support::files;

/// The files of names that a file of games refers to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct NameFiles {
    /// The `.jou` file, if there is one.
    pub players: Option<PathBuf>,
    /// The `.trn` file, if there is one.
    pub tournaments: Option<PathBuf>,
}

impl NameFiles {
    /// Finds the files beside a file of games: those of its own name, or else those of no other file
    /// of games, in either case of their extensions.
    pub fn beside(games: &Path) -> NameFiles {
        let files = files_in(folder_of(games));
        let find = |extension| {
            let mut found = files.iter().filter(|path| has_extension(path, extension));
            let own = found.clone().find(|path| path.file_stem() == games.file_stem());
            let is_shared = |path: &&PathBuf| {
                let mut others = files.iter().filter(|other| has_extension(other, "wtb"));
                !others.any(|other| other.file_stem() == path.file_stem())
            };
            own.or_else(|| found.rfind(is_shared)).cloned()
        };
        NameFiles { players: find("jou"), tournaments: find("trn") }
    }

    /// Reads the names. A missing file leaves its names empty, and so does a faulty one if `faulty`
    /// accepts it.
    ///
    /// # Errors
    /// Those of `faulty`.
    pub fn read<E>(
        &self,
        mut faulty: impl FnMut(&Path, WthorError) -> Result<(), E>,
    ) -> Result<WthorNames, E> {
        let mut names = WthorNames::default();
        let NameFiles { players, tournaments } = self;
        for (path, list, read) in [
            (players, &mut names.players, Names::players as fn(BufReader<File>) -> _),
            (tournaments, &mut names.tournaments, Names::tournaments),
        ] {
            let Some(path) = path else { continue };
            let found = files::open(path)
                .map_err(|error| WthorError::Read { offset: 0, why: error.to_string() })
                .and_then(|file| read(BufReader::new(file)));
            match found {
                Ok(found) => *list = found,
                Err(error) => faulty(path, error)?,
            }
        }
        Ok(names)
    }
}

/// Writes an archive: the games to `path` and the names beside it, under the same name.
///
/// # Errors
/// A file that cannot be written, with its path, or names under this name without games: those of
/// other games.
pub fn write(path: &Path, archive: &Archive) -> Result<(), (PathBuf, io::Error)> {
    if !path.exists() {
        refuse_names_of_others(path)?;
    }
    let now = Timestamp::now().to_zoned(TimeZone::UTC);
    let created = (now.year() as u16, now.month() as u8, now.day() as u8);
    // The games come last: they refer to the names.
    for (path, bytes) in [
        (path.with_extension("jou"), archive.players(created)),
        (path.with_extension("trn"), archive.tournaments(created)),
        (path.to_path_buf(), archive.games(created)),
    ] {
        files::replace(&path, &bytes).map_err(|error| (path, error))?;
    }
    Ok(())
}

fn refuse_names_of_others(games: &Path) -> Result<(), (PathBuf, io::Error)> {
    let stem = games.file_stem().unwrap_or_default();
    let is_in_the_way = |path: &PathBuf| {
        (has_extension(path, "jou") || has_extension(path, "trn"))
            && path.file_stem().is_some_and(|other| other.eq_ignore_ascii_case(stem))
    };
    match files_in(folder_of(games)).into_iter().find(is_in_the_way) {
        Some(path) => {
            let why = "it holds the names of other games: expected another name for these";
            Err((path, io::Error::new(io::ErrorKind::AlreadyExists, why)))
        }
        None => Ok(()),
    }
}

/// Returns the folder of a file, `.` where the path has none.
fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Returns the paths in a folder, sorted; none if it cannot be read.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Returns whether a file has an extension, in either case.
pub(crate) fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Returns the names of the files of names that a file of games refers to.
    fn beside(folder: &Path, games: &str) -> (Option<String>, Option<String>) {
        let name = |path: Option<PathBuf>| {
            path.map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned())
        };
        let files = NameFiles::beside(&folder.join(games));
        (name(files.players), name(files.tournaments))
    }

    #[test]
    fn a_file_of_games_uses_its_own_names_or_the_shared_ones() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["WTH_2001.wtb", "WTH.JOU", "WTH.TRN", "mine.wtb", "mine.jou", "z.txt"];
        for name in names {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let found = |jou: &str, trn: &str| (Some(jou.to_owned()), Some(trn.to_owned()));
        assert_eq!(beside(folder.path(), "WTH_2001.wtb"), found("WTH.JOU", "WTH.TRN"));
        assert_eq!(beside(folder.path(), "mine.wtb"), found("mine.jou", "WTH.TRN"));
        let error = write(&folder.path().join("wth.wtb"), &Archive::default()).unwrap_err();
        assert!(error.0.ends_with("WTH.JOU") && error.1.to_string().contains("other games"));
        assert!(!folder.path().join("wth.wtb").exists());
    }
}
