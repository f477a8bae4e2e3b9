//! The reader: one thread that takes lines in, keeps them in order, and
//! tells a running search when one of them cannot wait.
//!
//! Nothing is dropped. A line acts in two ways: at once, on the search that
//! runs (see [`Urgency`]), and in its turn, as a request. Both happen under
//! one lock, so no line falls between the start of a search and its end.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::Protocol;
use super::lines::{InputLine, InputLines};
use super::record::{Direction, Recorder};

/// Lines that may wait before the reader waits too.
const MOST_LINES: usize = 4096;
/// Bytes in waiting lines before the reader waits too.
const MOST_BYTES: usize = 1 << 22;
/// What is left for requests that are still open once the input has ended or
/// `quit` has come, all of them together: enough for a sensible move where a
/// script closes its pipe right after its question.
const LAST_WORDS: Duration = Duration::from_millis(80);

/// What a line does to the search that runs while it arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Urgency {
    /// Nothing: it waits its turn.
    None,
    /// A new request: an analysis without limits makes room for it.
    Request,
    /// The position is about to change, or the client wants the move now:
    /// the search answers with what it has.
    Now,
    /// The answer is no longer wanted; what was asked is dropped unanswered.
    Cancel,
    /// The client is leaving.
    Close,
}

/// How long a search may go on by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Patience {
    /// It ends by itself, soon enough for whoever asks next.
    Bounded,
    /// It goes on until something else is wanted.
    Open,
    /// Nobody has asked for it: any line ends it, and so does the end of the
    /// input.
    Idle,
}

#[derive(Default)]
struct State {
    protocol: Option<Protocol>,
    waiting: VecDeque<(InputLine, Urgency)>,
    bytes: usize,
    ended: bool,
    searching: Option<Patience>,
}

struct Shared {
    state: Mutex<State>,
    arrived: Condvar,
    taken: Condvar,
    born: Instant,
    stop: AtomicBool,
    cancelled: AtomicBool,
    /// When every answer is due, in milliseconds since `born`.
    due: AtomicU64,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Acts on the running search. Called under the lock.
    fn press(&self, urgency: Urgency, searching: Patience) {
        let (stop, cancel) = match urgency {
            Urgency::None | Urgency::Close => (false, false),
            Urgency::Request => (searching == Patience::Open, false),
            Urgency::Now => (true, false),
            Urgency::Cancel => (true, true),
        };
        self.stop.fetch_or(stop || searching == Patience::Idle, Ordering::Relaxed);
        self.cancelled.fetch_or(cancel, Ordering::Relaxed);
    }

    /// No more input: whatever is open is answered soon.
    fn close(&self) {
        let due = self.born.elapsed().saturating_add(LAST_WORDS).as_millis();
        self.due.fetch_min(u64::try_from(due).unwrap_or(0), Ordering::Relaxed);
    }

    fn push(&self, line: InputLine, urgency: Urgency) {
        let mut state = self.lock();
        while state.waiting.len() >= MOST_LINES || state.bytes >= MOST_BYTES {
            // Whoever writes that much is not waiting for this search; but a
            // GTP client gets full measure for every command.
            if let (Some(patience), Some(Protocol::NBoard)) = (state.searching, state.protocol) {
                self.press(Urgency::Now, patience);
            }
            state = self.taken.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if urgency == Urgency::Close {
            self.close();
        }
        if let Some(patience) = state.searching {
            self.press(urgency, patience);
        }
        state.bytes += line.text.len();
        state.waiting.push_back((line, urgency));
        self.arrived.notify_all();
    }

    fn read<R: Read>(&self, input: R, recorder: &Recorder) {
        let mut lines = InputLines::new(input);
        while let Some(line) = lines.next_line() {
            recorder.line(Direction::In, &line.text);
            let urgency = match self.protocol_for(&line.text) {
                // A line that is cut short does nothing.
                Some(protocol) if line.whole => protocol.urgency(&line.text),
                _ => Urgency::None,
            };
            self.push(line, urgency);
            if urgency == Urgency::Close {
                break;
            }
        }
        self.close();
        let mut state = self.lock();
        state.ended = true;
        if state.searching == Some(Patience::Idle) {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.arrived.notify_all();
    }

    /// The protocol spoken; the first line that is not blank decides.
    fn protocol_for(&self, text: &str) -> Option<Protocol> {
        let mut state = self.lock();
        if state.protocol.is_none() {
            state.protocol = Protocol::detect(text);
            self.arrived.notify_all();
        }
        state.protocol
    }
}

/// Where lines wait for their turn.
pub(super) struct Inbox {
    shared: Arc<Shared>,
}

impl Inbox {
    /// Starts to read, in a thread that ends with the input or with `quit`.
    pub fn open<R: Read + Send + 'static>(
        input: R,
        protocol: Option<Protocol>,
        recorder: Recorder,
    ) -> Inbox {
        let shared = Arc::new(Shared {
            state: Mutex::new(State { protocol, ..State::default() }),
            arrived: Condvar::new(),
            taken: Condvar::new(),
            born: Instant::now(),
            stop: AtomicBool::new(false),
            cancelled: AtomicBool::new(false),
            due: AtomicU64::new(u64::MAX),
        });
        let reader = Arc::clone(&shared);
        thread::spawn(move || reader.read(input, &recorder));
        Inbox { shared }
    }

    /// The protocol; waits for the first line where it is not known, and
    /// returns `None` where there is no line.
    pub fn protocol(&self) -> Option<Protocol> {
        let mut state = self.shared.lock();
        while state.protocol.is_none() && !state.ended {
            state = self.shared.arrived.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.protocol
    }

    /// The next line in order; waits for it, and returns `None` after the
    /// last one.
    pub fn next(&self) -> Option<InputLine> {
        let mut state = self.shared.lock();
        loop {
            if let Some((line, _)) = state.waiting.pop_front() {
                state.bytes -= line.text.len();
                self.shared.taken.notify_all();
                return Some(line);
            }
            if state.ended {
                return None;
            }
            state = self.shared.arrived.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A search begins: what waits already acts on it as what comes will.
    pub fn watch(&self, patience: Patience) -> Watch<'_> {
        let shared = &*self.shared;
        let mut state = shared.lock();
        shared.stop.store(state.ended && patience == Patience::Idle, Ordering::Relaxed);
        shared.cancelled.store(false, Ordering::Relaxed);
        state.searching = Some(patience);
        for (_, urgency) in &state.waiting {
            shared.press(*urgency, patience);
        }
        Watch { shared, start: Instant::now() }
    }
}

/// The eye that a search keeps on the input.
pub(super) struct Watch<'a> {
    shared: &'a Shared,
    start: Instant,
}

impl Watch<'_> {
    /// Whether the search may go on.
    pub fn go_on(&self) -> bool {
        let due = self.shared.due.load(Ordering::Relaxed);
        !self.shared.stop.load(Ordering::Relaxed)
            && (due == u64::MAX || self.shared.born.elapsed().as_millis() < u128::from(due))
    }

    /// Whether the answer is no longer wanted.
    pub fn cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Relaxed)
    }

    /// Ends the search for a reason of one's own.
    pub fn stop(&self) {
        self.shared.stop.store(true, Ordering::Relaxed);
    }

    /// Since the search began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.shared.lock().searching = None;
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    fn inbox(text: &'static str, protocol: Protocol) -> Inbox {
        let inbox = Inbox::open(text.as_bytes(), Some(protocol), Recorder::default());
        while !inbox.shared.lock().ended {
            thread::yield_now();
        }
        inbox
    }

    #[test]
    fn every_line_comes_out_once_and_in_order() {
        let text: String = (0..20_000).map(|n| format!("ping {n}\n")).collect();
        let inbox = Inbox::open(io::Cursor::new(text), Some(Protocol::NBoard), Recorder::default());
        for n in 0..20_000 {
            assert_eq!(inbox.next().map(|line| line.text), Some(format!("ping {n}")));
        }
        assert_eq!(inbox.next(), None);
    }

    #[test]
    fn what_waits_already_acts_on_a_search_that_begins() {
        for (text, patience, goes_on, cancelled) in [
            ("", Patience::Open, true, false),
            ("set depth 3\n", Patience::Open, true, false),
            ("hint 1\n", Patience::Open, false, false),
            ("hint 1\n", Patience::Bounded, true, false),
            ("move F5\n", Patience::Bounded, false, false),
            ("f5\n", Patience::Open, false, false),
            ("set game (;;)\n", Patience::Bounded, false, false),
            ("stop\n", Patience::Bounded, false, false),
            ("set depth 3\nping 4\n", Patience::Bounded, false, true),
            ("ping x\n", Patience::Bounded, true, false),
            ("", Patience::Idle, false, false),
            ("set depth 3\n", Patience::Idle, false, false),
        ] {
            let inbox = inbox(text, Protocol::NBoard);
            // The end of the input alone leaves some time.
            inbox.shared.due.store(u64::MAX, Ordering::Relaxed);
            let watch = inbox.watch(patience);
            assert_eq!((watch.go_on(), watch.cancelled()), (goes_on, cancelled), "{text}");
        }
    }

    #[test]
    fn what_nobody_has_asked_for_ends_with_any_line_and_with_the_input() {
        for said in ["\n", "# comment\n", "name\n", ""] {
            let (reader, mut writer) = io::pipe().unwrap();
            let inbox = Inbox::open(reader, Some(Protocol::Gtp), Recorder::default());
            let watch = inbox.watch(Patience::Idle);
            assert!(watch.go_on());
            io::Write::write_all(&mut writer, said.as_bytes()).unwrap();
            let open = (!said.is_empty()).then_some(writer);
            while watch.go_on() {
                thread::yield_now();
            }
            drop(open);
        }
    }

    #[test]
    fn a_gtp_search_is_only_hurried_by_the_end() {
        let inbox = inbox("play b d3\ngenmove w\nping 1\nstop\n", Protocol::Gtp);
        let watch = inbox.watch(Patience::Bounded);
        assert!(watch.go_on());
        thread::sleep(LAST_WORDS + Duration::from_millis(20));
        assert!(!watch.go_on(), "the input has ended");
        assert!(!watch.cancelled());
    }
}
