//! Laws of weak players.

use super::*;
use crate::limits::level::Level;
use crate::limits::options::LimitOptions;
use crate::report::Report;
use umigame_eval::Evaluation;
use umigame_othello::{Board, Move, Position, testing};

fn player() -> WeakPlayer {
    WeakPlayer::new(Evaluation::embedded())
}

fn losing(discs: f64) -> Weakness {
    Weakness::losing(discs)
}

fn all() -> impl Iterator<Item = Weakness> {
    WeakLevel::all().map(Weakness::from)
}

fn choose(player: &mut WeakPlayer, position: Position, weakness: &Weakness, seed: u64) -> Report {
    let limits = LimitOptions { level: Level::new(2), ..LimitOptions::default() };
    let limits = weakness.limits(&limits);
    player.choose(position, &limits, weakness, seed, &()).expect("no fault")
}

fn game(player: &mut WeakPlayer, weakness: &Weakness, seed: u64) -> Vec<Move> {
    let mut board = Board::start();
    while !board.is_over() {
        let report = choose(player, board.position(), weakness, seed);
        board.play(report.best().expect("a move").first()).expect("a legal move");
    }
    board.history().collect()
}

#[test]
fn the_same_seed_plays_the_same_game_whatever_came_between_and_others_vary() {
    let (mut player, mut other) = (player(), self::player());
    for weakness in all() {
        let first = game(&mut player, &weakness, 7);
        choose(&mut other, Position::START, &Weakness::careless(0.5), 3);
        assert_eq!(game(&mut other, &weakness, 7), first, "{weakness:?}");
        let games: std::collections::HashSet<_> =
            (8..11).map(|seed| game(&mut player, &weakness, seed)).collect();
        assert!(games.len() > 1, "{weakness:?}: {} games of 3", games.len());
    }
}

#[test]
fn every_choice_is_legal_and_loses_no_more_than_it_may_by_the_players_own_search() {
    let mut player = player();
    let own = [losing(40.0).with_max_error(3.0), Weakness::careless(1.0).with_max_error(0.0)];
    let mut errors = 0;
    testing::random_positions(5, 60, |position| {
        for weakness in all().chain(own) {
            let chosen = choose(&mut player, position, &weakness, 9);
            let best = choose(&mut player, position, &Weakness::careless(0.0), 9);
            let line = chosen.best().expect("a move");
            assert!(position.play(line.first()).is_some(), "{position} {line:?}");
            assert_eq!(chosen.lines.len(), 1);
            let lost = best.best().expect("a move").eval().discs() - line.eval().discs();
            errors += u32::from(lost > 0.0);
            let most = weakness.max_error().unwrap_or(128.0);
            assert!(lost <= most + 1e-9, "{position} {lost} {weakness:?}");
        }
    });
    assert!(errors > 100, "{errors}");
}

#[test]
fn a_forced_pass_is_passed_and_a_finished_game_has_no_move() {
    let must_pass = "-OXXXXXX-------------------------------------------------------- O";
    let (position, _) = umigame_othello::parse_position(must_pass).expect("a position");
    let over = position.passed().play(umigame_othello::Square::A1).expect("legal");
    for weakness in all() {
        let passed = choose(&mut player(), position, &weakness, 1);
        assert_eq!(passed.best().map(|line| line.first()), Some(Move::Pass));
        assert!(choose(&mut player(), over, &weakness, 1).lines.is_empty());
    }
}

#[test]
fn a_weaker_level_loses_more_in_the_mean() {
    let mut player = player();
    let careless = |weakness: Weakness| Weakness::careless(weakness.carelessness());
    let levels: Vec<Weakness> = all().map(careless).collect();
    let mut lost = vec![0.0; levels.len()];
    testing::random_positions(17, 200, |position| {
        let mut eval = |weakness: &Weakness| {
            choose(&mut player, position, weakness, 1).best().expect("a move").eval().discs()
        };
        let best = eval(&Weakness::careless(0.0));
        for (lost, level) in lost.iter_mut().zip(&levels) {
            *lost += best - eval(level);
        }
    });
    assert!(lost.is_sorted_by(|weaker, stronger| weaker > stronger), "{lost:?}");
    assert!(lost.iter().all(|lost| *lost > 0.0));
}

#[test]
fn names_and_numbers_are_read_and_shown_in_one_way() {
    for strength in Strength::all() {
        assert_eq!(strength.to_string().parse(), Ok(strength));
        assert_eq!(strength.to_string().to_uppercase().parse(), Ok(strength));
        assert!(!strength.text().is_empty());
    }
    assert!(Strength::all().is_sorted());
    for wrong in ["0", "31", "-1", "", "beginners", "1.5"] {
        let error = wrong.parse::<Strength>().expect_err(wrong).to_string();
        assert!(error.starts_with(&format!("level `{wrong}`: expected 1 to 30, or ")), "{error}");
    }
}

#[test]
fn what_is_stated_of_a_weakness_is_checked() {
    let stated = |level, error, max_error| WeakOptions { level, error, max_error }.weakness();
    let weakest = WeakLevel::all().next();
    assert_eq!(stated(None, None, None), Ok(None));
    assert!(stated(weakest, None, Some(4.0)).is_ok_and(|found| found.is_some()));
    for (found, text) in [
        (stated(None, Some(-1.0), None), "error=-1: expected discs, 0 to 320"),
        (stated(None, Some(f64::NAN), None), "error=NaN: expected discs, 0 to 320"),
        (stated(None, Some(1.0), Some(129.0)), "max_error=129: expected discs, 0 to 128"),
        (
            stated(None, None, Some(8.0)),
            "max_error=8: expected an error, or a level with a name, beside it",
        ),
    ] {
        assert_eq!(found.expect_err(text).to_string(), text);
    }
    assert!(stated(weakest, Some(3.0), None).is_err());
}

#[test]
fn the_error_asked_for_sets_the_carelessness() {
    let careless = |discs| losing(discs).carelessness();
    assert_eq!((careless(0.0), careless(320.0)), (0.0, 1.0));
    let steps: Vec<f64> = (0..=32).map(|step| careless(f64::from(step) * 10.0)).collect();
    assert!(steps.is_sorted());
}
