//! The protocols on standard input and output: NBoard and GTP.
//!
//! Text becomes requests, requests act on a [`Session`], what it says becomes
//! text again; nothing here knows how to play. A reader thread owns urgency
//! (see `inbox`), and no line, of whatever length and bytes, ends the
//! process or loses the game. `protocol.md` describes both protocols as
//! umigame speaks them; its examples are run as tests.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod gtp;
mod inbox;
mod lines;
mod nboard;
mod output;
pub mod record;

use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::session::Session;
use umigame_engine::search::{Listener, Report};

use inbox::{Inbox, Patience, Urgency, Watch};
use lines::InputLine;
use output::Output;
pub use record::Recorder;

/// A protocol that umigame speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// The protocol of the NBoard GUI, versions 1 and 2.
    NBoard,
    /// The Go Text Protocol, version 2, as Othello programs use it.
    Gtp,
}

impl Protocol {
    /// The protocol that begins with this line; `None` where it is blank.
    ///
    /// What NBoard sends begins with one of its own words or is a bare move;
    /// everything else is GTP, where nonsense gets an answer too.
    pub fn detect(line: &str) -> Option<Protocol> {
        let word = line.split_whitespace().next()?;
        Some(if nboard::begins_with(word) { Protocol::NBoard } else { Protocol::Gtp })
    }

    fn urgency(self, text: &str) -> Urgency {
        match self {
            Protocol::NBoard => nboard::urgency(text),
            Protocol::Gtp => gtp::urgency(text),
        }
    }
}

/// Whether the conversation goes on after a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flow {
    GoOn,
    Quit,
}

/// One side of a conversation: acts on lines, one after the other.
trait Handler {
    /// Acts on one line.
    ///
    /// # Errors
    /// The client cannot be reached any more.
    fn handle(&mut self, line: &InputLine, inbox: &Inbox) -> io::Result<Flow>;

    /// Replies to a line that failed for a fault of our own.
    ///
    /// # Errors
    /// The client cannot be reached any more.
    fn apologize(&mut self, line: &InputLine) -> io::Result<()>;

    /// The game that is talked about.
    fn session(&mut self) -> &mut Session;
}

/// Speaks a protocol, or the one that the first line shows, until the client
/// quits, the input ends or the output is closed.
///
/// The input is read in a thread of its own, which is left behind where the
/// client quits without closing it.
///
/// # Errors
/// The output fails for another reason than that nobody reads it any more.
pub fn run<R, W>(
    protocol: Option<Protocol>,
    input: R,
    output: W,
    session: Session,
    recorder: Recorder,
) -> io::Result<()>
where
    R: Read + Send + 'static,
    W: Write + Send,
{
    let inbox = Inbox::open(input, protocol, recorder.clone());
    let output = Output::new(output, recorder);
    let ended = match inbox.protocol() {
        Some(Protocol::NBoard) => converse(&mut nboard::NBoard::new(session, output), &inbox),
        Some(Protocol::Gtp) => converse(&mut gtp::Gtp::new(session, output), &inbox),
        None => Ok(()),
    };
    match ended {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// A fault of our own costs one request, not the game.
fn converse(handler: &mut dyn Handler, inbox: &Inbox) -> io::Result<()> {
    loop {
        ponder(handler.session(), inbox);
        let Some(line) = inbox.next() else { return Ok(()) };
        match catch_unwind(AssertUnwindSafe(|| handler.handle(&line, inbox))) {
            Ok(flow) => {
                if flow? == Flow::Quit {
                    return Ok(());
                }
            }
            Err(_) => handler.apologize(&line)?,
        }
    }
}

/// Uses the time until the next line, where there is something to use it for.
fn ponder(session: &mut Session, inbox: &Inbox) {
    if session.can_ponder() {
        let watch = inbox.watch(Patience::Idle);
        if watch.go_on() {
            session.ponder(&Conversation::new(&watch, |_: &Report| Ok(())));
        }
    }
}

/// Sends what a panic says through the log, so that no line of it on stderr
/// can be taken for one of the protocol. For the binary, before [`run`].
pub fn log_panics() {
    std::panic::set_hook(Box::new(|info| log::error!("a fault in umigame: {info}")));
}

/// A search's ear and mouth: it hears the input through a [`Watch`] and
/// speaks through a function, which is not called once the answer is no
/// longer wanted.
struct Conversation<'a, F> {
    watch: &'a Watch<'a>,
    said: Mutex<(F, io::Result<()>)>,
}

impl<'a, F> Conversation<'a, F>
where
    F: FnMut(&Report) -> io::Result<()> + Send,
{
    fn new(watch: &'a Watch<'a>, say: F) -> Conversation<'a, F> {
        Conversation { watch, said: Mutex::new((say, Ok(()))) }
    }

    /// The first failure to speak.
    fn end(self) -> io::Result<()> {
        self.said.into_inner().unwrap_or_else(PoisonError::into_inner).1
    }
}

impl<F> Listener for Conversation<'_, F>
where
    F: FnMut(&Report) -> io::Result<()> + Send,
{
    fn go_on(&self) -> bool {
        self.watch.go_on()
    }

    fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }

    fn report(&self, report: &Report) {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let (say, result) = &mut *said;
        if result.is_ok() && !self.watch.cancelled() {
            *result = say(report);
            if result.is_err() {
                self.watch.stop();
            }
        }
    }
}
