//! The protocols on standard input and output: NBoard and GTP.
//!
//! Bytes become lines (`lines`), a reader thread parses each line once into a request and queues
//! it (`inbox`), and a handler per protocol serves the requests in order over a [`Session`]
//! (`conversation`, `nboard`, `gtp`). No line, of whatever length and bytes, ends the process or
//! loses the game. `protocol.md` describes both protocols as umigame speaks them; a test executes
//! its examples.

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod conversation;
mod gtp;
mod inbox;
mod lines;
mod nboard;
mod output;

use std::io::{self, Read, Write};

use umigame_othello::text::shown;
use umigame_support::pipe;

use conversation::converse;
use inbox::Inbox;
use lines::{InputLine, InputLines};
use output::Output;

use crate::session::Session;

/// A protocol that umigame speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Protocol {
    /// The protocol of the NBoard GUI, versions 1 and 2.
    NBoard,
    /// The Go Text Protocol, version 2, as Othello programs use it.
    Gtp,
}

impl Protocol {
    /// Returns the protocol that a conversation beginning with this line belongs to; `None` if the
    /// line is blank.
    ///
    /// NBoard's lines begin with one of its words or are a bare move. Everything else is GTP, in
    /// which unknown commands get a response too.
    fn detect(line: &str) -> Option<Protocol> {
        let word = line.split_whitespace().next()?;
        Some(if nboard::begins_with(word) { Protocol::NBoard } else { Protocol::Gtp })
    }
}

/// Serves a protocol until the client quits, the input ends or the output is closed. Without
/// `protocol`, the first line of input that is not blank decides.
///
/// A thread reads the input; it outlives the call if the client quits without closing it.
///
/// # Errors
/// The output fails for another reason than being closed.
pub(crate) fn run<R, W>(
    protocol: Option<Protocol>,
    input: R,
    output: W,
    session: Session,
) -> io::Result<()>
where
    R: Read + Send + 'static,
    W: Write + Send,
{
    let mut lines = InputLines::new(input);
    let (protocol, first) = match protocol {
        Some(protocol) => (protocol, None),
        None => match detect(&mut lines) {
            Some((protocol, line)) => (protocol, Some(line)),
            None => return Ok(()),
        },
    };
    let output = Output::new(output);
    let result = match protocol {
        Protocol::NBoard => {
            converse(&mut nboard::Handler::new(session, output), &Inbox::open(first, lines))
        }
        Protocol::Gtp => {
            converse(&mut gtp::Handler::new(session, output), &Inbox::open(first, lines))
        }
    };
    match result {
        Err(error) if pipe::is_closed(&error) => Ok(()),
        other => other,
    }
}

/// Reads up to the first line that is not blank. Returns it with its protocol; `None` if there is
/// no such line.
fn detect<R: Read>(lines: &mut InputLines<R>) -> Option<(Protocol, InputLine)> {
    loop {
        let line = lines.next_line()?;
        if let Some(protocol) = Protocol::detect(&line.text) {
            return Some((protocol, line));
        }
    }
}

/// Sends the messages of panics through the log, so that none of their lines on standard error
/// begins with a word of the NBoard protocol. Called before [`run`].
pub(crate) fn log_panics() {
    std::panic::set_hook(Box::new(|info| {
        let message = info.to_string().replace('\n', " ");
        log::error!("a fault in umigame: {}", shown(&message));
    }));
}
