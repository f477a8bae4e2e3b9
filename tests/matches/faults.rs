//! Engines with every kind of fault: each loses the games in which it fails, no process is left,
//! and the rest of the match is played.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::Trial;
use umigame_arena::{
    EngineConfig, FaultKind, GameLine, MatchPlan, MatchRunner, PairingScheme, PassStyle,
    ProcessRegistry, Seconds, TimeLimit, openings,
};
use umigame_othello::{Color, formats::transcript};

use crate::fault_engine::{self, token};

pub fn trials() -> Vec<Trial> {
    fault_engine::trials![
        an_engine_that_dies_loses_that_game_and_is_restarted,
        an_engine_that_dies_once_loses_one_game_only,
        an_engine_that_hangs_loses_that_game_with_and_without_a_clock,
        an_engine_that_answers_late_loses_on_time,
        an_engine_takes_no_time_of_the_opponent_on_its_core,
        an_illegal_move_loses_the_game_whatever_its_form,
        an_engine_that_resigns_loses_and_plays_on_in_the_same_process,
        a_flood_of_stderr_blocks_nobody,
        both_pass_styles_lead_through_the_same_games,
        an_engine_that_ignores_quit_is_killed_with_its_children,
        an_engine_that_dies_is_dead_at_once_though_its_child_lives_in_another_session,
        an_engine_that_does_not_start_is_named_with_its_stderr,
        protocols_are_detected_and_loading_is_not_on_the_clock,
        a_match_that_is_stopped_leaves_no_process_and_counts_no_broken_game,
    ]
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
        patience: Seconds(Duration::from_millis(1500)),
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

/// Plays a match of an engine with these habits against a good one and returns its games.
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
    fault_engine::assert_none_left(&token);
    lines
}

/// Returns the games that the bad engine forfeited, after checking that all were forfeited by this
/// kind of fault and that the good engine forfeited none.
fn forfeits(lines: &[GameLine], kind: FaultKind) -> Vec<&GameLine> {
    let lost: Vec<&GameLine> = lines.iter().filter(|line| line.forfeit.is_some()).collect();
    for line in &lost {
        let forfeit = line.forfeit.as_ref().unwrap();
        assert_eq!(forfeit.kind, kind, "{forfeit:?}");
        let (loser, score) = match forfeit.loser {
            Color::Black => (&line.black, -64),
            Color::White => (&line.white, 64),
        };
        assert_eq!((loser.as_str(), line.score), ("bad", score));
        assert!(!forfeit.protocol.is_empty() && !forfeit.why.is_empty());
    }
    lost
}

/// Checks that games without a forfeit were played to their end.
fn check_finished(lines: &[GameLine]) {
    for line in lines.iter().filter(|line| line.forfeit.is_none()) {
        let limits = [TimeLimit::None; 2];
        let board = line.to_record(limits).unwrap().board().unwrap();
        assert!(board.is_over(), "game {}", line.game);
        assert_eq!(board.score_for_black().discs(), line.score);
    }
}

fn an_engine_that_dies_loses_that_game_and_is_restarted() {
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

fn an_engine_that_dies_once_loses_one_game_only() {
    let lines = against_good("dies-late", "gtp dies=40", |_| {});
    let lost = forfeits(&lines, FaultKind::Crash);
    assert!(!lost.is_empty() && lost.len() < 6, "{}", lost.len());
    check_finished(&lines);
}

fn an_engine_that_hangs_loses_that_game_with_and_without_a_clock() {
    for (name, habits) in [("hangs-gtp", "gtp hangs=40"), ("hangs-nboard", "nboard hangs=40")] {
        let lines = against_good(name, habits, |_| {});
        let lost = forfeits(&lines, FaultKind::Hang);
        assert!(!lost.is_empty() && lost.len() < 6, "{}", lost.len());
        check_finished(&lines);
    }
    let timed = |engine: &mut EngineConfig| engine.limits.move_time = "0.1".parse().ok();
    let lines = against_good("hangs-timed", "gtp timed hangs=40", timed);
    assert!(!forfeits(&lines, FaultKind::Hang).is_empty());
}

fn an_engine_that_answers_late_loses_on_time() {
    let timed = |engine: &mut EngineConfig| engine.limits.move_time = "0.1".parse().ok();
    for (name, habits) in [("late-gtp", "gtp timed late=3"), ("late-whole", "gtp whole late=3")] {
        let lines = against_good(name, habits, timed);
        let lost = forfeits(&lines, FaultKind::Clock);
        assert_eq!(lost.len(), 6);
        let why = &lost[0].forfeit.as_ref().unwrap().why;
        assert!(why.contains("came after") && why.contains("0.200 s were left"), "{why}");
    }
    let timed = |engine: &mut EngineConfig| engine.limits.game_time = "0.2+0.01".parse().ok();
    let lines = against_good("late-nboard", "nboard late=3", timed);
    assert_eq!(forfeits(&lines, FaultKind::Clock).len(), 6);
}

fn an_engine_takes_no_time_of_the_opponent_on_its_core() {
    if !cfg!(target_os = "linux") {
        eprintln!("skipped: only Linux binds engines to a core");
        return;
    }
    let token = token("burns");
    for protocol in ["gtp", "nboard"] {
        // Its threads go on after its moves: they would take 15 of 16 parts of the core.
        let burns = fault_engine::config("burns", &format!("{protocol} burns=15"), &token);
        let computes = fault_engine::config("computes", "nboard computes=15", &token);
        let lines = play(&MatchPlan { pin: true, ..plan(vec![burns, computes], 1) });
        check_finished(&lines);
        for line in &lines {
            assert!(line.forfeit.is_none(), "{line:?}");
            let first = usize::from(line.white == "computes");
            let moves = line.moves.iter().skip(first).step_by(2);
            let times: Vec<f64> = moves.filter_map(|it| it.time).collect();
            let slow = times.iter().filter(|&&time| time > 0.12).count();
            assert!(times.len() > 10 && 5 * slow <= times.len(), "{times:?}");
        }
    }
    fault_engine::assert_none_left(&token);
}

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

fn an_engine_that_resigns_loses_and_plays_on_in_the_same_process() {
    let lines = against_good("resigns", "gtp resigns=4", |_| {});
    let lost = forfeits(&lines, FaultKind::Resigned);
    // At most once in each of the two workers' processes.
    assert!(!lost.is_empty() && lost.len() <= 2, "{}", lost.len());
    check_finished(&lines);
}

fn a_flood_of_stderr_blocks_nobody() {
    let lines = against_good("floods", "nboard floods", |_| {});
    assert!(forfeits(&lines, FaultKind::Hang).is_empty());
    check_finished(&lines);
}

fn both_pass_styles_lead_through_the_same_games() {
    let games = |name: &str, habits: &str, passes: PassStyle| -> Vec<Vec<String>> {
        let lines = pairs_against_good(10, name, habits, |engine| engine.passes = passes);
        assert!(lines.iter().all(|line| line.forfeit.is_none()), "{name}: {lines:?}");
        check_finished(&lines);
        let moves = |line: &GameLine| line.moves.iter().map(|it| it.played.clone()).collect();
        lines.iter().map(moves).collect()
    };
    let explicit = games("explicit", "gtp", PassStyle::Auto);
    // Without passes of both sides the test would prove nothing.
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

/// No process of the match is left ([`fault_engine::assert_none_left`]), and none hung.
fn an_engine_that_dies_is_dead_at_once_though_its_child_lives_in_another_session() {
    // Elsewhere a process that leaves the group is not found.
    if cfg!(not(target_os = "linux")) {
        return;
    }
    for protocol in ["nboard", "gtp"] {
        let habits = format!("{protocol} orphan dies=2");
        let lines = against_good("orphan", &habits, |_| ());
        assert_eq!(forfeits(&lines, FaultKind::Crash).len(), lines.len());
    }
}

fn an_engine_that_ignores_quit_is_killed_with_its_children() {
    let lines = against_good("stays", "nboard stays child", |_| {});
    assert!(lines.iter().all(|line| line.forfeit.is_none()));
}

fn an_engine_that_does_not_start_is_named_with_its_stderr() {
    let token = token("mute");
    let good = fault_engine::config("good", "nboard", &token);
    let missing = EngineConfig::parse("[name=missing] /no/such/engine").unwrap();
    // An engine whose protocol is known is not tried.
    let mute = EngineConfig {
        protocol: Default::default(),
        ..fault_engine::config("mute", "gtp refuses", &token)
    };
    for (bad, part) in [(missing, "missing: /no/such/engine"), (mute, "no licence")] {
        let registry = Arc::new(ProcessRegistry::default());
        let error = MatchRunner::new(&plan(vec![good.clone(), bad], 1), &registry, None)
            .map(|_| ())
            .unwrap_err()
            .to_string();
        assert!(error.contains(part), "{error}");
    }
    fault_engine::assert_none_left(&token);
}

fn protocols_are_detected_and_loading_is_not_on_the_clock() {
    let token = token("auto");
    let engines = ["gtp timed loads=2000", "nboard loads=2000"].map(|habits| EngineConfig {
        protocol: Default::default(),
        limits: umigame_arena::EngineLimits { move_time: "1".parse().ok(), ..Default::default() },
        ..fault_engine::config("e", habits, &token)
    });
    let lines = play(&plan(engines.to_vec(), 1));
    assert!(lines.iter().all(|line| line.forfeit.is_none()), "{lines:?}");
    check_finished(&lines);
}

fn a_match_that_is_stopped_leaves_no_process_and_counts_no_broken_game() {
    let token = token("stop");
    let engines = ["gtp takes=20 child", "nboard takes=20 stays"]
        .map(|habits| fault_engine::config("e", habits, &token));
    let registry = Arc::new(ProcessRegistry::default());
    let runner = MatchRunner::new(&plan(engines.to_vec(), 50), &registry, None).unwrap();
    let stopper = Arc::clone(&registry);
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
    assert!(lines.len() < 10);
    check_finished(&lines);
    assert!(lines.iter().all(|line| line.forfeit.is_none()));
    fault_engine::assert_none_left(&token);
}
