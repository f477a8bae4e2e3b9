//! `games`: the games that met a position.

use serde_json::{Value, json};
use umigame_book::BookGame;
use umigame_othello::formats::transcript;
use umigame_othello::{Board, Color, Move, Score, position_text};
use umigame_serve::{ServeOptions, ServedGames};

use crate::client::{START, TestServer};

/// Four games from one opening in two orientations, with their names and results.
pub fn served() -> ServedGames {
    let games = [
        ("f5d6c3d3c4", "Anna", "Bo", "Paris", "2001", Some(6)),
        ("d3c5f6f5e6", "Cy", "Anna", "London", "2003", Some(0)),
        ("f5f6e6f4", "Bo", "Cy", "Paris", "1999", Some(-2)),
        ("f5d6c6", "Émile", "Dé", "", "", None),
    ]
    .map(|(moves, black, white, place, date, result)| {
        let game = BookGame::of(&transcript::parse(moves).expect("a game")).expect("legal");
        let result = result.and_then(Score::new);
        let [black, white, place, date] = [black, white, place, date].map(str::to_owned);
        BookGame { black, white, place, date, result, ..game }
    });
    let served = ServedGames::default();
    served.add(&games);
    served
}

fn server() -> (TestServer, ServedGames) {
    let games = served();
    let options = ServeOptions { games: Some(games.clone()), ..ServeOptions::default() };
    (TestServer::start_with(options), games)
}

fn after(moves: &str) -> String {
    let board: Board = moves.parse().expect("moves");
    position_text(board.position(), board.side_to_move())
}

fn ask(server: &TestServer, position: &str, more: &str) -> Value {
    server.ask("games", &format!("{{\"position\":\"{position}\"{more}}}"))
}

#[test]
fn games_are_counted_for_the_side_to_move_and_turned_as_the_board_lies() {
    let (server, games) = server();
    assert_eq!(server.get("/api/v1/levels").json()["games"], true);
    let reply = ask(&server, START, "");
    let counts =
        |value: &Value| ["games", "wins", "draws", "losses"].map(|name| value[name].clone());
    assert_eq!(counts(&reply), [4, 1, 1, 1].map(|count| json!(count)));
    assert_eq!((&reply["archive"], &reply["loading"]), (&json!(4), &json!(true)));
    games.complete();
    // d6 of a game that began with f5, and c5 of one that began with d3, are one move.
    let reply = ask(&server, &after("c4"), "");
    assert_eq!(reply["loading"], false);
    assert_eq!(counts(&reply["moves"][0]), [3, 0, 1, 1].map(|count| json!(count)));
    assert_eq!(reply["moves"][0]["move"], "e3");
    let dates: Vec<&str> = reply["found"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["date"].as_str().unwrap())
        .collect();
    assert_eq!(dates, ["2003", "2001", "1999", ""]);
    for game in reply["found"].as_array().expect("games") {
        let start = umigame_othello::parse_position(game["start"].as_str().unwrap()).unwrap();
        let mut board = Board::from_position(start.0, start.1);
        let moves = game["moves"].as_array().expect("moves");
        let ply = game["ply"].as_u64().expect("a number") as usize;
        for (index, played) in moves.iter().enumerate() {
            if index == ply {
                assert_eq!(position_text(board.position(), Color::White), after("c4"));
                assert_eq!(&game["next"], played);
            }
            let played: Move = played.as_str().unwrap().parse().expect("a move");
            board.play(played).expect("a legal move");
        }
        assert_eq!(game["start"], START);
    }
}

#[test]
fn games_are_filtered_by_player_event_and_years() {
    let (server, _games) = server();
    for (filter, expected) in [
        (",\"player\":\"anna\"", 2),
        (",\"player\":\"ÉMILE\"", 1),
        (",\"event\":\"paris\"", 2),
        (",\"event\":\"paris\",\"player\":\"anna\"", 1),
        (",\"fromYear\":2001", 2),
        (",\"fromYear\":1999,\"toYear\":2001", 2),
        (",\"toYear\":1999", 1),
        (",\"player\":\"nobody\"", 0),
    ] {
        assert_eq!(ask(&server, START, filter)["games"], expected, "{filter}");
    }
    let one = ask(&server, START, ",\"limit\":1");
    assert_eq!((&one["games"], one["found"].as_array().map(Vec::len)), (&json!(4), Some(1)));
    assert_eq!(ask(&server, &after("f5d6c3d3c4"), "")["found"][0]["next"], Value::Null);
}

#[test]
fn questions_about_games_that_make_no_sense_are_refused() {
    let (server, _games) = server();
    for (more, part) in [
        (",\"limit\":1001", "expected at most 1000"),
        (",\"fromYear\":2002,\"toYear\":2001", "found 2002 to 2001"),
        (",\"fromYear\":-1", "-1"),
        (",\"players\":\"a\"", "unknown field `players`"),
    ] {
        let reply = server.post("games", &format!("{{\"position\":\"{START}\"{more}}}"));
        assert_eq!(reply.status, 400, "{more}");
        assert!(reply.message().contains(part), "{more}: {reply:?}");
    }
    let reply = TestServer::start().post("games", &format!("{{\"position\":\"{START}\"}}"));
    assert_eq!(reply.status, 404);
    assert!(reply.message().contains("--games PATH"), "{reply:?}");
}
