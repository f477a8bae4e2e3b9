//! The names that WTHOR files refer to by number, from the `.jou` and `.trn` files beside them.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use umigame_othello::formats::wthor::{Names, WthorError, WthorNames};

/// Returns the folder of a file, `.` where the path has none.
pub fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Reads the `.jou` and `.trn` files of a folder, in either case of their names. A missing file
/// leaves its names empty, and so does a faulty one if `faulty` accepts it.
///
/// # Errors
/// Those of `faulty`.
pub fn names_in<E>(
    folder: &Path,
    mut faulty: impl FnMut(PathBuf, WthorError) -> Result<(), E>,
) -> Result<WthorNames, E> {
    let mut names = WthorNames::default();
    let mut paths: Vec<PathBuf> =
        folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        let (list, read): (_, fn(BufReader<File>) -> _) = match extension.to_str() {
            Some("jou") => (&mut names.players, Names::players),
            Some("trn") => (&mut names.tournaments, Names::tournaments),
            _ => continue,
        };
        let found = File::open(&path)
            .map_err(|error| WthorError::Read { offset: 0, why: error.to_string() })
            .and_then(|file| read(BufReader::new(file)));
        match found {
            Ok(found) => *list = found,
            Err(error) => faulty(path, error)?,
        }
    }
    Ok(names)
}
