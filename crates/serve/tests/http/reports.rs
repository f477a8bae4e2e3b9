//! Reports from a folder: those that umigame wrote, with the token, and nothing else.

use std::fs;

use umigame_serve::ServeOptions;

use crate::client::{TOKEN, TestServer};

const REPORT: &str = "<!DOCTYPE html><meta name=\"umigame-token\" content=\"\">\
     <meta name=\"generator\" content=\"umigame 1.0\"><title>A game</title>";

#[test]
fn a_report_is_served_with_the_token_and_no_other_file() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let inside = folder.path().join("reports");
    fs::create_dir_all(inside.join("folder.html")).expect("writable");
    for (name, text) in [
        ("reports/0001.html", REPORT),
        ("reports/.hidden.html", REPORT),
        ("reports/notes.txt", REPORT),
        ("reports/other.html", "<title>mine</title>"),
        ("secret.html", REPORT),
    ] {
        fs::write(folder.path().join(name), text).expect("writable");
    }
    let options = ServeOptions { reports: Some(inside), ..ServeOptions::default() };
    let server = TestServer::start_with(options);
    let reply = server.get("/reports/0001.html");
    assert_eq!(reply.status, 200);
    assert!(reply.body.contains(&format!("content=\"{TOKEN}\"")), "{}", reply.body);
    let head = reply.head.to_ascii_lowercase();
    let policies = head.lines().filter(|line| line.starts_with("content-security-policy:"));
    let policies: Vec<&str> = policies.collect();
    assert_eq!(policies.len(), 1, "{head}");
    assert!(
        policies[0].contains("default-src 'none'") && policies[0].contains("connect-src 'self'")
    );
    for name in [
        "0002.html",
        ".hidden.html",
        "notes.txt",
        "other.html",
        "folder.html",
        "%2e%2e%2fsecret.html",
        "..%5csecret.html",
        "a%00.html",
    ] {
        let reply = server.get(&format!("/reports/{name}"));
        assert!(matches!(reply.status, 400 | 404), "{name}: {reply:?}");
        assert!(!reply.message().is_empty() && !reply.body.contains(TOKEN));
    }
}

#[test]
fn without_a_folder_there_are_no_reports() {
    let reply = TestServer::start().get("/reports/index.html");
    assert_eq!(reply.status, 404);
    assert!(reply.message().contains("there is no report `index.html`"));
}
