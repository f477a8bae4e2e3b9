//! The NBoard protocol: learning, analysis, unknown lines, the end (statements 56 to 62 of
//! `tests/README.md`).

use std::time::Duration;

use umigame_othello::{Board, Color, Move, testing::skip};

use crate::support::*;

#[test]
fn every_learn_is_answered_with_learned() {
    let mut engine = EngineProcess::nboard();
    engine.send(&format!("{}\nlearn\nlearn", game("", "B[F5]W[D6]")));
    assert_eq!(engine.before_pong(), ["learned", "learned"]);
}

#[test]
fn an_analysis_evaluates_every_position_from_blacks_view_last_first() {
    let mut random = fastrand::Rng::with_seed(17);
    let mut board = Board::start();
    let mut moves = String::new();
    while !board.is_over() {
        let legal: Vec<_> = board.legal_squares().collect();
        let played = random.choice(&legal).map_or(Move::Pass, |s| (*s).into());
        moves += &format!("{}[{played:#}]", ['B', 'W'][board.side_to_move().index()]);
        board.play(played).unwrap();
    }
    let mut engine = EngineProcess::nboard();
    engine.send(&format!("{}\nset depth 3\nanalyze", game("", &moves)));
    let last = engine.until("analysis 0 ");
    let found: Vec<(usize, f64)> = last
        .iter()
        .filter_map(|line| line.strip_prefix("analysis "))
        .filter_map(|line| line.split_once(' '))
        .map(|(ply, eval)| (ply.parse().unwrap(), eval.parse().unwrap()))
        .collect();
    assert_eq!(found[0], (board.plies(), f64::from(board.score_for_black().discs())));
    let plies: Vec<usize> = found.iter().map(|(ply, _)| *ply).collect();
    assert_eq!(plies, (0..=board.plies()).rev().collect::<Vec<_>>());
    assert!(last.iter().all(|line| is_nboard_reply(line)));
}

#[test]
fn an_analysis_is_from_blacks_view_whoever_is_to_move() {
    let text = "XOOOOOO--------------------------------------------------------- X";
    for (text, sign) in [(text.to_string(), 1.0), (swap_colors(text), -1.0)] {
        let mut engine = EngineProcess::nboard();
        engine.send(&format!("{}\nset depth 4\nanalyze", position(&text)));
        let line = engine.until("analysis 0 ").pop().unwrap();
        let eval: f64 = line.rsplit(' ').next().unwrap().parse().unwrap();
        assert!(eval * sign > 0.0, "{text}: {line}");
    }
}

/// Exchanges black and white, in discs and side to move.
fn swap_colors(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            'X' => 'O',
            'O' => 'X',
            other => other,
        })
        .collect()
}

#[test]
fn unknown_lines_are_ignored_and_ping_is_answered() {
    let long = "x".repeat(100_000);
    let long_set = format!("set {long}");
    let long_ping = format!("ping {long}");
    for unknown in [
        "frobnicate 1 2",
        "set nosuch 3",
        "set depth",
        "set depth x",
        "set",
        "",
        "   ",
        "ping",
        "ping x",
        "hint x",
        "nboard",
        "set game",
        "\0\0\0",
        "set contempt",
        &long,
        &long_set,
        &long_ping,
    ] {
        let mut engine = EngineProcess::nboard();
        engine.send(unknown);
        let said = engine.before_pong();
        let harmless =
            said.iter().all(|line| line.starts_with("status") || line == "set myname umigame");
        assert!(harmless, "{said:?}");
    }
}

#[test]
fn a_flood_of_unknown_lines_takes_no_memory_and_ping_is_answered() {
    let mut engine = EngineProcess::nboard();
    // A move makes the engine allocate all that it keeps.
    engine.send("set depth 2");
    engine.go();
    let before = engine.memory();
    let megabyte = vec![b'j'; 1 << 20];
    for _ in 0..32 {
        engine.write(&megabyte);
    }
    engine.send("");
    for _ in 0..50 {
        engine.send(&"set game (;GM[Othello]\nnonsense\n\u{0}\u{1}\n".repeat(200));
    }
    engine.before_pong();
    if let (Some(before), Some(after)) = (before, engine.memory()) {
        assert!(after < before + 24_000, "{before} kB before, {after} kB after");
    } else {
        skip("the system does not report memory");
    }
}

#[test]
fn end_of_input_and_quit_end_the_process_idle_or_searching() {
    for request in ["", "hint 64", "go", "analyze"] {
        for quit in [false, true] {
            let mut engine = EngineProcess::nboard();
            engine.send(&format!("{}\nset depth 60\n{request}", game("", "B[F5]W[D6]B[C3]")));
            std::thread::sleep(Duration::from_millis(200));
            if quit {
                engine.send("quit");
            } else {
                engine.close_input();
            }
            // Each search would take hours.
            let (status, ..) = engine.wait();
            assert_eq!(status.code(), Some(0), "{request}, quit: {quit}");
        }
    }
}

#[test]
fn a_request_before_the_end_of_input_is_answered() {
    let output = converse(&["nboard"], format!("{START}\nset depth 3\ngo\n").as_bytes());
    assert!(stdout(&output).contains("=== "), "{}", stdout(&output));
    assert!(output.status.success());
}

#[test]
fn a_closed_output_ends_the_process_with_exit_code_0_and_no_message() {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    use std::time::Instant;

    for arguments in [["nboard"], ["gtp"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_umigame"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut input = child.stdin.take().unwrap();
        let text = if arguments == ["gtp"] { "name\n" } else { "ping 1\n" };
        input.write_all(text.as_bytes()).unwrap();
        // The input stays open: the output alone must end it.
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < HANG_TIMEOUT, "{arguments:?} goes on with a closed output");
            std::thread::sleep(Duration::from_millis(5));
        }
        drop(input);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}

#[test]
fn clear_new_and_stop_are_accepted() {
    let mut engine = EngineProcess::nboard();
    engine.send(&format!("{}\nset depth 2\nclear\nstop", game("", "B[F5]")));
    assert_eq!(engine.before_pong(), [""; 0]);
    assert!(board_after("f5").is_legal(engine.go_move()));
    engine.send("new");
    assert!(Board::start().is_legal(engine.go_move()), "a new game");
}

#[test]
fn stop_makes_a_deep_go_answer() {
    let mut engine = EngineProcess::nboard();
    for _ in 0..4 {
        // Without a clock, the search would take hours.
        engine.send(&format!("clear\n{}\nset depth 60\ngo", game("", "B[F5]W[D6]B[C3]")));
        assert_eq!(engine.lines_within(Duration::from_millis(100)), [""; 0], "it searches");
        engine.send("stop");
        assert!(board_after("f5 d6 c3").is_legal(nboard_move(engine.until("===").last().unwrap())));
        assert_eq!(engine.before_pong(), [""; 0]);
    }
}

#[test]
fn games_through_a_driver_have_no_illegal_move_and_no_memory_growth() {
    let mut engine = EngineProcess::nboard();
    engine.send("set depth 1");
    let mut memory = None;
    for round in 0..30u32 {
        let (mut board, mut record) = (Board::start(), String::new());
        let human = if round % 2 == 0 { Color::Black } else { Color::White };
        let mut random = fastrand::Rng::with_seed(u64::from(round));
        while !board.is_over() {
            let played = if board.side_to_move() == human {
                let legal: Vec<_> = board.legal_squares().collect();
                random.choice(&legal).map_or(Move::Pass, |s| (*s).into())
            } else {
                engine.send(&format!("{}\nping {round}", game("TI[5:00]", &record)));
                engine.until("pong");
                engine.go_move()
            };
            record += &format!("{}[{played:#}]", ['B', 'W'][board.side_to_move().index()]);
            board.play(played).unwrap();
        }
        if round == 4 {
            memory = engine.memory();
        }
    }
    match (memory, engine.memory()) {
        (Some(before), Some(after)) => {
            assert!(after < before + 4000, "{before} kB after 5 games, {after} kB after 30");
        }
        _ => skip("the system does not report memory"),
    }
}

/// Else the first search spends its time on that: it visited a few thousand nodes.
#[test]
fn the_memory_of_the_table_is_fetched_before_the_first_clock_runs() {
    let mut engine = EngineProcess::start(&["nboard", "--move-time", "20ms", "--hash", "256"]);
    engine.send(&game("", "B[F5]"));
    engine.before_pong();
    match engine.memory() {
        Some(kilobytes) => assert!(kilobytes >= 256 << 10, "{kilobytes} kB"),
        None => skip("the system does not report memory"),
    }
}
