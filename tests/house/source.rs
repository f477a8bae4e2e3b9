//! The source files of the workspace as tokens: what each defines, and whom it names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Returns the root of the repository, or of the checkout that UMIGAME_ROOT names; `None`, after
/// saying so, in a package without the other crates.
pub fn root() -> Option<PathBuf> {
    let root = std::env::var_os("UMIGAME_ROOT").map(PathBuf::from);
    let root = root.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    if root.join("crates").is_dir() {
        return Some(root);
    }
    umigame_othello::testing::skip("the package holds no other crates");
    None
}

/// Returns CONTRIBUTING.md: many checks read their bounds from it.
pub fn contributing(root: &Path) -> String {
    fs::read_to_string(root.join("CONTRIBUTING.md")).expect("CONTRIBUTING.md")
}

/// Returns a path as it is written in the repository.
pub fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string().replace('\\', "/")
}

/// Returns the files below `folder` with this extension, in order.
pub fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut left = vec![folder.to_owned()];
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let built = ["target", "node_modules", "dist"].iter().any(|name| path.ends_with(name));
            if path.is_dir() && !path.is_symlink() && !built {
                left.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Returns all Rust files of the repository.
pub fn rust_files(root: &Path) -> Vec<PathBuf> {
    let folders = ["src", "tests", "crates", "python", "wasm"];
    folders.iter().flat_map(|folder| files_below(&root.join(folder), "rs")).collect()
}

/// Returns the roots of all crates: libraries, programs, and test binaries.
pub fn crate_roots(root: &Path) -> Vec<PathBuf> {
    let is_root = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let folder = path.parent().and_then(|folder| folder.file_name()).unwrap_or_default();
        let in_source = folder == "src" && (name == "lib.rs" || name == "main.rs");
        in_source || folder == "bin" || name == "main.rs"
    };
    rust_files(root).into_iter().filter(is_root).collect()
}

/// Returns the files of all crates but what is built for tests only.
pub fn shipped_files(root: &Path) -> BTreeSet<PathBuf> {
    let is_test = |path: &PathBuf| path.components().any(|part| part.as_os_str() == "tests");
    let roots = crate_roots(root)
        .into_iter()
        .filter(|path| !is_test(&path.strip_prefix(root).expect("below it").into()));
    roots.flat_map(|path| Crate::read(&path).modules).map(|module| module.file).collect()
}

/// Returns the tokens of a file.
pub fn tokens(path: &Path) -> Vec<TokenTree> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    match text.parse::<TokenStream>() {
        Ok(tokens) => tokens.into_iter().collect(),
        Err(error) => panic!("{path:?}: {error}"),
    }
}

/// Calls `visit` with each token of a file and those in its groups, except what is built for tests
/// only.
pub fn visit_tokens(tokens: &[TokenTree], visit: &mut impl FnMut(&[TokenTree], usize)) {
    let mut at = 0;
    while at < tokens.len() {
        if attribute(tokens, at).is_some_and(|found| is_for_tests(&found)) {
            at = item_end(tokens, at + 2);
            continue;
        }
        visit(tokens, at);
        if let TokenTree::Group(group) = &tokens[at] {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            visit_tokens(&inner, visit);
        }
        at += 1;
    }
}

/// Returns the text of an outer attribute that begins here.
fn attribute(tokens: &[TokenTree], at: usize) -> Option<String> {
    let group = group(tokens.get(at + 1), Delimiter::Bracket)?;
    is_punct(tokens.get(at), '#').then(|| group.stream().to_string().replace(' ', ""))
}

fn is_for_tests(attribute: &str) -> bool {
    attribute == "cfg(test)" || attribute == "test"
}

/// Returns the word of a token, if it is one.
pub fn word(token: Option<&TokenTree>) -> Option<String> {
    match token? {
        TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    }
}

fn is_punct(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

pub fn group(token: Option<&TokenTree>, delimiter: Delimiter) -> Option<&Group> {
    match token? {
        TokenTree::Group(group) if group.delimiter() == delimiter => Some(group),
        _ => None,
    }
}

/// Whether `::` begins at this token.
fn is_path_separator(tokens: &[TokenTree], at: usize) -> bool {
    is_punct(tokens.get(at), ':') && is_punct(tokens.get(at + 1), ':')
}

/// A path in a file, as it is written.
pub struct PathUse {
    pub segments: Vec<String>,
    pub line: usize,
}

/// A module: a file, or a part of one in braces.
#[derive(Default)]
pub struct Module {
    pub file: PathBuf,
    pub parent: Option<usize>,
    pub children: BTreeMap<String, usize>,
    /// Names of the items defined here.
    items: BTreeSet<String>,
    /// Names that `use` brings in, with their paths.
    imports: BTreeMap<String, Vec<String>>,
    /// Paths of `use path::*`.
    globs: Vec<Vec<String>>,
    /// Every path, those of `use` included.
    pub paths: Vec<PathUse>,
}

/// The modules of one crate without what is built for tests only; the first is the root.
pub struct Crate {
    pub modules: Vec<Module>,
}

/// Words before the name of an item.
const ITEM_WORDS: [&str; 9] =
    ["struct", "enum", "union", "trait", "type", "fn", "const", "static", "macro_rules"];

/// Steps of the depth of a search that `use path::*` takes: each may lead to many others.
const GLOB_DEPTH: u32 = 5;

impl Crate {
    /// Reads the crate whose root is this file.
    pub fn read(root: &Path) -> Crate {
        let mut found = Crate { modules: vec![Module { file: root.into(), ..Module::default() }] };
        let folder = root.parent().expect("a file in a folder").to_owned();
        found.read_items(0, &tokens(root), &folder);
        found
    }

    /// Reads the tokens of a module. `folder` has the files of its child modules.
    fn read_items(&mut self, module: usize, tokens: &[TokenTree], folder: &Path) {
        let mut at = 0;
        let mut attributes = Vec::new();
        while at < tokens.len() {
            if is_punct(tokens.get(at), '#') && is_punct(tokens.get(at + 1), '!') {
                at += 3;
                continue;
            }
            if let Some(found) = attribute(tokens, at) {
                attributes.push(found);
                at += 2;
                continue;
            }
            let end = item_end(tokens, at);
            if !attributes.iter().any(|attribute| is_for_tests(attribute)) {
                self.read_item(module, &tokens[at..end], &attributes, folder);
            }
            attributes.clear();
            at = end;
        }
    }

    fn read_item(
        &mut self,
        module: usize,
        item: &[TokenTree],
        attributes: &[String],
        folder: &Path,
    ) {
        let start = after_visibility(item);
        let (first, second) = (word(item.get(start)), word(item.get(start + 1)));
        if first.as_deref() == Some("mod")
            && let Some(name) = second
        {
            return self.read_module(module, name, item.get(start + 2), attributes, folder);
        }
        if first.as_deref() == Some("use") {
            let line = item[start].span().start().line;
            return self.read_use(module, &[], &item[start + 1..], line);
        }
        let name = item.windows(2).find_map(|pair| {
            let is_item = ITEM_WORDS.contains(&word(pair.first())?.as_str());
            is_item.then(|| word(pair.get(1)))?
        });
        // The name of a macro comes after an exclamation mark.
        let of_macro = first.is_some_and(|first| first == "macro_rules");
        let name = if of_macro { word(item.get(start + 2)) } else { name };
        self.modules[module].items.extend(name);
        self.read_paths(module, item);
    }

    fn read_module(
        &mut self,
        parent: usize,
        name: String,
        body: Option<&TokenTree>,
        attributes: &[String],
        folder: &Path,
    ) {
        let child = self.modules.len();
        let name = name.trim_start_matches("r#").to_string();
        let below = folder.join(&name);
        let file = self.modules[parent].file.clone();
        self.modules[parent].children.insert(name.clone(), child);
        self.modules.push(Module { file, parent: Some(parent), ..Module::default() });
        if let Some(body) = group(body, Delimiter::Brace) {
            let body: Vec<TokenTree> = body.stream().into_iter().collect();
            return self.read_items(child, &body, &below);
        }
        let given = attributes.iter().find_map(|attribute| attribute.strip_prefix("path="));
        let here = self.modules[parent].file.parent().expect("a folder");
        let candidates = match given {
            Some(given) => vec![here.join(given.trim_matches('"'))],
            None => vec![folder.join(format!("{name}.rs")), below.join("mod.rs")],
        };
        // Another feature may have the module in another file.
        let Some(file) = candidates.into_iter().find(|path| path.exists()) else { return };
        let is_folder = file.ends_with("mod.rs");
        let below = if is_folder { file.parent().expect("a folder").to_owned() } else { below };
        self.modules[child].file = file.clone();
        self.read_items(child, &tokens(&file), &below);
    }

    /// Reads the tree of a `use` after `prefix`.
    fn read_use(&mut self, module: usize, prefix: &[String], tree: &[TokenTree], line: usize) {
        for branch in tree.split(|token| is_punct(Some(token), ',') || is_punct(Some(token), ';')) {
            let mut path = prefix.to_vec();
            let mut alias = None;
            let mut at = 0;
            while at < branch.len() {
                if let Some(group) = group(branch.get(at), Delimiter::Brace) {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    self.read_use(module, &path, &inner, line);
                    path.clear();
                } else if is_punct(branch.get(at), '*') {
                    path.push("*".to_string());
                } else if let Some(found) = word(branch.get(at)) {
                    if found == "as" {
                        alias = word(branch.get(at + 1));
                        break;
                    }
                    path.push(found);
                }
                at += 1;
            }
            if path.is_empty() {
                continue;
            }
            let last = path.last().expect("not empty").clone();
            if ["*", "self"].contains(&last.as_str()) && path.len() > 1 {
                path.pop();
            }
            let module = &mut self.modules[module];
            if last == "*" {
                module.globs.push(path.clone());
            } else {
                let name = alias.unwrap_or_else(|| path.last().expect("not empty").clone());
                module.imports.insert(name, path.clone());
            }
            module.paths.push(PathUse { segments: path, line });
        }
    }

    /// Reads the paths within an item, and the `use` and `mod` in its bodies.
    fn read_paths(&mut self, module: usize, tokens: &[TokenTree]) {
        let mut at = 0;
        while at < tokens.len() {
            let found = word(tokens.get(at));
            let span = tokens[at].span();
            if found.as_deref() == Some("use") && word(tokens.get(at + 1)).is_some() {
                let end = item_end(tokens, at);
                self.read_use(module, &[], &tokens[at + 1..end], span.start().line);
                at = end;
            } else if found.as_deref() == Some("pub") {
                at += after_visibility(&tokens[at..]);
            } else if let Some(first) = found {
                let mut segments = vec![first];
                at += 1;
                while is_path_separator(tokens, at)
                    && let Some(next) = word(tokens.get(at + 2))
                {
                    segments.push(next);
                    at += 3;
                }
                if segments.len() > 1 {
                    let line = span.start().line;
                    self.modules[module].paths.push(PathUse { segments, line });
                }
            } else if let TokenTree::Group(group) = &tokens[at] {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                self.read_paths(module, &inner);
                at += 1;
            } else {
                // A path that begins with `::` is of another crate.
                let foreign = is_path_separator(tokens, at) && word(tokens.get(at + 2)).is_some();
                at += if foreign { 3 } else { 1 };
            }
        }
    }

    /// Returns the file that defines what a path names, following `use` and `pub use`; `None` for
    /// another crate.
    pub fn definition(&self, module: usize, segments: &[String]) -> Option<&Path> {
        self.resolve(module, segments, true, 0).map(|found| self.modules[found].file.as_path())
    }

    fn resolve(
        &self,
        from: usize,
        segments: &[String],
        is_first: bool,
        depth: u32,
    ) -> Option<usize> {
        let (mut current, mut first) = (from, is_first);
        for (index, segment) in segments.iter().enumerate() {
            let module = &self.modules[current];
            let next = match segment.as_str() {
                "crate" => Some(0),
                "self" if first => Some(current),
                "super" => module.parent,
                name => module.children.get(name).copied(),
            };
            if let Some(next) = next {
                (current, first) = (next, false);
                continue;
            }
            if depth > 20 {
                return Some(current);
            }
            if let Some(path) =
                module.imports.get(segment).filter(|path| path[..] != segments[index..])
            {
                let path = [path, &segments[index + 1..]].concat();
                // What is imported from another crate is named from here.
                return self
                    .resolve(current, &path, true, depth + 1)
                    .or((!first).then_some(current));
            }
            if module.items.contains(segment) {
                return Some(current);
            }
            let target = |glob: &Vec<String>| {
                let target = self.resolve(current, glob, true, depth + GLOB_DEPTH)?;
                let found = self.resolve(target, &segments[index..], false, depth + GLOB_DEPTH)?;
                let module = &self.modules[found];
                let known = module.items.contains(segments.last()?) || found != target;
                known.then_some(found)
            };
            let through_glob = module.globs.iter().find_map(target);
            return through_glob.or((!first).then_some(current));
        }
        Some(current)
    }
}

/// Returns the index after a visibility at the beginning, which names modules and imports nothing.
fn after_visibility(item: &[TokenTree]) -> usize {
    match word(item.first()).as_deref() {
        Some("pub") => 1 + usize::from(group(item.get(1), Delimiter::Parenthesis).is_some()),
        _ => 0,
    }
}

/// Returns the index after the item that begins here: after its `;` or its braces, whichever is
/// first.
fn item_end(tokens: &[TokenTree], start: usize) -> usize {
    let name = start + after_visibility(&tokens[start..]);
    let (first, second) = (word(tokens.get(name)), word(tokens.get(name + 1)));
    let is_function = ["fn", "unsafe", "extern"].contains(&second.as_deref().unwrap_or_default());
    let has_value = match first.as_deref() {
        Some("use" | "static") => true,
        Some("const") => !is_function,
        _ => false,
    };
    for (index, token) in tokens.iter().enumerate().skip(start) {
        let is_body = !has_value && group(Some(token), Delimiter::Brace).is_some();
        if is_punct(Some(token), ';') || is_body {
            return index + 1;
        }
    }
    tokens.len()
}
