//! What is answered.

use serde_json::json;
use umigame_engine::{Engine, EngineOptions, Evaluation, Limits};
use umigame_othello::formats::transcript;
use umigame_othello::{Board, Move, Position, testing::random_positions};

use crate::client::{START, TestServer};

/// Discs of an ending with this many empties.
fn ending(empties: u32) -> String {
    let mut found = String::new();
    random_positions(7, 5_000, |position| {
        if found.is_empty() && position.empties() == empties && position.legal_moves().count() > 2 {
            found = position.to_string();
        }
    });
    found
}

#[test]
fn a_hint_is_the_search_of_the_engine() {
    let server = TestServer::start();
    for lines in [1, 3] {
        let reply = server
            .ask("hint", &format!("{{\"position\":\"{START}\",\"depth\":8,\"lines\":{lines}}}"));
        let mut engine =
            Engine::new(Evaluation::embedded(), EngineOptions::default()).expect("room");
        let limits = umigame_engine::LimitOptions { depth: Some(8), ..Default::default() };
        let report = engine.search(Position::START, &limits.limits().with_lines(lines), &());
        assert_eq!(reply["label"], report.kind.to_string());
        let found = reply["lines"].as_array().expect("lines");
        assert_eq!(found.len(), lines);
        assert_eq!(reply["stopped"], false);
        // Searches before it have filled the table: the first is the same node for node.
        if lines == 1 {
            assert_eq!(reply["nodes"], report.nodes);
            let best = report.best().expect("a move");
            assert_eq!(found[0]["move"], best.first().to_string());
            assert_eq!(found[0]["eval"], best.eval().discs());
        }
    }
}

#[test]
fn an_ending_is_solved_and_its_evaluation_is_the_engines() {
    let server = TestServer::start();
    let position = ending(12);
    let mut engine = Engine::new(Evaluation::embedded(), EngineOptions::default()).expect("room");
    let root: Position = position.parse().expect("a position");
    let best = engine.search(root, &Limits::exact(), &());
    let reply = server.ask("solve", &format!("{{\"position\":\"{position}\"}}"));
    assert_eq!((&reply["kind"], &reply["label"]), (&json!("exact"), &json!("100%")));
    let eval = best.best().expect("a move").eval().discs();
    assert_eq!(reply["lines"][0]["eval"], eval);
    let sign =
        server.ask("solve", &format!("{{\"position\":\"{position}\",\"goal\":\"winLossDraw\"}}"));
    assert_eq!(sign["kind"], "winLossDraw");
    assert_eq!(sign["lines"][0]["eval"].as_f64().expect("a number").signum(), eval.signum());
    let value = server.ask("evaluate", &format!("{{\"position\":\"{position}\"}}"));
    let expected = Evaluation::embedded().evaluate_position(root);
    assert_eq!(value, json!({ "eval": f64::from(expected) / 100.0 }));
}

#[test]
fn a_game_is_played_to_its_end_with_legal_moves() {
    let server = TestServer::start();
    let mut board = Board::start();
    let mut forced = 0;
    loop {
        let position = umigame_othello::position_text(board.position(), board.side_to_move());
        let reply = server.ask("play", &format!("{{\"position\":\"{position}\",\"level\":\"1\"}}"));
        forced += u32::from(reply["from"] == "forced");
        let Some(played) = reply["move"].as_str() else {
            assert_eq!(reply["from"], "over");
            break;
        };
        board.play(played.parse::<Move>().expect("a move")).expect("a legal move");
    }
    assert!(board.is_over());
    assert!(forced > 0, "the last move at least");
}

/// Lets a level play both sides to the end; returns the moves.
fn game_of(server: &TestServer, options: &str) -> String {
    let mut board = Board::start();
    let mut moves = String::new();
    while !board.is_over() {
        let position = umigame_othello::position_text(board.position(), board.side_to_move());
        let reply = server.ask("play", &format!("{{\"position\":\"{position}\"{options}}}"));
        let played = reply["move"].as_str().expect("a move");
        moves.push_str(played);
        board.play(played.parse::<Move>().expect("a move")).expect("a legal move");
    }
    moves
}

#[test]
fn a_level_with_a_name_plays_by_its_seed_whatever_else_is_searched() {
    let server = TestServer::start();
    let first = game_of(&server, ",\"level\":\"starter\",\"seed\":7");
    server.ask("hint", &format!("{{\"position\":\"{START}\",\"depth\":8}}"));
    assert_eq!(game_of(&server, ",\"level\":\"Starter\",\"seed\":7"), first);
    assert_ne!(game_of(&server, ",\"level\":\"starter\",\"seed\":8"), first);
    // Discs lost in the mean, with the search of a level.
    let careless = game_of(&server, ",\"level\":1,\"error\":90,\"maxError\":12,\"seed\":7");
    assert_ne!(careless, game_of(&server, ",\"level\":1,\"error\":90,\"maxError\":12,\"seed\":9"));
    assert_ne!(careless, game_of(&server, ",\"level\":1"));
}

#[test]
fn a_server_with_the_level_of_a_name_plays_at_it_and_values_at_the_default() {
    let level: umigame_engine::Strength = "novice".parse().expect("a level");
    let server =
        TestServer::start_with(umigame_serve::ServeOptions { level, ..Default::default() });
    assert_eq!(server.get("/api/v1/levels").json()["default"], "novice");
    let seeded = game_of(&server, ",\"seed\":3");
    assert_eq!(seeded, game_of(&server, ",\"seed\":3,\"level\":\"novice\""));
    let depth = umigame_engine::Level::DEFAULT.limits().max_depth();
    let reply = server.ask("hint", &format!("{{\"position\":\"{START}\"}}"));
    assert_eq!(reply["depth"], depth);
}

#[test]
fn an_analysis_is_that_of_the_command_line() {
    let server = TestServer::start();
    let reply = server.ask("analyze", "{\"game\":\"f5d6c3d3c4f4\",\"depth\":4}");
    assert_eq!(reply["transcript"], "f5d6c3d3c4f4");
    assert_eq!(reply["complete"], true);
    assert_eq!(reply["moves"].as_array().expect("moves").len(), 6);
    assert_eq!(reply["stopped"], false);
    assert!(reply["opening"].is_string(), "{reply}");
    assert_eq!(reply["moves"][5]["others"], serde_json::Value::Null);
    let all = server.ask("analyze", "{\"game\":\"f5d6c3d3c4f4\",\"depth\":4,\"lines\":60}");
    for judged in all["moves"].as_array().expect("moves") {
        let position: Position = judged["position"].as_str().expect("text").parse().expect("one");
        let distinct = 1 + usize::from(judged["played"]["move"] != judged["best"]["move"]);
        let others = judged["others"].as_array().map_or(0, Vec::len);
        assert_eq!(distinct + others, position.legal_moves().count() as usize, "{judged}");
    }
}

#[test]
fn a_pasted_game_comes_back_as_moves() {
    let server = TestServer::start();
    let reply = server.ask("read", "{\"text\":\"(;GM[Othello]PB[Anna]PW[Ben]B[f5]W[d6];)\"}");
    let expected =
        json!({ "form": "ggf", "start": START, "moves": ["f5", "d6"], "players": ["Anna", "Ben"] });
    assert_eq!(reply, expected);
    let reply = server.post("read", "{\"text\":\"f5\\nd6f5\"}");
    let fault = &reply.json()["error"];
    assert_eq!((&fault["line"], &fault["column"]), (&json!(2), &json!(3)), "{fault}");
}

#[test]
fn layers_name_the_squares_of_both_sides() {
    let server = TestServer::start();
    let reply = server.ask("layers", &format!("{{\"position\":\"{START}\"}}"));
    assert_eq!(reply["frontier"], json!({ "black": ["e4", "d5"], "white": ["d4", "e5"] }));
    assert_eq!(reply["openness"], json!({ "c4": 4, "d3": 4, "e6": 4, "f5": 4 }));
    assert_eq!(reply["regions"].as_array().map(Vec::len), Some(1));
    assert_eq!(reply["stable"], json!({ "black": [], "white": [] }));
}

#[test]
fn a_book_answers_and_is_played_from() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book.sqlite");
    let mut book = umigame_book::Book::create(&path, None).expect("a book");
    let record = transcript::parse("f5d6c3d3c4").expect("a game");
    book.add(&[umigame_book::BookGame::of(&record).expect("legal")]).expect("room");
    drop(book);
    let book = umigame_book::PlayBook::open(&path).expect("a book");
    let server = TestServer::start_with(umigame_serve::ServeOptions {
        book: Some(book),
        ..Default::default()
    });
    let reply = server.ask("book", &format!("{{\"position\":\"{START}\"}}"));
    assert_eq!((&reply["in_book"], &reply["games"]), (&json!(true), &json!(1)));
    assert_eq!(
        (&reply["moves"][0]["move"], &reply["moves"][0]["games"]),
        (&json!("f5"), &json!(1))
    );
    let unknown = server.ask("book", &format!("{{\"position\":\"{}\"}}", ending(12)));
    assert_eq!((&unknown["in_book"], &unknown["moves"]), (&json!(false), &json!([])));
}

#[test]
fn the_page_and_its_files_are_served_once() {
    let server = TestServer::start();
    let page = server.get("/");
    assert!(
        page.head.contains("text/html; charset=utf-8") && page.body.starts_with("<!doctype html>")
    );
    let script = server.get("/umigame/position.js");
    assert_eq!(script.body, include_str!("../../../web/umigame/position.js"));
    assert!(script.head.contains("text/javascript; charset=utf-8"), "{}", script.head);
    let tag = script.head.lines().find_map(|line| line.strip_prefix("etag: ")).expect("a tag");
    let again = server.request("GET", "/umigame/position.js", &[("If-None-Match", tag)], "");
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    assert!(server.get("/umigame/openings.tsv").body.contains("f5d6c3d3c4\tTiger\t"));
}

#[test]
fn levels_are_those_of_the_engine() {
    let server = TestServer::start();
    let reply = server.get("/api/v1/levels").json();
    let levels = reply["levels"].as_array().expect("levels");
    assert_eq!(levels.len(), 37);
    assert!(levels.iter().any(|level| level["level"] == reply["default"]));
    let last = format!("{}- X", "XO".repeat(31) + "X");
    for level in levels {
        let name = level["level"].as_str().expect("a name");
        let body = format!("{{\"position\":\"{last}\",\"level\":\"{name}\"}}");
        let errs = name.parse::<u32>().is_err();
        assert_eq!(server.post("hint", &body).status, if errs { 400 } else { 200 }, "{name}");
        assert_eq!(server.ask("play", &body)["from"], "forced", "{name}");
    }
}
