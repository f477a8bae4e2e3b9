//! Laws of a session: the board is the caller's, undo and redo are exact.

use std::sync::Mutex;

use super::*;
use umigame_engine::eval::Evaluation;
use umigame_engine::search::Silent;

fn session(hash: usize, options: Options) -> Session {
    let engine_options = EngineOptions { hash: Megabytes(hash), threads: 1 };
    let engine = Engine::new(Evaluation::embedded(), engine_options).unwrap();
    Session::new(engine, options)
}

fn quick() -> Session {
    session(1, Options { level: Level::new(2), ..Options::default() })
}

/// White must pass, Black can play a1; from there White is wiped out.
fn white_must_pass() -> Board {
    let text = "-OXXXXXX-------------------------------------------------------- O";
    let (position, side) = umigame_othello::parse_position(text).unwrap();
    Board::from_position(position, side)
}

#[test]
fn undo_takes_every_ply_of_a_random_game_back_and_redo_brings_it_again() {
    let mut rng = fastrand::Rng::with_seed(7);
    for _ in 0..50 {
        let mut session = quick();
        let mut boards = vec![session.board().clone()];
        while !session.board().is_over() {
            let legal: Vec<_> = session.board().legal_squares().collect();
            let played = rng.choice(&legal).map_or(Move::Pass, |square| Move::Place(*square));
            session.play(played).unwrap();
            boards.push(session.board().clone());
        }
        for board in boards.iter().rev().skip(1) {
            assert!(session.undo().is_some());
            assert_eq!(session.board(), board);
        }
        assert_eq!(session.undo(), None);
        for board in boards.iter().skip(1) {
            assert!(session.redo().is_some());
            assert_eq!(session.board(), board);
        }
        assert_eq!(session.redo(), None);
    }
}

#[test]
fn an_implied_pass_comes_and_goes_with_the_move_after_it() {
    let mut session = quick();
    session.set_board(white_must_pass());
    let before = session.board().clone();
    assert!(before.must_pass());
    session.play_as(Color::Black, "a1".parse().unwrap()).unwrap();
    let after = session.board().clone();
    assert_eq!(after.plies(), 2);
    assert_eq!(session.undo(), Some("a1".parse().unwrap()));
    assert_eq!(session.board(), &before);
    assert_eq!(session.redo(), Some("a1".parse().unwrap()));
    assert_eq!(session.board(), &after);
    assert!(session.undo().is_some());
    assert_eq!(session.undo(), None);
}

#[test]
fn an_illegal_move_changes_nothing_even_after_an_implied_pass() {
    let mut session = quick();
    session.set_board(white_must_pass());
    let before = session.board().clone();
    assert!(session.play_as(Color::Black, "e5".parse().unwrap()).is_err());
    assert!(session.play_as(Color::White, "a1".parse().unwrap()).is_err());
    assert_eq!(session.board(), &before);
    session.new_game();
    assert!(session.play_as(Color::White, "c3".parse().unwrap()).is_err(), "Black can move");
    assert_eq!(session.board(), &Board::start());
}

#[test]
fn searches_leave_the_board_alone_and_go_recommends_a_legal_move() {
    let mut rng = fastrand::Rng::with_seed(11);
    let mut session = quick();
    while !session.board().is_over() {
        let before = session.board().clone();
        session.hint(3, &Silent::default());
        let choice = session.go(&Silent::default()).unwrap();
        assert_eq!(session.board(), &before);
        assert!(before.is_legal(choice.best));
        let legal: Vec<_> = before.legal_squares().collect();
        let played = rng.choice(&legal).map_or(Move::Pass, |square| Move::Place(*square));
        session.play(played).unwrap();
    }
    assert_eq!(session.go(&Silent::default()), None);
    assert!(session.hint(4, &Silent::default()).lines.is_empty());
}

#[test]
fn an_analysis_runs_from_the_final_score_to_the_start() {
    let mut session = quick();
    while let Some(choice) = session.go(&Silent::default()) {
        session.play(choice.best).unwrap();
    }
    let found = Mutex::new(Vec::new());
    session.analyze(&Silent::default(), &mut |judged| found.lock().unwrap().push(judged.clone()));
    let found = found.into_inner().unwrap();
    let plies: Vec<usize> = found.iter().map(|judged| judged.ply).collect();
    assert_eq!(plies, (0..=session.board().plies()).rev().collect::<Vec<_>>());
    assert_eq!(found[0].black(), session.board().score_for_black().to_eval());
    assert_eq!(found[0].worth.kind, Kind::Exact);
}

#[test]
fn a_hash_that_cannot_be_had_leaves_the_old_one() {
    let mut session = quick();
    let before = session.engine_options();
    assert!(session.set_hash(Megabytes(0)).is_err());
    assert_eq!(session.engine_options(), before);
    assert!(session.go(&Silent::default()).is_some());
}

#[test]
fn a_recorded_game_leaves_the_clocks_as_its_moves_did() {
    let text = "(;GM[Othello]TB[0:10/2]TW[5:00]TY[8]BO[8 ---------------------------O*------*O--\
        ------------------------- *]B[F5//4.5]W[D6//30.25]B[C3//1];)";
    let mut session = quick();
    session.set_game(&umigame_othello::game::ggf::parse(text).unwrap()).unwrap();
    let remaining = |color| match session.clock(color).allowance() {
        Some(Allowance::Game { remaining, .. }) => remaining.as_millis(),
        other => panic!("{other:?}"),
    };
    assert_eq!(remaining(Color::Black), 10_000 + 2 * 2_000 - 5_500);
    assert_eq!(remaining(Color::White), 300_000 - 30_250);
    assert_eq!(session.board().plies(), 3);
}

/// A listener at which the search fails the first time.
struct Faulty(std::sync::atomic::AtomicBool);

impl Listener for Faulty {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn report(&self, _report: &Report) {
        let first = !self.0.swap(true, std::sync::atomic::Ordering::Relaxed);
        assert!(!first, "this fault is part of a test");
    }
}

#[test]
fn a_fault_in_the_search_costs_neither_the_game_nor_a_legal_move() {
    let mut session = quick();
    session.play("f5".parse().unwrap()).unwrap();
    let before = session.board().clone();
    let choice = session.go(&Faulty(Default::default())).unwrap();
    assert!(before.is_legal(choice.best));
    assert_eq!(session.hint(2, &Faulty(Default::default())).lines.len(), 2);
    assert_eq!(session.board(), &before);
    assert!(session.go(&Silent::default()).is_some_and(|choice| choice.report.is_some()));
}

/// A session at this level that ponders.
fn pondering(level: u32) -> Session {
    session(4, Options { level: Level::new(level), ponder: true, ..Options::default() })
}

/// Lets the engine make a move, and says whether it would ponder then.
fn make_move(session: &mut Session) -> bool {
    let best = session.go(&Silent::default()).unwrap().best;
    session.await_reply(best);
    session.play(best).unwrap();
    session.can_ponder()
}

#[test]
fn pondering_saves_the_next_search_much_of_its_work_whatever_the_reply() {
    for opening in ["f5 d6 c3", "f5 f6 e6 f4 g5", "f5 d6 c3 d3 c4 f4 c5 b3 c2 e6 c6 b4 b5 d2 e3"] {
        let before_reply = || {
            let mut session = pondering(8);
            session.set_board(board_after(opening));
            assert!(make_move(&mut session));
            session
        };
        let replies: Vec<_> = before_reply().board().legal_squares().collect();
        let (mut without, mut with) = (0, 0);
        for reply in replies {
            let nodes = |ponder: bool| {
                let mut session = before_reply();
                if ponder {
                    session.ponder(&Silent::default());
                    assert!(!session.can_ponder(), "it ends by itself, and only once");
                }
                session.play(Move::Place(reply)).unwrap();
                assert!(!session.can_ponder(), "the reply has come");
                let report = session.go(&Silent::default()).unwrap().report;
                let report = report.expect("there is a choice");
                assert_eq!(report.kind, Kind::Depth { plies: 8, percent: 73 });
                report.nodes
            };
            without += nodes(false);
            with += nodes(true);
        }
        // How much depends on the evaluation.
        assert!(with * 10 < without * 9, "{opening}: {with} of {without} nodes");
    }
}

fn board_after(opening: &str) -> Board {
    let mut board = Board::start();
    opening.split(' ').for_each(|played| board.play(played.parse().unwrap()).unwrap());
    board
}

#[test]
fn only_an_own_move_is_followed_by_pondering_and_only_until_the_game_changes() {
    let mut session = pondering(3);
    assert!(!session.can_ponder(), "no move yet");
    session.hint(2, &Silent::default());
    let best = session.go(&Silent::default()).unwrap().best;
    assert!(!session.can_ponder(), "nobody said that the move was given out");
    session.await_reply(best);
    assert!(session.can_ponder(), "given out and not yet repeated");
    session.play(best).unwrap();
    assert!(session.can_ponder(), "repeated");
    session.hint(2, &Silent::default());
    session.clear_hash();
    assert!(session.can_ponder(), "still the same game");
    session.ponder(&Silent::default());
    assert!(!session.can_ponder(), "done");
    session.set_depth(4);
    assert!(session.can_ponder(), "the next search will go deeper");
    session.ponder(&Silent::default());
    assert!(!session.can_ponder(), "done");
    session.undo();
    assert!(!session.can_ponder(), "taken back");
    for change in [
        |session: &mut Session| session.new_game(),
        |session: &mut Session| session.set_board(white_must_pass()),
        |session: &mut Session| {
            let reply = session.board().legal_squares().next().unwrap();
            session.play(Move::Place(reply)).unwrap();
        },
    ] {
        let mut session = pondering(3);
        assert!(make_move(&mut session));
        change(&mut session);
        assert!(!session.can_ponder());
    }
    let mut never =
        super::tests::session(4, Options { ponder: false, ..pondering(3).options().clone() });
    assert!(!make_move(&mut never), "only where it is wanted");
}

/// Enough at once, or when it has been asked so often.
struct Enough(std::sync::atomic::AtomicU32);

impl Listener for Enough {
    fn go_on(&self) -> bool {
        self.0.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) > 1
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn report(&self, report: &Report) {
        panic!("nobody has asked for {report:?}");
    }
}

#[test]
fn pondering_that_was_cut_short_goes_on_and_reports_nothing() {
    let mut session = pondering(9);
    *session.clock_mut(Color::Black) = Clock::game(Duration::from_millis(20), Duration::ZERO);
    assert!(make_move(&mut session));
    let clock = session.clock(Color::Black);
    for _ in 0..3 {
        session.ponder(&Enough(2.into()));
        assert!(session.can_ponder());
    }
    session.ponder(&Enough(u32::MAX.into()));
    assert!(!session.can_ponder());
    assert_eq!(session.clock(Color::Black), clock, "nobody's time has been used");
}

#[test]
fn a_game_played_with_pondering_ends_without_any_left_to_do() {
    for ponder in [false, true] {
        let mut session =
            session(1, Options { ponder, level: Level::new(2), ..Options::default() });
        let mut pondered = 0;
        while !session.board().is_over() {
            assert_eq!(make_move(&mut session), ponder && !session.board().is_over());
            session.ponder(&Silent::default());
            pondered += u32::from(ponder);
        }
        assert!(!session.can_ponder() && (pondered > 50) == ponder);
    }
}
