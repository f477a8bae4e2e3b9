//! Serves NBoard requests.
//!
//! A request that a later `ping` overtakes is not begun, or ends without another line, except for
//! hints of the book, which take less than a millisecond. Every other request is answered; a
//! search that a new position overtakes answers with its best move so far.

use std::io::{self, Write};

use umigame_othello::formats::ggf;
use umigame_othello::{Record, Turn};

use super::reply::{HintLines, book_line, move_line, nodestats};
use super::request::Request;
use crate::protocol::conversation::{self, ClientListener, Flow};
use crate::protocol::inbox::{Inbox, Received, SearchMode};
use crate::protocol::output::Output;
use crate::session::{Choice, LearnError, Session};

/// Name of the engine for NBoard: one word. A name that changed with the depth would make NBoard
/// send the whole game again.
const NAME: &str = "umigame";
/// Maximum number of moves of a hint; no position has as many.
const MAX_HINT_MOVES: usize = 64;

/// Serves the requests of an NBoard client.
pub struct Handler<W> {
    session: Session,
    output: Output<W>,
    /// Whether the name was sent.
    introduced: bool,
}

impl<W: Write + Send> conversation::Handler for Handler<W> {
    type Request = Request;

    fn handle(&mut self, received: &Received<Request>, inbox: &Inbox<Request>) -> io::Result<Flow> {
        match &received.request {
            Request::Hello => self.introduce()?,
            Request::Depth(depth) => self.session.set_depth(*depth),
            Request::Game(game) => self.set_game(game)?,
            // The search knows no contempt.
            Request::Contempt(_) => {}
            Request::Level(strength) => self.session.set_level(*strength),
            Request::Seed(seed) => self.session.set_seed(*seed),
            Request::MoveOverhead(time) => self.session.set_move_overhead(*time),
            Request::Move(turn) => self.play(turn)?,
            Request::Hint(count) => self.hint(*count, inbox)?,
            Request::Go => self.go(inbox)?,
            Request::Ping(number) => self.output.send(&format!("pong {number}"))?,
            Request::Learn => self.learn(inbox)?,
            Request::Analyze => self.analyze(inbox)?,
            Request::New => {
                self.session.new_game();
                self.session.clear_hash();
            }
            Request::Clear => self.session.clear_hash(),
            // It has acted on the search that ran when it arrived.
            Request::Stop => {}
            Request::Quit => return Ok(Flow::Quit),
            Request::Blank => {}
            Request::Unknown => log::info!("ignored `{}`", received.quoted),
        }
        Ok(Flow::GoOn)
    }

    fn reply_to_fault(&mut self, received: &Received<Request>) -> io::Result<()> {
        let quoted = &received.quoted;
        self.output.send(&format!("status `{quoted}` failed for a fault in umigame"))
    }

    fn session(&mut self) -> &mut Session {
        &mut self.session
    }
}

impl<W: Write + Send> Handler<W> {
    /// Serves requests on `session`, with replies to `output`.
    pub fn new(session: Session, output: Output<W>) -> Handler<W> {
        Handler { session, output, introduced: false }
    }

    /// Sends the name, once.
    fn introduce(&mut self) -> io::Result<()> {
        if self.introduced {
            return Ok(());
        }
        self.introduced = true;
        self.output.send(&format!("set myname {NAME}"))
    }

    /// Sets the game; one that cannot be read or replayed leaves the old one.
    fn set_game(&mut self, game: &Result<Record, ggf::GgfError>) -> io::Result<()> {
        let refused = match game {
            Ok(record) => self.session.set_game(record).err().map(|error| error.to_string()),
            Err(error) => Some(error.to_string()),
        };
        match refused {
            Some(error) => self.output.send(&format!("status game refused: {error}")),
            None => {
                // Before the pong that follows, so that no clock runs meanwhile.
                self.session.prepare();
                Ok(())
            }
        }
    }

    fn play(&mut self, turn: &Turn) -> io::Result<()> {
        match self.session.play_timed(turn.played, turn.time.unwrap_or_default()) {
            Ok(()) => Ok(()),
            Err(error) => self.output.send(&format!("status move refused: {error}")),
        }
    }

    fn hint(&mut self, count: usize, inbox: &Inbox<Request>) -> io::Result<()> {
        let Handler { session, output, .. } = self;
        let count = count.clamp(1, MAX_HINT_MOVES);
        let known: Vec<String> = session.book_moves(count).iter().map(book_line).collect();
        if !known.is_empty() {
            return output.send(&known.join("\n"));
        }
        let watch = inbox.watch(SearchMode::OpenEnded);
        if watch.is_cancelled() {
            return Ok(());
        }
        if session.board().is_over() {
            return output.send("status The game is over");
        }
        output.send("status Thinking")?;
        let mut lines = HintLines::default();
        let listener = ClientListener::new(&watch, |report| match lines.of_iteration(report) {
            Some(text) => output.send(&text),
            None => Ok(()),
        });
        let report = session.hint(count, &listener);
        listener.finish()?;
        if !watch.is_cancelled()
            && let Some(text) = lines.final_nodestats(&report)
        {
            output.send(&text)?;
        }
        // A cancelled hint clears the status too: that comes before the pong.
        output.send("status")
    }

    fn go(&mut self, inbox: &Inbox<Request>) -> io::Result<()> {
        let watch = inbox.watch(SearchMode::Limited);
        if watch.is_cancelled() {
            return Ok(());
        }
        let choice = self.session.go(&ClientListener::silent(&watch));
        if watch.is_cancelled() {
            return Ok(());
        }
        let Some(Choice { best, report, book, elapsed }) = choice else {
            return self.output.send("=== PA");
        };
        self.session.await_reply(best);
        let mut lines: Vec<String> = Vec::new();
        if self.session.options().weakness.is_some() {
            lines.push(format!("status seed {}", self.session.seed()));
        }
        let mut eval = book.map(|known| known.eval);
        if let Some((report, line)) =
            report.as_ref().and_then(|report| Some((report, report.best()?)))
        {
            lines.push(nodestats(report.nodes, elapsed));
            eval = Some(line.eval());
        }
        lines.push(move_line(best, eval.map(|eval| (eval.discs(), elapsed))));
        self.output.send(&lines.join("\n"))
    }

    /// Adds the game to the book, if there is one. A ping ends the search of its last position;
    /// the game is learned all the same.
    fn learn(&mut self, inbox: &Inbox<Request>) -> io::Result<()> {
        let watch = inbox.watch(SearchMode::Limited);
        match self.session.learn(&ClientListener::silent(&watch)) {
            Ok(()) | Err(LearnError::NoBook) => self.output.send("learned"),
            Err(error) => self.output.send(&format!("status not learned: {error}\nlearned")),
        }
    }

    fn analyze(&mut self, inbox: &Inbox<Request>) -> io::Result<()> {
        let watch = inbox.watch(SearchMode::OpenEnded);
        if watch.is_cancelled() {
            return Ok(());
        }
        let Handler { session, output, .. } = self;
        output.send("status Analyzing")?;
        let mut result = Ok(());
        session.analyze(&ClientListener::silent(&watch), &mut |judged| {
            if result.is_ok() && !watch.is_cancelled() {
                let line = format!("analysis {} {:.2}", judged.ply, judged.black().discs());
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
