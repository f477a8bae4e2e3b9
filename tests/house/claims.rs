//! What CONTRIBUTING.md claims of the sources, and docs/experiments.md of itself: their own words give the
//! places and bounds.

use std::fs;
use std::path::Path;
use std::process::Command;

use proc_macro2::{Delimiter, TokenTree};
use umigame_othello::testing::skip;

use crate::source::{
    contributing, files_below, group, root, rust_files, shipped_files, shown, tokens, visit_tokens,
    word,
};

/// Returns the item of a list that begins with these words.
fn list_item(text: &str, beginning: &str) -> String {
    let start = text.find(&format!("- {beginning}")).expect("the claim stands in CONTRIBUTING.md");
    let item = &text[start + 2..];
    let end = ["\n- ", "\n\n"].iter().filter_map(|end| item.find(end)).min();
    item[..end.unwrap_or(item.len())].replace("\n  ", " ")
}

/// Returns what stands between backticks, and has a slash.
fn paths_in(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).filter(|word| word.contains('/')).collect()
}

/// Returns the numbers of a text.
fn numbers_in(text: &str) -> Vec<usize> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn unsafe_code_stands_where_contributing_says() {
    let Some(root) = &root() else { return };
    let claim = list_item(&contributing(root), "`unsafe` only in");
    let places = paths_in(&claim);
    let mut used = Vec::new();
    for path in rust_files(root) {
        let mut line = None;
        visit_tokens(&tokens(&path), &mut |tokens, at| {
            if word(tokens.get(at)).is_some_and(|word| word == "unsafe") {
                line.get_or_insert(tokens[at].span().start().line);
            }
        });
        let Some(line) = line else { continue };
        let name = shown(root, &path);
        let place = places.iter().find(|place| name.starts_with(**place));
        used.push(place.unwrap_or_else(|| panic!("{name}:{line}: `unsafe`; {claim}")));
    }
    for place in &places {
        assert!(used.contains(&place), "no `unsafe` stands in {place}; {claim}");
    }
}

#[test]
fn files_and_functions_are_no_longer_than_contributing_says() {
    let Some(root) = &root() else { return };
    let claim = list_item(&contributing(root), "Files have at most");
    let [max_file, max_function] = numbers_in(&claim)[..] else { panic!("two numbers: {claim}") };
    let mut files = rust_files(root);
    let scripts =
        [("python", "py"), ("wasm", "js"), ("wasm", "ts"), ("crates/web", "js"), (".ci", "")];
    for (folder, extension) in scripts {
        files.extend(files_below(&root.join(folder), extension));
    }
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let (name, lines) = (shown(root, &path), text.lines().count());
        assert!(lines <= max_file, "{name} has {lines} lines; {claim}");
        if path.extension().is_some_and(|extension| extension == "rs") {
            for (function, line, length) in functions(&tokens(&path)) {
                assert!(
                    length <= max_function,
                    "{name}:{line}: `{function}` has {length} lines; {claim}"
                );
            }
        }
    }
}

/// Returns the name, the first line and the number of lines of every function with a body.
pub fn functions(tokens: &[TokenTree]) -> Vec<(String, usize, usize)> {
    let mut found = Vec::new();
    let all = &mut |tokens: &[TokenTree], at: usize| {
        let is_function = word(tokens.get(at)).is_some_and(|word| word == "fn");
        let Some(name) = word(tokens.get(at + 1)).filter(|_| is_function) else { return };
        for token in &tokens[at..] {
            if let Some(body) = group(Some(token), Delimiter::Brace) {
                let first = tokens[at].span().start().line;
                found.push((name, first, body.span_close().end().line + 1 - first));
                return;
            }
            if matches!(token, TokenTree::Punct(end) if end.as_char() == ';') {
                return;
            }
        }
    };
    visit_tokens(tokens, all);
    found
}

#[test]
fn rows_of_experiments_are_no_longer_than_the_page_says() {
    let Some(root) = &root() else { return };
    let page = fs::read_to_string(root.join("docs/experiments.md")).expect("a page");
    let claim = page.lines().find(|line| line.contains("one row an idea")).expect("the claim");
    let [max] = numbers_in(claim)[..] else { panic!("one number: {claim}") };
    for row in page.lines().filter(|line| line.starts_with('|')) {
        let length = row.chars().count();
        assert!(length <= max, "a row of {length} characters: {row}\n{claim}");
    }
}

/// Text in the sources of what prints is ASCII.
#[test]
fn what_is_printed_is_ascii() {
    let Some(root) = &root() else { return };
    let claim = list_item(&contributing(root), "Output is ASCII");
    let excepted = paths_in(&claim);
    let mut found = String::new();
    for path in shipped_files(root) {
        let name = shown(root, &path);
        // They print nothing.
        let silent = ["python/", "wasm/", "crates/othello/"];
        if silent.iter().chain(&excepted).any(|place| name.starts_with(place)) {
            continue;
        }
        visit_tokens(&tokens(&path), &mut |tokens, at| {
            let TokenTree::Literal(literal) = &tokens[at] else { return };
            // The mark at the beginning of files is read, not written.
            let is_mark = literal.to_string().contains("feff");
            let is_doc =
                is_mark || at > 1 && word(tokens.get(at - 2)).is_some_and(|word| word == "doc");
            if !is_doc && !is_ascii(&literal.to_string()) {
                found += &format!("{name}:{}: {literal}\n", literal.span().start().line);
            }
        });
    }
    assert!(found.is_empty(), "{claim}\n{found}");
}

/// Returns whether a literal holds ASCII only, escapes included.
fn is_ascii(literal: &str) -> bool {
    let escapes = literal.split("\\u{").skip(1).filter_map(|rest| rest.split('}').next());
    literal.is_ascii()
        && escapes.filter_map(|code| u32::from_str_radix(code, 16).ok()).all(|code| code < 128)
}

/// A table in CONTRIBUTING.md says which crates of ours each crate knows.
#[test]
fn crates_know_no_others_than_contributing_says() {
    let Some(root) = &root() else { return };
    let contributing = contributing(root);
    let start = contributing.find("| crate | knows |").expect("a table of crates");
    let rows = contributing[start..].lines().skip(2).take_while(|line| line.starts_with('|'));
    let mut above: Vec<String> = Vec::new();
    for row in rows {
        let cells: Vec<&str> = row.split('|').collect();
        let names: Vec<String> =
            cells[1].split('`').skip(1).step_by(2).map(str::to_owned).collect();
        let mut allowed: Vec<String> =
            cells[2].split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_owned).collect();
        if cells[2].contains("all of these") {
            allowed.extend(above.clone());
        }
        for name in &names {
            let folder = match name.as_str() {
                "umigame" => root.clone(),
                "python" | "wasm" => root.join(name),
                _ => root.join("crates").join(name),
            };
            for known in dependencies(&folder) {
                assert!(allowed.contains(&known), "{name} depends on {known}; {row}");
            }
        }
        above.extend(names);
    }
    for folder in fs::read_dir(root.join("crates")).expect("crates").flatten() {
        let name = folder.file_name().into_string().expect("ASCII");
        assert!(above.contains(&name), "the table of crates lacks {name}");
    }
}

/// Returns the crates of ours that a package needs, but for its tests, without `umigame-`.
fn dependencies(folder: &Path) -> Vec<String> {
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
    let mut section = "";
    let mut found = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line;
        } else if section.ends_with("dependencies]")
            && !section.contains("dev-")
            && section != "[workspace.dependencies]"
            && let Some(rest) = line.strip_prefix("umigame")
        {
            let name: String =
                rest.chars().skip(1).take_while(|c| c.is_ascii_alphanumeric()).collect();
            let is_program = !rest.starts_with('-');
            found.push(if is_program { "umigame".to_owned() } else { name });
        }
    }
    found
}

/// The front door of a library: what it is, an example, and what it offers.
#[test]
fn front_doors_are_short_and_have_an_example() {
    const MAX_LINES: usize = 120;
    let Some(root) = &root() else { return };
    for folder in fs::read_dir(root.join("crates")).expect("crates").flatten() {
        let path = folder.path().join("src/lib.rs");
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let name = shown(root, &path);
        assert!(text.starts_with("//! "), "{name} does not say what it is");
        assert!(text.lines().count() <= MAX_LINES, "{name} has more than {MAX_LINES} lines");
        let is_library = folder.file_name() != "lab";
        assert!(!is_library || text.contains("//! ```\n"), "{name} has no example");
    }
}

/// The commit that moved `bench.signature` last names the signature in a line of its own.
#[test]
fn the_commit_that_moved_the_signature_says_so() {
    let Some(root) = &root() else { return };
    let git = |args: &[&str]| {
        let output = Command::new("git").current_dir(root).args(args).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    if git(&["rev-parse", "--is-shallow-repository"]).as_deref() != Some("false") {
        return skip("no repository of git with its history");
    }
    let signature = fs::read_to_string(root.join("bench.signature")).expect("bench.signature");
    let message = git(&["log", "-1", "--format=%B", "--", "bench.signature"]).expect("its commit");
    let mut lines = message.lines().filter(|line| line.starts_with("Signature"));
    let is_named = lines.any(|line| numbers_in(line).last() == numbers_in(&signature).first());
    assert!(is_named, "no `Signature:` line with {signature} in:\n{message}");
}
