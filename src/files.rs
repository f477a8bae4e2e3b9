//! What every part that names or writes a file needs.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// A path in ASCII, like all output.
pub fn shown(path: &Path) -> String {
    crate::ascii::shown(&path.to_string_lossy())
}

/// Writes a file in one step: a kill leaves the old one or the new one, and
/// perhaps a part of the new one under its name with `.new` at the end.
///
/// # Errors
/// The disk does not take it.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_with(path, |error| error, |out| out.write_all(bytes))
}

/// The same for what is written piece by piece. Where that fails, nothing is
/// left of it; `failed` says what it means that the disk does not take it.
///
/// # Errors
/// The disk does not take it, or what `write` fails with.
pub fn replace_with<T, E>(
    path: &Path,
    failed: impl Fn(io::Error) -> E,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = Path::new(&new);
    let written = File::create(new).map_err(&failed).and_then(|file| {
        let mut out = BufWriter::new(file);
        let found = write(&mut out)?;
        out.flush().map_err(&failed)?;
        fs::rename(new, path).map_err(&failed)?;
        Ok(found)
    });
    if written.is_err() {
        // It may never have come into being.
        let _ = fs::remove_file(new);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("weights.bin");
        for text in [&b"first"[..], b"second, longer"] {
            replace(&path, text).expect("written");
            assert_eq!(fs::read(&path).expect("readable"), text);
            assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        }
        assert!(replace(&folder.path().join("none/weights.bin"), b"").is_err());
    }

    #[test]
    fn a_path_is_shown_in_ascii() {
        assert_eq!(shown(Path::new("a b/\u{6d77}\n.wtb")), "a b/??.wtb");
    }
}
