//! What every part that names or writes a file needs.

use std::path::Path;
use std::{fs, io};

/// A path in ASCII, like all output.
pub fn shown(path: &Path) -> String {
    let ascii = |c: char| if c.is_ascii_graphic() || c == ' ' { c } else { '?' };
    path.to_string_lossy().chars().map(ascii).collect()
}

/// Writes a file in one step: a kill leaves the old one or the new one, and
/// perhaps a part of the new one under its name with `.new` at the end.
///
/// # Errors
/// The disk does not take it.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    fs::write(&new, bytes)?;
    fs::rename(&new, path)
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
