//! Searches that wait for others.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use serde_json::Value;

use crate::client::{HANG_TIMEOUT, START, TestServer};

fn asked(rest: &str) -> String {
    format!("{{\"position\":\"{START}\"{rest}}}")
}

/// Streams that threads read, and their ends in the order in which they come.
struct Requests {
    server: TestServer,
    sender: Sender<(&'static str, Value)>,
    answers: Receiver<(&'static str, Value)>,
}

impl Requests {
    fn new() -> Requests {
        let (sender, answers) = channel();
        Requests { server: TestServer::start(), sender, answers }
    }

    fn next(&self) -> (&'static str, Value) {
        self.answers.recv_timeout(HANG_TIMEOUT).expect("an answer")
    }

    /// Asks for a hint as a stream, whose status comes once it is in the queue.
    fn send(&self, label: &'static str, body: &str) {
        let mut events = self.server.events("hint", body);
        assert_eq!(events.status(), 200);
        let sender = self.sender.clone();
        thread::spawn(move || sender.send((label, events.last().expect("an end").1)));
    }
}

#[test]
fn a_search_stopped_in_the_queue_is_answered_before_its_turn() {
    let requests = Requests::new();
    for _ in 0..3 {
        requests.send("before it", &asked(",\"timeMs\":1000"));
    }
    requests.send("stopped", &asked(",\"depth\":20,\"client\":\"c\""));
    assert_eq!(requests.server.ask("stop", "{\"client\":\"c\"}")["stopped"], true);
    let (first, second) = (requests.next(), requests.next());
    let (_, answer) =
        [first, second].into_iter().find(|(label, _)| *label == "stopped").expect("by now");
    assert_eq!(answer["stopped"], true);
}

#[test]
fn a_newer_search_of_a_client_answers_the_older_one_in_the_queue() {
    let requests = Requests::new();
    for _ in 0..3 {
        requests.send("before it", &asked(",\"timeMs\":1000"));
    }
    requests.send("older", &asked(",\"depth\":20,\"client\":\"c\""));
    requests.send("newer", &asked(",\"depth\":4,\"client\":\"c\""));
    let labels: Vec<_> = (0..5).map(|_| requests.next().0).collect();
    let older = labels.iter().position(|label| *label == "older");
    assert!(older.is_some_and(|place| place <= 1), "{labels:?}");
}

#[test]
fn a_search_on_a_long_clock_lets_others_have_their_turn() {
    let requests = Requests::new();
    let clock = ",\"clock\":{\"remainingMs\":3600000},\"client\":\"clock\"";
    requests.send("clock", &asked(clock));
    requests.send("depth", &asked(",\"depth\":6"));
    assert_eq!(requests.next().0, "depth", "the clock allows minutes");
    assert_eq!(requests.server.ask("stop", "{\"client\":\"clock\"}")["stopped"], true);
    let (label, answer) = requests.next();
    assert_eq!((label, &answer["stopped"]), ("clock", &Value::Bool(true)));
    assert_ne!(answer["lines"].as_array().map(Vec::len), Some(0), "{answer}");
}
