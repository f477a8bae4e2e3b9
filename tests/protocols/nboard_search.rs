//! The NBoard protocol: pings, hints and moves (statements 27 to 55 of `tests/README.md`).

use std::time::Duration;

use umigame_othello::{Board, Move};

use crate::support::*;

const MIDDLE: &str = "f5 d6 c3 d3 c4 f4 c5 b3 c2 e6 b4 f6";

fn ggf_moves(moves: &str) -> String {
    let tag = |(index, played): (usize, &str)| {
        format!("{}[{played}]", if index % 2 == 0 { 'B' } else { 'W' })
    };
    moves.split_whitespace().enumerate().map(tag).collect()
}

fn middle() -> String {
    game("TI[5:00]", &ggf_moves(MIDDLE))
}

/// Returns whether a line answers a request other than `ping`.
fn is_answer(line: &str) -> bool {
    ["search", "book", "nodestats", "===", "analysis", "learned"]
        .iter()
        .any(|word| line.starts_with(word))
}

/// Checks that a ping ends `request`, which would search for hours, and that nothing of it
/// follows the pong.
fn ping_ends(request: &str) {
    let mut engine = EngineProcess::nboard();
    engine.send(&format!("{}\nset depth 60", middle().replace("TI[5:00]", "")));
    for _ in 0..4 {
        engine.send(&format!("clear\n{request}"));
        let early = engine.lines_within(Duration::from_millis(250));
        assert!(!early.iter().any(|line| line == "status"), "{request} goes on: {early:?}");
        engine.before_pong();
        assert_eq!(engine.lines_within(Duration::from_millis(100)), [""; 0], "{request}");
        assert_eq!(engine.before_pong(), [""; 0], "{request}");
    }
}

#[test]
fn a_ping_to_an_idle_engine_gets_its_pong_and_nothing_else() {
    let mut engine = EngineProcess::nboard();
    engine.send("ping 5");
    assert_eq!(engine.line(), "pong 5");
    assert_eq!(engine.lines_within(Duration::from_millis(200)), [""; 0]);
}

#[test]
fn a_ping_ends_a_deep_hint() {
    ping_ends("hint 64");
}

#[test]
fn a_ping_ends_a_deep_go_and_no_move_follows() {
    ping_ends("go");
}

#[test]
fn a_ping_ends_analysis_and_learning() {
    ping_ends("analyze");
    ping_ends("learn");
}

#[test]
fn a_burst_of_twenty_positions_gets_twenty_pongs_and_hints_for_the_last() {
    let line = "f5 d6 c3 d3 c4 f4 c5 b3 c2 e6 b4 f6 g4 e3 d2 f3 g5 c6 b5 e2";
    let moves: Vec<&str> = line.split_whitespace().collect();
    let mut burst = String::from("nboard 2\nset depth 60\n");
    for count in 1..=20 {
        let moves = ggf_moves(&moves[..count].join(" "));
        burst += &format!("{}\nping {}\nhint 4\n", game("TI[5:00]", &moves), 100 + count);
    }
    let mut engine = EngineProcess::nboard();
    engine.write(burst.as_bytes());
    let lines = engine.until("pong 120");
    let pongs: Vec<&String> = lines.iter().filter(|line| line.starts_with("pong")).collect();
    let expected: Vec<String> = (101..=120).map(|n| format!("pong {n}")).collect();
    assert_eq!(pongs, expected.iter().collect::<Vec<_>>());
    let mut shown = engine.until("search");
    shown.extend(engine.before_pong());
    let board = board_after(line);
    for hint in hints(&shown) {
        assert!(board.is_legal(hint.first), "{hint:?}");
    }
}

#[test]
fn hints_after_the_pong_are_for_the_new_position() {
    let mut engine = EngineProcess::nboard();
    engine.send(&format!(
        "{}\nset depth 60\nhint 64\n{START}\nping 3\nset depth 6\nhint 64",
        middle()
    ));
    engine.until("pong 3");
    let found = hints(&engine.until("nodestats"));
    assert!(!found.is_empty());
    for hint in found {
        assert!(Board::start().is_legal(hint.first), "{hint:?}");
    }
}

#[test]
fn the_number_of_a_ping_is_echoed() {
    let mut engine = EngineProcess::nboard();
    for number in ["1", "2", "900001", "84", "-7", "0"] {
        engine.send(&format!("ping {number}"));
        assert_eq!(engine.line(), format!("pong {number}"));
    }
}

#[test]
fn moves_that_arrive_during_a_search_do_not_disturb_it() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut engine = EngineProcess::nboard();
    engine.send("set depth 60");
    for round in 0..340 {
        let mut board = Board::start();
        engine.send(START);
        for _ in 0..random.usize(1..6) {
            engine.send(["hint 4", "go", "hint 1", "analyze"][random.usize(..4)]);
            if random.bool() {
                std::thread::sleep(Duration::from_micros(random.u64(..3000)));
            }
            let legal: Vec<_> = board.legal_squares().collect();
            let played = Move::Place(legal[random.usize(..legal.len())]);
            board.play(played).unwrap();
            engine.send(&format!("move {played:#}//0.1"));
        }
        engine.before_pong();
        engine.send("set depth 1");
        for hint in hints(&engine.hint("hint 64")) {
            assert!(board.is_legal(hint.first), "round {round}: {hint:?} on\n{board}");
        }
        engine.send("set depth 60");
    }
}

#[test]
fn a_search_overtaken_by_a_new_position_still_answers() {
    let mut engine = EngineProcess::nboard();
    engine.send(&format!("{}\nset depth 60\ngo", middle().replace("TI[5:00]", "")));
    std::thread::sleep(Duration::from_millis(200));
    engine.send(START);
    let answer = engine.until("===").pop().unwrap();
    assert!(board_after(MIDDLE).is_legal(nboard_move(&answer)), "{answer}");
}

#[test]
fn a_second_hint_right_after_the_first_shows_all_moves() {
    let mut engine = EngineProcess::nboard();
    engine.send(&format!("{START}\nset depth 5\nping 6\nhint 4"));
    std::thread::sleep(Duration::from_millis(2));
    engine.send("ping 7\nhint 4");
    engine.until("pong 7");
    let mut firsts: Vec<Move> =
        hints(&engine.until("nodestats")).into_iter().map(|hint| hint.first).collect();
    firsts.sort();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
}

/// Splits a hint into iterations: runs of lines of one depth.
fn iterations(found: &[Hint]) -> Vec<&[Hint]> {
    found.chunk_by(|a, b| a.depth == b.depth).collect()
}

fn leading_number(depth: &str) -> u32 {
    depth.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
}

#[test]
fn a_hint_shows_the_best_moves_of_each_iteration_best_first() {
    let board = board_after(MIDDLE);
    for (request, count) in [
        ("hint 4", 4),
        ("hint 64", board.legal_squares().count()),
        ("hint 1", 1),
        ("hint", 1),
        ("hint 0", 1),
    ] {
        let mut engine = EngineProcess::nboard();
        engine.send(&format!("{}\nset depth 6", middle()));
        let found = hints(&engine.hint(request));
        let mut depth = 0;
        for iteration in iterations(&found) {
            assert_eq!(iteration.len(), count, "{request}: {iteration:?}");
            assert!(iteration.is_sorted_by(|a, b| a.eval >= b.eval), "{iteration:?}");
            let mut firsts: Vec<Move> = iteration.iter().map(|hint| hint.first).collect();
            firsts.sort();
            firsts.dedup();
            assert_eq!(firsts.len(), count, "{iteration:?}");
            assert!(firsts.iter().all(|first| board.is_legal(*first)), "{iteration:?}");
            assert!(leading_number(&iteration[0].depth) >= depth, "the depth shrinks");
            depth = leading_number(&iteration[0].depth);
        }
        assert!(depth >= 1);
    }
}

#[test]
fn evals_are_discs_of_the_side_to_move() {
    // Black takes the last square and wins by 64; White must pass.
    let black = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X";
    let mut engine = EngineProcess::nboard();
    engine.send(&format!("{}\nset depth 4", position(black)));
    let found = hints(&engine.hint("hint 1"));
    assert_eq!(found.last().map(|hint| hint.first), Some("h8".parse().unwrap()));
    let (eval, exact) = found.last().map(|hint| (hint.eval, hint.depth == "100%")).unwrap();
    assert!(if exact { eval == 64.0 } else { eval > 0.0 }, "{found:?}");
    engine.send(&position(&black.replace(" X", " O")));
    let found = hints(&engine.hint("hint 1"));
    assert_eq!(found.last().map(|hint| hint.first), Some(Move::Pass));
    assert!(found.last().unwrap().eval < 0.0, "{found:?}");
}

#[test]
fn proven_scores_are_whole_and_say_so() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut engine = EngineProcess::nboard();
    engine.send("set depth 12");
    for _ in 0..10 {
        let mut board = Board::start();
        while board.empties() > 8 && !board.is_over() {
            let legal: Vec<_> = board.legal_squares().map(Move::Place).collect();
            board.play(random.choice(&legal).copied().unwrap_or(Move::Pass)).unwrap();
        }
        if board.is_over() {
            continue;
        }
        let side = board.side_to_move();
        engine.send(&position(&umigame_othello::position_text(board.position(), side)));
        let found = hints(&engine.hint("hint 64"));
        let last = iterations(&found).pop().unwrap();
        for hint in last.iter().filter(|hint| hint.depth == "100%") {
            assert_eq!(hint.eval % 1.0, 0.0, "{hint:?}");
        }
        for hint in &found {
            let suffix = hint.depth.trim_start_matches(|c: char| c.is_ascii_digit());
            let known = suffix.is_empty()
                || suffix == "%"
                || (suffix == "%W" && hint.depth == "100%W")
                || (suffix.starts_with('@') && suffix.ends_with('%'));
            assert!(known, "{hint:?}");
        }
    }
}

#[test]
fn hints_stream_while_the_search_runs() {
    let mut engine = EngineProcess::nboard();
    // The search would take hours: every line comes while it runs.
    engine.send(&format!("{}\nset depth 60", middle()));
    for _ in 0..3 {
        engine.send("clear\nhint 4");
        let lines = engine.until("search");
        assert_eq!(lines[..lines.len() - 1], ["status Thinking"]);
        let mut depths = std::collections::BTreeSet::new();
        while depths.len() < 5 {
            let line = engine.until("search").pop().unwrap();
            depths.insert(hints(&[line])[0].depth.clone());
        }
        let rest = engine.before_pong();
        assert_eq!(rest.iter().filter(|line| *line == "status").count(), 1, "{rest:?}");
    }
}

#[test]
fn nodestats_come_at_least_once_and_at_most_ten_times_a_second() {
    let mut engine = EngineProcess::nboard();
    engine.send(&format!("{}\nset depth 9", middle()));
    let lines = engine.hint("hint 4");
    let stats: Vec<&String> = lines.iter().filter(|line| line.starts_with("nodestats")).collect();
    assert!(stats.iter().all(|line| is_nboard_reply(line)), "{stats:?}");
    let seconds: Vec<f64> =
        stats.iter().map(|line| line.split(' ').nth(2).unwrap().parse().unwrap()).collect();
    let (last, during) = seconds.split_last().expect("at least one");
    // The last one comes when the search ends, the others by the engine's own clock.
    assert!(during.windows(2).all(|pair| pair[1] - pair[0] >= 0.1), "{seconds:?}");
    assert!(during.iter().all(|second| second <= last), "{seconds:?}");
}

#[test]
fn the_hint_for_a_forced_pass_is_a_pass() {
    let mut engine = EngineProcess::nboard();
    engine.send(&format!("{}\nset depth 4", position(WHITE_MUST_PASS)));
    let found = hints(&engine.hint("hint 2"));
    assert!(!found.is_empty() && found.iter().all(|hint| hint.first == Move::Pass), "{found:?}");
}

#[test]
fn after_the_game_there_is_no_hint_and_go_passes() {
    let mut engine = EngineProcess::nboard();
    engine.send(&position(GAME_OVER));
    assert_eq!(engine.hint("hint 4"), [""; 0]);
    assert_eq!(engine.before_pong(), [""; 0]);
    assert_eq!(engine.go(), "=== PA");
}

#[test]
fn a_hint_sets_the_status_and_clears_it() {
    let mut engine = EngineProcess::nboard();
    engine.send(&format!("{START}\nset depth 3\nhint 1"));
    assert_eq!(engine.line(), "status Thinking");
    while engine.line() != "status" {}
    assert_eq!(engine.before_pong(), [""; 0]);
}

#[test]
fn go_gets_one_answer_with_the_move_in_columns_5_and_6() {
    let mut engine = EngineProcess::nboard();
    engine.send(&format!("{}\nset depth 4\ngo", middle()));
    engine.until("===");
    engine.send("go\ngo");
    engine.until("===");
    engine.until("===");
    let answer = engine.go();
    assert!(is_nboard_reply(&answer), "{answer}");
    assert!(board_after(MIDDLE).is_legal(nboard_move(&answer)));
    assert!(!engine.before_pong().iter().any(|line| is_answer(line)));
}

#[test]
fn a_forced_move_is_answered_without_a_search() {
    let only_h1 = "XOOOOOO--------------------------------------------------------- X";
    for (text, answer) in [(WHITE_MUST_PASS, "=== PA"), (only_h1, "=== H1")] {
        let mut engine = EngineProcess::nboard();
        engine.send(&format!("set depth 60\n{}\ngo", position(text)));
        assert_eq!(engine.until("==="), [answer], "no nodestats");
    }
}

/// Without the clock, a search to depth 60 takes hours.
#[test]
fn the_clock_bounds_a_search_to_depth_60() {
    let used = "B[F5//5]W[D6//1]B[C3//4.5]W[D3//1]";
    for (clock, moves) in [
        ("TI[0:10]", used),
        ("TI[0]", used),
        ("TI[5]", used),
        ("TB[0:10]TW[1:00:00]", used),
        ("TI[0:10]", ""),
    ] {
        let mut engine = EngineProcess::nboard();
        engine.send(&format!("nboard 2\n{}\nset depth 60", game(clock, moves)));
        if moves.is_empty() {
            engine.send("move F5//5\nmove D6//0.1\nmove C3//4.5\nmove D3//0.1");
        }
        assert!(board_after("f5 d6 c3 d3").is_legal(engine.go_move()), "{clock}");
    }
}

/// An overhead longer than the clock leaves no time: the search answers after its first iteration.
#[test]
fn the_move_overhead_is_left_of_the_clock() {
    let mut engine = EngineProcess::nboard();
    engine.send(&format!("{}\nset depth 60\nset move-overhead 30s\ngo", game("TI[15]", "B[F5]")));
    let stats = engine.line();
    let nodes = stats.split(' ').nth(1).and_then(|nodes| nodes.parse::<u64>().ok());
    assert!(nodes.is_some_and(|nodes| nodes < 100), "{stats}");
}

#[test]
fn depth_1_finds_a_legal_move_at_every_ply() {
    let mut engine = EngineProcess::nboard();
    engine.send(&format!("{START}\nset depth 1"));
    let mut board = Board::start();
    while !board.is_over() {
        let played = engine.go_move();
        engine.send(&format!("move {played:#}"));
        board.play(played).unwrap();
    }
}

#[test]
fn contempt_is_accepted_silently() {
    let mut engine = EngineProcess::nboard();
    for contempt in ["100", "-100", "0"] {
        engine.send(&format!("set contempt {contempt}"));
    }
    assert_eq!(engine.before_pong(), [""; 0]);
}

#[test]
fn a_change_of_depth_keeps_the_table() {
    let nodes = |engine: &mut EngineProcess| {
        let lines = engine.hint("hint 1");
        let stats = lines.iter().rfind(|line| line.starts_with("nodestats")).unwrap();
        stats.split(' ').nth(1).unwrap().parse::<u64>().unwrap()
    };
    let mut engine = EngineProcess::nboard();
    engine.send(&format!("{}\nset depth 8", middle()));
    let first = nodes(&mut engine);
    engine.send("set depth 6");
    nodes(&mut engine);
    engine.send("set depth 8");
    let again = nodes(&mut engine);
    assert!(again <= first, "{again} nodes, {first} the first time");
}
