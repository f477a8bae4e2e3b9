//! The NBoard protocol, versions 1 and 2.
//!
//! A request that a later `ping` makes worthless is not begun, or ends
//! without another word, except hints of a book, which are out at once; every
//! other one is answered. A search that a newer position overtakes answers
//! with what it has.

use std::io::{self, Write};
use std::time::Duration;

use super::inbox::{Inbox, Patience, Urgency};
use super::lines::InputLine;
use super::output::Output;
use super::{Conversation, Flow, Handler};
use crate::session::{BookMove, Choice, LearnError, Session, Trust};
use umigame_engine::search::{Kind, Line, Report};
use umigame_othello::game::{Turn, ggf};
use umigame_othello::text::quote;

/// What the engine calls itself: one word, the same at every depth, for a
/// name that changes makes NBoard send the whole game again.
const NAME: &str = "umigame";
/// Between two counts of nodes while a search runs.
const NODES_EVERY: Duration = Duration::from_millis(125);
/// The most moves of a hint; no position has as many.
const MOST_LINES: usize = 64;

/// A line that NBoard or one of its like sends.
#[derive(Clone, PartialEq, Debug)]
enum Request<'a> {
    Hello,
    Depth(u32),
    Game(&'a str),
    Contempt(i32),
    Move(Turn),
    Hint(usize),
    Go,
    Ping(&'a str),
    Learn,
    Analyze,
    New,
    Clear,
    Stop,
    Quit,
}

impl<'a> Request<'a> {
    /// Reads a line; `None` where it says nothing that is known, and is to be
    /// ignored.
    fn parse(line: &'a str) -> Option<Request<'a>> {
        let (word, rest) = split_word(line);
        let (first, after) = split_word(rest);
        Some(match word {
            "nboard" => Request::Hello,
            "set" => match first {
                "depth" => Request::Depth(number(after)?),
                "game" => Request::Game(after),
                "contempt" => Request::Contempt(split_word(after).0.parse().ok()?),
                _ => return None,
            },
            "move" => Request::Move(turn(rest)?),
            "hint" if first.is_empty() => Request::Hint(1),
            "hint" => Request::Hint(number(rest)? as usize),
            "go" => Request::Go,
            "ping" => {
                first.parse::<i64>().ok()?;
                Request::Ping(first)
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

    fn urgency(&self) -> Urgency {
        match self {
            Request::Hello | Request::Depth(_) | Request::Contempt(_) | Request::Clear => {
                Urgency::None
            }
            Request::Hint(_) | Request::Go | Request::Learn | Request::Analyze => Urgency::Request,
            Request::Game(_) | Request::Move(_) | Request::New | Request::Stop => Urgency::Now,
            Request::Ping(_) => Urgency::Cancel,
            Request::Quit => Urgency::Close,
        }
    }
}

/// The first word of a text, and what follows it.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    match text.split_once(' ') {
        Some((word, rest)) => (word, rest.trim_start()),
        None => (text, ""),
    }
}

/// The number that a text begins with; one beyond all bounds is as good as a
/// large one.
fn number(text: &str) -> Option<u32> {
    let word = split_word(text).0;
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| word.parse().unwrap_or(u32::MAX))
}

/// `F5`, `F5//27.379`, `C4/1.25/0.1`, `PA`; blanks do for slashes.
fn turn(text: &str) -> Option<Turn> {
    ggf::turn(&text.split_whitespace().collect::<Vec<_>>().join("/"))
}

/// A move on a line of its own, as version 1 sends it.
fn bare_move(line: &str) -> Option<Turn> {
    let word = split_word(line).0;
    let played = word.split('/').next()?;
    (played.len() >= 2 && played.parse::<umigame_othello::Move>().is_ok()).then(|| turn(line))?
}

/// Whether a conversation that begins with this word is NBoard's.
pub(super) fn begins_with(word: &str) -> bool {
    const WORDS: [&str; 11] =
        ["nboard", "set", "move", "hint", "go", "ping", "learn", "analyze", "new", "clear", "stop"];
    WORDS.contains(&word) || bare_move(word).is_some()
}

/// What a line does to a running search.
pub(super) fn urgency(line: &str) -> Urgency {
    Request::parse(line).map_or(Urgency::None, |request| request.urgency())
}

/// The engine's side of the protocol.
pub(super) struct NBoard<W> {
    session: Session,
    output: Output<W>,
    introduced: bool,
}

impl<W: Write + Send> Handler for NBoard<W> {
    fn handle(&mut self, line: &InputLine, inbox: &Inbox) -> io::Result<Flow> {
        let request = if line.whole { Request::parse(&line.text) } else { None };
        let Some(request) = request else {
            if !line.text.trim().is_empty() {
                log::info!("ignored: `{}`", quote(&line.text));
            }
            return Ok(Flow::GoOn);
        };
        match request {
            Request::Hello => self.introduce()?,
            Request::Depth(depth) => self.session.set_depth(depth),
            Request::Game(text) => self.set_game(text)?,
            Request::Contempt(centidiscs) => self.session.set_contempt(centidiscs),
            Request::Move(turn) => self.play(turn)?,
            Request::Hint(lines) => self.hint(lines, inbox)?,
            Request::Go => self.go(inbox)?,
            Request::Ping(number) => self.output.send(&format!("pong {number}"))?,
            Request::Learn => self.learn(inbox)?,
            Request::Analyze => self.analyze(inbox)?,
            Request::New => {
                self.session.new_game();
                self.session.clear_hash();
            }
            Request::Clear => self.session.clear_hash(),
            // It has done its work when it came in.
            Request::Stop => {}
            Request::Quit => return Ok(Flow::Quit),
        }
        Ok(Flow::GoOn)
    }

    fn apologize(&mut self, line: &InputLine) -> io::Result<()> {
        self.output.send(&format!("status `{}` failed for a fault in umigame", quote(&line.text)))
    }

    fn session(&mut self) -> &mut Session {
        &mut self.session
    }
}

impl<W: Write + Send> NBoard<W> {
    pub fn new(session: Session, output: Output<W>) -> NBoard<W> {
        NBoard { session, output, introduced: false }
    }

    fn introduce(&mut self) -> io::Result<()> {
        if self.introduced {
            return Ok(());
        }
        self.introduced = true;
        self.output.send(&format!("set myname {NAME}"))
    }

    /// A game that cannot be read or played through leaves the old one.
    fn set_game(&mut self, text: &str) -> io::Result<()> {
        let refused = match ggf::parse(text) {
            Ok(record) => self.session.set_game(&record).err().map(|error| error.to_string()),
            Err(error) => Some(error.to_string()),
        };
        match refused {
            Some(error) => self.output.send(&format!("status game refused: {error}")),
            None => Ok(()),
        }
    }

    fn play(&mut self, turn: Turn) -> io::Result<()> {
        match self.session.play_timed(turn.played, turn.time.unwrap_or_default()) {
            Ok(()) => Ok(()),
            Err(error) => self.output.send(&format!("status move refused: {error}")),
        }
    }

    fn hint(&mut self, lines: usize, inbox: &Inbox) -> io::Result<()> {
        let NBoard { session, output, .. } = self;
        let lines = lines.clamp(1, MOST_LINES);
        // Looked up in less than a millisecond: no ping behind it comes too soon for that.
        let known = session.book_moves(lines);
        if !known.is_empty() {
            let known: Vec<String> = known.iter().map(book_line).collect();
            return output.send(&known.join("\n"));
        }
        let watch = inbox.watch(Patience::Open);
        if watch.cancelled() {
            return Ok(());
        }
        if session.board().is_over() {
            return output.send("status The game is over");
        }
        output.send("status Thinking")?;
        let mut progress = Progress::default();
        let listener = Conversation::new(&watch, |report: &Report| {
            let Some(text) = progress.say(report) else { return Ok(()) };
            output.send(&text)
        });
        let report = session.hint(lines, &listener);
        listener.end()?;
        if !watch.cancelled() && progress.told != Some(report.nodes) {
            output.send(&nodestats(report.nodes, report.elapsed))?;
        }
        // Even where the answer is no longer wanted, this comes before the
        // pong, and the client's display is clean.
        output.send("status")
    }

    fn go(&mut self, inbox: &Inbox) -> io::Result<()> {
        let watch = inbox.watch(Patience::Bounded);
        if watch.cancelled() {
            return Ok(());
        }
        let listener = Conversation::new(&watch, |_: &Report| Ok(()));
        let choice = self.session.go(&listener);
        if watch.cancelled() {
            return Ok(());
        }
        let Some(Choice { best, report, book, elapsed }) = choice else {
            return self.output.send("=== PA");
        };
        self.session.await_reply(best);
        if let Some(known) = book {
            let (eval, seconds) = (known.eval.discs(), elapsed.as_secs_f64());
            return self.output.send(&format!("=== {best:#}/{eval:.2}/{seconds:.2}"));
        }
        let searched = report.as_ref().and_then(|report| Some((report, report.best()?)));
        match searched {
            Some((report, line)) => self.output.send(&format!(
                "{}\n=== {best:#}/{:.2}/{:.2}",
                nodestats(report.nodes, elapsed),
                line.eval.discs(),
                elapsed.as_secs_f64()
            )),
            None => self.output.send(&format!("=== {best:#}")),
        }
    }

    /// The game in hand into the book, where there is one. A ping ends the
    /// search of its last position; the game is learned all the same.
    fn learn(&mut self, inbox: &Inbox) -> io::Result<()> {
        let watch = inbox.watch(Patience::Bounded);
        let learned = self.session.learn(&Conversation::new(&watch, |_: &Report| Ok(())));
        match learned {
            Ok(()) | Err(LearnError::NoBook) => self.output.send("learned"),
            Err(error) => self.output.send(&format!("status not learned: {error}\nlearned")),
        }
    }

    fn analyze(&mut self, inbox: &Inbox) -> io::Result<()> {
        let watch = inbox.watch(Patience::Open);
        if watch.cancelled() {
            return Ok(());
        }
        let NBoard { session, output, .. } = self;
        output.send("status Analyzing")?;
        let mut result = Ok(());
        let listener = Conversation::new(&watch, |_: &Report| Ok(()));
        session.analyze(&listener, &mut |found| {
            if result.is_ok() && !watch.cancelled() {
                let line = format!("analysis {} {:.2}", found.ply, found.black().discs());
                result = output.send(&line);
                if result.is_err() {
                    watch.stop();
                }
            }
        });
        result?;
        output.send("status")
    }
}

fn nodestats(nodes: u64, elapsed: Duration) -> String {
    format!("nodestats {nodes} {:.3}", elapsed.as_secs_f64())
}

/// Turns the iterations of one search into lines.
#[derive(Default)]
struct Progress {
    reached: Option<(u8, u8, u8)>,
    counted: Duration,
    /// The last number of nodes that was told.
    told: Option<u64>,
}

impl Progress {
    /// The lines for an iteration, or `None` where a deeper one was shown:
    /// the client takes the depth word for the identity of an iteration, and
    /// expects it to grow.
    fn say(&mut self, report: &Report) -> Option<String> {
        let depth = rank(report.kind);
        if self.reached.is_some_and(|reached| depth < reached) {
            return None;
        }
        self.reached = Some(depth);
        let mut lines: Vec<String> =
            report.lines.iter().map(|line| search_line(line, report.kind)).collect();
        if report.elapsed.saturating_sub(self.counted) >= NODES_EVERY {
            self.counted = report.elapsed;
            self.told = Some(report.nodes);
            lines.push(nodestats(report.nodes, report.elapsed));
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// How far a kind of search sees.
fn rank(kind: Kind) -> (u8, u8, u8) {
    match kind {
        Kind::Depth { plies, percent } => (0, plies, percent),
        Kind::Ending { percent } => (1, 0, percent),
        Kind::WinLossDraw => (2, 0, 0),
        Kind::Exact => (3, 0, 0),
    }
}

/// `search F5-D6-C3 +1.25 0 12`: the third number counts games of a book.
fn search_line(line: &Line, kind: Kind) -> String {
    let moves: Vec<String> = line.moves.iter().map(|played| format!("{played:#}")).collect();
    format!("search {} {} 0 {kind}", moves.join("-"), line.eval)
}

/// `book F5-D6-C3 +0.50 89713 3 searched`: games, then the plies of the line,
/// or 100% for a proven value, and what is behind the number.
fn book_line(known: &BookMove) -> String {
    let moves: Vec<String> = known.line.iter().map(|played| format!("{played:#}")).collect();
    let (eval, games) = (known.eval, known.games.min(i32::MAX as u32));
    let depth = match known.trust {
        Some(Trust::Exact) => "100%".to_owned(),
        _ => known.line.len().to_string(),
    };
    let rate = known.win_rate.map_or(String::new(), |rate| format!(" {:.1}% won", 100.0 * rate));
    let trust = known.trust.map_or(String::new(), |trust| format!(" {trust}"));
    format!("book {} {eval} {games} {depth}{rate}{trust}", moves.join("-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_clients_are_read() {
        let turn = |text| ggf::turn(text).unwrap();
        for (line, request) in [
            ("nboard 2", Request::Hello),
            ("set depth 12", Request::Depth(12)),
            ("set depth 99999999999", Request::Depth(u32::MAX)),
            ("set game (;x y;)", Request::Game("(;x y;)")),
            ("set contempt -100", Request::Contempt(-100)),
            ("move F5//27.379", Request::Move(turn("F5//27.379"))),
            ("move C4/1.25/0.1", Request::Move(turn("C4/1.25/0.1"))),
            ("move PA", Request::Move(turn("PA"))),
            ("F5", Request::Move(turn("F5"))),
            ("  f5  ", Request::Move(turn("F5"))),
            ("hint 4", Request::Hint(4)),
            ("hint", Request::Hint(1)),
            ("ping 17", Request::Ping("17")),
            ("quit", Request::Quit),
        ] {
            assert_eq!(Request::parse(line), Some(request), "{line}");
        }
        for line in [
            "",
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
            "p",
            "pin g",
        ] {
            assert_eq!(Request::parse(line), None, "{line}");
        }
    }
}
