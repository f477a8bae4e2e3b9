//! Text for people and programs: quoted tokens, ASCII only.

use std::fmt::Write;

/// How much of a bad token an error message repeats.
const QUOTED: usize = 24;

/// A text fit for a message: ASCII only, at most 24 characters, and `...`
/// where something was left out.
pub fn quote(text: &str) -> String {
    let mut quoted: String = text
        .chars()
        .take(QUOTED)
        .map(|c| if c.is_ascii_graphic() || c == ' ' { c } else { '?' })
        .collect();
    if text.chars().nth(QUOTED).is_some() {
        quoted.push_str("...");
    }
    quoted
}

/// A text for a terminal: what is not ASCII becomes `?`.
pub fn shown(text: &str) -> String {
    let ascii = |c: char| if c.is_ascii_graphic() || c == ' ' { c } else { '?' };
    text.chars().map(ascii).collect()
}

/// JSON of any text in ASCII: what is not becomes an escape.
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
    fn what_is_not_ascii_is_a_question_mark_or_an_escape() {
        assert_eq!(shown("a \u{6d77}\n"), "a ??");
        let text = "\"\u{6d77}\u{1f422}\"";
        assert_eq!(json(text), "\"\\u6d77\\ud83d\\udc22\"");
        assert_eq!(
            serde_json::from_str::<String>(&json(text)).ok(),
            serde_json::from_str(text).ok()
        );
    }
}
