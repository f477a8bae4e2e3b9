//! Figures that back a claim stand in docs/measurements.md: those of the READMEs and of docs/ with a
//! unit of time, size, speed or strength, outside code.
//!
//! A page may round: `14 s` stands for 13.8 s. Settings in prose, such as a clock of 5 minutes, are in
//! backticks.

use std::fs;
use std::path::Path;

use crate::source::{files_below, root, shown};

/// Units and what one of them is in the unit of the page of measurements.
const UNITS: [(&str, &str, f64); 9] = [
    ("s", "s", 1.0),
    ("seconds", "s", 1.0),
    ("minutes", "s", 60.0),
    ("ms", "ms", 1.0),
    ("MB", "MB", 1.0),
    ("Elo", "Elo", 1.0),
    ("M nodes", "M nodes", 1.0),
    ("M nodes/s", "M nodes/s", 1.0),
    ("million nodes", "M nodes", 1.0),
];

/// A number with its unit, and the digits behind its point.
#[derive(Debug, Clone, PartialEq)]
struct Figure {
    value: f64,
    unit: &'static str,
    precision: f64,
}

/// Returns the text of a page without code.
fn prose(text: &str) -> String {
    let outside = text.split("\n```").step_by(2).collect::<Vec<_>>().join("\n");
    outside.split('`').step_by(2).collect::<Vec<_>>().join(" ` ")
}

fn number(word: &str) -> Option<(f64, usize)> {
    let word = word.trim_start_matches(['(', '+', '|']).replace(',', "");
    let digits = word.split_once('.').map_or(0, |(_, digits)| digits.len());
    let is_number = word.starts_with(|c: char| c.is_ascii_digit());
    is_number.then(|| word.parse().ok()).flatten().map(|value| (value, digits))
}

/// Returns the unit at the beginning of some words.
fn unit(words: &[&str]) -> Option<(&'static str, f64)> {
    let plain = |word: &str| word.trim_end_matches(['.', ',', ';', ':', ')', '|']).to_owned();
    let pair = words.iter().take(2).map(|word| plain(word)).collect::<Vec<_>>().join(" ");
    let first = plain(words.first()?);
    let by_words = |wanted: &str| UNITS.iter().find(|(name, ..)| *name == wanted);
    by_words(&pair).or_else(|| by_words(&first)).map(|&(_, unit, scale)| (unit, scale))
}

/// Returns the figures of a text: numbers with a unit, also `1.5 to 4 minutes` and `2 and 3 s`.
fn figures(text: &str) -> Vec<Figure> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut found = Vec::new();
    for at in 0..words.len() {
        let Some((value, digits)) = number(words[at]) else { continue };
        let mut end = at + 1;
        while let Some(["to" | "and" | "or", next]) = words.get(end..end + 2)
            && number(next).is_some()
        {
            end += 2;
        }
        if let Some((unit, scale)) = unit(&words[end..]) {
            let precision = scale * 0.1_f64.powi(digits as i32);
            found.push(Figure { value: scale * value, unit, precision });
        }
    }
    found
}

/// Returns the figures of the page of measurements: those in its text, and the cells of a table whose
/// row (`..., s`) or head names a unit.
fn measured(page: &str) -> Vec<Figure> {
    let mut found = figures(page);
    let mut head: Vec<&str> = Vec::new();
    let mut above = "";
    for line in page.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if line.starts_with("|---") {
            head = above.split('|').map(str::trim).collect();
        } else if line.starts_with('|') {
            let of_row = cells[1].rsplit(", ").next().unwrap_or_default();
            for (cell, name) in cells.iter().zip(&head).skip(2) {
                let of_head = name.rsplit(", ").next().unwrap_or_default();
                for unit in [of_row, of_head] {
                    // A cell has a figure, or a range of them.
                    for number in cell.split_whitespace() {
                        found.extend(figures(&format!("{number} {unit}")));
                    }
                }
            }
        }
        above = line;
    }
    found
}

#[test]
fn figures_of_the_pages_stand_in_the_page_of_measurements() {
    let Some(root) = &root() else { return };
    let read = |path: &Path| fs::read_to_string(path).expect("a page");
    let measured = measured(&read(&root.join("docs/measurements.md")));
    let mut pages = vec![root.join("README.md"), root.join("python/README.md")];
    pages.push(root.join("wasm/package/README.md"));
    pages.extend(files_below(&root.join("docs"), "md"));
    pages.retain(|path| !path.ends_with("measurements.md") && !path.ends_with("experiments.md"));
    let (mut count, mut missing) = (0, String::new());
    for path in pages {
        for figure in figures(&prose(&read(&path))) {
            count += 1;
            let is_same = |of: &&Figure| {
                of.unit == figure.unit
                    && (of.value - figure.value).abs() <= 0.501 * figure.precision
            };
            if measured.iter().find(is_same).is_none() {
                missing += &format!("{}: {} {}\n", shown(root, &path), figure.value, figure.unit);
            }
        }
    }
    assert!(count > 5, "only {count} figures were found");
    assert!(missing.is_empty(), "figures that docs/measurements.md lacks:\n{missing}");
}
