//! Inside a crate no two files import each other in a circle.
//!
//! A file imports another if it names what the other defines, through however many `pub use`. What
//! is built for tests only does not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::source::{Crate, crate_roots, files_below, root, shown};

/// The imports of a crate: for each file the files that it imports, each with a line that does.
type Imports = BTreeMap<PathBuf, BTreeMap<PathBuf, usize>>;

fn imports(root: &Path) -> Imports {
    let found = Crate::read(root);
    let mut imports = Imports::new();
    for (index, module) in found.modules.iter().enumerate() {
        let entry = imports.entry(module.file.clone()).or_default();
        for path in &module.paths {
            let Some(file) = found.definition(index, &path.segments) else { continue };
            if file != module.file {
                entry.entry(file.to_owned()).or_insert(path.line);
            }
        }
    }
    imports
}

/// Returns the files that can be reached from `start` by at least one import.
fn reachable(imports: &Imports, start: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut left = vec![start.to_owned()];
    while let Some(file) = left.pop() {
        for next in imports.get(&file).into_iter().flat_map(BTreeMap::keys) {
            if found.insert(next.clone()) {
                left.push(next.clone());
            }
        }
    }
    found
}

/// Returns the circles: sets of files each of which reaches every other.
fn circles(imports: &Imports) -> Vec<BTreeSet<PathBuf>> {
    let reach: BTreeMap<&PathBuf, BTreeSet<PathBuf>> =
        imports.keys().map(|file| (file, reachable(imports, file))).collect();
    let mut found = BTreeSet::new();
    for (&file, reached) in &reach {
        if reached.contains(file) {
            let mutual =
                |other: &&PathBuf| reach.get(other).is_some_and(|back| back.contains(file));
            found.insert(reached.iter().filter(mutual).cloned().collect::<BTreeSet<PathBuf>>());
        }
    }
    found.into_iter().collect()
}

#[test]
fn no_two_files_of_a_crate_import_each_other_in_a_circle() {
    let Some(root) = &root() else { return };
    let mut files = 0;
    let mut report = String::new();
    for crate_root in crate_roots(root) {
        let imports = imports(&crate_root);
        files += imports.len();
        for circle in circles(&imports) {
            report += &format!("{} files:\n", circle.len());
            for file in &circle {
                for (other, line) in &imports[file] {
                    if circle.contains(other) {
                        report +=
                            &format!("  {}:{line} -> {}\n", shown(root, file), shown(root, other));
                    }
                }
            }
        }
    }
    let folders = files_below(&root.join("crates"), "rs").len();
    assert!(files > folders / 2, "only {files} files were read");
    assert!(report.is_empty(), "circles of files:\n{report}");
}
