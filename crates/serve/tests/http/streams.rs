//! Values that come while the engine thinks.

use serde_json::Value;
use umigame_othello::testing::random_positions;

use crate::client::{START, TestServer};

/// How far a report has got: its kind, then plies, then confidence.
fn rank(report: &Value) -> (usize, u64, u64) {
    let kind = report["kind"].as_str().expect("a kind");
    let place =
        ["depth", "endgame", "exact"].iter().position(|one| *one == kind).expect("a known kind");
    (place, report["depth"].as_u64().unwrap_or(0), report["confidence"].as_u64().expect("a number"))
}

#[test]
fn values_grow_in_depth_until_the_position_is_solved() {
    let server = TestServer::start();
    let mut positions = Vec::new();
    random_positions(3, 4_000, |position| {
        if (10..=16).contains(&position.empties()) && positions.len() < 5 {
            positions.push(position);
        }
    });
    for position in positions {
        let events: Vec<(String, Value)> = server
            .events("hint", &format!("{{\"position\":\"{position}\",\"lines\":2}}"))
            .collect();
        let (name, end) = events.last().expect("an end");
        assert_eq!((name.as_str(), &end["stopped"]), ("end", &Value::Bool(false)));
        assert_eq!(end["kind"], "exact", "{position}");
        let reports = events.get(..events.len() - 1).expect("reports before it");
        assert!(reports.iter().all(|(name, _)| name == "report"));
        let ranks: Vec<_> = reports.iter().map(|(_, report)| rank(report)).collect();
        assert!(!ranks.is_empty() && ranks.is_sorted(), "{position}: {ranks:?}");
    }
}

#[test]
fn a_newer_hint_of_a_client_ends_the_older_one_and_no_other() {
    let server = TestServer::start();
    let live = |client: &str| {
        let mut events =
            server.events("hint", &format!("{{\"position\":\"{START}\",\"client\":\"{client}\"}}"));
        assert_eq!(events.next().expect("a report").0, "report");
        events
    };
    let (older, mut other) = (live("a"), live("b"));
    let newer = live("a");
    let (name, end) = older.last().expect("an end");
    assert_eq!((name.as_str(), &end["stopped"]), ("end", &Value::Bool(true)));
    assert!(!end["lines"].as_array().expect("lines").is_empty());
    // The other goes on, though its turn may be some seconds away.
    assert_eq!(other.next().expect("it goes on").0, "report");
    assert_eq!(server.ask("stop", "{\"client\":\"a\"}"), serde_json::json!({ "stopped": true }));
    assert_eq!(newer.last().expect("an end").1["stopped"], true);
    assert_eq!(
        server.ask("stop", "{\"client\":\"nobody\"}"),
        serde_json::json!({ "stopped": false })
    );
}

#[test]
fn live_searches_let_others_have_their_turn_and_go_on_from_where_they_were() {
    let server = TestServer::start();
    let mut live = server.events("hint", &format!("{{\"position\":\"{START}\",\"lines\":1}}"));
    let mut ranks = Vec::new();
    for _ in 0..5 {
        ranks.push(rank(&live.next().expect("a report").1));
        let body = format!("{{\"position\":\"{START}\",\"depth\":6}}");
        assert_eq!(server.ask("hint", &body)["depth"], 6);
    }
    assert!(ranks.is_sorted(), "{ranks:?}");
}

#[test]
fn an_analysis_grows_from_its_end() {
    let server = TestServer::start();
    let body = "{\"game\":\"f5d6c3d3c4f4f6f3e6e7\",\"depth\":5}";
    let events: Vec<(String, Value)> = server.events("analyze", body).collect();
    let judged = |event: &Value| event["moves"].as_array().expect("moves").len();
    let counts: Vec<usize> = events.iter().map(|(_, event)| judged(event)).collect();
    assert!(counts.is_sorted(), "{counts:?}");
    let (name, end) = events.last().expect("an end");
    assert_eq!((name.as_str(), judged(end), &end["complete"]), ("end", 10, &Value::Bool(true)));
    assert_eq!(end["stopped"], false);
}

#[test]
fn a_closed_connection_ends_its_search() {
    let server = TestServer::start();
    // So many that the queue is full of searches that nobody waits for.
    for _ in 0..300 {
        let mut events = server.events("hint", &format!("{{\"position\":\"{START}\"}}"));
        if events.next().is_none() {
            panic!("a stream without an event");
        }
    }
    let body = format!("{{\"position\":\"{START}\",\"depth\":6}}");
    assert_eq!(server.ask("hint", &body)["depth"], 6);
}

#[test]
fn beyond_a_bound_searches_are_refused_and_the_server_ends_with_those_that_wait() {
    let server = TestServer::start();
    let ask = |number: usize| {
        let body = format!("{{\"position\":\"{START}\",\"client\":\"{number}\"}}");
        server.events("solve", &body)
    };
    let mut waiting = Vec::new();
    loop {
        let mut events = ask(waiting.len());
        let status = events.status();
        if status == 503 {
            break;
        }
        assert_eq!(status, 200);
        waiting.push(events);
        assert!(waiting.len() < 300, "none was refused");
    }
    let reply = server.post("hint", &format!("{{\"position\":\"{START}\",\"timeMs\":1}}"));
    assert_eq!(reply.status, 503);
    assert!(reply.message().contains("too many requests wait"), "{reply:?}");
    assert!(reply.head.to_ascii_lowercase().contains("retry-after: 1"), "{reply:?}");
    drop(waiting);
}
