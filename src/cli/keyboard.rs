//! What the user of the prompt types, read in a thread of its own so that it
//! is heard while the engine thinks.
//!
//! Every line waits its turn. `quit` and the end of the input also end the
//! search that runs, with what it has found. But over a pipe they do not if
//! they came in one piece with what is being searched: that is a script, and
//! a script gets its answers in full.

use std::collections::VecDeque;
use std::io::{self, BufReader, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use umigame_engine::Listener;

use super::lines::next_line;

/// Bytes in waiting lines before the reader waits too.
const MOST_BYTES: usize = 1 << 22;
/// What a waiting line takes beside its bytes, roughly.
const LINE_BYTES: usize = 64;

#[derive(Default)]
struct State {
    /// Lines, each with the number of the piece that it came in.
    waiting: VecDeque<(String, u64)>,
    bytes: usize,
    /// The input has ended, or failed.
    ended: Option<io::Result<()>>,
    /// The piece of the line that is being obeyed.
    at: u64,
    /// The first piece in which the user leaves.
    leaves_in: Option<u64>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn read<R: Read>(&self, input: R, pause: Duration, is_quit: fn(&str) -> bool) {
        let mut input = BufReader::new(input);
        let mut piece = 0;
        loop {
            let before = Instant::now();
            let read = next_line(&mut input);
            piece += u64::from(before.elapsed() >= pause);
            let mut state = self.lock();
            if !matches!(&read, Ok(Some(line)) if !is_quit(line)) {
                state.leaves_in.get_or_insert(piece);
            }
            match read {
                Ok(Some(line)) => {
                    while state.bytes >= MOST_BYTES {
                        state = self.wait(state);
                    }
                    state.bytes += line.len() + LINE_BYTES;
                    state.waiting.push_back((line, piece));
                }
                Ok(None) => state.ended = Some(Ok(())),
                Err(error) => state.ended = Some(Err(error)),
            }
            self.changed.notify_all();
            if state.ended.is_some() {
                return;
            }
        }
    }
}

/// Where lines wait for their turn.
pub(super) struct Keyboard {
    shared: Arc<Shared>,
}

impl Keyboard {
    /// Starts to read. Lines that come within less than `pause` of each other
    /// are one piece.
    pub fn open<R: Read + Send + 'static>(
        input: R,
        pause: Duration,
        is_quit: fn(&str) -> bool,
    ) -> Keyboard {
        let shared = Arc::<Shared>::default();
        let reader = Arc::clone(&shared);
        thread::spawn(move || reader.read(input, pause, is_quit));
        Keyboard { shared }
    }

    /// The next line in order; waits for it, and returns `None` after the
    /// last one.
    ///
    /// # Errors
    /// What the input failed with, after its last line.
    pub fn next(&self) -> io::Result<Option<String>> {
        let mut state = self.shared.lock();
        loop {
            if let Some((line, piece)) = state.waiting.pop_front() {
                state.bytes -= line.len() + LINE_BYTES;
                state.at = piece;
                self.shared.changed.notify_all();
                return Ok(Some(line));
            }
            if let Some(ended) = &mut state.ended {
                return std::mem::replace(ended, Ok(())).map(|()| None);
            }
            state = self.shared.wait(state);
        }
    }

    /// Whether the user has left since the line that is being obeyed.
    pub fn is_leaving(&self) -> bool {
        let state = self.shared.lock();
        state.leaves_in.is_some_and(|piece| piece > state.at)
    }

    /// A search that goes on until the user leaves.
    pub fn while_here(&self) -> Ear<'_> {
        Ear { keyboard: self, start: Instant::now(), goes_on: |keyboard| !keyboard.is_leaving() }
    }

    /// A search that goes on until the user has typed something or leaves.
    pub fn while_silent(&self) -> Ear<'_> {
        let goes_on = |keyboard: &Keyboard| {
            let state = keyboard.shared.lock();
            state.waiting.is_empty() && state.ended.is_none()
        };
        Ear { keyboard: self, start: Instant::now(), goes_on }
    }
}

/// The ear of a search for the keyboard.
pub(super) struct Ear<'a> {
    keyboard: &'a Keyboard,
    start: Instant,
    goes_on: fn(&Keyboard) -> bool,
}

impl Listener for Ear<'_> {
    fn go_on(&self) -> bool {
        (self.goes_on)(self.keyboard)
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const SCRIPT: Duration = Duration::from_secs(3600);
    const TERMINAL: Duration = Duration::ZERO;

    fn typed(text: &'static str, pause: Duration) -> Keyboard {
        let keyboard = Keyboard::open(text.as_bytes(), pause, |line| line == "quit");
        while keyboard.shared.lock().ended.is_none() {
            thread::yield_now();
        }
        keyboard
    }

    #[test]
    fn every_line_comes_in_order_and_none_after_the_last() {
        let text: String = (0..200_000).map(|n| format!("{n}\n")).collect();
        let keyboard = Keyboard::open(io::Cursor::new(text), SCRIPT, |line| line == "quit");
        for n in 0..200_000 {
            assert_eq!(keyboard.next().unwrap(), Some(n.to_string()));
            assert!(!keyboard.is_leaving());
        }
        assert!(keyboard.next().unwrap().is_none() && keyboard.next().unwrap().is_none());
        assert!(keyboard.shared.lock().bytes == 0);
    }

    #[test]
    fn a_script_is_obeyed_in_full_and_a_person_who_leaves_is_heard_at_once() {
        for text in ["f5\nshow\nquit\n", "f5\nshow\n"] {
            for (pause, leaves) in [(SCRIPT, false), (TERMINAL, true)] {
                let keyboard = typed(text, pause);
                for line in ["f5", "show"] {
                    assert_eq!(keyboard.next().unwrap().as_deref(), Some(line));
                    assert_eq!(keyboard.while_here().go_on(), !leaves, "{text} {line}");
                }
            }
        }
    }

    #[test]
    fn leaving_in_a_later_piece_ends_what_an_earlier_one_asked() {
        let (reader, mut writer) = io::pipe().unwrap();
        let pause = Duration::from_millis(200);
        let keyboard = Keyboard::open(reader, pause, |line| line == "quit");
        writer.write_all(b"f5\n").unwrap();
        assert_eq!(keyboard.next().unwrap().as_deref(), Some("f5"));
        let (here, silent) = (keyboard.while_here(), keyboard.while_silent());
        thread::sleep(2 * pause);
        assert!(here.go_on() && silent.go_on());
        writer.write_all(b"undo\n").unwrap();
        while silent.go_on() {
            thread::yield_now();
        }
        assert!(here.go_on(), "only heard");
        thread::sleep(2 * pause);
        drop(writer);
        while here.go_on() {
            thread::yield_now();
        }
        assert_eq!(keyboard.next().unwrap().as_deref(), Some("undo"));
        assert!(keyboard.next().unwrap().is_none());
    }
}
