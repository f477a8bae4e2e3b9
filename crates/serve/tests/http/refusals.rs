//! What is refused, with which status, and what is said.

use crate::client::{START, TOKEN, TestServer};

#[test]
fn only_the_names_of_this_machine_with_the_port_are_answered() {
    let server = TestServer::start();
    let port = server.host().rsplit_once(':').expect("a port").1.to_owned();
    for own in ["127.0.0.1", "localhost", "[::1]"] {
        let reply = server.request("GET", "/", &[("Host", &format!("{own}:{port}"))], "");
        assert_eq!(reply.status, 200, "{own}");
    }
    let wrong_port = format!("127.0.0.1:{}", port.parse::<u16>().expect("a port") ^ 1);
    let foreign = format!("evil.example:{port}");
    for host in [&foreign, &wrong_port, "127.0.0.1", "localhost", ""] {
        for (method, path) in
            [("GET", "/"), ("GET", "/api/v1/levels"), ("POST", "/api/v1/evaluate")]
        {
            let reply = server.request(method, path, &[("Host", host)], "{}");
            assert_eq!(reply.status, 403, "{host}: {reply:?}");
            assert!(reply.message().contains("the host is"), "{reply:?}");
        }
    }
    let absolute = format!(
        "GET http://{foreign}/ HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        server.host()
    );
    assert_eq!(server.raw(absolute.as_bytes()).expect("a reply").status, 403);
}

#[test]
fn pages_of_other_origins_are_refused() {
    let server = TestServer::start();
    let body = format!("{{\"position\":\"{START}\"}}");
    let ask =
        |origin: &str| server.request("POST", "/api/v1/evaluate", &[("Origin", origin)], &body);
    assert_eq!(ask(&format!("http://{}", server.host())).status, 200);
    let other_scheme = format!("https://{}", server.host());
    for origin in ["http://evil.example", "null", "http://127.0.0.1", &other_scheme] {
        let reply = ask(origin);
        assert_eq!(reply.status, 403, "{origin}");
        assert!(reply.message().contains("the origin is"), "{reply:?}");
    }
    let preflight =
        server.request("OPTIONS", "/api/v1/evaluate", &[("Origin", "http://evil.example")], "");
    assert_eq!(preflight.status, 403);
    for reply in [preflight, server.get("/"), ask(&format!("http://{}", server.host()))] {
        assert!(!reply.head.to_ascii_lowercase().contains("access-control"), "{}", reply.head);
    }
}

#[test]
fn what_makes_the_engine_work_wants_the_token() {
    let server = TestServer::start();
    let body = format!("{{\"position\":\"{START}\"}}");
    for name in
        ["hint", "solve", "evaluate", "analyze", "play", "read", "layers", "book", "games", "stop"]
    {
        for token in ["", "wrong", &TOKEN[1..], &format!("{TOKEN}x"), &TOKEN.to_uppercase()] {
            let path = format!("/api/v1/{name}");
            let reply = server.request("POST", &path, &[("X-Umigame-Token", token)], &body);
            assert_eq!(reply.status, 401, "{name} {token}");
            assert!(reply.message().contains("X-Umigame-Token"), "{reply:?}");
        }
    }
    // A page of another site cannot ask for it in a form.
    let page = server.get("/");
    assert!(page.body.contains(&format!("<meta name=\"umigame-token\" content=\"{TOKEN}\">")));
    assert!(page.head.to_ascii_lowercase().contains("cache-control: no-store"), "{}", page.head);
}

#[test]
fn every_reply_forbids_what_the_page_does_not_need() {
    let server = TestServer::start();
    for path in ["/", "/umigame/position.js", "/api/v1/levels", "/none"] {
        let head = server.get(path).head.to_ascii_lowercase();
        for header in [
            "content-security-policy: default-src 'self';",
            "frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "cross-origin-resource-policy: same-origin",
        ] {
            assert!(head.contains(header), "{path}: {head}");
        }
    }
}

#[test]
fn paths_lead_nowhere_else() {
    let server = TestServer::start();
    for path in [
        "/web/../Cargo.toml",
        "/web/%2e%2e/Cargo.toml",
        "/web/.%2E/x",
        "/../../etc/passwd",
        "/umigame/..\\x",
        "/web/a/../../b",
    ] {
        let reply = server.get(path);
        assert_eq!(reply.status, 400, "{path}");
        assert!(reply.message().contains("`..`"), "{reply:?}");
    }
    for path in [
        "/web/",
        "/web/none.js",
        "/web//etc/passwd",
        "/api",
        "/api/v1/",
        "/api/v2/hint",
        "/favicon.ico",
    ] {
        let reply = server.get(path);
        assert_eq!(reply.status, 404, "{path}: {reply:?}");
        reply.message();
    }
    for (method, path) in [("GET", "/api/v1/hint"), ("POST", "/"), ("DELETE", "/api/v1/levels")] {
        let reply = server.request(method, path, &[("X-Umigame-Token", TOKEN)], "");
        assert_eq!(reply.status, 405, "{method} {path}");
        reply.message();
    }
}

#[test]
fn wrong_bodies_are_named() {
    let server = TestServer::start();
    let with = |rest: &str| format!("{{\"position\":\"{START}\"{rest}}}");
    let over = "X".repeat(64) + " O";
    for (name, body, part) in [
        ("hint", String::new(), "EOF"),
        ("hint", "{".to_owned(), "EOF"),
        ("hint", "[]".to_owned(), "expected"),
        ("hint", "\u{feff}{}".to_owned(), "expected value"),
        ("hint", "{}".to_owned(), "missing field `position`"),
        ("hint", with(",\"dept\":3"), "unknown field `dept`"),
        ("hint", with(",\"depth\":0"), "depth=0: expected 1 to 60"),
        ("hint", with(",\"depth\":61"), "depth=61"),
        ("hint", with(",\"depth\":-1"), "invalid value"),
        ("hint", with(",\"level\":31"), "level `31`: expected 1 to 30"),
        ("hint", with(",\"level\":\"strong\""), "level `strong`: expected 1 to 30, or starter"),
        ("hint", with(",\"level\":\"novice\""), "`novice`: it is for `play`"),
        ("play", with(",\"level\":\"strong\""), "level `strong`"),
        ("play", with(",\"error\":-1"), "error=-1: expected discs, 0 to 320"),
        ("play", with(",\"level\":\"novice\",\"error\":9"), "level=novice: expected no error"),
        ("play", with(",\"maxError\":9"), "max_error=9: expected an error"),
        ("play", with(",\"seed\":-1"), "invalid value"),
        ("hint", with(",\"confidence\":50"), "confidence=50"),
        ("hint", with(",\"timeMs\":-5"), "timeMs of -5"),
        ("hint", with(",\"lines\":0"), "lines=0"),
        ("hint", with(&format!(",\"client\":\"{}\"", "x".repeat(65))), "at most 64 characters"),
        ("hint", "{\"position\":\"XO\"}".to_owned(), "2 squares of 64"),
        ("hint", "{\"position\":7}".to_owned(), "invalid type"),
        ("solve", with(",\"goal\":\"draw\""), "unknown variant `draw`"),
        ("solve", with(",\"lines\":0"), "lines=0: expected at least 1"),
        ("play", with(",\"clock\":{}"), "missing field `remainingMs`"),
        ("evaluate", "{\"position\":\"?\"}".to_owned(), "column 1: `?`"),
        ("layers", format!("{{\"position\":\"{over} X\"}}"), "after the side to move"),
        ("analyze", "{\"game\":\"f5f5\"}".to_owned(), "illegal"),
        ("read", "{\"text\":\"nonsense\"}".to_owned(), "`nonsense` is no move"),
        ("stop", "{}".to_owned(), "missing field `client`"),
        ("diagram", "{\"board\":\"f5f5\"}".to_owned(), "f5"),
        ("diagram", "{\"board\":\"f5\",\"size\":3}".to_owned(), "size of 3"),
        ("stop", format!("{{\"client\":\"{}\"}}", "x".repeat(65)), "at most 64 characters"),
    ] {
        let reply = server.post(name, &body);
        assert_eq!(reply.status, 400, "{name} {body}: {reply:?}");
        let message = reply.message();
        assert!(message.contains(part), "{name} {body}: {message}");
    }
    let reply = server.post("book", &with(""));
    assert_eq!(reply.status, 404);
    assert!(reply.message().contains("--book FILE"), "{reply:?}");
}

#[test]
fn bodies_have_a_bound() {
    let server = TestServer::start();
    let of_size = |bytes: usize| format!("{{\"text\":\"{}\"}}", "f".repeat(bytes - 11));
    for (name, most) in
        [("hint", 64 << 10), ("evaluate", 64 << 10), ("read", 1 << 20), ("analyze", 1 << 20)]
    {
        assert_eq!(server.post(name, &of_size(most)).status, 400, "{name}");
        let reply = server.post(name, &of_size(most + 1));
        assert_eq!(reply.status, 413, "{name}");
        assert!(reply.message().contains(&most.to_string()), "{reply:?}");
    }
    // Without a length, too.
    let mut chunked = format!(
        "POST /api/v1/hint HTTP/1.1\r\nHost: {}\r\nX-Umigame-Token: {TOKEN}\r\nTransfer-Encoding: chunked\r\n\
         Connection: close\r\n\r\n",
        server.host()
    );
    for _ in 0..80 {
        chunked += &format!("400\r\n{}\r\n", "x".repeat(1024));
    }
    chunked += "0\r\n\r\n";
    assert_eq!(server.raw(chunked.as_bytes()).expect("a reply").status, 413);
}
