//! ASCII text for messages: quoted tokens, filtered names, escaped JSON.

use std::fmt::Write;
use std::path::Path;

/// Longest quotation in a message, in characters.
const MAX_QUOTED_CHARS: usize = 24;

/// Returns a printable ASCII character unchanged and `?` for any other.
pub const fn ascii_char(c: char) -> char {
    if c.is_ascii_graphic() || c == ' ' { c } else { '?' }
}

/// Quotes a token for a message: ASCII only, at most 24 characters, then `...` if it is longer.
pub fn quote(text: &str) -> String {
    let mut quoted: String = text.chars().take(MAX_QUOTED_CHARS).map(ascii_char).collect();
    if text.chars().nth(MAX_QUOTED_CHARS).is_some() {
        quoted.push_str("...");
    }
    quoted
}

/// Replaces every character that is not printable ASCII by `?`.
pub fn shown(text: &str) -> String {
    text.chars().map(ascii_char).collect()
}

/// Returns a path for a message: ASCII only, with `?` for every other character.
pub fn shown_path(path: &Path) -> String {
    shown(&path.to_string_lossy())
}

/// Escapes every character of a JSON text that is not printable ASCII.
pub fn json(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for letter in json.chars() {
        if matches!(letter, ' '..='~') {
            text.push(letter);
        } else {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(text, "\\u{unit:04x}");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_outside_ascii_become_question_marks_or_escapes() {
        assert_eq!(shown("a \u{6d77}\n"), "a ??");
        assert_eq!(shown_path(Path::new("a b/\u{6d77}\n.wtb")), "a b/??.wtb");
        let text = "\"\u{6d77}\u{1f422}\"";
        assert_eq!(json(text), "\"\\u6d77\\ud83d\\udc22\"");
        assert_eq!(
            serde_json::from_str::<String>(&json(text)).ok(),
            serde_json::from_str(text).ok()
        );
    }
}
