//! `umigame match`, with the real binary: its files, its exit codes, interrupted, killed and
//! resumed.

use std::collections::HashSet;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use libtest_mimic::Trial;
use serde_json::Value;
use umigame_othello::formats::ggf;

use crate::console;
use crate::fault_engine::{self, token};

pub fn trials() -> Vec<Trial> {
    let mut trials = fault_engine::trials![
        a_killed_match_goes_on_and_counts_every_game_once,
        a_resumed_match_equals_the_match_played_in_one_go,
        a_match_takes_every_form_of_a_time,
        the_summary_agrees_with_the_games_and_the_plot_is_drawn,
        a_sequential_test_ends_the_match_when_it_is_decided,
        wrong_input_is_named_and_nothing_is_overwritten,
        umigame_plays_itself_and_an_older_binary_under_any_name,
        both_protocols_search_the_same_positions,
        games_begin_from_positions_in_both_protocols_or_not_at_all,
        an_interrupt_ends_the_engines_keeps_the_games_and_exits_with_130,
        an_interrupt_while_the_engines_start_exits_with_130,
    ];
    let wall_clock = fault_engine::trials![the_runner_takes_less_than_a_millisecond_per_move];
    trials.extend(wall_clock.into_iter().map(|trial| trial.with_ignored_flag(true)));
    trials
}

fn umigame() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_umigame"));
    command.arg("match").stdin(Stdio::null());
    command
}

/// Writes a TOML file with engines, given by name and habits.
fn engines(folder: &Path, token: &str, engines: &[(&str, &str)]) -> String {
    let table = |(name, habits): &(&str, &str)| {
        let engine = fault_engine::config(name, habits, token);
        let words: Vec<String> = engine.command.iter().map(|word| format!("'{word}'")).collect();
        let env: Vec<String> =
            engine.env.iter().map(|(key, value)| format!("{key} = '{value}'\n")).collect();
        format!(
            "[[engine]]\nname = '{name}'\ncommand = [{}]\n[engine.env]\n{}",
            words.join(", "),
            env.concat()
        )
    };
    let path = folder.join("engines.toml");
    fs::write(&path, engines.iter().map(table).collect::<String>()).unwrap();
    path.to_str().unwrap().to_string()
}

fn stdout(output: &Output) -> String {
    assert!(output.stdout.is_ascii() && output.stderr.is_ascii());
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn games(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("games.jsonl")).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Checks that a finished match has every game once, in both files.
fn check_complete(folder: &Path, count: usize) {
    let games = games(folder);
    let numbers: HashSet<u64> = games.iter().map(|it| it["game"].as_u64().unwrap()).collect();
    assert_eq!((games.len(), numbers.len()), (count, count));
    let text = fs::read_to_string(folder.join("games.ggf")).unwrap();
    let records: Vec<_> = ggf::games(&text).map(|entry| entry.record.unwrap()).collect();
    assert_eq!(records.len(), count);
    for (record, game) in records.iter().zip(&games) {
        let score = record.outcome.unwrap().score_for_black().unwrap().discs();
        assert_eq!(i64::from(score), game["score"].as_i64().unwrap());
        assert_eq!(record.turns.len(), game["moves"].as_array().unwrap().len());
    }
}

/// Waits, at most 30 s, until `done` is true.
fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(30), "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Starts a match of `count` games that keeps its files in `folder`.
fn begin(toml: &str, folder: &Path, count: &str) -> Child {
    console::alone(&mut umigame())
        .args([toml, "--games", count, "-j", "2", "--pin", "--seed", "3", "--out"])
        .arg(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn a_killed_match_goes_on_and_counts_every_game_once() {
    let temp = tempfile::tempdir().unwrap();
    let token = token("killed");
    let habits = [("slow", "gtp takes=3 child"), ("other", "nboard takes=3 seed=2")];
    let toml = engines(temp.path(), &token, &habits);
    let folder = temp.path().join("out");
    let mut child = begin(&toml, &folder, "24");
    for kills in 1..=2 {
        let enough = 5 * kills;
        wait_until("games are played", || games(&folder).len() >= enough);
        child.kill().unwrap();
        child.wait().unwrap();
        // As after a kill in the middle of a write.
        let path = folder.join("games.jsonl");
        let mut text = fs::read_to_string(&path).unwrap();
        text.push_str("{\"game\":7,\"bla");
        fs::write(&path, text).unwrap();
        child = umigame()
            .arg("--resume")
            .arg(&folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
    }
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("slow - other: 24 games"), "{}", stdout(&output));
    check_complete(&folder, 24);
    // Resuming a complete match plays nothing.
    let again = umigame().arg("--resume").arg(&folder).output().unwrap();
    assert!(again.status.success());
    assert_eq!(stdout(&again), stdout(&output));
    check_complete(&folder, 24);
}

fn a_resumed_match_equals_the_match_played_in_one_go() {
    let temp = tempfile::tempdir().unwrap();
    let token = token("same");
    let habits = [("a", "gtp takes=2"), ("b", "nboard takes=2 seed=2")];
    let toml = engines(temp.path(), &token, &habits);
    let (whole, broken) = (temp.path().join("whole"), temp.path().join("broken"));
    assert!(begin(&toml, &whole, "12").wait_with_output().unwrap().status.success());
    let mut child = begin(&toml, &broken, "12");
    wait_until("games are played", || games(&broken).len() >= 3);
    // Two matches in one folder would play the same games.
    let second = umigame().arg("--resume").arg(&broken).output().unwrap();
    assert_eq!(second.status.code(), Some(2));
    assert!(stderr(&second).contains("a match is being played in this folder"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(umigame().arg("--resume").arg(&broken).output().unwrap().status.success());
    let moves = |folder: &Path| -> Vec<(u64, Vec<String>, i64)> {
        let mut games: Vec<_> = games(folder)
            .iter()
            .map(|game| {
                let moves = game["moves"].as_array().unwrap();
                let moves = moves.iter().map(|it| it["move"].to_string()).collect();
                (game["game"].as_u64().unwrap(), moves, game["score"].as_i64().unwrap())
            })
            .collect();
        games.sort();
        games
    };
    assert_eq!(moves(&whole), moves(&broken));
}

fn an_interrupt_ends_the_engines_keeps_the_games_and_exits_with_130() {
    let temp = tempfile::tempdir().unwrap();
    let token = token("interrupt");
    let habits = [("a", "gtp takes=20 stays child"), ("b", "nboard takes=20 stays")];
    let toml = engines(temp.path(), &token, &habits);
    let folder = temp.path().join("out");
    let child = begin(&toml, &folder, "40");
    wait_until("games are played", || games(&folder).len() >= 2);
    console::interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stderr(&output).contains("to go on: umigame match --resume"), "{}", stderr(&output));
    let played = games(&folder).len();
    assert!(stdout(&output).contains(&format!("{played} games")), "{}", stdout(&output));
    assert!(games(&folder).iter().all(|game| game["forfeit"].is_null()));
    fault_engine::assert_none_left(&token);
    check_complete(&folder, played);
}

fn an_interrupt_while_the_engines_start_exits_with_130() {
    let temp = tempfile::tempdir().unwrap();
    let token = token("interrupt-start");
    // Its first answer comes after the interrupt.
    let toml = engines(temp.path(), &token, &[("a", "gtp loads=60000"), ("b", "nboard")]);
    let folder = temp.path().join("out");
    let child = begin(&toml, &folder, "2");
    wait_until("the engine starts", || fault_engine::has_begun(&token));
    console::interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stderr(&output).contains("interrupted after 0 games"), "{}", stderr(&output));
    fault_engine::assert_none_left(&token);
}

fn a_match_takes_every_form_of_a_time() {
    let temp = tempfile::tempdir().unwrap();
    let toml = engines(temp.path(), &token("times"), &[("a", "gtp timed"), ("b", "nboard")]);
    for time in ["--game-time=1h", "--game-time=2m+500ms", "--move-time=0.5m", "--margin=1h"] {
        let output = umigame().args([&toml, "--games", "2", time]).output().unwrap();
        assert!(output.status.success(), "{time}: {}", stderr(&output));
    }
    let settings = format!("[name=b game_time=1h] '{}' nosuch", env!("CARGO_BIN_EXE_umigame"));
    let output = umigame().args([&settings, &settings]).output().unwrap();
    assert!(stderr(&output).contains("exit status: 2"), "{}", stderr(&output));
}

/// `cargo test --release --test matches -- --ignored`, on a machine that does nothing else.
fn the_runner_takes_less_than_a_millisecond_per_move() {
    let temp = tempfile::tempdir().unwrap();
    let toml = engines(temp.path(), &token("fast"), &[("a", "gtp timed"), ("b", "nboard")]);
    let best = (0..5)
        .map(|_| {
            let command = [toml.as_str(), "--games", "20", "--json", "--game-time", "60+1"];
            let output = umigame().args(command).output().unwrap();
            let summary: Value = serde_json::from_str(&stdout(&output)).unwrap();
            summary["overhead_ms"].as_f64().unwrap()
        })
        .fold(f64::INFINITY, f64::min);
    println!("{best:.3} ms a move");
    assert!(best < 1.0, "{best} ms");
}

fn the_summary_agrees_with_the_games_and_the_plot_is_drawn() {
    let temp = tempfile::tempdir().unwrap();
    let habits = [("a", "gtp"), ("b", "nboard seed=2"), ("c", "gtp implicit seed=3")];
    let toml = engines(temp.path(), &token("cup"), &habits);
    let folder = temp.path().join("cup");
    let output = umigame()
        .args([&toml, "--games", "8", "--round-robin", "-j", "2", "--json"])
        .args(["--game-time", "600+1", "--out"])
        .arg(&folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stderr(&output).lines().count(), 24, "a line a game");
    check_complete(&folder, 24);
    let summary: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let pairings = summary["pairings"].as_array().unwrap();
    assert_eq!(pairings.len(), 3);
    for pairing in pairings {
        let names = [&pairing["first"], &pairing["second"]];
        let (mut counts, mut discs) = ([0u64; 3], 0);
        for game in games(&folder) {
            let score = match names {
                [a, b] if game["black"] == *a && game["white"] == *b => game["score"].as_i64(),
                [a, b] if game["black"] == *b && game["white"] == *a => {
                    game["score"].as_i64().map(|score| -score)
                }
                _ => None,
            };
            if let Some(score) = score {
                counts[usize::try_from(1 - score.signum()).unwrap()] += 1;
                discs += score;
            }
        }
        for (key, count) in ["wins", "draws", "losses"].into_iter().zip(counts) {
            assert_eq!(pairing[key].as_u64(), Some(count));
        }
        let mean = pairing["discs"]["value"].as_f64().unwrap();
        assert!((mean - discs as f64 / 8.0).abs() < 1e-9);
    }
    for engine in summary["engines"].as_array().unwrap() {
        let share = engine["time_share"].as_f64().unwrap();
        assert!(share > 0.0 && share < 1.0, "{engine}");
        let plies = engine["time_by_ply"].as_array().unwrap();
        let moves: u64 = plies.iter().filter_map(|at| at["moves"].as_u64()).sum();
        assert_eq!(Some(moves), engine["moves"].as_u64());
    }
    let svg = fs::read_to_string(folder.join("plot.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains("a - b") && svg.contains("Elo"));
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

fn a_sequential_test_ends_the_match_when_it_is_decided() {
    let temp = tempfile::tempdir().unwrap();
    // The second engine loses every game by an illegal pass.
    let toml = engines(temp.path(), &token("sprt"), &[("a", "gtp"), ("b", "nboard passes=1")]);
    for test in ["--sprt=0,50", "--sprt-discs=0,5"] {
        let output = umigame().args([&toml, "--games", "200", test]).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let text = stdout(&output);
        assert!(text.contains("accepted"), "{text}");
        assert!(stderr(&output).lines().count() < 150, "the match did not end early");
    }
}

fn wrong_input_is_named_and_nothing_is_overwritten() {
    let temp = tempfile::tempdir().unwrap();
    let toml = engines(temp.path(), &token("wrong"), &[("a", "gtp"), ("b", "nboard")]);
    let folder = temp.path().join("out");
    let folder = folder.to_str().unwrap();
    let openings = temp.path().join("openings.txt");
    fs::write(&openings, "f5d6\nf5f5\n").unwrap();
    let openings = openings.to_str().unwrap();
    let once = umigame().args([&toml, "--games", "2", "--out", folder]).output().unwrap();
    assert!(once.status.success(), "{}", stderr(&once));
    let record = if cfg!(windows) { r"/no/such/?\match.json" } else { "/no/such/?/match.json" };
    for (args, part) in [
        (vec!["/no/such/engine"], "two engines"),
        (vec!["/no/such/engine", "/nor/this"], "/no/such/engine"),
        (vec!["nothing.toml"], "nothing.toml"),
        (vec![&toml, "--out", folder], "there is a match already"),
        (vec![&toml, "--openings", openings], "line 2"),
        (vec![&toml, "--openings", "/no/such/\u{6d77}"], "/no/such/?: "),
        (vec![&toml, "--sprt", "5,0"], "the lower one first"),
        (vec![&toml, "--sprt", "0,5", "--alpha", "0.9"], "error rates"),
        (vec![&toml, "--move-time", "soon"], "`soon`: expected a number"),
        (vec![&toml, "--nodes", "100"], "no way to tell it nodes"),
        (vec!["--resume", "/no/such/\u{6d77}"], record),
    ] {
        let output = umigame().args(&args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(part), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).is_ascii() && stdout(&output).is_empty());
    }
    check_complete(Path::new(folder), 2);
    // A plan may have been changed since.
    let plan = Path::new(folder).join("match.json");
    let text = fs::read_to_string(&plan).unwrap();
    for (wrong, part) in [
        (text.replace("\"concurrency\": 1", "\"concurrency\": 4294967296"), "from 1 to 1024"),
        (text.replace("\"pairs\": 1", "\"pairs\": 18446744073709551615"), "a million games"),
    ] {
        assert_ne!(wrong, text);
        fs::write(&plan, wrong).unwrap();
        let output = umigame().args(["--resume", folder]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
    }
}

fn umigame_plays_itself_and_an_older_binary_under_any_name() {
    let temp = tempfile::tempdir().unwrap();
    let old = temp.path().join("yesterday");
    fs::copy(env!("CARGO_BIN_EXE_umigame"), &old).unwrap();
    for limit in ["--level=1", "--depth=2", "--nodes=200", "--move-time=10ms", "--game-time=1+0.1"]
    {
        let output = umigame()
            .args([limit, "--games", "2", "--json", "--margin", "1s", "--self"])
            .arg(&old)
            .output()
            .unwrap();
        assert!(output.status.success(), "{limit}: {}", stderr(&output));
        let summary: Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!(summary["games"], 2);
        for engine in summary["engines"].as_array().unwrap() {
            assert_eq!(engine["failings"], serde_json::json!({}), "{limit}");
            assert!(engine["nodes"].as_u64().unwrap() > 0);
        }
    }
}

/// The same level plays the same game over both protocols, with the same number of nodes for every
/// move.
fn both_protocols_search_the_same_positions() {
    let temp = tempfile::tempdir().unwrap();
    let binary = env!("CARGO_BIN_EXE_umigame");
    let engines = [format!("[name=n] {binary} nboard"), format!("[name=g] {binary} gtp")];
    // Moves, nodes and evals of the first game, for which all processes are new.
    let first_game = |engines: [&String; 2], seed: &str| -> Vec<[Value; 3]> {
        let folder = temp.path().join(format!("{}-{seed}", &engines[0][6..7]));
        let output = umigame()
            .args(engines)
            .args(["--level", "4", "--games", "2", "--seed", seed, "--out"])
            .arg(&folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let mut games = games(&folder);
        games.sort_by_key(|game| game["game"].as_u64());
        let search = |it: &Value| ["move", "nodes", "eval"].map(|key| it[key].clone());
        games[0]["moves"].as_array().unwrap().iter().map(search).collect()
    };
    for seed in ["1", "2", "3"] {
        let [n, g] = &engines;
        let (one, other) = (first_game([n, g], seed), first_game([g, n], seed));
        assert!(one.iter().filter(|[_, nodes, ..]| nodes.is_u64()).count() > 30);
        assert_eq!(one, other);
    }
}

fn games_begin_from_positions_in_both_protocols_or_not_at_all() {
    let temp = tempfile::tempdir().unwrap();
    let binary = env!("CARGO_BIN_EXE_umigame");
    // The parallel start position with answers, and a game that White begins.
    let positions = "---------------------------XX------OO--------------------------- X; D6:+0;\n\
        -------------------X-------XX------XO--------------------------- O; c3\n";
    let openings = temp.path().join("openings.obf");
    fs::write(&openings, positions).unwrap();
    let folder = temp.path().join("out");
    let output = umigame()
        .args([format!("[name=n] {binary} nboard"), format!("[name=g] {binary} gtp")])
        .args(["--level", "2", "--games", "4", "--openings"])
        .arg(&openings)
        .arg("--out")
        .arg(&folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    check_complete(&folder, 4);
    for game in games(&folder) {
        assert!(game["forfeit"].is_null(), "{game}");
        let start = game["start"].as_str().unwrap();
        let position = positions.lines().nth(game["game"].as_u64().unwrap() as usize / 2).unwrap();
        assert!(position.starts_with(start));
    }
    let toml = engines(temp.path(), &token("positions"), &[("a", "gtp"), ("b", "nboard")]);
    let output = umigame().arg(&toml).arg("--openings").arg(&openings).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("a: no way to set up a position"), "{}", stderr(&output));
}
