//! Pondering over pipes. It shows in the processor time of an engine that has nothing to answer,
//! and in the nodes of its next search.

use std::process::Command;
use std::time::{Duration, Instant};

use umigame_othello::{Board, Move, testing::skip};

use crate::support::*;

/// Time over which processor time is measured.
const MEASURED: Duration = Duration::from_millis(500);
/// Processor time that reading a few lines takes at most; the system counts it in steps of 10 ms.
const MAX_IDLE_WORK: Duration = Duration::from_millis(30);

const MOVES: &str = "f5 d6 c3 d3 c4 f4 c5 b3 c2 e6 c6 b4";

/// Weights named on the command line are unpacked before the first line is read.
const WEIGHTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/eval/weights/umigame.weights");

/// Returns `set game` with [`MOVES`], then `more`, on this clock.
fn game_so_far(clock: &str, more: &[Move]) -> String {
    let mut text = String::new();
    let moves = MOVES.split(' ').map(|text| text.parse::<Move>().unwrap());
    for (played, letter) in moves.chain(more.iter().copied()).zip("BW".chars().cycle()) {
        text += &format!("{letter}[{played:#}]");
    }
    game(clock, &text)
}

fn board_so_far(more: &[Move]) -> Board {
    let mut board = board_after(MOVES);
    for played in more {
        board.play(*played).unwrap();
    }
    board
}

/// Checks whether the engine works or idles, in silence.
#[track_caller]
fn assert_works(engine: &mut EngineProcess, works: bool) {
    let start = Instant::now();
    let mut total = Duration::ZERO;
    while let Some(work) = engine.work_within(MEASURED) {
        total += work;
        if !works {
            return assert!(total <= MAX_IDLE_WORK, "{total:?}");
        }
        if total >= 3 * MAX_IDLE_WORK {
            return;
        }
        assert!(start.elapsed() < HANG_TIMEOUT, "{total:?} only");
    }
    skip("the system does not report processor times");
}

/// Waits until the engine idles; false if the system does not report processor times.
fn wait_until_idle(engine: &mut EngineProcess) -> bool {
    let start = Instant::now();
    while let Some(work) = engine.work_within(MEASURED) {
        if work.is_zero() {
            return true;
        }
        assert!(start.elapsed() < HANG_TIMEOUT, "it ponders on");
    }
    skip("the system does not report processor times");
    false
}

/// Returns an NBoard engine that has just answered `go` on a clock, and its move.
fn nboard_after_go(arguments: &[&str]) -> (EngineProcess, Move) {
    let mut engine = EngineProcess::start(&[&["nboard"], arguments].concat());
    engine.send(&game_so_far("TI[0:05]", &[]));
    let own = engine.go_move();
    (engine, own)
}

/// Returns a GTP engine that has just answered `genmove` on a clock, and its move.
fn gtp_after_genmove(arguments: &[&str]) -> (EngineProcess, Move) {
    let mut engine = EngineProcess::start(&[&["gtp"], arguments].concat());
    for (index, played) in MOVES.split(' ').enumerate() {
        engine.done(&format!("play {} {played}", ["b", "w"][index % 2]));
    }
    engine.done("time_settings 5 0 0");
    let own = engine.done("genmove b").parse().unwrap();
    (engine, own)
}

#[test]
fn the_engine_ponders_in_silence_after_its_own_move_in_both_protocols() {
    for (mut engine, _) in [nboard_after_go(&["--ponder"]), gtp_after_genmove(&["--ponder"])] {
        assert_works(&mut engine, true);
    }
}

#[test]
fn without_the_option_the_engine_idles_after_its_move() {
    for (mut engine, _) in [nboard_after_go(&[]), gtp_after_genmove(&[])] {
        assert_works(&mut engine, false);
    }
}

#[test]
fn nboard_lines_are_answered_and_a_change_of_the_game_ends_pondering() {
    let (mut engine, own) = nboard_after_go(&["--ponder"]);
    // Lines of NBoard to an engine that is its analyst too.
    engine.send(&format!("move {own:#}/1.25/0.1\nset depth 4"));
    assert_eq!(engine.before_pong(), [""; 0]);
    let hints = hints(&engine.hint("hint 2"));
    assert!(board_so_far(&[own]).is_legal(hints[0].first));
    engine.send("set depth 60\nfrobnicate\n");
    assert_works(&mut engine, true);
    let reply = Move::Place(board_so_far(&[own]).legal_squares().next().unwrap());
    engine.send(&format!("move {reply:#}"));
    assert_works(&mut engine, false);
    assert!(board_so_far(&[own, reply]).is_legal(engine.go_move()));
    assert_works(&mut engine, true);
    engine.send(&game_so_far("TI[0:05]", &[]));
    assert_works(&mut engine, false);
    // A cancelled move is not pondered.
    engine.send("go\nping 1");
    assert_eq!(engine.until("pong"), ["pong 1"]);
    assert_works(&mut engine, false);
}

#[test]
fn gtp_commands_are_answered_and_a_change_of_the_game_ends_pondering() {
    let (mut engine, own) = gtp_after_genmove(&["--ponder"]);
    let board = board_so_far(&[own]);
    engine.done("time_left b 4 0");
    assert_eq!(engine.ask("play b a1"), Err("illegal move".to_string()));
    let shown = engine.done("gogui-rules_legal_moves").to_lowercase();
    assert_eq!(shown.split(' ').count(), board.legal_squares().count());
    assert_works(&mut engine, true);
    let reply = board.legal_squares().next().unwrap();
    engine.done(&format!("play w {reply}"));
    assert_works(&mut engine, false);
    engine.done("reg_genmove b");
    assert_works(&mut engine, false);
    engine.done("genmove b");
    engine.done("undo");
    assert_works(&mut engine, false);
}

#[test]
fn pondering_at_a_depth_ends_by_itself_and_saves_nodes() {
    let nodes_of_the_next_search = |arguments: &[&str]| {
        // How much is saved depends on the evaluation.
        let fixed = ["nboard", "--depth", "11", "--weights", WEIGHTS];
        let mut engine = EngineProcess::start(&[&fixed[..], arguments].concat());
        engine.send(&game_so_far("", &[]));
        let own = engine.go_move();
        if !wait_until_idle(&mut engine) {
            return None;
        }
        let reply = Move::Place(board_so_far(&[own]).legal_squares().next().unwrap());
        engine.send(&game_so_far("", &[own, reply]));
        engine.send("go");
        let answer = engine.until("===");
        assert!(board_so_far(&[own, reply]).is_legal(nboard_move(answer.last().unwrap())));
        let stats = answer.iter().find_map(|line| line.strip_prefix("nodestats "));
        stats.unwrap().split(' ').next().unwrap().parse::<u64>().ok()
    };
    let without = nodes_of_the_next_search(&[]);
    let with = nodes_of_the_next_search(&["--ponder"]);
    if let (Some(with), Some(without)) = (with, without) {
        // The saving depends on the evaluation.
        assert!(with * 10 < without * 9, "{with} of {without} nodes");
    }
}

#[test]
fn there_is_nothing_to_ponder_after_the_game() {
    let mut engine = EngineProcess::start(&["nboard", "--ponder", "--depth", "1"]);
    // Unpacking the weights is work too.
    engine.go();
    engine.send("new");
    engine.send(&format!("{}\nmove PA", position(WHITE_MUST_PASS)));
    assert_eq!(engine.go(), "=== A1");
    assert_works(&mut engine, false);
    engine.send("move A1");
    assert_works(&mut engine, false);
    assert_eq!(engine.go(), "=== PA");
    assert_works(&mut engine, false);
}

#[test]
fn the_end_of_input_and_quit_end_pondering_and_the_process() {
    for quit in [false, true] {
        for (mut engine, _) in [nboard_after_go(&["--ponder"]), gtp_after_genmove(&["--ponder"])] {
            assert_works(&mut engine, true);
            if quit {
                engine.send("quit");
            } else {
                engine.close_input();
            }
            let (status, ..) = engine.wait();
            assert_eq!(status.code(), Some(0));
        }
    }
}

#[test]
fn pondering_engines_play_a_match() {
    let binary = env!("CARGO_BIN_EXE_umigame");
    let engine = |protocol: &str| {
        format!("[name={protocol}] {binary} {protocol} --ponder --hash 2 --threads 2")
    };
    let output = Command::new(binary)
        .args(["match", &engine("nboard"), &engine("gtp")])
        .args(["--games", "2", "--random-plies", "20", "--seed", "5", "--json"])
        .args(["--move-time", "0.03", "--margin", "10s"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for engine in summary["engines"].as_array().unwrap() {
        assert_eq!(engine["failings"], serde_json::json!({}), "{summary}");
        assert!(engine["moves"].as_u64().unwrap() > 20, "{summary}");
    }
}
