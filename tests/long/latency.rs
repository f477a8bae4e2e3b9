//! Response times, for a quiet machine. Every test asserts wall-clock times and is ignored by
//! default; the laws without times are tested beside the protocols.
//!
//! ```sh
//! cargo test --release --test long -- --ignored latency --nocapture --test-threads=1
//! ```

use std::time::{Duration, Instant};

use umigame_othello::{Board, Move};

use crate::support::*;

const MIDGAME: &str = "B[F5]W[D6]B[C3]W[D3]B[C4]W[F4]B[C5]W[B3]B[C2]W[E6]B[B4]W[F6]";
const THREADS: [&str; 2] = ["1", "2"];

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Starts an engine that searches to depth 60 and ponders.
fn deep(protocol: &str, threads: &str) -> EngineProcess {
    EngineProcess::start(&[protocol, "--depth", "60", "--ponder", "--threads", threads])
}

/// Sends `line` and returns the time until the first line with this beginning.
fn time_to_reply(engine: &mut EngineProcess, line: &str, beginning: &str) -> Duration {
    let start = Instant::now();
    engine.send(line);
    loop {
        let (came, line) = engine.timed_line();
        if line.starts_with(beginning) {
            return came - start;
        }
    }
}

/// A random time into a search.
fn random_pause(random: &mut fastrand::Rng) -> Duration {
    ms(20 + random.u64(..100))
}

/// Returns the time from the start of a process to its first pong.
fn time_to_first_pong() -> Duration {
    let start = Instant::now();
    let mut engine = EngineProcess::nboard();
    engine.send("ping 1");
    let (came, line) = engine.timed_line();
    assert_eq!(line, "pong 1");
    came - start
}

/// Measured times, sorted.
#[derive(Default)]
struct Times(Vec<(Duration, String)>);

impl Times {
    fn add(&mut self, time: Duration, what: impl Into<String>) {
        self.0.push((time, what.into()));
        self.0.sort();
    }

    /// Returns the time that `percent` of the times do not exceed.
    fn percentile(&self, percent: usize) -> &(Duration, String) {
        &self.0[(self.0.len() * percent).div_ceil(100) - 1]
    }

    fn print(&self, title: &str) {
        let (median, worst) = (self.percentile(50), self.percentile(100));
        println!("{title}: median {median:?}, worst {worst:?} of {}", self.0.len());
    }
}

/// Waits into a search, during which nothing is said.
fn wait_into_search(engine: &mut EngineProcess, threads: &str, random: &mut fastrand::Rng) {
    assert_eq!(engine.lines_within(random_pause(random)), [""; 0], "it searches or ponders");
    // One more thread reads the input.
    let count = 1 + threads.parse::<u64>().unwrap();
    assert!(engine.threads().is_none_or(|found| found >= count), "all threads search");
}

/// Measures pings during hints, moves and pondering, and `stop` during moves.
fn interrupt_nboard(threads: &str, rounds: u32) -> Times {
    let mut random = fastrand::Rng::with_seed(60);
    let mut engine = deep("nboard", threads);
    let mut times = Times::default();
    for n in 0..rounds {
        let (ping, pong) = (format!("ping {n}"), format!("pong {n}"));
        engine.send(&format!("{}\nhint 4", game("", MIDGAME)));
        engine.lines_within(random_pause(&mut random));
        times.add(time_to_reply(&mut engine, &ping, &pong), "ping during a hint");
        for (line, reply) in [(ping.as_str(), pong.as_str()), ("stop", "===")] {
            engine.send("go");
            wait_into_search(&mut engine, threads, &mut random);
            times.add(time_to_reply(&mut engine, line, reply), format!("{line} during go"));
        }
        wait_into_search(&mut engine, threads, &mut random);
        times.add(time_to_reply(&mut engine, &ping, &pong), "ping during pondering");
        wait_into_search(&mut engine, threads, &mut random);
        times.add(time_to_reply(&mut engine, "learn", "learned"), "learn during pondering");
    }
    times
}

/// Measures `# interrupt` during `genmove` and a command during pondering.
fn interrupt_gtp(threads: &str, rounds: u32) -> Times {
    let mut random = fastrand::Rng::with_seed(61);
    let mut engine = deep("gtp", threads);
    let mut times = Times::default();
    for _ in 0..rounds {
        start_genmove(&mut engine);
        wait_into_search(&mut engine, threads, &mut random);
        times.add(time_to_reply(&mut engine, "# interrupt", "= "), "interrupt during genmove");
        assert_eq!(engine.line(), "");
        wait_into_search(&mut engine, threads, &mut random);
        times.add(time_to_reply(&mut engine, "name", "= umigame"), "name during pondering");
        assert_eq!(engine.line(), "");
    }
    times
}

fn start_genmove(engine: &mut EngineProcess) {
    engine.done("clear_board");
    for command in ["play b f5", "play w d6", "play b c3", "play w d3"] {
        engine.done(command);
    }
    engine.send("genmove b");
}

/// Returns the time from the end of input or `quit`, during a search or pondering, to the end of
/// the process.
fn time_to_end(protocol: &str, threads: &str, quit: bool, pondering: bool) -> Duration {
    let mut engine = deep(protocol, threads);
    let (stop, answer) = match protocol {
        "gtp" => {
            start_genmove(&mut engine);
            ("# interrupt", "= ")
        }
        _ => {
            let request = if pondering { "go" } else { "hint 4" };
            engine.send(&format!("{}\n{request}", game("", MIDGAME)));
            ("stop", "===")
        }
    };
    engine.lines_within(ms(150));
    if pondering {
        time_to_reply(&mut engine, stop, answer);
        engine.lines_within(ms(100));
    }
    if quit {
        engine.send("quit");
    } else {
        engine.close_input();
    }
    let (status, waited, _) = engine.wait();
    assert_eq!(status.code(), Some(0));
    waited
}

#[test]
#[ignore = "asserts times"]
fn the_first_pong_comes_within_50_ms() {
    let mut times = Times::default();
    for _ in 0..20 {
        times.add(time_to_first_pong(), "first pong");
    }
    times.print("first pong");
    assert!(times.percentile(100).0 < ms(50));
}

#[test]
#[ignore = "asserts times"]
fn a_pong_of_an_idle_engine_comes_within_10_ms() {
    let mut engine = EngineProcess::nboard();
    engine.before_pong();
    let mut times = Times::default();
    for n in 0..20 {
        let (ping, pong) = (format!("ping {n}"), format!("pong {n}"));
        times.add(time_to_reply(&mut engine, &ping, &pong), "ping");
    }
    times.print("pong of an idle engine");
    assert!(times.percentile(90).0 < ms(10));
}

#[test]
#[ignore = "asserts times"]
fn a_deep_search_and_pondering_are_interrupted_within_50_ms() {
    for threads in THREADS {
        for times in [interrupt_nboard(threads, 40), interrupt_gtp(threads, 50)] {
            times.print(&format!("interrupted search of {threads} threads"));
            assert!(times.percentile(99).0 < ms(50));
        }
    }
}

#[test]
#[ignore = "asserts times"]
fn end_of_input_and_quit_end_the_process_within_200_ms() {
    let mut times = Times::default();
    for threads in THREADS {
        for protocol in ["nboard", "gtp"] {
            for (quit, pondering) in [(false, false), (false, true), (true, false), (true, true)] {
                for _ in 0..5 {
                    let what = format!("{protocol}, {threads}, quit {quit}, pondering {pondering}");
                    times.add(time_to_end(protocol, threads, quit, pondering), what);
                }
            }
        }
    }
    times.print("end of the process");
    assert!(times.percentile(100).0 < ms(200));
}

#[test]
#[ignore = "asserts times"]
fn a_burst_of_twenty_requests_is_served_within_2_s() {
    let mut engine = EngineProcess::nboard();
    let mut burst = String::from("set depth 60\n");
    for count in 1..=20 {
        burst += &format!("{}\nping {count}\nhint 4\n", game("", "B[F5]W[D6]"));
    }
    let taken = time_to_reply(&mut engine, &burst, "pong 20");
    println!("burst: {taken:?}");
    assert!(taken < Duration::from_secs(2));
}

#[test]
#[ignore = "asserts times"]
fn five_thousand_gtp_commands_are_served_within_5_s() {
    let mut engine = EngineProcess::gtp();
    let text: String = (0..5000).map(|n| format!("{n} name\n")).collect();
    let taken = time_to_reply(&mut engine, &text, "=4999 ");
    println!("5000 commands: {taken:?}");
    assert!(taken < Duration::from_secs(5));
}

#[test]
#[ignore = "asserts times"]
fn the_first_hint_comes_within_200_ms() {
    let mut engine = EngineProcess::nboard();
    engine.send(&format!("{}\nset depth 1", game("", MIDGAME)));
    // The first search waits for the weights.
    engine.hint("hint 1");
    engine.send("set depth 60");
    let mut times = Times::default();
    for _ in 0..10 {
        engine.send("clear");
        engine.before_pong();
        times.add(time_to_reply(&mut engine, "hint 4", "search"), "hint");
        engine.before_pong();
    }
    times.print("first line of a hint");
    assert!(times.percentile(100).0 < ms(200));
}

#[test]
#[ignore = "asserts times"]
fn a_forced_move_comes_within_50_ms() {
    let only_h1 = "XOOOOOO--------------------------------------------------------- X";
    let mut times = Times::default();
    for (text, answer) in [(WHITE_MUST_PASS, "=== PA"), (only_h1, "=== H1")] {
        let mut engine = EngineProcess::nboard();
        engine.send("set depth 60");
        for _ in 0..10 {
            engine.send(&format!("clear\n{}", position(text)));
            engine.before_pong();
            times.add(time_to_reply(&mut engine, "go", answer), answer);
        }
    }
    times.print("forced move");
    assert!(times.percentile(100).0 < ms(50));
}

#[test]
#[ignore = "asserts times"]
fn a_move_at_depth_1_comes_within_50_ms() {
    let mut engine = EngineProcess::nboard();
    engine.send(&format!("{START}\nset depth 1"));
    engine.go();
    let (mut board, mut times) = (Board::start(), Times::default());
    while !board.is_over() {
        let start = Instant::now();
        let played = engine.go_move();
        times.add(start.elapsed(), played.to_string());
        engine.send(&format!("move {played:#}"));
        board.play(played).unwrap();
    }
    times.print("move at depth 1");
    assert!(times.percentile(95).0 < ms(50));
}

#[test]
#[ignore = "asserts times"]
fn a_move_on_an_nboard_clock_keeps_within_it() {
    let used = "B[F5//5]W[D6//1]B[C3//4.5]W[D3//1]";
    for (clock, moves, limit) in [
        ("TI[0:10]", used, 400),
        ("TI[0]", used, 1000),
        ("TI[5]", used, 1000),
        ("TB[0:10]TW[1:00:00]", used, 400),
    ] {
        let mut engine = EngineProcess::nboard();
        engine.send(&format!("nboard 2\n{}\nset depth 60", game(clock, moves)));
        engine.before_pong();
        let taken = time_to_reply(&mut engine, "go", "===");
        println!("{clock}: {taken:?}");
        assert!(taken < ms(limit), "{clock}: {taken:?}");
    }
    let mut engine = EngineProcess::nboard();
    let moves = "move F5//5\nmove D6//0.1\nmove C3//4.5\nmove D3//0.1";
    engine.send(&format!("{}\n{moves}\nset depth 60", game("TI[0:10]", "")));
    engine.before_pong();
    let taken = time_to_reply(&mut engine, "go", "===");
    assert!(taken < ms(400), "the times of `move` lines count too: {taken:?}");
}

#[test]
#[ignore = "asserts times"]
fn a_move_on_a_gtp_clock_keeps_within_it() {
    for (commands, limit) in [
        ("time_settings 300 0 0\ntime_left b 1 0", 500),
        ("time_left black 1 0\ntime_left w 60 0", 500),
        ("time_settings 0 15 1\ntime_left black 1 1", 1005),
        ("time_settings 300 25 5\ntime_left b 2.5 5", 1000),
        ("time_settings 0 5 0\ntime_left b 0.5 0", 505),
        ("time_settings 2 0 0", 1000),
        ("time_settings 1 0.1 0", 600),
        ("time_left b 0 0", 500),
    ] {
        let mut engine = EngineProcess::gtp();
        for (index, played) in "f5 d6 c3 d3 c4 f4 c5 b3 c2 e6".split(' ').enumerate() {
            engine.done(&format!("play {} {played}", ["b", "w"][index % 2]));
        }
        for command in commands.split('\n') {
            engine.done(command);
        }
        let taken = time_to_reply(&mut engine, "genmove b", "= ");
        println!("{commands:?}: {taken:?}");
        assert!(taken < ms(limit), "{commands}: {taken:?}");
    }
}

/// Of a time for each move the engine uses nearly all, and no more.
#[test]
#[ignore = "asserts times"]
fn a_time_for_each_move_is_used_and_kept() {
    for (millis, least_used) in [(25, 0.9), (100, 0.95), (500, 0.98)] {
        let mut engine = EngineProcess::gtp();
        for (index, played) in "f5 d6 c3 d3 c4 f4 c5 b3 c2 e6".split(' ').enumerate() {
            engine.done(&format!("play {} {played}", ["b", "w"][index % 2]));
        }
        engine.done(&format!("time_settings 0 {} 1", millis as f64 / 1000.0));
        let mut times = Times::default();
        let moves = 5000 / millis as u32;
        for _ in 0..moves {
            times.add(time_to_reply(&mut engine, "genmove b", "= "), "genmove");
            assert_eq!(engine.line(), "");
            engine.done("undo");
        }
        times.print(&format!("{millis} ms a move"));
        let used: Duration = times.0.iter().map(|(time, _)| *time).sum();
        assert!(used >= (moves * ms(millis)).mul_f64(least_used), "{used:?} used");
        let worst = times.percentile(100).0;
        assert!(worst <= ms(millis + 5), "{worst:?}");
    }
}

/// Plays a game of the engine against itself. Returns the seconds that each side used.
fn seconds_of_a_game(mut ask: impl FnMut(&Board) -> Move) -> [f64; 2] {
    let (mut board, mut used) = (Board::start(), [0.0; 2]);
    while !board.is_over() {
        let start = Instant::now();
        let played = ask(&board);
        used[board.side_to_move().index()] += start.elapsed().as_secs_f64();
        board.play(played).unwrap();
    }
    used
}

#[test]
#[ignore = "asserts times"]
fn a_whole_game_at_depth_60_keeps_within_an_nboard_clock() {
    const SECONDS: f64 = 6.0;
    let mut engine = EngineProcess::nboard();
    engine.send("nboard 2\nset depth 60");
    let mut record = String::new();
    let used = seconds_of_a_game(|board| {
        engine.send(&game(&format!("TI[0:{SECONDS:02}]"), &record));
        engine.before_pong();
        let start = Instant::now();
        let played = engine.go_move();
        let (letter, taken) = (['B', 'W'][board.plies() % 2], start.elapsed().as_secs_f64());
        record += &format!("{letter}[{played:#}//{taken:.3}]");
        played
    });
    println!("NBoard game of {SECONDS} s a side: {used:?}");
    assert!(used.iter().all(|used| *used < SECONDS), "{used:?}");
}

#[test]
#[ignore = "asserts times"]
fn a_whole_game_keeps_within_a_gtp_clock_that_the_client_never_shows() {
    const SECONDS: f64 = 3.0;
    let mut engine = EngineProcess::gtp();
    engine.done(&format!("time_settings {SECONDS} 0 0"));
    let used = seconds_of_a_game(|board| {
        let color = ["b", "w"][board.side_to_move().index()];
        engine.done(&format!("genmove {color}")).parse().unwrap()
    });
    println!("GTP game of {SECONDS} s a side: {used:?}");
    assert!(used.iter().all(|used| *used < SECONDS), "{used:?}");
}
