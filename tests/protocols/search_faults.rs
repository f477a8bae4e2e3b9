//! A panic in a search of the real binary: one line on standard error, a legal answer, and the next
//! request is served. Debug builds panic at the poll that `UMIGAME_TEST_FAULT` names.

use std::fs::{self, File};

use crate::support::*;

/// Polls before the fault: at once, in the first iterations, deep in the search.
const POLLS: [u64; 4] = [0, 1, 20, 50];
const THREADS: [&str; 3] = ["1", "2", "4"];
/// An even game, Black to move.
const OPENING: &str = "f5 d6 c3 d3 c4 f4 c5 b3 c2 e6 c6 b4 b5 d2";

/// Talks to an engine with a fault, for each number of threads and poll. Exactly one search fails.
fn for_each_fault(protocol: &str, talk: impl Fn(&mut EngineProcess)) {
    if !cfg!(debug_assertions) {
        eprintln!("SKIPPED: only debug builds have faults for tests");
        return;
    }
    let (_folder, path) = folder();
    for threads in THREADS {
        for poll in POLLS {
            let mut command = umigame(&[protocol, "--threads", threads, "--level", "18"]);
            command.env("UMIGAME_TEST_FAULT", poll.to_string());
            command.stderr(File::create(path("errors")).unwrap());
            talk(&mut EngineProcess::spawn(command));
            let errors = fs::read_to_string(path("errors")).unwrap();
            let failures = errors.lines().filter(|line| line.contains("the search failed")).count();
            assert_eq!(failures, 1, "{threads} threads, poll {poll}: {errors}");
        }
    }
}

#[test]
fn a_fault_over_nboard_costs_one_answer() {
    let board = board_after(OPENING);
    for_each_fault("nboard", |engine| {
        engine.send(START);
        for played in OPENING.split(' ') {
            engine.send(&format!("move {played}"));
        }
        assert!(board.is_legal(engine.go_move()));
        engine.before_pong();
        assert!(engine.hint("hint 2").len() > 1);
        assert!(board.is_legal(engine.go_move()));
    });
}

#[test]
fn a_fault_over_gtp_costs_one_answer() {
    let board = board_after(OPENING);
    for_each_fault("gtp", |engine| {
        for (played, color) in OPENING.split(' ').zip(["b", "w"].into_iter().cycle()) {
            engine.done(&format!("play {color} {played}"));
        }
        for command in ["reg_genmove b", "genmove b"] {
            assert!(board.is_legal(engine.done(command).parse().unwrap()));
        }
        assert_eq!(engine.done("name"), "umigame");
    });
}
