//! Files written in one step: readers see the old file or the whole new one. Files read up to a size.
//! Files found in folders.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::NamedTempFile;

/// Longest wait for other programs to close a file of Windows, such as a scanner for viruses.
const MAX_IN_USE_WAIT: Duration = Duration::from_secs(2);
/// Pause between attempts to replace a file that is in use.
const IN_USE_PAUSE: Duration = Duration::from_millis(20);
/// Code of Windows for a file that another program does not share.
const ERROR_SHARING_VIOLATION: i32 = 32;

/// Opens a file for reading; also a device, and a pipe of the shell such as `<(...)`.
///
/// # Errors
/// It is a directory, or a named pipe, which would wait for a program that writes to it; or the
/// system refuses.
pub fn open(path: &Path) -> io::Result<File> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let of_the_shell = ["/dev/fd", "/dev/stdin", "/proc/self/fd"];
        if kind.is_fifo() && !of_the_shell.iter().any(|place| path.starts_with(place)) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a pipe, expected a file"));
        }
    }
    File::open(path)
}

/// Reads a file of at most `max_bytes`. A device is read too, up to that size.
///
/// # Errors
/// Those of [`open`], or the file holds more.
pub fn read_at_most(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        let why = format!("more than {} MB: expected a smaller file", max_bytes >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

/// Reads a text of at most `max_bytes`, as [`read_at_most`].
///
/// # Errors
/// Those of [`read_at_most`], or the bytes are not UTF-8.
pub fn text_at_most(path: &Path, max_bytes: u64) -> io::Result<String> {
    let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "not a text in UTF-8");
    String::from_utf8(read_at_most(path, max_bytes)?).map_err(not_text)
}

/// Opens or creates a file to read and write, locked against other processes that do the same.
///
/// # Errors
/// Another process holds the lock ([`io::ErrorKind::ResourceBusy`]), or the file cannot be opened.
pub fn open_locked(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::Error(error)) => Err(error),
        Err(TryLockError::WouldBlock) => {
            let why = "another process is writing to it: expected a file of its own";
            Err(io::Error::new(io::ErrorKind::ResourceBusy, why))
        }
    }
}

/// Returns the files below a folder that are wanted, sorted. Links are not followed.
///
/// # Errors
/// A folder that cannot be read.
pub fn below(
    folder: &Path,
    wanted: impl Fn(&Path) -> bool,
) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
    let (mut folders, mut files) = (vec![folder.to_path_buf()], Vec::new());
    while let Some(folder) = folders.pop() {
        let failed = |error| (folder.clone(), error);
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let (path, kind) = (entry.path(), entry.file_type().map_err(failed)?);
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() && wanted(&path) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Replaces a file in one step, after which a reader finds `bytes` in it.
///
/// Through a symbolic link, the file behind it is replaced; permissions are kept. A device or a
/// pipe cannot be replaced and is written to directly.
///
/// # Errors
/// `path` is a directory or read-only, or the system refuses to write.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_with(path, |error| error, |out| out.write_all(bytes))
}

/// As [`replace`], with contents that `write` produces piece by piece. If `write` fails, the old
/// file stays and nothing is left beside it.
///
/// # Errors
/// The error of `write`, or an error of the system turned into `E` by `failed`.
pub fn replace_with<T, E>(
    path: &Path,
    failed: impl Fn(io::Error) -> E,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let target = Target::of(path).map_err(&failed)?;
    if target.is_stream() {
        let file = File::options().write(true).open(&target.path).map_err(&failed)?;
        let mut out = BufWriter::new(file);
        let result = write(&mut out)?;
        out.flush().map_err(&failed)?;
        return Ok(result);
    }
    let mut out = BufWriter::new(target.temporary().map_err(&failed)?);
    let result = write(&mut out)?;
    let new = out.into_inner().map_err(|error| failed(error.into_error()))?;
    put(new, &target.path).map_err(failed)?;
    Ok(result)
}

/// Renames a temporary file, over an existing one if need be. On an error nothing is left of it.
fn put(new: NamedTempFile, path: &Path) -> io::Result<()> {
    // Windows may refuse to rename an open file; `fs::rename` replaces files that others read.
    let mut new = new.into_temp_path();
    let start = Instant::now();
    let renamed = loop {
        match fs::rename(&new, path) {
            Err(error) if is_in_use(&error) && start.elapsed() < MAX_IN_USE_WAIT => {
                thread::sleep(IN_USE_PAUSE);
            }
            result => break result,
        }
    };
    if renamed.is_ok() {
        new.disable_cleanup(true);
    }
    renamed
}

/// Whether the target is open in another program in such a way that it cannot be replaced. On Unix
/// no file is.
fn is_in_use(error: &io::Error) -> bool {
    cfg!(windows)
        && (error.kind() == io::ErrorKind::PermissionDenied
            || error.raw_os_error() == Some(ERROR_SHARING_VIOLATION))
}

/// Checks, before long work, that [`replace`] can write a file after it.
///
/// # Errors
/// The error that [`replace`] would meet.
pub fn can_replace(path: &Path) -> io::Result<()> {
    let target = Target::of(path)?;
    if !target.is_stream() {
        // Removed when it is dropped.
        target.temporary()?;
    }
    Ok(())
}

/// The destination of a write.
struct Target {
    /// The path behind all symbolic links.
    path: PathBuf,
    /// Metadata of the existing file, if any.
    old: Option<Metadata>,
}

impl Target {
    fn of(path: &Path) -> io::Result<Target> {
        let Ok(old) = fs::metadata(path) else {
            return Ok(Target { path: path.to_path_buf(), old: None });
        };
        if old.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // A rename needs no permission on the file itself.
        if old.permissions().readonly() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        Ok(Target { path: fs::canonicalize(path)?, old: Some(old) })
    }

    /// Whether the target is a device or a pipe.
    fn is_stream(&self) -> bool {
        self.old.as_ref().is_some_and(|old| !old.is_file())
    }

    /// Creates an empty file beside the target, with the permissions of the old file.
    fn temporary(&self) -> io::Result<NamedTempFile> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut refused = None;
        // `File::create_new` rather than the crate's private mode: a new file is readable by
        // whom the process's umask allows.
        let create = |path: &Path| {
            File::create_new(path).inspect_err(|error| refused = error.raw_os_error())
        };
        let new = tempfile::Builder::new()
            .suffix(".new")
            .make_in(folder.unwrap_or(Path::new(".")), create)
            // The crate's error names the temporary file.
            .map_err(|error| refused.map_or(error, io::Error::from_raw_os_error))?;
        if let Some(old) = &self.old {
            new.as_file().set_permissions(old.permissions())?;
        }
        Ok(new)
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
        let failing = |_: &mut dyn Write| Err::<(), _>(io::ErrorKind::InvalidData.into());
        assert!(replace_with(&path, |error| error, failing).is_err());
        assert_eq!(fs::read(&path).expect("readable"), b"second, longer");
        assert_eq!(replace(folder.path(), b"").unwrap_err().kind(), io::ErrorKind::IsADirectory);
        assert!(can_replace(&path).is_ok() && can_replace(&folder.path().join("other")).is_ok());
        assert!(can_replace(folder.path()).is_err());
        assert!(can_replace(&folder.path().join("none/other")).is_err());
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_file_is_read_up_to_a_size() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("text");
        fs::write(&path, "five!").expect("written");
        assert_eq!(text_at_most(&path, 5).expect("readable"), "five!");
        assert_eq!(read_at_most(&path, 4).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert!(read_at_most(folder.path(), 4).is_err());
        #[cfg(unix)]
        assert!(read_at_most(Path::new("/dev/zero"), 1 << 20).is_err());
    }

    #[test]
    fn files_are_found_in_subfolders_and_links_are_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("b/c")).expect("made");
        for name in ["z.ggf", "b/c/a.ggf", "b/notes", "a.ggf"] {
            fs::write(folder.path().join(name), "").expect("written");
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.path(), folder.path().join("b/link")).expect("linked");
        let found = below(folder.path(), |path| path.extension().is_some()).expect("readable");
        assert_eq!(found, ["a.ggf", "b/c/a.ggf", "z.ggf"].map(|name| folder.path().join(name)));
        let none = folder.path().join("none");
        assert_eq!(below(&none, |_| true).expect_err("missing").0, none);
    }

    #[test]
    fn a_file_that_is_being_read_is_replaced_and_its_reader_sees_the_old_one() {
        use std::io::Read;

        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("weights.bin");
        fs::write(&path, "old").expect("written");
        let mut reader = File::open(&path).expect("readable");
        let reading = thread::spawn(move || {
            thread::sleep(Duration::from_millis(200));
            let mut text = String::new();
            reader.read_to_string(&mut text).expect("readable");
            text
        });
        replace(&path, b"new").expect("written");
        assert_eq!(reading.join().expect("it read"), "old");
        assert_eq!(fs::read(&path).expect("readable"), b"new");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn an_error_does_not_name_the_temporary_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = replace(&folder.path().join("none/weights.bin"), b"").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(!error.to_string().contains(".new"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_the_file_behind_it_keeps_its_permissions() {
        use std::os::unix::fs::{PermissionsExt, symlink};

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
    }

    #[cfg(unix)]
    #[test]
    fn a_new_file_has_the_permissions_of_any_new_file() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().expect("a folder");
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        replace(&ours, b"").expect("written");
        fs::write(&plain, b"").expect("written");
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }

    #[cfg(unix)]
    #[test]
    fn a_device_stays_a_device_and_takes_the_bytes() {
        use std::os::unix::fs::{FileTypeExt, symlink};

        let folder = tempfile::tempdir().expect("a folder");
        // A link of the test's own: a fault would replace the link, not the device.
        let link = folder.path().join("device");
        for (device, accepts) in [("/dev/null", true), ("/dev/full", false)] {
            let Ok(metadata) = fs::metadata(device) else { continue };
            symlink(device, &link).expect("linked");
            assert!(metadata.file_type().is_char_device());
            assert!(Target::of(&link).expect("there").is_stream());
            assert!(can_replace(&link).is_ok());
            assert_eq!(replace(&link, b"text").is_ok(), accepts, "{device}");
            assert!(fs::metadata(device).expect("there").file_type().is_char_device());
            fs::remove_file(&link).expect("removed");
        }
    }
}
