//! Whole games over real pipes in both protocols: the engine against itself and against random
//! moves. No move is illegal, no side loses on time, every game is finished, and random moves never
//! win.

mod support;

use std::time::{Duration, Instant};

use support::*;
use umigame_othello::{Board, Color, Move, Score};

/// An engine process and its protocol.
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

    /// Tells the engine a move and its time.
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

    /// Requests a move. A GTP engine has then made it; an NBoard engine must be told.
    fn request_move(&mut self, color: Color, left: Duration) -> Move {
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

/// Plays a game between two engines, or against random moves without a second; the first plays
/// `color`. Returns its score.
fn play(
    first: &mut Player,
    mut second: Option<&mut Player>,
    color: Color,
    rng: &mut fastrand::Rng,
    clock: Duration,
) -> Score {
    let mut board = Board::start();
    let mut left = [clock; 2];
    first.new_game();
    if let Some(second) = &mut second {
        second.new_game();
    }
    while !board.is_over() {
        let side = board.side_to_move();
        let start = Instant::now();
        let played = match (side == color, &mut second) {
            (true, _) => first.request_move(side, left[side.index()]),
            (false, Some(second)) => second.request_move(side, left[side.index()]),
            (false, None) => {
                let legal: Vec<_> = board.legal_squares().collect();
                rng.choice(&legal).map_or(Move::Pass, |square| Move::Place(*square))
            }
        };
        let time = start.elapsed();
        let rest = left[side.index()].checked_sub(time);
        left[side.index()] = rest.unwrap_or_else(|| panic!("{side} has lost on time"));
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

/// Plays `count` games of every kind: against random moves over each protocol and with each colour,
/// and against itself.
fn series(count: u32, level: u32, clock: Duration) {
    let mut rng = fastrand::Rng::with_seed(9);
    let mut nboard = Player::nboard(level, clock);
    let mut gtp = Player::gtp(level, clock);
    let mut games = 0;
    for round in 0..count {
        let color = Color::ALL[(round % 2) as usize];
        for player in [&mut nboard, &mut gtp] {
            let score = play(player, None, color, &mut rng, clock);
            assert!(score > Score::DRAW, "{score} against random moves in round {round}");
            games += 1;
        }
        play(&mut nboard, Some(&mut gtp), color, &mut rng, clock);
        games += 1;
    }
    let mut other = Player::nboard(level, clock);
    play(&mut nboard, Some(&mut other), Color::Black, &mut rng, clock);
    let mut other = Player::gtp(level, clock);
    play(&mut gtp, Some(&mut other), Color::White, &mut rng, clock);
    println!("{} games", games + 2);
}

#[test]
fn eleven_games_are_finished_legal_and_in_time() {
    series(3, 3, Duration::from_secs(20));
}

/// 333 games of each kind, and two more:
/// `cargo test --release --test games_over_pipes -- --ignored --nocapture`
#[test]
#[ignore = "a thousand games take minutes"]
fn a_thousand_games_are_finished_legal_and_in_time() {
    series(333, 4, Duration::from_secs(20));
}
