//! Lines of an NBoard client.

use std::time::Duration;

use umigame_engine::Strength;
use umigame_othello::{Move, Record, Turn, formats::ggf};
use umigame_support::time;

use crate::protocol::inbox::{self, Urgency};
use crate::protocol::lines::{InputLine, split_word};

/// A line of an NBoard client, parsed.
#[derive(Clone, PartialEq, Debug)]
pub enum Request {
    /// `nboard V`
    Hello,
    /// `set depth D`
    Depth(u32),
    /// `set game GGF`
    Game(Box<Result<Record, ggf::GgfError>>),
    /// `set level LEVEL`
    Level(Strength),
    /// `set seed N`
    Seed(u64),
    /// `set contempt C`, in centidiscs
    Contempt(i32),
    /// `set move-overhead T`
    MoveOverhead(Duration),
    /// `move M[/E[/T]]`, or the move alone
    Move(Turn),
    /// `hint N`
    Hint(usize),
    /// `go`
    Go,
    /// `ping N`, with the number as it was written
    Ping(String),
    /// `learn`
    Learn,
    /// `analyze`
    Analyze,
    /// `new`
    New,
    /// `clear`
    Clear,
    /// `stop`
    Stop,
    /// `quit`
    Quit,
    /// A blank line
    Blank,
    /// Any other line, and one that was cut; ignored
    Unknown,
}

impl inbox::Request for Request {
    /// A client that fills the queue does not wait for the running search.
    const FULL_QUEUE: Urgency = Urgency::AnswerNow;

    fn parse(line: &InputLine) -> Request {
        if line.text.trim().is_empty() {
            return Request::Blank;
        }
        if line.whole { parse(&line.text).unwrap_or(Request::Unknown) } else { Request::Unknown }
    }

    fn urgency(&self) -> Urgency {
        match self {
            Request::Hello
            | Request::Depth(_)
            | Request::Level(_)
            | Request::Seed(_)
            | Request::Contempt(_)
            | Request::MoveOverhead(_)
            | Request::Clear => Urgency::Waits,
            Request::Blank | Request::Unknown => Urgency::Waits,
            Request::Hint(_) | Request::Go | Request::Learn | Request::Analyze => {
                Urgency::NewRequest
            }
            Request::Game(_) | Request::Move(_) | Request::New | Request::Stop => {
                Urgency::AnswerNow
            }
            Request::Ping(_) => Urgency::Cancel,
            Request::Quit => Urgency::Close,
        }
    }
}

/// Parses a line that is not blank; `None` if it is unknown.
fn parse(line: &str) -> Option<Request> {
    let (word, rest) = split_word(line);
    let (first, after) = split_word(rest);
    Some(match word {
        "nboard" => Request::Hello,
        "set" => match first {
            "depth" => Request::Depth(number(after)?),
            "game" => Request::Game(Box::new(ggf::parse(after))),
            "level" => Request::Level(after.parse().ok()?),
            "seed" => Request::Seed(split_word(after).0.parse().ok()?),
            "move-overhead" => Request::MoveOverhead(time::parse(after).ok()?),
            "contempt" => Request::Contempt(split_word(after).0.parse().ok()?),
            _ => return None,
        },
        "move" => Request::Move(turn(rest)?),
        "hint" if first.is_empty() => Request::Hint(1),
        "hint" => Request::Hint(number(rest)? as usize),
        "go" => Request::Go,
        "ping" => {
            first.parse::<i64>().ok()?;
            Request::Ping(first.to_owned())
        }
        "learn" => Request::Learn,
        "analyze" => Request::Analyze,
        "new" => Request::New,
        "clear" => Request::Clear,
        "stop" => Request::Stop,
        "quit" => Request::Quit,
        _ => Request::Move(bare_move(line)?),
    })
}

/// Returns whether a conversation whose first word is `word` is NBoard's.
pub(in crate::protocol) fn begins_with(word: &str) -> bool {
    const WORDS: [&str; 11] =
        ["nboard", "set", "move", "hint", "go", "ping", "learn", "analyze", "new", "clear", "stop"];
    WORDS.contains(&word) || bare_move(word).is_some()
}

/// Parses the number that a text begins with. A number that does not fit counts as the greatest
/// that does.
fn number(text: &str) -> Option<u32> {
    let word = split_word(text).0;
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| word.parse().unwrap_or(u32::MAX))
}

/// Parses `F5`, `F5//27.379`, `C4/1.25/0.1` or `PA`; blanks count as slashes.
fn turn(text: &str) -> Option<Turn> {
    ggf::turn(&text.split_whitespace().collect::<Vec<_>>().join("/"))
}

/// Parses a move on a line of its own, as version 1 sends it.
fn bare_move(line: &str) -> Option<Turn> {
    let played = split_word(line).0.split('/').next()?;
    (played.len() >= 2 && played.parse::<Move>().is_ok()).then(|| turn(line))?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::inbox::Request as _;

    fn request(text: &str) -> Request {
        Request::parse(&InputLine { text: text.to_owned(), whole: true })
    }

    #[test]
    fn lines_of_clients_are_parsed() {
        let turn = |text| Request::Move(ggf::turn(text).unwrap());
        for (line, expected) in [
            ("nboard 2", Request::Hello),
            ("set depth 12", Request::Depth(12)),
            ("set depth 99999999999", Request::Depth(u32::MAX)),
            ("set contempt -100", Request::Contempt(-100)),
            ("set level beginner", Request::Level("beginner".parse().unwrap())),
            ("set level 12", Request::Level("12".parse().unwrap())),
            ("set seed 7", Request::Seed(7)),
            ("set move-overhead 15ms", Request::MoveOverhead(Duration::from_millis(15))),
            ("set move-overhead 0.5", Request::MoveOverhead(Duration::from_millis(500))),
            ("set move-overhead 0", Request::MoveOverhead(Duration::ZERO)),
            ("move F5//27.379", turn("F5//27.379")),
            ("move C4/1.25/0.1", turn("C4/1.25/0.1")),
            ("move C4 1.25 0.1", turn("C4/1.25/0.1")),
            ("move PA", turn("PA")),
            ("F5", turn("F5")),
            ("  f5  ", turn("F5")),
            ("hint 4", Request::Hint(4)),
            ("hint", Request::Hint(1)),
            ("ping 17", Request::Ping("17".to_owned())),
            ("quit", Request::Quit),
            ("   ", Request::Blank),
        ] {
            assert_eq!(request(line), expected, "{line}");
        }
        let game = request(
            "set game (;GM[Othello]TY[8]BO[8 ---------------------------O*------*O--\
            ------------------------- *]B[F5];)",
        );
        let Request::Game(record) = game else { panic!("{game:?}") };
        assert_eq!(record.unwrap().turns.len(), 1);
    }

    #[test]
    fn other_lines_are_unknown() {
        for line in [
            "frobnicate 1 2",
            "set nosuch 3",
            "set",
            "set depth",
            "set depth -3",
            "ping",
            "ping x",
            "hint x",
            "move",
            "move Z9",
            "set contempt x",
            "set level",
            "set level 31",
            "set seed -1",
            "set move-overhead",
            "set move-overhead -1",
            "p",
            "pin g",
        ] {
            assert_eq!(request(line), Request::Unknown, "{line}");
        }
        let cut = InputLine { text: "ping 1".to_owned(), whole: false };
        assert_eq!(Request::parse(&cut), Request::Unknown);
    }

    #[test]
    fn requests_interrupt_a_search_as_the_document_says() {
        for (line, urgency) in [
            ("set depth 3", Urgency::Waits),
            ("set contempt 3", Urgency::Waits),
            ("set move-overhead 3ms", Urgency::Waits),
            ("clear", Urgency::Waits),
            ("ping x", Urgency::Waits),
            ("hint 1", Urgency::NewRequest),
            ("go", Urgency::NewRequest),
            ("learn", Urgency::NewRequest),
            ("analyze", Urgency::NewRequest),
            ("move F5", Urgency::AnswerNow),
            ("f5", Urgency::AnswerNow),
            ("set game (;;)", Urgency::AnswerNow),
            ("new", Urgency::AnswerNow),
            ("stop", Urgency::AnswerNow),
            ("ping 4", Urgency::Cancel),
            ("quit", Urgency::Close),
        ] {
            assert_eq!(request(line).urgency(), urgency, "{line}");
        }
    }
}
