//! Engines that go wrong in every way the runner knows of: each loses the
//! games it should, nothing is left behind, the rest of the match stands.

mod fault_engine;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use umigame_lab::arena::openings;
use umigame_lab::arena::{
    EngineConfig, FaultKind, GameLine, MatchPlan, MatchRunner, PairingScheme, PassStyle,
    ProcessRegistry, Seconds, Side, TimeLimit,
};
use umigame_othello::game::transcript;

#[test]
#[ignore = "an engine for the tests of this file, not a test"]
fn engine() {
    fault_engine::serve();
}

fn token(name: &str) -> String {
    format!("{name}-{}", std::process::id())
}

fn plan(engines: Vec<EngineConfig>, pairs: usize) -> MatchPlan {
    let openings = openings::random(8, pairs, 1).unwrap();
    MatchPlan {
        engines,
        scheme: PairingScheme::Gauntlet,
        pairs,
        openings: openings.iter().map(|opening| transcript::text(&opening.record)).collect(),
        concurrency: 2,
        pin: false,
        margin: Seconds(Duration::from_millis(100)),
        patience: Seconds(Duration::from_millis(700)),
        start_patience: Seconds(Duration::from_secs(20)),
        sprt: None,
    }
}

fn play(plan: &MatchPlan) -> Vec<GameLine> {
    let registry = Arc::new(ProcessRegistry::default());
    let runner = MatchRunner::new(plan, &registry, None).unwrap();
    let mut lines = Vec::new();
    runner
        .run(&HashSet::new(), |line| {
            lines.push(line);
            Ok(true)
        })
        .unwrap();
    lines.sort_by_key(|line| line.game);
    lines
}

/// Every game of a match of an engine with these habits against a good one.
fn against_good(name: &str, habits: &str, change: impl Fn(&mut EngineConfig)) -> Vec<GameLine> {
    pairs_against_good(3, name, habits, change)
}

fn pairs_against_good(
    pairs: usize,
    name: &str,
    habits: &str,
    change: impl Fn(&mut EngineConfig),
) -> Vec<GameLine> {
    let token = token(name);
    let mut bad = fault_engine::config("bad", habits, &token);
    change(&mut bad);
    let good = fault_engine::config("good", "nboard seed=2", &token);
    let lines = play(&plan(vec![bad, good], pairs));
    assert_eq!(lines.len(), 2 * pairs);
    if fault_engine::left_behind(&token).is_none() {
        println!("skipped: no /proc to look for processes in");
    }
    assert_eq!(fault_engine::left_behind(&token).unwrap_or(0), 0, "processes are left");
    lines
}

/// Games lost by the bad engine, which must all be lost in this way; the
/// good one loses none.
fn forfeits(lines: &[GameLine], kind: FaultKind) -> Vec<&GameLine> {
    let lost: Vec<&GameLine> = lines.iter().filter(|line| line.forfeit.is_some()).collect();
    for line in &lost {
        let forfeit = line.forfeit.as_ref().unwrap();
        assert_eq!(forfeit.kind, kind, "{forfeit:?}");
        let (loser, score) = match forfeit.loser {
            Side::Black => (&line.black, -64),
            Side::White => (&line.white, 64),
        };
        assert_eq!((loser.as_str(), line.score), ("bad", score));
        assert!(!forfeit.protocol.is_empty() && !forfeit.why.is_empty());
    }
    lost
}

/// Games that were played to their end really were.
fn check_finished(lines: &[GameLine]) {
    for line in lines.iter().filter(|line| line.forfeit.is_none()) {
        let limits = [TimeLimit::None; 2];
        let board = line.to_record(limits).unwrap().board().unwrap();
        assert!(board.is_over(), "game {}", line.game);
        assert_eq!(board.score_for_black().discs(), line.score);
    }
}

#[test]
fn an_engine_that_dies_loses_that_game_and_is_started_again() {
    for (name, habits) in [("dies-gtp", "gtp dies=5"), ("dies-nboard", "nboard dies=5")] {
        let lines = against_good(name, habits, |_| {});
        // Each process makes four moves and dies at the fifth.
        let lost = forfeits(&lines, FaultKind::Crash);
        assert_eq!(lost.len(), 6);
        let forfeit = lost[0].forfeit.as_ref().unwrap();
        assert!(forfeit.why.contains("exit status: 3"), "{}", forfeit.why);
        assert_eq!(forfeit.stderr, ["about to die"]);
        assert!(forfeit.protocol.last().unwrap().starts_with("> "), "{:?}", forfeit.protocol);
    }
}

#[test]
fn an_engine_that_dies_once_leaves_the_rest_of_the_match_alone() {
    let lines = against_good("dies-late", "gtp dies=40", |_| {});
    let lost = forfeits(&lines, FaultKind::Crash);
    assert!(!lost.is_empty() && lost.len() < 6, "{}", lost.len());
    check_finished(&lines);
}

#[test]
fn an_engine_that_hangs_loses_that_game_with_and_without_a_clock() {
    for (name, habits) in [("hangs-gtp", "gtp hangs=40"), ("hangs-nboard", "nboard hangs=40")] {
        let lines = against_good(name, habits, |_| {});
        let lost = forfeits(&lines, FaultKind::Hang);
        assert!(!lost.is_empty() && lost.len() < 6, "{}", lost.len());
        check_finished(&lines);
    }
    let timed = |engine: &mut EngineConfig| engine.move_time = "0.1".parse().ok();
    let lines = against_good("hangs-timed", "gtp timed hangs=40", timed);
    assert!(!forfeits(&lines, FaultKind::Hang).is_empty());
}

#[test]
fn an_engine_that_answers_late_loses_on_time() {
    let timed = |engine: &mut EngineConfig| engine.move_time = "0.1".parse().ok();
    for (name, habits) in [("late-gtp", "gtp timed late=3"), ("late-whole", "gtp whole late=3")] {
        let lines = against_good(name, habits, timed);
        let lost = forfeits(&lines, FaultKind::Clock);
        assert_eq!(lost.len(), 6);
        let why = &lost[0].forfeit.as_ref().unwrap().why;
        assert!(why.contains("came after 0.4") && why.contains("0.200 s were left"), "{why}");
    }
    let timed = |engine: &mut EngineConfig| engine.game_time = "0.2+0.01".parse().ok();
    let lines = against_good("late-nboard", "nboard late=3", timed);
    assert_eq!(forfeits(&lines, FaultKind::Clock).len(), 6);
}

#[test]
fn an_illegal_move_loses_the_game_whatever_its_form() {
    for (name, habits) in [
        ("cheats-gtp", "gtp cheats=4"),
        ("cheats-nboard", "nboard cheats=4"),
        ("babbles-gtp", "gtp babbles=4"),
        ("babbles-nboard", "nboard babbles=4"),
        ("passes-gtp", "gtp passes=4"),
        ("passes-nboard", "nboard passes=4"),
    ] {
        let lines = against_good(name, habits, |_| {});
        assert_eq!(forfeits(&lines, FaultKind::Illegal).len(), 6, "{name}");
    }
}

#[test]
fn who_resigns_loses_and_plays_on_with_the_same_process() {
    let lines = against_good("resigns", "gtp resigns=4", |_| {});
    let lost = forfeits(&lines, FaultKind::Resigned);
    // Once for each of the two workers' processes.
    assert!(!lost.is_empty() && lost.len() <= 2, "{}", lost.len());
    check_finished(&lines);
}

#[test]
fn a_flood_of_stderr_stops_nobody() {
    let lines = against_good("floods", "nboard floods", |_| {});
    assert!(forfeits(&lines, FaultKind::Hang).is_empty());
    check_finished(&lines);
}

#[test]
fn both_ways_of_speaking_of_passes_lead_through_the_same_games() {
    let games = |name: &str, habits: &str, passes: PassStyle| -> Vec<Vec<String>> {
        let lines = pairs_against_good(10, name, habits, |engine| engine.passes = passes);
        assert!(lines.iter().all(|line| line.forfeit.is_none()), "{name}: {lines:?}");
        check_finished(&lines);
        let moves = |line: &GameLine| line.moves.iter().map(|it| it.played.clone()).collect();
        lines.iter().map(moves).collect()
    };
    let explicit = games("explicit", "gtp", PassStyle::Auto);
    // The test is about passes: there must be some, of either side.
    let passes = |parity: usize| {
        explicit.iter().any(|moves| moves.iter().skip(parity).step_by(2).any(|it| it == "pass"))
    };
    assert!(passes(0) && passes(1), "{explicit:?}");
    assert_eq!(games("implicit", "gtp implicit", PassStyle::Auto), explicit);
    assert_eq!(games("implicit-told", "gtp implicit", PassStyle::Implicit), explicit);
    assert_eq!(games("nboard", "nboard", PassStyle::Auto), explicit);
    assert_eq!(games("deaf", "nboard deaf", PassStyle::Auto), explicit);
    assert_eq!(games("old", "nboard old noisy", PassStyle::Auto), explicit);
    assert_eq!(games("ids", "gtp ids", PassStyle::Auto), explicit);
    assert_eq!(games("unterminated", "gtp unterminated", PassStyle::Auto), explicit);
}

#[test]
fn an_engine_that_will_not_leave_is_made_to_with_all_it_started() {
    let start = Instant::now();
    let lines = against_good("stays", "nboard stays child", |_| {});
    assert!(lines.iter().all(|line| line.forfeit.is_none()));
    // A second for each to leave by itself, and not for ever.
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn an_engine_that_does_not_start_is_named_with_its_last_words() {
    let token = token("mute");
    let good = fault_engine::config("good", "nboard", &token);
    let missing = EngineConfig::parse("[name=missing] /no/such/engine").unwrap();
    let mute = EngineConfig::parse("[name=mute] sh -c 'echo no licence >&2; exit 9'").unwrap();
    for (bad, part) in [(missing, "missing: /no/such/engine"), (mute, "no licence")] {
        let registry = Arc::new(ProcessRegistry::default());
        let error = MatchRunner::new(&plan(vec![good.clone(), bad], 1), &registry, None)
            .map(|_| ())
            .unwrap_err()
            .to_string();
        assert!(error.contains(part), "{error}");
    }
    assert_eq!(fault_engine::left_behind(&token).unwrap_or(0), 0);
}

#[test]
fn protocols_are_found_out_and_loading_is_not_on_the_clock() {
    let token = token("auto");
    let engines = ["gtp timed loads=500", "nboard loads=500"].map(|habits| EngineConfig {
        protocol: Default::default(),
        move_time: "0.1".parse().ok(),
        ..fault_engine::config("e", habits, &token)
    });
    let lines = play(&plan(engines.to_vec(), 1));
    assert!(lines.iter().all(|line| line.forfeit.is_none()), "{lines:?}");
    check_finished(&lines);
}

#[test]
fn a_match_that_is_broken_off_leaves_no_process_and_counts_no_broken_game() {
    let token = token("stop");
    let engines = ["gtp takes=20 child", "nboard takes=20 stays"]
        .map(|habits| fault_engine::config("e", habits, &token));
    let registry = Arc::new(ProcessRegistry::default());
    let runner = MatchRunner::new(&plan(engines.to_vec(), 50), &registry, None).unwrap();
    let stopper = Arc::clone(&registry);
    let start = Instant::now();
    let mut lines = Vec::new();
    runner
        .run(&HashSet::new(), |line| {
            lines.push(line);
            if lines.len() == 2 {
                stopper.stop();
            }
            Ok(true)
        })
        .unwrap();
    assert!(start.elapsed() < Duration::from_secs(15));
    assert!(lines.len() < 10);
    check_finished(&lines);
    assert!(lines.iter().all(|line| line.forfeit.is_none()));
    assert_eq!(fault_engine::left_behind(&token).unwrap_or(0), 0);
}
