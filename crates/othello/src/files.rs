//! What every part that names or writes a file needs.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A path in ASCII, like all output.
pub fn shown(path: &Path) -> String {
    crate::text::shown(&path.to_string_lossy())
}

/// Writes a file in one step: a kill leaves the old one or the new one, and
/// perhaps a part of the new one under its name with `.new` at the end. What
/// a link leads to is written in its place; a device or a pipe, where nothing
/// can be replaced, takes what comes.
///
/// # Errors
/// The disk does not take it, or the file there may not be written.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_with(path, |error| error, |out| out.write_all(bytes))
}

/// The same for what is written piece by piece. Where that fails, nothing is
/// left of it; `failed` says what it means that the disk does not take it.
///
/// # Errors
/// The disk does not take it, the file there may not be written, or what
/// `write` fails with.
pub fn replace_with<T, E>(
    path: &Path,
    failed: impl Fn(io::Error) -> E,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let target = Target::of(path).map_err(&failed)?;
    let new = target.new_file();
    let written = target.open().map_err(&failed).and_then(|file| {
        let mut out = BufWriter::new(file);
        let found = write(&mut out)?;
        out.flush().map_err(&failed)?;
        if let Some(new) = &new {
            fs::rename(new, &target.path).map_err(&failed)?;
        }
        Ok(found)
    });
    if let (Err(_), Some(new)) = (&written, &new) {
        // It may never have come into being.
        let _ = fs::remove_file(new);
    }
    written
}

/// Finds out before long work whether a file could be written after it.
///
/// # Errors
/// It could not.
pub fn can_replace(path: &Path) -> io::Result<()> {
    let target = Target::of(path)?;
    let Some(new) = target.new_file() else { return Ok(()) };
    target.open()?;
    fs::remove_file(new)
}

/// Where a file is to be written.
struct Target {
    /// The file itself, behind all links.
    path: PathBuf,
    /// What is there now.
    old: Option<fs::Metadata>,
}

impl Target {
    fn of(path: &Path) -> io::Result<Target> {
        let Ok(old) = fs::metadata(path) else {
            return Ok(Target { path: path.to_path_buf(), old: None });
        };
        if old.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // To replace it needs only leave to write in the folder.
        if old.permissions().readonly() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        Ok(Target { path: fs::canonicalize(path)?, old: Some(old) })
    }

    /// The file to write first, except where nothing can be replaced.
    fn new_file(&self) -> Option<PathBuf> {
        if self.old.as_ref().is_some_and(|old| !old.is_file()) {
            return None;
        }
        let mut new = self.path.clone().into_os_string();
        new.push(".new");
        Some(new.into())
    }

    fn open(&self) -> io::Result<File> {
        let Some(new) = self.new_file() else {
            return File::options().write(true).open(&self.path);
        };
        let file = File::create(new)?;
        if let Some(old) = &self.old {
            // Who may read the old one may read the new one, and nobody else.
            file.set_permissions(old.permissions())?;
        }
        Ok(file)
    }
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
        assert_eq!(replace(folder.path(), b"").unwrap_err().kind(), io::ErrorKind::IsADirectory);
        assert!(can_replace(&path).is_ok() && can_replace(&folder.path().join("other")).is_ok());
        assert!(can_replace(folder.path()).is_err());
        assert!(can_replace(&folder.path().join("none/other")).is_err());
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_a_device_a_device_and_leave_to_read_what_it_was() {
        use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let mode = |name: &str| fs::metadata(at(name)).expect("there").permissions().mode() & 0o777;
        fs::create_dir(at("deep")).expect("made");
        fs::write(at("deep/file"), "old").expect("written");
        fs::set_permissions(at("deep/file"), fs::Permissions::from_mode(0o600)).expect("set");
        symlink("deep/file", at("link")).expect("linked");
        replace(&at("link"), b"new").expect("written");
        assert!(fs::symlink_metadata(at("link")).expect("there").is_symlink());
        assert_eq!(fs::read(at("deep/file")).expect("readable"), b"new");
        assert_eq!(mode("deep/file"), 0o600);
        fs::set_permissions(at("deep/file"), fs::Permissions::from_mode(0o400)).expect("set");
        let refused = replace(&at("link"), b"newer").unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
        assert_eq!(fs::read(at("deep/file")).expect("readable"), b"new");
        // A link of its own, so that a fault costs no device.
        for (device, taken) in [("/dev/null", true), ("/dev/full", false)] {
            let Ok(metadata) = fs::metadata(device) else { continue };
            symlink(device, at("device")).expect("linked");
            assert!(metadata.file_type().is_char_device());
            assert_eq!(Target::of(&at("device")).expect("there").new_file(), None);
            assert_eq!(replace(&at("device"), b"text").is_ok(), taken, "{device}");
            assert!(fs::metadata(device).expect("there").file_type().is_char_device());
            fs::remove_file(at("device")).expect("removed");
        }
    }

    #[test]
    fn a_path_is_shown_in_ascii() {
        assert_eq!(shown(Path::new("a b/\u{6d77}\n.wtb")), "a b/??.wtb");
    }
}
