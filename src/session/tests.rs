//! Laws of a session: searches leave the board alone, faults cost one answer, the book comes
//! first.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use umigame_book::{Book, BookGame, ChoiceCriterion, ChoicePolicy, PlayBook};
use umigame_engine::{
    Confidence, EngineOptions, Evaluation, Level, LimitOptions, Megabytes, Silent,
};
use umigame_othello::{Score, Square};

use super::*;

fn session(hash: usize, options: Options) -> Session {
    let engine_options = EngineOptions { hash: Megabytes(hash), threads: 1 };
    let engine = Engine::new(Evaluation::embedded(), engine_options).unwrap();
    Session::new(engine, options)
}

fn quick() -> Session {
    session(1, at_level(2))
}

/// White must pass, Black can play a1; from there White is wiped out.
fn white_must_pass() -> Board {
    let text = "-OXXXXXX-------------------------------------------------------- O";
    let (position, side) = umigame_othello::parse_position(text).unwrap();
    Board::from_position(position, side)
}

fn board_after(moves: &str) -> Board {
    let mut board = Board::start();
    moves.split(' ').for_each(|played| board.play(played.parse::<Move>().unwrap()).unwrap());
    board
}

fn at_level(level: u32) -> Options {
    let limits = LimitOptions { level: Level::new(level), ..LimitOptions::default() };
    Options { limits, ..Options::default() }
}

#[test]
fn searches_leave_the_board_alone_and_go_recommends_a_legal_move() {
    let mut random = fastrand::Rng::with_seed(11);
    let mut session = quick();
    while !session.board().is_over() {
        let before = session.board().clone();
        session.hint(3, &Silent::default());
        let choice = session.go(&Silent::default()).unwrap();
        assert_eq!(session.board(), &before);
        assert!(before.is_legal(choice.best));
        let legal: Vec<_> = before.legal_squares().collect();
        let played = random.choice(&legal).map_or(Move::Pass, |square| Move::Place(*square));
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
    let mut found: Vec<Judgement> = Vec::new();
    session.analyze(&Silent::default(), &mut |judged| found.push(judged.clone()));
    let plies: Vec<usize> = found.iter().map(|judged| judged.ply).collect();
    assert_eq!(plies, (0..=session.board().plies()).rev().collect::<Vec<_>>());
    assert_eq!(found[0].black(), session.board().score_for_black().to_eval());
    assert_eq!(found[0].value.kind, ScoreKind::Exact);
}

#[test]
fn a_recorded_game_leaves_the_clocks_as_its_moves_did() {
    let text = "(;GM[Othello]TB[0:10/2]TW[5:00]TY[8]BO[8 ---------------------------O*------*O--\
        ------------------------- *]B[F5//4.5]W[D6//30.25]B[C3//1];)";
    let mut session = quick();
    session.set_game(&umigame_othello::formats::ggf::parse(text).unwrap()).unwrap();
    let remaining = |color| match session.clock(color).time_control() {
        TimeControl::Game { remaining, .. } => remaining.as_millis(),
        other => panic!("{other:?}"),
    };
    assert_eq!(remaining(Color::Black), 10_000 + 2 * 2_000 - 5_500);
    assert_eq!(remaining(Color::White), 300_000 - 30_250);
    assert_eq!(session.board().plies(), 3);
}

/// A listener that panics at the first report.
struct Faulty(AtomicBool);

impl Listener for Faulty {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn report(&self, _report: &Report) {
        let first = !self.0.swap(true, Ordering::Relaxed);
        assert!(!first, "this fault is part of a test");
    }
}

#[test]
fn a_fault_in_the_search_costs_one_answer_and_the_answer_is_legal() {
    let mut session = quick();
    session.play("f5".parse().unwrap()).unwrap();
    let before = session.board().clone();
    let choice = session.go(&Faulty(Default::default())).unwrap();
    assert!(before.is_legal(choice.best));
    assert_eq!(session.hint(2, &Faulty(Default::default())).lines.len(), 2);
    assert_eq!(session.board(), &before);
    assert!(session.go(&Silent::default()).is_some_and(|choice| choice.report.is_some()));
}

/// A pondering session at `level`.
fn pondering(level: u32) -> Session {
    session(4, Options { ponder: true, ..at_level(level) })
}

/// Ponders until it is complete.
fn ponder_to_the_end(session: &mut Session) {
    session.ponder();
    for (_, running) in session.awaited.iter_mut().flat_map(|awaited| &mut awaited.pondering) {
        running.wait().expect("no fault");
    }
}

/// Plays the engine's move. Returns whether the session can ponder after it.
fn make_move(session: &mut Session) -> bool {
    let best = session.go(&Silent::default()).unwrap().best;
    session.await_reply(best);
    session.play(best).unwrap();
    session.next_pondering().is_some()
}

#[test]
fn pondering_saves_a_tenth_of_the_nodes_of_the_next_search_whatever_the_reply() {
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
                    ponder_to_the_end(&mut session);
                    assert!(session.next_pondering().is_none(), "pondering is complete");
                }
                session.play(Move::Place(reply)).unwrap();
                assert!(session.next_pondering().is_none(), "the reply has come");
                let report = session.go(&Silent::default()).unwrap().report;
                let report = report.expect("there is a choice");
                assert_eq!(report.kind, ScoreKind::Depth { plies: 8, confidence: Confidence::P73 });
                report.nodes
            };
            without += nodes(false);
            with += nodes(true);
        }
        // The saving depends on the evaluation.
        assert!(with * 10 < without * 9, "{opening}: {with} of {without} nodes");
    }
}

#[test]
fn pondering_follows_an_own_move_until_the_game_changes() {
    let mut session = pondering(3);
    assert!(session.next_pondering().is_none(), "no move yet");
    session.hint(2, &Silent::default());
    let best = session.go(&Silent::default()).unwrap().best;
    assert!(session.next_pondering().is_none(), "the move was not given out");
    session.await_reply(best);
    assert!(session.next_pondering().is_some(), "given out and not yet repeated");
    session.play(best).unwrap();
    assert!(session.next_pondering().is_some(), "repeated");
    session.hint(2, &Silent::default());
    session.clear_hash();
    assert!(session.next_pondering().is_some(), "still the same game");
    ponder_to_the_end(&mut session);
    assert!(session.next_pondering().is_none(), "complete");
    session.set_depth(4);
    assert!(session.next_pondering().is_some(), "the next search is deeper");
    ponder_to_the_end(&mut session);
    assert!(session.next_pondering().is_none(), "complete");
    session.undo();
    assert!(session.next_pondering().is_none(), "taken back");
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
        assert!(session.next_pondering().is_none());
    }
    let mut never =
        super::tests::session(4, Options { ponder: false, ..pondering(3).options().clone() });
    assert!(!make_move(&mut never), "pondering is off");
}

#[test]
fn stopped_pondering_goes_on_and_uses_no_clock() {
    let mut session = pondering(20);
    *session.clock_mut(Color::Black) = Clock::game(Duration::from_millis(20), Duration::ZERO);
    assert!(make_move(&mut session));
    let clock = session.clock(Color::Black);
    for _ in 0..3 {
        session.ponder();
        assert_eq!(session.next_pondering(), None, "it ponders");
        session.clear_hash();
        assert!(session.next_pondering().is_some(), "the engine was needed");
    }
    session.set_depth(6);
    ponder_to_the_end(&mut session);
    assert_eq!(session.next_pondering(), None, "complete");
    assert_eq!(session.clock(Color::Black), clock);
}

#[test]
fn a_fault_while_pondering_costs_nothing_else() {
    let mut session = pondering(20);
    assert!(make_move(&mut session));
    for _ in 0..10 {
        session.ponder();
        let best = session.hint(1, &Faulty(Default::default())).best().map(ReportLine::first);
        assert!(best.is_some_and(|best| session.board().is_legal(best)));
    }
}

#[test]
fn nothing_is_left_to_ponder_after_a_game() {
    for ponder in [false, true] {
        let mut session = session(1, Options { ponder, ..at_level(2) });
        let mut pondered = 0;
        while !session.board().is_over() {
            assert_eq!(make_move(&mut session), ponder && !session.board().is_over());
            ponder_to_the_end(&mut session);
            pondered += u32::from(ponder);
        }
        assert!(session.next_pondering().is_none() && (pondered > 50) == ponder);
    }
}

/// A listener that stops the search when it is asked the N-th time.
struct StopAfter(AtomicU32);

impl Listener for StopAfter {
    fn go_on(&self) -> bool {
        self.0.fetch_sub(1, Ordering::Relaxed) > 1
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// Makes a book file of games that go on with d6 or f6 after f5.
pub(super) fn book_file(folder: &tempfile::TempDir, games: usize) -> PathBuf {
    let game = |number: usize| BookGame {
        start: Position::START,
        side: Color::Black,
        squares: [Square::F5, if number < games / 2 { Square::D6 } else { Square::F6 }].to_vec(),
        black: format!("player {number}"),
        white: String::new(),
        place: String::new(),
        date: String::new(),
        result: Score::new(2),
    };
    let path = folder.path().join("book.sqlite");
    Book::create(&path, None).unwrap().add(&(0..games).map(game).collect::<Vec<_>>()).unwrap();
    path
}

fn by_win_rate(book: PlayBook) -> SessionBook {
    let policy = ChoicePolicy { criterion: ChoiceCriterion::WinRate, ..ChoicePolicy::default() };
    SessionBook::new(book, policy, Some(1))
}

#[test]
fn a_move_of_the_book_comes_before_a_search() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = quick();
    assert_eq!(session.book_moves(3), []);
    session.set_book(by_win_rate(PlayBook::open(&book_file(&folder, 40)).unwrap()));
    let choice = session.go(&Silent::default()).unwrap();
    let known = choice.book.unwrap();
    assert_eq!((choice.best, choice.report, known.games), (known.played(), None, 40));
    session.play("f5".parse().unwrap()).unwrap();
    assert_eq!([1, 2, 3].map(|count| session.book_moves(count).len()), [1, 2, 2]);
    session.play("d6".parse().unwrap()).unwrap();
    let choice = session.go(&Silent::default()).unwrap();
    assert!(choice.report.is_some() && choice.book.is_none(), "out of the book");
    assert_eq!(session.book_moves(2), []);
}

#[test]
fn a_finished_game_is_learned_as_it_is_and_an_unfinished_one_with_a_search() {
    let folder = tempfile::tempdir().unwrap();
    let path = book_file(&folder, 0);
    let mut session = quick();
    session.set_book(by_win_rate(PlayBook::open(&path).unwrap()));
    let counts = || {
        let counts = Book::read(&path).unwrap().counts().unwrap();
        (counts.games, counts.searched)
    };
    session.play("f5".parse().unwrap()).unwrap();
    session.learn(&Silent::default()).unwrap();
    assert_eq!(counts(), (1, 1), "searched");
    session.play("d6".parse().unwrap()).unwrap();
    session.learn(&StopAfter(1.into())).unwrap();
    assert_eq!(counts(), (2, 1), "stopped before");
    session.set_board(white_must_pass());
    session.play_as(Color::Black, "a1".parse().unwrap()).unwrap();
    session.learn(&Silent::default()).unwrap();
    assert_eq!(counts(), (3, 1), "over");
}

#[test]
fn a_game_that_cannot_be_learned_is_an_error_and_the_game_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = book_file(&folder, 0);
    let mut session = quick();
    assert!(matches!(session.learn(&Silent::default()), Err(LearnError::NoBook)));
    for (writable, why) in [(false, "the book is read-only"), (true, "book.sqlite: ")] {
        // A book that was opened for reading fails when it is written.
        let book = PlayBook::Full { book: Book::read(&path).unwrap(), writable };
        session.set_book(by_win_rate(book));
        let error = session.learn(&Silent::default()).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
        assert!(session.go(&Silent::default()).is_some());
    }
}

fn beginner(seed: u64) -> Session {
    let weakness = "beginner".parse::<Strength>().unwrap().weak().map(Weakness::from);
    session(1, Options { weakness, seed: Some(seed), ponder: true, ..at_level(2) })
}

/// Plays a game to its end; returns its moves.
fn self_play(session: &mut Session) -> Vec<Move> {
    while let Some(choice) = session.go(&Silent::default()) {
        session.play(choice.best).unwrap();
    }
    session.board().history().collect()
}

#[test]
fn a_weak_game_repeats_by_its_seed_whatever_is_asked_meanwhile_and_the_next_one_differs() {
    let mut one = beginner(7);
    let first = self_play(&mut one);
    one.new_game();
    assert_eq!(one.seed(), 8);
    let second = self_play(&mut one);
    assert_ne!(first, second);
    let mut other = beginner(7);
    let hints = [other.hint(2, &Silent::default()), quick().hint(2, &Silent::default())];
    assert_eq!(hints[0].lines, hints[1].lines, "hints never err");
    other.set_board(Board::start());
    assert_eq!(other.seed(), 7, "no game was played");
    assert_eq!(self_play(&mut other), first);
    other.set_seed(8);
    other.set_board(board_after("f5"));
    assert_eq!(other.seed(), 8, "the game goes on from elsewhere");
    other.undo();
    assert_eq!(self_play(&mut other), second);
}

#[test]
fn a_weak_level_keeps_its_errors_at_another_depth_and_does_not_ponder() {
    let mut session = beginner(3);
    session.set_depth(5);
    assert!(session.options().weakness.is_some());
    assert!(!make_move(&mut session));
    session.set_level(Strength::Level(Level::DEFAULT));
    assert!(session.options().weakness.is_none());
    let own = Some(Weakness::losing(20.0));
    session.options.weakness = own;
    session.set_level("12".parse().unwrap());
    assert_eq!(session.options().weakness, own, "an error of one's own holds at any level");
    session.set_level("beginner".parse().unwrap());
    assert_ne!(session.options().weakness, own);
}
