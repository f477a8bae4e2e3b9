//! Clients that are slow, silent, cut off, or send nonsense.

use std::io::{Read, Write};
use std::net::TcpStream;

use umigame_othello::testing::random_positions;

use crate::client::{START, TOKEN, TestServer};

fn answers(server: &TestServer) {
    let body = format!("{{\"position\":\"{START}\",\"depth\":4}}");
    assert_eq!(server.ask("hint", &body)["depth"], 4);
}

#[test]
fn idle_connections_do_not_stop_others() {
    let server = TestServer::start();
    // More than the server keeps: the oldest ones make room.
    let idle: Vec<TcpStream> = (0..1000).map_while(|_| server.try_connect()).collect();
    if idle.len() < 1000 {
        println!("SKIPPED: the system opens {} connections of 1000", idle.len());
        return;
    }
    answers(&server);
    let mut half: Vec<TcpStream> = (0..50).map(|_| server.connect()).collect();
    for stream in &mut half {
        stream.write_all(b"POST /api/v1/hint HTTP/1.1\r\nHost: ").expect("it is read");
    }
    answers(&server);
    drop((idle, half));
    answers(&server);
}

#[test]
fn a_reader_that_reads_nothing_does_not_stop_others() {
    let server = TestServer::start();
    let slow: Vec<_> = (0..4)
        .map(|_| server.events("hint", &format!("{{\"position\":\"{START}\",\"lines\":9}}")))
        .collect();
    // Far more than the buffers of both sides hold.
    let request = format!("GET /web/style.css HTTP/1.1\r\nHost: {}\r\n\r\n", server.host());
    let files: Vec<TcpStream> = (0..20)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(request.repeat(1000).as_bytes()).expect("it is read");
            stream
        })
        .collect();
    for _ in 0..5 {
        answers(&server);
    }
    drop((slow, files));
    answers(&server);
}

#[test]
fn requests_that_are_cut_off_leave_nothing_behind() {
    let server = TestServer::start();
    let body = format!("{{\"position\":\"{START}\",\"depth\":60}}");
    let head = format!(
        "POST /api/v1/hint HTTP/1.1\r\nHost: {}\r\nX-Umigame-Token: {TOKEN}\r\nContent-Length: {}\r\n\r\n",
        server.host(),
        body.len()
    );
    let whole = head + &body;
    for length in (0..whole.len()).step_by(7) {
        let mut stream = server.connect();
        stream.write_all(&whole.as_bytes()[..length]).expect("it is read");
        if length % 2 == 0 {
            drop(stream);
        } else if let Some(reply) = server.cut_off(&whole.as_bytes()[..length]) {
            assert_eq!(reply.status, 400, "{length}: {reply:?}");
        }
    }
    // A search that would take hours, whose client leaves.
    let mut stream = server.connect();
    stream.write_all(whole.as_bytes()).expect("it is read");
    drop(stream);
    answers(&server);
}

#[test]
fn nonsense_is_refused() {
    let server = TestServer::start();
    let mut seed = 0;
    random_positions(11, 300, |position| {
        seed += 1;
        let noise: Vec<u8> = [position.player().bits(), position.opponent().bits()]
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .cycle()
            .take(16 * (1 + seed % 9))
            .collect();
        if let Some(reply) = server.cut_off(&noise) {
            assert!((400..500).contains(&reply.status), "{reply:?}");
        }
    });
    let host = server.host();
    for (bytes, status) in [
        (
            format!("GET / HTTP/1.1\r\nHost: {host}\r\nHost: {host}\r\nConnection: close\r\n\r\n"),
            403,
        ),
        ("GET / HTTP/1.1\r\nConnection: close\r\n\r\n".to_owned(), 403),
        ("GET / HTTP/1.0\r\n\r\n".to_owned(), 403),
        (format!("GET /{} HTTP/1.1\r\nHost: {host}\r\n\r\n", "x".repeat(100_000)), 414),
        (format!("GET / HTTP/1.1\r\nHost: {host}\r\nX: {}\r\n\r\n", "x".repeat(300_000)), 431),
        (format!("GET / HTTP/1.1\r\nHost: {host}\r\n{}\r\n", "X: y\r\n".repeat(200)), 431),
    ] {
        let reply = server.raw(bytes.as_bytes()).unwrap_or_else(|| panic!("{bytes:.60}"));
        assert_eq!(reply.status, status, "{bytes:.60}");
    }
    answers(&server);
}

#[test]
fn a_connection_serves_many_requests() {
    let server = TestServer::start();
    let mut stream = server.connect();
    let request = format!("GET /api/v1/levels HTTP/1.1\r\nHost: {}\r\n\r\n", server.host());
    let mut first = Vec::new();
    for _ in 0..20 {
        stream.write_all(request.as_bytes()).expect("it is read");
        let mut bytes = vec![0; if first.is_empty() { 1 << 16 } else { first.len() }];
        if first.is_empty() {
            let count = stream.read(&mut bytes).expect("a reply");
            first.extend_from_slice(bytes.get(..count).expect("so many"));
            continue;
        }
        stream.read_exact(&mut bytes).expect("another reply");
        assert!(bytes.starts_with(b"HTTP/1.1 200"));
    }
}
