//! The loop of a conversation: one request after the other, each with its reply.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use umigame_engine::{Listener, Report};

use super::inbox::{Inbox, Received, Request, Watch};
use crate::session::Session;

/// Whether the conversation goes on after a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flow {
    /// The next request is served.
    GoOn,
    /// The client has quit.
    Quit,
}

/// Serves the requests of one protocol.
pub(super) trait Handler {
    /// Requests of the protocol.
    type Request: Request;

    /// Serves one request.
    ///
    /// # Errors
    /// The client cannot be reached.
    fn handle(
        &mut self,
        received: &Received<Self::Request>,
        inbox: &Inbox<Self::Request>,
    ) -> io::Result<Flow>;

    /// Replies to a request that a fault in umigame has left without a reply.
    ///
    /// # Errors
    /// The client cannot be reached.
    fn reply_to_fault(&mut self, received: &Received<Self::Request>) -> io::Result<()>;

    /// Returns the session.
    fn session(&mut self) -> &mut Session;
}

/// Serves all requests of `inbox`. A panic costs one request, not the game.
///
/// # Errors
/// The client cannot be reached.
pub(super) fn converse<H: Handler>(handler: &mut H, inbox: &Inbox<H::Request>) -> io::Result<()> {
    loop {
        let free_since = Instant::now();
        if inbox.is_idle() {
            handler.session().ponder();
        }
        let Some(received) = inbox.next(free_since) else { return Ok(()) };
        match catch_unwind(AssertUnwindSafe(|| handler.handle(&received, inbox))) {
            Ok(flow) => {
                if flow? == Flow::Quit {
                    return Ok(());
                }
            }
            Err(_) => handler.reply_to_fault(&received)?,
        }
    }
}

/// Function that passes on a report of a search.
type Reporter<'a> = dyn FnMut(&Report) -> io::Result<()> + Send + 'a;

/// Connects a search to the client: input ends it, as a [`Watch`] says, and its reports go to a
/// function, until nothing may be answered any more.
pub(super) struct ClientListener<'a> {
    watch: &'a Watch<'a>,
    reporting: Mutex<Reporting<'a>>,
}

struct Reporting<'a> {
    report: Box<Reporter<'a>>,
    result: io::Result<()>,
}

impl<'a> ClientListener<'a> {
    /// Creates a listener that passes reports to `report`. An error of it ends the search.
    pub fn new(
        watch: &'a Watch<'a>,
        report: impl FnMut(&Report) -> io::Result<()> + Send + 'a,
    ) -> ClientListener<'a> {
        let reporting = Reporting { report: Box::new(report), result: Ok(()) };
        ClientListener { watch, reporting: Mutex::new(reporting) }
    }

    /// Creates a listener that drops reports.
    pub fn silent(watch: &'a Watch<'a>) -> ClientListener<'a> {
        ClientListener::new(watch, |_| Ok(()))
    }

    /// Returns the first error of the function that reports were passed to.
    pub fn finish(self) -> io::Result<()> {
        self.reporting.into_inner().unwrap_or_else(PoisonError::into_inner).result
    }
}

impl Listener for ClientListener<'_> {
    fn go_on(&self) -> bool {
        #[cfg(debug_assertions)]
        test_fault::poll();
        self.watch.go_on()
    }

    fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }

    fn report(&self, report: &Report) {
        let mut reporting = self.reporting.lock().unwrap_or_else(PoisonError::into_inner);
        let Reporting { report: pass_on, result } = &mut *reporting;
        if result.is_ok() && !self.watch.is_cancelled() {
            *result = pass_on(report);
            if result.is_err() {
                self.watch.stop();
            }
        }
    }
}

/// A fault for the black-box tests of debug builds.
#[cfg(debug_assertions)]
mod test_fault {
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Polls of searches before the one that panics, from the variable `UMIGAME_TEST_FAULT`.
    static LEFT: LazyLock<Option<AtomicU64>> = LazyLock::new(|| {
        std::env::var("UMIGAME_TEST_FAULT").ok()?.parse().ok().map(AtomicU64::new)
    });

    /// Panics if this is the poll to fail.
    pub fn poll() {
        let Some(left) = &*LEFT else { return };
        assert!(left.fetch_sub(1, Ordering::Relaxed) != 0, "this fault is part of a test");
    }
}

#[cfg(test)]
mod tests {
    use umigame_engine::Evaluation;
    use umigame_engine::{Engine, EngineOptions, Megabytes};

    use super::*;
    use crate::protocol::inbox::Urgency;
    use crate::protocol::lines::{InputLine, InputLines};
    use crate::session::Options;

    #[derive(Debug)]
    struct Text(String);

    impl Request for Text {
        const FULL_QUEUE: Urgency = Urgency::Waits;

        fn parse(line: &InputLine) -> Text {
            Text(line.text.clone())
        }

        fn urgency(&self) -> Urgency {
            Urgency::Waits
        }
    }

    /// Notes each request, panics at `panic`, quits at `quit`.
    struct Noting {
        session: Session,
        notes: Vec<String>,
    }

    impl Handler for Noting {
        type Request = Text;

        fn handle(&mut self, received: &Received<Text>, _: &Inbox<Text>) -> io::Result<Flow> {
            let Text(text) = &received.request;
            assert!(text != "panic", "this fault is part of a test");
            self.notes.push(text.clone());
            Ok(if text == "quit" { Flow::Quit } else { Flow::GoOn })
        }

        fn reply_to_fault(&mut self, received: &Received<Text>) -> io::Result<()> {
            self.notes.push(format!("`{}` failed", received.quoted));
            Ok(())
        }

        fn session(&mut self) -> &mut Session {
            &mut self.session
        }
    }

    #[test]
    fn a_fault_costs_one_request_and_quit_ends_the_conversation() {
        let options = EngineOptions { hash: Megabytes(1), threads: 2 };
        let engine = Engine::new(Evaluation::embedded(), options).unwrap();
        let session = Session::new(engine, Options::default());
        let mut handler = Noting { session, notes: Vec::new() };
        let lines = InputLines::new(&b"one\npanic\ntwo\nquit\nthree\n"[..]);
        converse(&mut handler, &Inbox::open(None, lines)).unwrap();
        assert_eq!(handler.notes, ["one", "`panic` failed", "two", "quit"]);
    }
}
