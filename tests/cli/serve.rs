//! `umigame serve`: what it prints, how it ends, and that it rests. Its answers are tested in
//! `crates/serve`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::console;
use crate::support::{EngineProcess, folder_with, run, umigame};
use umigame_othello::testing::skip;

const START: &str = "---------------------------OX------XO--------------------------- X";

/// Reads `http://127.0.0.1:PORT/ token TOKEN`: host and token.
fn host_and_token(line: &str) -> (String, String) {
    let (address, token) = line.split_once(" token ").expect("an address and a token");
    let host = address.strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
    (host.expect("an address").to_owned(), token.to_owned())
}

fn hint(host: &str, token: &str) -> TcpStream {
    let body = format!("{{\"position\":\"{START}\"}}");
    let mut stream = TcpStream::connect(host).expect("it listens");
    write!(
        stream,
        "POST /api/v1/hint HTTP/1.1\r\nHost: {host}\r\nX-Umigame-Token: {token}\r\n\
         Accept: text/event-stream\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .expect("it is read");
    stream
}

fn interrupted(child: &Child) {
    console::interrupt(child);
}

#[test]
fn it_prints_one_line_and_ends_with_an_interrupt() {
    for with_search in [false, true] {
        let mut command = umigame(&["serve", "--port", "0"]);
        console::alone(&mut command);
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        out.read_line(&mut line).expect("a line");
        let (host, token) = host_and_token(line.trim_end());
        assert!(host.starts_with("127.0.0.1:"), "{line}");
        assert!(token.len() >= 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{line}");
        let mut stream = with_search.then(|| BufReader::new(hint(&host, &token)));
        if let Some(stream) = &mut stream {
            stream
                .by_ref()
                .lines()
                .map_while(Result::ok)
                .find(|line| line.starts_with("event: report"))
                .expect("a report");
        }
        interrupted(&child);
        let status = child.wait().expect("it ends");
        assert!(status.code() == Some(130) || console::was_killed(status), "{status}");
        let mut rest = String::new();
        out.read_to_string(&mut rest).expect("text");
        let mut errors = String::new();
        child.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("text");
        assert_eq!((rest.as_str(), errors.as_str()), ("", ""), "{with_search}");
    }
}

#[test]
fn the_token_and_the_port_are_as_given() {
    let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = free.local_addr().expect("an address").port().to_string();
    drop(free);
    let mut server = EngineProcess::start(&["serve", "--port", &port, "--token", "as-given-here"]);
    assert_eq!(server.line(), format!("http://127.0.0.1:{port}/ token as-given-here"));
}

#[test]
fn a_port_in_use_and_an_address_are_refused() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let (code, out, error) = run(&["serve", "--port", &port]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(error.contains(&format!("port {port} is in use")), "{error}");
    for wrong in ["0.0.0.0:80", "65536", "-1", "http", "192.168.1.2"] {
        let (code, out, error) = run(&["serve", &format!("--port={wrong}")]);
        assert_eq!((code, out.as_str()), (2, ""), "{wrong}");
        assert!(error.contains("listens on 127.0.0.1 only"), "{error}");
    }
    for (args, part) in [
        (&["--token", "short"], "expected 8 to 128 printable"),
        (&["--book", "none.sqlite"], "--book none.sqlite"),
        (&["--games", "none.ggf"], "--games: none.ggf: no such file"),
        (&["--games", "Cargo.toml"], "--games: Cargo.toml: "),
        (&["--level", "31"], "31"),
        (&["--hash", "0"], "0"),
    ] {
        let (code, _, error) = run(&[&["serve", "--port", "0"][..], args].concat());
        assert_eq!(code, 2, "{args:?}");
        assert!(error.contains(part), "{args:?}: {error}");
    }
}

/// Asks about the games of the start until all are there.
fn games(host: &str, token: &str) -> String {
    let body = format!("{{\"position\":\"{START}\"}}");
    for _ in 0..600 {
        let mut stream = TcpStream::connect(host).expect("it listens");
        write!(
            stream,
            "POST /api/v1/games HTTP/1.1\r\nHost: {host}\r\nX-Umigame-Token: {token}\r\n\
             Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .expect("it is read");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("a reply");
        if !reply.contains("\"loading\":true") {
            return reply;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("the games are never read");
}

#[test]
fn games_come_from_files_or_from_the_book() {
    let folder = folder_with(&[("games/a.txt", "f5d6c3\nf5f6\n"), ("games/b.txt", "f5f4\n")]);
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let (archive, book, one) = (path("games"), path("book.sqlite"), path("games/b.txt"));
    let (code, _, error) = run(&["book", "import", "--book", &book, &archive]);
    assert_eq!(code, 0, "{error}");
    for (args, count) in [
        (&["--games", &archive][..], 3),
        (&["--book", &book], 3),
        (&["--book", &book, "--games", &one], 1),
    ] {
        let mut server = EngineProcess::start(&[&["serve", "--port", "0"][..], args].concat());
        let (host, token) = host_and_token(&server.line());
        let reply = games(&host, &token);
        let counts = format!("\"archive\":{count},\"games\":{count},");
        assert!(reply.contains(&counts), "{args:?}: {reply}");
    }
}

#[test]
fn the_page_is_exported_with_the_npm_package() {
    let folder = tempfile::tempdir().expect("a folder");
    let [package, site] = ["package", "site"].map(|name| folder.path().join(name));
    std::fs::create_dir(&package).expect("a folder");
    let export = || {
        let [package, site] = [&package, &site].map(|path| path.to_str().expect("a path"));
        run(&["serve", "--export", site, "--wasm", package])
    };
    let write = |name: &str, text: &str| {
        std::fs::write(package.join(name), text).expect("a file");
    };
    let (code, out, error) = export();
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(error.contains("--wasm ") && error.contains("package.json"), "{error}");
    write("package.json", r#"{"version": "0.0.9"}"#);
    let (_, _, error) = export();
    assert!(error.contains("its version is `0.0.9`, this program's `"), "{error}");
    write("package.json", &format!(r#"{{"version": "{}"}}"#, env!("CARGO_PKG_VERSION")));
    for name in ["umigame.wasm", "umigame.weights", "small.weights"] {
        let (code, _, error) = export();
        assert!(code == 2 && error.contains(name), "{error}");
        assert!(!site.exists(), "nothing is written by halves");
        write(name, name);
    }
    // Again, over an earlier export.
    for _ in 0..2 {
        let (code, out, error) = export();
        assert_eq!((code, error.as_str()), (0, ""));
        assert!(out.contains(" files, "), "{out}");
    }
    let read = |name: &str| std::fs::read_to_string(site.join(name)).expect(name);
    assert!(read("index.html").contains("manifest.webmanifest"));
    assert_eq!(read("umigame/umigame.wasm"), "umigame.wasm");
    let worker = read("sw.js");
    for name in ["web/main.js", "umigame/worker.js", "umigame/openings.tsv", "icon-192.png"] {
        assert!(worker.contains(&format!("\"{name}\"")), "{name} is kept for later");
        assert!(site.join(name).is_file(), "{name}");
    }
    std::fs::remove_file(site.join("sw.js")).expect("it was there");
    let (code, _, error) = export();
    assert!(code == 2 && error.contains("has other files"), "{error}");
}

#[test]
fn it_rests_once_a_stream_is_closed() {
    let mut server = EngineProcess::start(&["serve", "--port", "0"]);
    let (host, token) = host_and_token(&server.line());
    let mut stream = BufReader::new(hint(&host, &token));
    let mut reports = stream.by_ref().lines().map_while(Result::ok);
    for _ in 0..5 {
        reports.find(|line| line.starts_with("event: report")).expect("a report");
    }
    let Some(before) = server.processor_time() else { return skip("the system tells no times") };
    std::thread::sleep(Duration::from_millis(300));
    let busy = server.processor_time().expect("as before") - before;
    drop(stream);
    std::thread::sleep(Duration::from_millis(200));
    let idle = server.work_within(Duration::from_millis(500)).expect("as before");
    assert!(idle <= Duration::from_millis(20), "busy {busy:?} of 300 ms, then {idle:?} of 500 ms");
    assert!(busy > idle, "{busy:?}");
}
