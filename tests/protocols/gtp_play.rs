//! GTP: moves, passes, clocks, whole games (statements of `tests/README.md`).

use std::time::Duration;

use umigame_othello::{Board, Color, Move};

use crate::support::*;

fn illegal() -> Result<String, String> {
    Err("illegal move".to_string())
}

/// Plays moves without naming the forced passes. Returns the board after them.
fn play_through(engine: &mut EngineProcess, moves: &str) -> Board {
    let mut board = Board::start();
    for played in moves.split_whitespace() {
        if board.must_pass() {
            board.pass().unwrap();
        }
        let color = if board.side_to_move() == Color::Black { "b" } else { "w" };
        engine.done(&format!("play {color} {played}"));
        board.play(played.parse::<Move>().unwrap()).unwrap();
    }
    board
}

/// Returns moves after which White must pass, and the board after them.
fn line_to_a_pass() -> (String, Board) {
    let mut random = fastrand::Rng::with_seed(1);
    loop {
        let (mut board, mut moves) = (Board::start(), Vec::new());
        while !board.is_over() && !board.must_pass() {
            let legal: Vec<_> = board.legal_squares().collect();
            let square = legal[random.usize(..legal.len())];
            board.play(square).unwrap();
            moves.push(square.to_string());
        }
        if board.must_pass() && board.side_to_move() == Color::White {
            return (moves.join(" "), board);
        }
    }
}

/// Returns the moves of a whole game without its passes, and the last board.
fn line_to_the_end() -> (String, Board) {
    let mut random = fastrand::Rng::with_seed(2);
    let (mut board, mut moves) = (Board::start(), Vec::new());
    while !board.is_over() {
        if board.must_pass() {
            board.pass().unwrap();
            continue;
        }
        let legal: Vec<_> = board.legal_squares().collect();
        let square = legal[random.usize(..legal.len())];
        board.play(square).unwrap();
        moves.push(square.to_string());
    }
    (moves.join(" "), board)
}

fn any_legal(board: &Board) -> String {
    board.legal_squares().next().unwrap().to_string()
}

#[test]
fn colours_and_vertices_are_read_in_any_case() {
    let mut pictures = Vec::new();
    for command in ["play b D3", "play BLACK d3", "play Black D3", "play B d3"] {
        let mut engine = EngineProcess::gtp();
        engine.done(command);
        pictures.push(engine.done("showboard"));
    }
    pictures.dedup();
    assert_eq!(pictures.len(), 1);
}

#[test]
fn an_illegal_move_or_the_wrong_colour_changes_nothing() {
    let mut engine = EngineProcess::gtp();
    let before = engine.done("showboard");
    for bad in ["play b a1", "play b d4", "play w c3", "play w e3", "play b pass", "play w pass"] {
        assert_eq!(engine.ask(bad), illegal(), "{bad}");
    }
    assert_eq!(engine.ask("genmove w"), illegal(), "Black can move");
    assert_eq!(engine.done("showboard"), before);
    assert_eq!(engine.ask("undo"), Err("cannot undo".to_string()));
}

#[test]
fn a_pass_may_be_left_out() {
    let (line, board) = line_to_a_pass();
    let mut after = board.clone();
    after.pass().unwrap();
    let square = any_legal(&after);
    let mut engine = EngineProcess::gtp();
    engine.done("set_level 1");
    play_through(&mut engine, &line);
    engine.done(&format!("play b {square}"));
    engine.done("undo");
    assert_eq!(engine.done("gogui-rules_side_to_move"), "white", "the pass is undone too");
    let vertex = engine.done("genmove b");
    assert!(after.is_legal(vertex.parse().unwrap()), "{vertex}");
    engine.done("undo");
    assert_eq!(engine.done("gogui-rules_legal_moves"), "pass");
}

#[test]
fn a_pass_may_be_spelled_out() {
    let (line, board) = line_to_a_pass();
    for pass in ["pass", "PASS", "Pass"] {
        let mut engine = EngineProcess::gtp();
        play_through(&mut engine, &line);
        assert_eq!(engine.ask(&format!("play b {pass}")), illegal(), "Black can move");
        engine.done(&format!("play w {pass}"));
        assert_eq!(engine.done("gogui-rules_side_to_move"), "black");
        assert_eq!(engine.ask(&format!("play b {pass}")), illegal(), "not forced");
    }
    let mut engine = EngineProcess::gtp();
    engine.done("set_level 1");
    play_through(&mut engine, &line);
    assert_eq!(engine.done("genmove w"), "pass");
    let vertex = engine.done("genmove b");
    let mut after = board;
    after.pass().unwrap();
    assert!(after.is_legal(vertex.parse().unwrap()), "{vertex}");
}

#[test]
fn genmove_plays_its_move_and_undo_takes_it_back() {
    let mut engine = EngineProcess::gtp();
    engine.done("set_level 2");
    let before = engine.done("showboard");
    let vertex = engine.done("genmove b");
    assert_eq!(vertex, vertex.to_uppercase());
    assert!(Board::start().is_legal(vertex.parse().unwrap()));
    assert!(engine.done("showboard").starts_with("White to move, 4-1"));
    engine.done("undo");
    assert_eq!(engine.done("showboard"), before);
}

#[test]
fn reg_genmove_leaves_the_board_alone() {
    let mut engine = EngineProcess::gtp();
    engine.done("set_level 2");
    let before = engine.done("showboard");
    let vertex = engine.done("reg_genmove b");
    assert!(Board::start().is_legal(vertex.parse().unwrap()));
    assert_eq!(engine.done("showboard"), before);
    assert_eq!(engine.ask("reg_genmove w"), illegal());
    assert_eq!(engine.ask("undo"), Err("cannot undo".to_string()));
    let (line, board) = line_to_a_pass();
    engine.done("clear_board");
    play_through(&mut engine, &line);
    let before = engine.done("showboard");
    let vertex = engine.done("reg_genmove b");
    let mut after = board;
    after.pass().unwrap();
    assert!(after.is_legal(vertex.parse().unwrap()), "after a pass left out");
    assert_eq!(engine.done("reg_genmove w"), "pass");
    assert_eq!(engine.done("showboard"), before);
}

#[test]
fn after_the_game_genmove_passes_and_nothing_can_be_played() {
    let (line, board) = line_to_the_end();
    let mut engine = EngineProcess::gtp();
    play_through(&mut engine, &line);
    let before = engine.done("showboard");
    assert!(before.starts_with("Game over"));
    for command in ["genmove b", "genmove w", "genmove b", "reg_genmove w"] {
        assert_eq!(engine.done(command), "pass");
    }
    for command in ["play b a1", "play w pass", "play b pass"] {
        assert_eq!(engine.ask(command), illegal());
    }
    assert_eq!(engine.done("gogui-rules_legal_moves"), "");
    assert_eq!(engine.done("showboard"), before);
    let score = board.score_for_black().discs();
    let expected = match score {
        0 => "0".to_string(),
        1.. => format!("B+{score}"),
        _ => format!("W+{}", -score),
    };
    assert_eq!(engine.done("final_score"), expected);
    assert_eq!(engine.done("gogui-rules_final_result"), expected);
}

#[test]
fn an_unfinished_game_has_no_score() {
    let mut engine = EngineProcess::gtp();
    assert_eq!(engine.ask("final_score"), Err("cannot score".to_string()));
}

#[test]
fn the_winner_takes_the_empty_squares() {
    // Black wipes White out in nine moves.
    let line = "e6 f4 e3 f6 g5 d6 e7 f5 c5";
    let mut engine = EngineProcess::gtp();
    let board = play_through(&mut engine, line);
    assert!(board.is_over() && board.empties() > 0);
    assert_eq!(engine.done("final_score"), "B+64");
}

#[test]
fn undo_works_once_for_every_ply() {
    let mut engine = EngineProcess::gtp();
    play_through(&mut engine, "f5 d6 c3 d3 c4");
    for _ in 0..5 {
        engine.done("undo");
    }
    assert_eq!(engine.ask("undo"), Err("cannot undo".to_string()));
    assert!(engine.done("showboard").starts_with("Black to move, 2-2"));
}

/// Returns an engine without a level after ten moves and these commands.
fn engine_on_clock(commands: &str) -> EngineProcess {
    let mut engine = EngineProcess::gtp();
    play_through(&mut engine, "f5 d6 c3 d3 c4 f4 c5 b3 c2 e6");
    for command in commands.split('\n') {
        engine.done(command);
    }
    engine
}

/// Without a level and with a clock, nothing but the clock bounds the search.
#[test]
fn every_kind_of_clock_bounds_a_search() {
    for commands in [
        "time_settings 300 0 0\ntime_left b 1 0",
        "time_left black 1 0\ntime_left w 60 0",
        "time_settings 0 15 1\ntime_left black 1 1",
        "time_settings 300 25 5\ntime_left b 2.5 5",
        "time_settings 0 5 0\ntime_left b 0.5 0",
        "time_settings 2 0 0",
        "time_settings 1 0.1 0",
        "time_left b 0 0",
    ] {
        engine_on_clock(commands).done("genmove b");
    }
}

/// An overhead longer than the clock leaves no time: the search answers after its first iteration.
#[test]
fn the_move_overhead_is_left_of_every_clock() {
    for clock in ["time_settings 15 0 0", "time_settings 0 15 1", "time_settings 9 15 5"] {
        let mut by_option = EngineProcess::start(&["gtp", "--move-overhead", "30s"]);
        by_option.done(clock);
        let mut by_command = EngineProcess::gtp();
        by_command.done(clock);
        by_command.done("umigame-move_overhead 30s");
        for engine in [&mut by_option, &mut by_command] {
            engine.done("genmove b");
            engine.done("genmove w");
            let summary = engine.done("umigame-last_search");
            let depth = summary.split(' ').nth(1).and_then(|depth| depth.split('@').next());
            assert_eq!(depth, Some("1"), "{clock}: {summary}");
        }
    }
}

#[test]
fn four_clocks_in_a_row_are_accepted() {
    let mut engine = EngineProcess::gtp();
    engine.done("set_level 1");
    for command in
        ["time_left black 15 1", "time_left w 60 0", "time_left b 12.5 0", "time_left white 15 1"]
    {
        assert_eq!(engine.done(command), "");
    }
    engine.done("genmove b");
}

/// Returns the nodes of a search for a move.
fn nodes_of_genmove(engine: &mut EngineProcess) -> u64 {
    engine.done("genmove b");
    let summary = engine.done("umigame-last_search");
    summary.split(' ').nth(2).unwrap().parse().unwrap()
}

#[test]
fn a_new_game_starts_with_full_clocks() {
    let mut engine = EngineProcess::gtp();
    engine.done("time_settings 20 0 0");
    engine.done("time_left b 0 0");
    let nodes_on_empty_clock = nodes_of_genmove(&mut engine);
    engine.done("clear_board");
    let nodes_on_full_clock = nodes_of_genmove(&mut engine);
    assert!(nodes_on_empty_clock < nodes_on_full_clock);
}

/// Arguments of an engine whose searches take much longer than the hang timeout. At level 30 some end
/// in a second.
const ENDLESS: [&str; 3] = ["gtp", "--depth", "60"];

#[test]
fn a_genmove_before_a_queued_quit_gets_a_move() {
    let mut engine = EngineProcess::start(&ENDLESS);
    engine.send("genmove b\n9 quit");
    let vertex = engine.response().unwrap();
    assert!(Board::start().is_legal(vertex.parse().unwrap()), "{vertex}");
    assert_eq!(engine.line(), "=9");
    let (status, ..) = engine.wait();
    assert_eq!(status.code(), Some(0));
}

#[test]
fn the_end_of_input_ends_a_search_with_a_move() {
    let mut engine = EngineProcess::start(&ENDLESS);
    play_through(&mut engine, "f5 d6 c3 d3 c4 f4");
    engine.send("genmove b");
    std::thread::sleep(Duration::from_millis(200));
    engine.close_input();
    let (status, _, lines) = engine.wait();
    assert_eq!(status.code(), Some(0));
    assert!(lines.first().is_some_and(|line| line.starts_with("= ")), "{lines:?}");
}

#[test]
fn an_interrupt_ends_genmove_with_a_move() {
    let mut engine = EngineProcess::start(&ENDLESS);
    let board = play_through(&mut engine, "f5 d6 c3 d3 c4 f4 c5 b3");
    engine.send("genmove b\n# interrupt");
    let vertex = engine.response().unwrap();
    assert!(board.is_legal(vertex.parse().unwrap()));
}

/// Plays a game of two engines as a client drives it.
fn play_whole_game(explicit_passes: bool, clock: &str) {
    let mut players = [EngineProcess::gtp(), EngineProcess::gtp()];
    for engine in &mut players {
        for command in ["protocol_version", "list_commands", "set_game Othello", "boardsize 8"] {
            engine.done(command);
        }
        engine.done("set_level 1");
        engine.done("clear_board");
        engine.done(clock);
    }
    let mut board = Board::start();
    while !board.is_over() {
        let (who, name) = match board.side_to_move() {
            Color::Black => (0, "black"),
            Color::White => (1, "white"),
        };
        if board.must_pass() {
            if explicit_passes {
                assert_eq!(players[who].done(&format!("genmove {name}")), "pass");
                players[1 - who].done(&format!("play {name} pass"));
            }
            board.pass().unwrap();
            continue;
        }
        players[who].done(&format!("time_left {name} 15 1"));
        let vertex = players[who].done(&format!("genmove {name}"));
        players[1 - who].done(&format!("play {name} {vertex}"));
        let played: Move = vertex.parse().unwrap();
        board.play(played).unwrap();
    }
    let scores: Vec<String> = players.iter_mut().map(|engine| engine.done("final_score")).collect();
    assert_eq!(scores[0], scores[1]);
}

#[test]
fn whole_games_are_played_as_quarry_and_as_a_match_runner_drive_them() {
    play_whole_game(false, "time_settings 0 15 1");
    play_whole_game(false, "time_settings 0 1 0");
    play_whole_game(true, "time_settings 0 1 0");
    play_whole_game(true, "time_settings 300 5 0");
}
