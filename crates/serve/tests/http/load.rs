//! Many clients at once, a third of whose requests are wrong:
//! `cargo test --release -p umigame-serve --test http -- --ignored load --nocapture`.

use std::fs;
use std::thread;
use std::time::Duration;

use crate::client::{START, TOKEN, TestServer};

const CLIENTS: usize = 100;
const REQUESTS: usize = 100;
/// Growth of memory that is allowed over all requests after a first round of them.
const MAX_GROWTH_KIB: usize = 16 << 10;
/// Time over which the server must be idle at the end, and clock ticks of 10 ms that it may use.
const IDLE: Duration = Duration::from_millis(500);
const MAX_IDLE_TICKS: usize = 5;

/// Sends request `index` of a kind that depends on it, and checks the status.
fn send(server: &TestServer, index: usize) {
    let with = |rest: &str| format!("{{\"position\":\"{START}\"{rest}}}");
    let status = |name: &str, body: &str| server.post(name, body).status;
    let (found, expected) = match index % 12 {
        0 | 1 => (status("evaluate", &with("")), 200),
        2 | 3 => (status("hint", &with(",\"depth\":3")), 200),
        4 => (status("layers", &with("")), 200),
        5 => (status("read", "{\"text\":\"f5d6c3\"}"), 200),
        6 => (status("play", &with(",\"level\":1,\"client\":\"same\"")), 200),
        7 => (server.get("/").status, 200),
        8 => (status("hint", &with(",\"depth\":")), 400),
        9 => (status("evaluate", &"x".repeat((64 << 10) + 1)), 413),
        10 => {
            let head = format!(
                "POST /api/v1/hint HTTP/1.1\r\nHost: {}\r\nX-Umigame-Token: {TOKEN}\r\n\
                 Content-Length: 100\r\n\r\n{{\"posi",
                server.host()
            );
            (server.cut_off(head.as_bytes()).map_or(400, |reply| reply.status), 400)
        }
        _ => {
            // Its client leaves before the answer, which would take hours.
            drop(server.events("solve", &with("")));
            (server.post("none", "{}").status, 404)
        }
    };
    assert_eq!(found, expected, "request {index}");
}

fn send_all(server: &TestServer) {
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            scope.spawn(move || (0..REQUESTS).for_each(|request| send(server, client + request)));
        }
    });
}

/// Memory of this process, clients and server, in KiB.
fn memory() -> usize {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a size");
    line.split_whitespace().nth(1).and_then(|size| size.parse().ok()).expect("KiB")
}

/// Processor time of this process, in ticks.
fn ticks() -> usize {
    let stat = fs::read_to_string("/proc/self/stat").expect("Linux");
    let fields = stat.rsplit(')').next().expect("fields").split_whitespace();
    fields.skip(11).take(2).map(|field| field.parse::<usize>().expect("a number")).sum()
}

#[test]
#[ignore = "20,000 requests, half a minute"]
fn ten_thousand_requests_get_their_status_and_leave_nothing_behind() {
    if !cfg!(target_os = "linux") {
        println!("SKIPPED: memory and processor time are read from Linux");
        return;
    }
    let server = TestServer::start();
    send_all(&server);
    let first = memory();
    send_all(&server);
    let second = memory();
    println!("{} requests; memory {first} KiB, then {second} KiB", 2 * CLIENTS * REQUESTS);
    assert!(second < first + MAX_GROWTH_KIB, "{first} {second}");
    let begun = ticks();
    thread::sleep(IDLE);
    let used = ticks() - begun;
    println!("processor time in {IDLE:?} after the last: {} ms", 10 * used);
    assert!(used <= MAX_IDLE_TICKS, "a search runs: {used} ticks");
}
