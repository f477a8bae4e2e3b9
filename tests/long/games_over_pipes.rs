//! Whole games over pipes in both protocols: the engine against itself and against a random
//! player. Every game ends, no move is illegal, the random player never wins, and in the ignored
//! test no game is lost on time.

use std::time::{Duration, Instant};

use umigame_othello::{Board, Color, Move, Score};

use crate::support::*;

/// An engine that plays in one of the protocols.
enum Player {
    NBoard { engine: EngineProcess, record: String, clock: Duration },
    Gtp(EngineProcess),
}

impl Player {
    fn nboard(level: u32, clock: Duration) -> Player {
        let mut engine = EngineProcess::nboard();
        engine.send(&format!("nboard 2\nset depth {level}"));
        engine.before_pong();
        Player::NBoard { engine, record: String::new(), clock }
    }

    fn gtp(level: u32, clock: Duration) -> Player {
        let mut engine = EngineProcess::gtp();
        engine.done(&format!("set_level {level}"));
        engine.done(&format!("time_settings {} 0 0", clock.as_secs_f64()));
        Player::Gtp(engine)
    }

    fn new_game(&mut self) {
        match self {
            Player::NBoard { record, .. } => record.clear(),
            Player::Gtp(engine) => {
                engine.done("clear_board");
            }
        }
    }

    /// Tells the engine a move and the time it took.
    fn tell(&mut self, color: Color, played: Move, time: Duration) {
        match self {
            Player::NBoard { record, .. } => {
                let (letter, seconds) = (['B', 'W'][color.index()], time.as_secs_f64());
                *record += &format!("{letter}[{played:#}//{seconds:.4}]");
            }
            Player::Gtp(engine) => {
                engine.done(&format!("play {color} {played}"));
            }
        }
    }

    /// Asks for a move; a GTP engine plays it on its board too.
    fn ask(&mut self, color: Color, left: Duration) -> Move {
        match self {
            Player::NBoard { engine, record, clock } => {
                let clocks = format!("TI[0:{:02}]", clock.as_secs());
                engine.send(&format!("{}\nping 1", game(&clocks, record)));
                let before = engine.until("pong");
                assert_eq!(before.len(), 1, "{before:?}");
                engine.go_move()
            }
            Player::Gtp(engine) => {
                engine.done(&format!("time_left {color} {:.3} 0", left.as_secs_f64()));
                engine.done(&format!("genmove {color}")).parse().unwrap()
            }
        }
    }
}

/// The clock of each player.
#[derive(Clone, Copy)]
struct GameClock {
    time: Duration,
    /// Whether a player who exceeds it fails the test.
    strict: bool,
}

/// Plays one game of `first` against `second`, or against a random player. `first` plays `color`.
/// Returns its score.
fn play(
    first: &mut Player,
    mut second: Option<&mut Player>,
    color: Color,
    random: &mut fastrand::Rng,
    clock: GameClock,
) -> Score {
    let mut board = Board::start();
    let mut left = [clock.time; 2];
    first.new_game();
    if let Some(second) = &mut second {
        second.new_game();
    }
    while !board.is_over() {
        let side = board.side_to_move();
        let start = Instant::now();
        let played = match (side == color, &mut second) {
            (true, _) => first.ask(side, left[side.index()]),
            (false, Some(second)) => second.ask(side, left[side.index()]),
            (false, None) => {
                let legal: Vec<_> = board.legal_squares().collect();
                random.choice(&legal).map_or(Move::Pass, |square| Move::Place(*square))
            }
        };
        let time = start.elapsed();
        let rest = left[side.index()].checked_sub(time);
        assert!(rest.is_some() || !clock.strict, "{side} has lost on time");
        left[side.index()] = rest.unwrap_or_default();
        board.play(played).unwrap_or_else(|error| panic!("{side}: {error}\n{board}"));
        if side != color || matches!(first, Player::NBoard { .. }) {
            first.tell(side, played, time);
        }
        if let Some(second) = &mut second
            && (side == color || matches!(second, Player::NBoard { .. }))
        {
            second.tell(side, played, time);
        }
    }
    match color {
        Color::Black => board.score_for_black(),
        Color::White => -board.score_for_black(),
    }
}

/// Plays `count` games of each kind: against a random player in each protocol, alternating
/// colours, and against itself.
fn series(count: u32, level: u32, clock: GameClock) {
    let mut random = fastrand::Rng::with_seed(9);
    let mut nboard = Player::nboard(level, clock.time);
    let mut gtp = Player::gtp(level, clock.time);
    let mut games = 0;
    for round in 0..count {
        let color = Color::ALL[(round % 2) as usize];
        for player in [&mut nboard, &mut gtp] {
            let score = play(player, None, color, &mut random, clock);
            assert!(score > Score::DRAW, "{score} against a random player in round {round}");
            games += 1;
        }
        play(&mut nboard, Some(&mut gtp), color, &mut random, clock);
        games += 1;
    }
    let mut other = Player::nboard(level, clock.time);
    play(&mut nboard, Some(&mut other), Color::Black, &mut random, clock);
    let mut other = Player::gtp(level, clock.time);
    play(&mut gtp, Some(&mut other), Color::White, &mut random, clock);
    println!("{} games", games + 2);
}

#[test]
fn a_few_games_are_all_finished_and_legal() {
    series(3, 3, GameClock { time: Duration::from_secs(20), strict: false });
}

/// 333 games of each kind and two more:
/// `cargo test --release --test long -- --ignored games_over_pipes --nocapture`
#[test]
#[ignore = "takes minutes and asserts times"]
fn a_thousand_games_are_all_finished_legal_and_in_time() {
    series(333, 4, GameClock { time: Duration::from_secs(20), strict: true });
}
