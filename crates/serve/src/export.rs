//! The page for any web host, without a server: its files, the engine as a WebAssembly module, and its
//! weights, in a folder.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use umigame_web::{page_file, page_files, rules_file, rules_files, static_file, static_files};

use crate::assets::{TOKEN_TAG, opening_table};

/// Files of the npm package that the binary lacks.
const MODULE: &str = "umigame.wasm";
const WEIGHTS: [&str; 2] = ["umigame.weights", SMALL_WEIGHTS];
/// The weights of the first values.
const SMALL_WEIGHTS: &str = "small.weights";
/// Link to the manifest, without which no browser offers to install the page.
const MANIFEST_TAG: &str = r#"<link rel="manifest" href="manifest.webmanifest">"#;
/// The script that the page itself does not load.
const WORKER: &str = "umigame/worker.js";
/// The service worker, and the two lines of it that an export fills in.
const SERVICE_WORKER: &str = "sw.js";
const VERSION_LINE: &str = r#"const VERSION = "";"#;
const FILES_LINE: &str = "const FILES = [];";

/// Reason why a page cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The folder of the npm package lacks a file, or has another version.
    #[error("{0}: {1}: expected the npm package, which wasm/build makes in wasm/dist")]
    Package(PathBuf, String),
    /// The folder holds something else.
    #[error("{0} has other files: expected a new folder, an empty one, or an earlier export")]
    Occupied(PathBuf),
    /// A file cannot be written.
    #[error("{0}: {1}")]
    Write(PathBuf, io::Error),
}

/// A page that was exported.
#[derive(Clone, Copy, Debug)]
pub struct Exported {
    /// Number of files.
    pub files: usize,
    /// Bytes of all files.
    pub bytes: usize,
}

/// A file of the page, by its path from the page's folder.
type PageFile = (String, Cow<'static, [u8]>);

/// Writes the page into a folder, with the module and the weights of the npm package in another one.
///
/// # Errors
/// A package that is not complete, a folder with other files, or files that cannot be written.
pub fn export(folder: &Path, package: &Path) -> Result<Exported, ExportError> {
    let files = with_service_worker(page(package)?);
    if !is_free(folder) {
        return Err(ExportError::Occupied(folder.to_owned()));
    }
    for (name, bytes) in &files {
        let path = folder.join(name);
        let failed = |error| ExportError::Write(path.clone(), error);
        fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(failed)?;
        fs::write(&path, bytes).map_err(failed)?;
    }
    let bytes = files.iter().map(|(_, bytes)| bytes.len()).sum();
    Ok(Exported { files: files.len(), bytes })
}

/// Whether nothing is lost by writing into a folder.
fn is_free(folder: &Path) -> bool {
    let is_empty = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    is_empty || folder.join(SERVICE_WORKER).is_file() && folder.join("umigame").is_dir()
}

/// Returns the files of the page, but for the service worker.
fn page(package: &Path) -> Result<Vec<PageFile>, ExportError> {
    let mut files = vec![("index.html".to_owned(), index())];
    let own = |folder: &str, name: &str, file: Option<umigame_web::EmbeddedFile>| {
        file.map(|file| (format!("{folder}{name}"), file.data))
    };
    let static_names = static_files().filter(|name| name != SERVICE_WORKER);
    files.extend(static_names.filter_map(|name| own("", &name, static_file(&name))));
    let page_names = page_files().filter(|name| name != "index.html");
    files.extend(page_names.filter_map(|name| own("web/", &name, page_file(&name))));
    let needed = rules_files().filter(|name| !name.ends_with(".d.ts"));
    files.extend(needed.filter_map(|name| own("umigame/", &name, rules_file(&name))));
    files.push(("umigame/openings.tsv".to_owned(), opening_table().into_bytes().into()));
    check_version(package)?;
    for name in [MODULE].into_iter().chain(WEIGHTS) {
        files.push((format!("umigame/{name}"), package_file(package, name)?.into()));
    }
    Ok(files)
}

/// The page without a token, for a browser that may install it. It names all modules and the engine of
/// the first values, so that they come at once and not one after the other.
fn index() -> Cow<'static, [u8]> {
    let data = page_file("index.html").map(|file| file.data).unwrap_or_default();
    let own = page_files().map(|name| format!("web/{name}"));
    let modules = own.chain(rules_files().map(|name| format!("umigame/{name}")));
    let mut modules: Vec<String> =
        modules.filter(|name| name.ends_with(".js") && name != WORKER).collect();
    modules.sort();
    let engine = [MODULE, SMALL_WEIGHTS].map(|name| {
        format!("\n<link rel=\"preload\" href=\"umigame/{name}\" as=\"fetch\" crossorigin>")
    });
    let links =
        modules.iter().map(|name| format!("\n<link rel=\"modulepreload\" href=\"{name}\">"));
    let tags = MANIFEST_TAG.to_owned() + &links.chain(engine).collect::<String>();
    String::from_utf8_lossy(&data).replacen(TOKEN_TAG, &tags, 1).into_bytes().into()
}

fn package_file(package: &Path, name: &str) -> Result<Vec<u8>, ExportError> {
    let missing = |error| ExportError::Package(package.to_owned(), format!("{name}: {error}"));
    fs::read(package.join(name)).map_err(missing)
}

/// Checks that the module belongs to the scripts in this program.
fn check_version(package: &Path) -> Result<(), ExportError> {
    let text = package_file(package, "package.json")?;
    let json: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
    let (found, own) = (json.get("version").and_then(|it| it.as_str()), env!("CARGO_PKG_VERSION"));
    if found == Some(own) {
        return Ok(());
    }
    let found = umigame_othello::text::quote(found.unwrap_or("none"));
    let why = format!("its version is `{found}`, this program's `{own}`");
    Err(ExportError::Package(package.to_owned(), why))
}

/// Adds the service worker, which knows all files and changes with any of them.
fn with_service_worker(mut files: Vec<PageFile>) -> Vec<PageFile> {
    files.sort();
    let script = static_file(SERVICE_WORKER).map(|file| file.data).unwrap_or_default();
    let mut hasher = crc32fast::Hasher::new();
    for (name, bytes) in &files {
        hasher.update(name.as_bytes());
        hasher.update(bytes);
    }
    hasher.update(&script);
    let version = format!("{}-{:08x}", env!("CARGO_PKG_VERSION"), hasher.finalize());
    // Whoever asks for the folder gets its index.
    let names = files.iter().map(|(name, _)| name.as_str()).filter(|name| *name != "index.html");
    let names: Vec<&str> = ["./", "index.html"].into_iter().chain(names).collect();
    let names = serde_json::to_string(&names).unwrap_or_default();
    let text = String::from_utf8_lossy(&script)
        .replacen(VERSION_LINE, &format!("const VERSION = \"{version}\";"), 1)
        .replacen(FILES_LINE, &format!("const FILES = {names};"), 1);
    files.push((SERVICE_WORKER.to_owned(), text.into_bytes().into()));
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_service_worker_has_places_for_its_version_and_its_files() {
        let script = static_file(SERVICE_WORKER).expect("a service worker");
        let script = String::from_utf8_lossy(&script.data);
        assert!(script.contains(VERSION_LINE) && script.contains(FILES_LINE));
    }

    #[test]
    fn the_page_asks_for_its_modules_and_its_engine_at_once() {
        let index = String::from_utf8_lossy(&index()).into_owned();
        for part in [
            "<link rel=\"modulepreload\" href=\"web/main.js\">",
            "<link rel=\"preload\" href=\"umigame/umigame.wasm\" as=\"fetch\" crossorigin>",
            "<link rel=\"preload\" href=\"umigame/small.weights\" as=\"fetch\" crossorigin>",
        ] {
            assert!(index.contains(part), "{part}");
        }
    }

    #[test]
    fn the_version_changes_with_any_file() {
        let worker = |bytes: &'static [u8]| {
            let files = with_service_worker(vec![("a.js".to_owned(), bytes.into())]);
            files.last().map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned())
        };
        assert_eq!(worker(b"a"), worker(b"a"));
        assert_ne!(worker(b"a"), worker(b"b"));
        assert!(worker(b"a").is_some_and(|text| text.contains(r#"["./","index.html","a.js"]"#)));
    }
}
