//! The reader thread: parses lines into requests, queues them in order, and interrupts a running
//! search for those that cannot wait.
//!
//! Nothing is dropped. A request acts twice: at once on the running search (see [`Urgency`]), and
//! in its turn on the session. Queueing and interrupting happen under one lock, and a search that
//! starts looks at the queue under the same lock, so no request falls between the two.

use std::cell::Cell;
use std::collections::VecDeque;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use umigame_engine::StopHandle;
use umigame_othello::text::quote;

use super::lines::{InputLine, InputLines};

/// Requests that may be queued before the reader waits.
const MAX_QUEUED_REQUESTS: usize = 4096;
/// Bytes of the lines of queued requests before the reader waits.
const MAX_QUEUED_BYTES: usize = 1 << 22;
/// Time for all open requests together once the input has ended or `quit` has come: enough for a
/// search of the default level if a script closes its pipe right after its question.
const TIME_AFTER_CLOSE: Duration = Duration::from_millis(150);

/// A request of a protocol: one parsed line.
pub(super) trait Request: Send + Sized + 'static {
    /// Effect of a full queue on the running search.
    const FULL_QUEUE: Urgency;

    /// Parses a line. A line that means nothing is a request without effect.
    fn parse(line: &InputLine) -> Self;

    /// Returns the effect of the request on the running search.
    fn urgency(&self) -> Urgency;
}

/// Effect of a request on the search that runs when it arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Urgency {
    /// None; the request waits its turn.
    Waits,
    /// Ends an open-ended search, which answers with its result so far.
    NewRequest,
    /// Ends the search, which answers with its result so far: the position is about to change, or
    /// the client wants the move now.
    AnswerNow,
    /// Ends the search, which answers nothing.
    Cancel,
    /// The client leaves: all open requests are answered within [`TIME_AFTER_CLOSE`].
    Close,
}

/// When a search ends by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SearchMode {
    /// At its limits, soon enough for the next request to wait.
    Limited,
    /// Not before another request.
    OpenEnded,
}

/// A request taken from the queue.
#[derive(Debug)]
pub(super) struct Received<R> {
    /// The request.
    pub request: R,
    /// The beginning of its line, for messages.
    pub quoted: String,
}

struct Queued<R> {
    received: Received<R>,
    /// Length of the line.
    bytes: usize,
    arrived: Instant,
}

struct Queue<R> {
    requests: VecDeque<Queued<R>>,
    bytes: usize,
    ended: bool,
    /// Every answer is due: searches stop at once.
    overdue: bool,
}

/// The signals to a running search.
#[derive(Clone)]
struct Signals {
    mode: SearchMode,
    stop: StopHandle,
    cancelled: Arc<AtomicBool>,
}

impl Signals {
    /// Acts on the search.
    fn interrupt(&self, urgency: Urgency) {
        match urgency {
            Urgency::Waits | Urgency::Close => {}
            Urgency::NewRequest if self.mode == SearchMode::Limited => {}
            Urgency::NewRequest | Urgency::AnswerNow => self.stop.stop(),
            Urgency::Cancel => {
                self.cancelled.store(true, Relaxed);
                self.stop.stop();
            }
        }
    }
}

struct Shared<R> {
    queue: Mutex<Queue<R>>,
    /// A request was queued, or the input has ended.
    arrived: Condvar,
    /// A request was taken.
    taken: Condvar,
    /// The running search, if any. Set under the lock of the queue.
    search: Mutex<Option<Signals>>,
}

impl<R: Request> Shared<R> {
    /// Acts on the running search.
    fn interrupt(&self, urgency: Urgency) {
        if let Some(search) = &*lock(&self.search) {
            search.interrupt(urgency);
        }
    }

    /// Ends the queue.
    fn end(&self) {
        lock(&self.queue).ended = true;
        self.arrived.notify_all();
    }

    /// Stops the running search and all that begin later.
    fn answer_all_now(&self) {
        lock(&self.queue).overdue = true;
        self.interrupt(Urgency::AnswerNow);
    }

    /// Queues a line. Returns whether further lines are wanted.
    fn receive(&self, line: &InputLine) -> bool {
        let arrived = Instant::now();
        let request = R::parse(line);
        let urgency = request.urgency();
        let mut queue = lock(&self.queue);
        while queue.requests.len() >= MAX_QUEUED_REQUESTS || queue.bytes >= MAX_QUEUED_BYTES {
            self.interrupt(R::FULL_QUEUE);
            queue = self.taken.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        self.interrupt(urgency);
        let bytes = line.text.len();
        queue.bytes += bytes;
        let received = Received { request, quoted: quote(&line.text) };
        queue.requests.push_back(Queued { received, bytes, arrived });
        self.arrived.notify_all();
        urgency != Urgency::Close
    }
}

/// The queue of requests.
pub(super) struct Inbox<R> {
    shared: Arc<Shared<R>>,
    /// Start of the request that is being served.
    start: Cell<Instant>,
}

impl<R: Request> Inbox<R> {
    /// Starts a thread that reads `first`, if there is such a line, and then `lines` to their end
    /// or to a request that closes the conversation.
    pub fn open<I: Read + Send + 'static>(
        first: Option<InputLine>,
        mut lines: InputLines<I>,
    ) -> Inbox<R> {
        let shared = Arc::new(Shared {
            queue: Mutex::new(Queue {
                requests: VecDeque::new(),
                bytes: 0,
                ended: false,
                overdue: false,
            }),
            arrived: Condvar::new(),
            taken: Condvar::new(),
            search: Mutex::new(None),
        });
        let reader = Arc::clone(&shared);
        thread::spawn(move || {
            let read = || {
                let mut next = first.or_else(|| lines.next_line());
                while let Some(line) = next
                    && reader.receive(&line)
                {
                    next = lines.next_line();
                }
            };
            // A reader that panics ends the input.
            let _ = catch_unwind(AssertUnwindSafe(read));
            reader.end();
            thread::sleep(TIME_AFTER_CLOSE);
            reader.answer_all_now();
        });
        Inbox { shared, start: Cell::new(Instant::now()) }
    }

    /// Takes the next request, waiting for it; `None` after the last one. The time of its search
    /// runs from its arrival, but not from before `free_since`, the end of the request before.
    pub fn next(&self, free_since: Instant) -> Option<Received<R>> {
        let mut queue = lock(&self.shared.queue);
        loop {
            if let Some(Queued { received, bytes, arrived }) = queue.requests.pop_front() {
                queue.bytes -= bytes;
                self.start.set(arrived.max(free_since));
                self.shared.taken.notify_all();
                return Some(received);
            }
            if queue.ended {
                return None;
            }
            queue = self.shared.arrived.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Returns whether no request waits and more may come.
    pub fn is_idle(&self) -> bool {
        let queue = lock(&self.shared.queue);
        queue.requests.is_empty() && !queue.ended
    }

    /// Starts to watch the input for a search. Queued requests act on it as later ones will.
    pub fn watch(&self, mode: SearchMode) -> Watch<'_> {
        let signals = Signals { mode, stop: StopHandle::default(), cancelled: Arc::default() };
        let queue = lock(&self.shared.queue);
        if queue.overdue {
            signals.stop.stop();
        }
        for queued in &queue.requests {
            signals.interrupt(queued.received.request.urgency());
        }
        *lock(&self.shared.search) = Some(signals.clone());
        Watch { search: &self.shared.search, signals, start: self.start.get() }
    }
}

/// Watches the input during a search, until it is dropped.
pub(super) struct Watch<'a> {
    search: &'a Mutex<Option<Signals>>,
    signals: Signals,
    start: Instant,
}

impl Watch<'_> {
    /// Returns whether the search may go on.
    pub fn go_on(&self) -> bool {
        !self.signals.stop.is_stopped()
    }

    /// Returns whether nothing may be answered any more.
    pub fn is_cancelled(&self) -> bool {
        self.signals.cancelled.load(Relaxed)
    }

    /// Ends the search.
    pub fn stop(&self) {
        self.signals.stop.stop();
    }

    /// Returns the time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        *lock(self.search) = None;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};

    use super::*;

    /// A request whose text names its urgency.
    #[derive(Debug)]
    struct Named(String);

    impl Request for Named {
        const FULL_QUEUE: Urgency = Urgency::Waits;

        fn parse(line: &InputLine) -> Named {
            Named(line.text.clone())
        }

        fn urgency(&self) -> Urgency {
            match self.0.as_str() {
                "new request" => Urgency::NewRequest,
                "answer now" => Urgency::AnswerNow,
                "cancel" => Urgency::Cancel,
                "close" => Urgency::Close,
                _ => Urgency::Waits,
            }
        }
    }

    fn open(input: impl Read + Send + 'static) -> Inbox<Named> {
        Inbox::open(None, InputLines::new(input))
    }

    /// An inbox that has read all of `text`.
    fn filled(text: &'static str) -> Inbox<Named> {
        let inbox = open(text.as_bytes());
        while !lock(&inbox.shared.queue).ended {
            thread::yield_now();
        }
        inbox
    }

    #[test]
    fn every_request_comes_out_once_and_in_order() {
        let text: String = (1..20_000).map(|n| format!("{n}\n")).collect();
        let first = InputLine { text: "0".to_owned(), whole: true };
        let lines = InputLines::new(io::Cursor::new(text));
        let inbox: Inbox<Named> = Inbox::open(Some(first), lines);
        for n in 0..20_000 {
            let received = inbox.next(Instant::now()).unwrap();
            assert_eq!((received.request.0, received.quoted), (n.to_string(), n.to_string()));
        }
        assert!(inbox.next(Instant::now()).is_none());
    }

    #[test]
    fn nothing_is_read_after_the_end_of_the_conversation() {
        let inbox = filled("one\nclose\ntwo\n");
        let texts: Vec<String> =
            std::iter::from_fn(|| inbox.next(Instant::now())).map(|it| it.request.0).collect();
        assert_eq!(texts, ["one", "close"]);
    }

    #[test]
    fn queued_requests_act_on_a_search_that_begins() {
        use SearchMode::{Limited, OpenEnded};
        for (text, mode, goes_on, cancelled) in [
            ("", OpenEnded, true, false),
            ("wait\n", OpenEnded, true, false),
            ("new request\n", OpenEnded, false, false),
            ("new request\n", Limited, true, false),
            ("answer now\n", Limited, false, false),
            ("wait\ncancel\n", Limited, false, true),
        ] {
            // Input that goes on: its end stops searches a little later.
            let (reader, mut writer) = io::pipe().unwrap();
            let inbox = open(reader);
            writer.write_all(text.as_bytes()).unwrap();
            while lock(&inbox.shared.queue).requests.len() < text.lines().count() {
                thread::yield_now();
            }
            let watch = inbox.watch(mode);
            assert_eq!((watch.go_on(), watch.is_cancelled()), (goes_on, cancelled), "{text}");
        }
    }

    #[test]
    fn an_inbox_is_idle_until_a_line_or_the_end_of_input() {
        for line in ["\n", "wait\n", ""] {
            let (reader, mut writer) = io::pipe().unwrap();
            let inbox = open(reader);
            assert!(inbox.is_idle());
            writer.write_all(line.as_bytes()).unwrap();
            let still_open = (!line.is_empty()).then_some(writer);
            while inbox.is_idle() {
                thread::yield_now();
            }
            drop(still_open);
        }
    }

    #[test]
    fn the_time_of_a_request_runs_from_its_arrival_or_the_end_of_the_one_before() {
        let inbox = filled("one\ntwo\n");
        let (before, pause) = (Instant::now(), Duration::from_millis(20));
        thread::sleep(pause);
        inbox.next(before).unwrap();
        assert!(inbox.watch(SearchMode::Limited).elapsed() >= pause, "it has waited");
        let free = Instant::now();
        inbox.next(free).unwrap();
        assert_eq!(inbox.watch(SearchMode::OpenEnded).start, free, "it had to wait");
    }

    #[test]
    fn a_search_ends_some_time_after_the_input() {
        let inbox = filled("wait\n");
        let watch = inbox.watch(SearchMode::Limited);
        while watch.go_on() {
            thread::yield_now();
        }
        assert!(!watch.is_cancelled(), "it answers");
    }

    #[test]
    fn a_reader_that_panics_ends_the_input() {
        struct Panicking;
        impl Read for Panicking {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                panic!("this fault is part of a test");
            }
        }
        assert!(open(Panicking).next(Instant::now()).is_none());
    }
}
