//! A server of its own for each test, and a plain client.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::Value;
use umigame_serve::{Port, ServeError, ServeOptions, Server, ServerHandle};

/// Time after which the server is taken to hang. It bounds every wait and asserts no speed.
pub const HANG_TIMEOUT: Duration = Duration::from_secs(60);

pub const START: &str = "---------------------------OX------XO--------------------------- X";
pub const TOKEN: &str = "token-of-tests";

pub struct TestServer {
    address: SocketAddr,
    handle: ServerHandle,
    thread: Option<JoinHandle<Result<(), ServeError>>>,
}

/// A reply that has come whole.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The message of an error, which is JSON with every status.
    pub fn message(&self) -> String {
        assert!(
            self.head.to_ascii_lowercase().contains("content-type: application/json"),
            "{self:?}"
        );
        self.json()["error"]["message"].as_str().expect("a message").to_owned()
    }
}

impl TestServer {
    pub fn start() -> TestServer {
        TestServer::start_with(ServeOptions::default())
    }

    pub fn start_with(options: ServeOptions) -> TestServer {
        let token = Some(TOKEN.to_owned());
        let server =
            Server::bind(ServeOptions { port: Port::Given(0), token, ..options }).expect("a port");
        let (address, handle) = (server.address(), server.handle());
        let thread = Some(std::thread::spawn(move || server.run()));
        TestServer { address, handle, thread }
    }

    pub fn host(&self) -> String {
        self.address.to_string()
    }

    pub fn connect(&self) -> TcpStream {
        self.try_connect().expect("the server listens")
    }

    /// Connects; `None` where the system opens no more files.
    pub fn try_connect(&self) -> Option<TcpStream> {
        let stream = TcpStream::connect(self.address).ok()?;
        stream.set_read_timeout(Some(HANG_TIMEOUT)).expect("a timeout");
        Some(stream)
    }

    /// Sends bytes as they are and reads until the server closes; `None` if it says nothing.
    pub fn raw(&self, bytes: &[u8]) -> Option<Reply> {
        let mut stream = self.connect();
        // The server may have answered before the last byte.
        let _ = stream.write_all(bytes);
        read_reply(&mut stream)
    }

    /// Sends bytes and nothing more, and reads until the server closes; `None` if it says nothing.
    pub fn cut_off(&self, bytes: &[u8]) -> Option<Reply> {
        let mut stream = self.connect();
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        read_reply(&mut stream)
    }

    /// Sends a request with these headers beside the usual ones.
    pub fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut stream = self.connect();
        stream.write_all(self.text(method, path, headers, body).as_bytes()).expect("it is read");
        read_reply(&mut stream).expect("a reply")
    }

    fn text(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> String {
        let mut text = format!("{method} {path} HTTP/1.1\r\n");
        let given = |name: &str| headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
        if !given("host") {
            text += &format!("Host: {}\r\n", self.host());
        }
        if method == "POST" && !given("x-umigame-token") {
            text += &format!("X-Umigame-Token: {TOKEN}\r\n");
        }
        for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
            text += &format!("{name}: {value}\r\n");
        }
        text + &format!("Connection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len())
    }

    pub fn get(&self, path: &str) -> Reply {
        self.request("GET", path, &[], "")
    }

    pub fn post(&self, name: &str, body: &str) -> Reply {
        self.request("POST", &format!("/api/v1/{name}"), &[], body)
    }

    /// Posts, and returns the answer, which must be one.
    pub fn ask(&self, name: &str, body: &str) -> Value {
        let reply = self.post(name, body);
        assert_eq!(reply.status, 200, "{name} {body}: {reply:?}");
        reply.json()
    }

    /// Opens a stream of events.
    pub fn events(&self, name: &str, body: &str) -> Events {
        let mut stream = self.connect();
        let accept = [("Accept", "text/event-stream")];
        let text = self.text("POST", &format!("/api/v1/{name}"), &accept, body);
        stream.write_all(text.as_bytes()).expect("it is read");
        Events { reader: BufReader::new(stream) }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.handle.stop();
        let ended = self.thread.take().expect("it runs").join();
        if !std::thread::panicking() {
            ended.expect("no fault").expect("no failure");
        }
    }
}

fn read_reply(stream: &mut TcpStream) -> Option<Reply> {
    let mut bytes = Vec::new();
    // A connection that is reset had said all before.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Reply { status, head: head.to_owned(), body: body.to_owned() })
}

/// A stream of events; dropping it closes the connection.
pub struct Events {
    reader: BufReader<TcpStream>,
}

impl Events {
    /// Reads the status, which comes before the events.
    pub fn status(&mut self) -> u16 {
        let mut line = String::new();
        self.reader.read_line(&mut line).expect("a reply in time");
        line.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status")
    }
}

impl Iterator for Events {
    type Item = (String, Value);

    fn next(&mut self) -> Option<(String, Value)> {
        let mut name = String::new();
        for line in self.reader.by_ref().lines() {
            let line = line.expect("an event in time");
            if let Some(found) = line.strip_prefix("event: ") {
                found.clone_into(&mut name);
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return Some((name, serde_json::from_str(data).expect("JSON")));
            }
        }
        None
    }
}
