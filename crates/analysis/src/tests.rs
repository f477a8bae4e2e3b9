#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::time::Duration;

use super::*;
use umigame_engine::Evaluation;
use umigame_engine::{
    Confidence, Engine, EngineOptions, Level, Limits, Megabytes, Report, ReportLine, ScoreKind,
    Silent, TimeControl,
};
use umigame_othello::Record;
use umigame_othello::formats::transcript;
use umigame_othello::{Board, Color, Eval, Move, Position};

/// Plays a random game to its end.
fn random_game(seed: u64) -> Board {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut board = Board::start();
    while !board.is_over() {
        let legal: Vec<_> = board.legal_squares().collect();
        let played = random.choice(&legal).map_or(Move::Pass, |square| Move::Place(*square));
        board.play(played).unwrap();
    }
    board
}

/// Judges a game by real searches; the positions in order.
fn judged(board: &Board, limits: &Limits) -> Vec<Judgement> {
    let options = EngineOptions { hash: Megabytes(4), threads: 1 };
    let mut engine = Engine::new(Evaluation::embedded(), options).unwrap();
    let mut found = Vec::new();
    let mut search =
        |position, limits: &Limits| Some(engine.search(position, limits, &Silent::default()));
    judge(board, limits, &mut search, &mut |judged| found.push(judged.clone()));
    found.reverse();
    found
}

fn analysis(moves: &str, limits: &Limits) -> Analysis {
    let record = transcript::parse(moves).unwrap();
    let judgements = judged(&record.board().unwrap(), limits);
    Analysis::new(record, judgements).unwrap()
}

/// Solves a position by plain alpha-beta, independent of the engine.
fn solved(position: Position, alpha: i32, beta: i32) -> i32 {
    if position.is_over() {
        return position.final_score().discs();
    }
    if position.must_pass() {
        return -solved(position.passed(), -beta, -alpha);
    }
    let mut best = alpha;
    for square in position.legal_moves() {
        let next = position.play(square).unwrap();
        best = best.max(-solved(next, -beta, -best));
        if best >= beta {
            break;
        }
    }
    best
}

fn score(position: Position) -> i32 {
    solved(position, -64, 64)
}

#[test]
fn an_exact_score_is_that_of_the_best_move() {
    let limits = Level::new(2).unwrap().limits().with_exact_from(10);
    for seed in 0..20 {
        let board = random_game(seed);
        let found = judged(&board, &limits);
        assert_eq!(found.len(), board.plies() + 1);
        for (ply, judged) in found.iter().enumerate() {
            assert_eq!(judged.ply, ply);
            if let (Some(best), Some(played)) = (&judged.best, &judged.played) {
                assert!(played.value.eval() <= best.value.eval(), "{judged:?}");
                assert_eq!(judged.value.eval(), best.value.eval());
            }
            if judged.position.empties() > 10 {
                continue;
            }
            assert_eq!(judged.value.kind, ScoreKind::Exact);
            assert_eq!(judged.value.eval().centidiscs(), 100 * score(judged.position));
            let children: Vec<i32> = judged
                .position
                .legal_moves()
                .iter()
                .map(|square| -score(judged.position.play(square).unwrap()))
                .collect();
            if let Some(best) = children.iter().max() {
                assert_eq!(judged.value.eval().centidiscs(), 100 * best);
            }
            if let Some(next) = found.get(ply + 1) {
                let played = judged.played.as_ref().unwrap();
                assert_eq!(played.value.eval(), -next.value.eval());
                assert!(judged.is_proven());
            }
        }
    }
}

#[test]
fn empty_short_finished_and_passing_games_are_judged() {
    let limits = Level::new(3).unwrap().limits();
    let none = analysis("", &limits);
    assert_eq!(none.judgements().len(), 1);
    assert!(none.judgements()[0].best.is_some() && none.judgements()[0].played.is_none());
    assert_eq!(none.totals(Color::Black), SideTotals::default());
    assert_eq!(none.totals(Color::Black).mean_loss(), None);
    assert!(none.to_string().contains("no choice") && !none.to_string().contains("NaN"));
    // The four first moves are equivalent.
    assert_eq!(analysis("f5", &limits).judgements().len(), 2);
    let over = format!("{} X;", "X".repeat(64));
    let over = analysis(&over, &limits);
    assert_eq!(over.judgements().len(), 1);
    assert_eq!(over.judgements()[0].value.eval(), Eval::from_centidiscs(6400));
    let passing = "-OXXXXXX-------------------------------------------------------- O; a1";
    let passing = analysis(passing, &limits);
    let plies: Vec<_> = passing.judgements().iter().filter_map(Grade::of).collect();
    assert_eq!(plies, [Grade::Forced; 2]);
    assert_eq!(passing.totals(Color::White).moves, 0);
    assert_eq!(passing.totals(Color::Black).moves, 1);
}

/// The shortest game: White has no disc left after the ninth move.
#[test]
fn a_wipeout_in_nine_moves_is_judged_to_its_end() {
    let limits = Level::new(6).unwrap().limits();
    let game = analysis("f5d6c5f4e7f6g5e6e3", &limits);
    assert_eq!(game.judgements().len(), 10);
    assert_eq!(game.score_for_black().unwrap().discs(), 64);
    // A move that wins all 64 discs is proven best, whatever the others are.
    assert!(game.judgements()[8..].iter().all(|judged| judged.value.kind == ScoreKind::Exact));
    assert_eq!(game.judgements()[7].played.as_ref().unwrap().value.kind, ScoreKind::Exact);
    assert_eq!(game.judgements()[8].loss(), Some(0));
    let points = game.turning_points();
    assert!(points.iter().any(|point| point.side == Color::White), "{points:?}");
}

/// Returns a report with these values for the named moves and `others` for the rest.
fn fake_report(position: Position, evals: &[(&str, i32)], others: i32) -> Report {
    let kind = ScoreKind::Depth { plies: 4, confidence: Confidence::FULL };
    let line =
        |first: Move, eval| ReportLine::unsure(vec![first], Eval::from_centidiscs(eval), kind);
    let legal = position.legal_moves().iter().map(|square| {
        let eval = evals.iter().find(|(name, _)| *name == square.to_string());
        line(Move::Place(square), eval.map_or(others, |(_, eval)| *eval))
    });
    let mut report = Report { lines: legal.collect(), kind, ..Report::default() };
    report.lines.sort_by_key(|line| -line.eval().centidiscs());
    report
}

/// Judges the position before the last move of a game by a fake search.
fn judged_by(moves: &str, report: &dyn Fn(Position) -> Report) -> Judgement {
    let board = transcript::parse(moves).unwrap().board().unwrap();
    let mut search = |position, _: &Limits| Some(report(position));
    let mut found = Vec::new();
    judge(&board, &Limits::depth(4), &mut search, &mut |judged| found.push(judged.clone()));
    found[1].clone()
}

fn position(moves: &str) -> Position {
    transcript::parse(moves).unwrap().board().unwrap().position()
}

#[test]
fn a_played_move_with_a_better_value_becomes_the_best() {
    let (before, after) = (position("f5"), position("f5f6"));
    let found = judged_by("f5f6", &|position| match position {
        _ if position == before => fake_report(position, &[("d6", 100)], 0),
        // The search after the move contradicts the one before it.
        _ if position == after => fake_report(position, &[], -300),
        _ => fake_report(position, &[], -100),
    });
    assert_eq!(found.best, found.played);
    assert_eq!(found.loss(), Some(0));
    assert_eq!(found.value.eval().centidiscs(), 300);
}

#[test]
fn an_estimate_is_the_mean_of_two_searches() {
    let (before, after, best) = (position("f5"), position("f5f6"), position("f5d6"));
    let found = judged_by("f5f6", &|position| match position {
        _ if position == before => fake_report(position, &[("d6", 500)], 0),
        _ if position == after => fake_report(position, &[], 100),
        _ if position == best => fake_report(position, &[], -300),
        _ => fake_report(position, &[], 0),
    });
    let numbers = |scored: &Option<ValuedMove>| scored.as_ref().unwrap().value.eval().centidiscs();
    assert_eq!((numbers(&found.best), numbers(&found.played)), (400, -100));
    assert_eq!(found.loss(), Some(500));
    assert_eq!(found.searched.eval().centidiscs(), 500);
    assert_eq!(Grade::of(&found), Some(Grade::Mistake));
}

#[test]
fn a_move_equivalent_to_the_best_loses_nothing() {
    let start = Position::START;
    let found = judged_by("f5", &|position| {
        if position == start {
            fake_report(position, &[("d3", 100)], 0)
        } else {
            fake_report(position, &[], 500)
        }
    });
    assert_eq!(found.loss(), Some(0));
    assert_eq!(found.best, found.played);
    assert_eq!(found.value.eval().centidiscs(), -200);
}

/// Each fake search uses all the time and nodes of its limits.
#[test]
fn all_searches_of_a_position_share_its_time_and_nodes() {
    let (time, nodes) = (Duration::from_millis(800), 1000);
    let limits = Limits::depth(60).with_time(TimeControl::Move(time)).with_nodes(nodes);
    let mut max_searches = 0;
    for seed in 0..20 {
        let board = random_game(seed);
        let mut random = fastrand::Rng::with_seed(seed);
        let used = std::cell::RefCell::new((Duration::ZERO, 0, 0));
        let mut search = |position: Position, limits: &Limits| {
            let (time, nodes) = (limits.move_time().unwrap(), limits.nodes().unwrap());
            let mut used = used.borrow_mut();
            *used = (used.0 + time, used.1 + nodes, used.2 + 1);
            let kind = random.choice([
                ScoreKind::Exact,
                ScoreKind::Endgame { confidence: Confidence::P73 },
                ScoreKind::Depth { plies: 9, confidence: Confidence::P73 },
            ]);
            let best = position.legal_moves().iter().last().map(|square| square.to_string());
            let best = best.unwrap_or_default();
            let report = fake_report(position, &[(&best, random.i32(0..900))], 0);
            Some(Report { kind: kind.unwrap(), nodes, elapsed: time, ..report })
        };
        judge(&board, &limits, &mut search, &mut |_| {
            let (took, visited, searches) = used.take();
            assert!(took <= time && visited <= nodes, "{took:?} {visited} {searches}");
            max_searches = max_searches.max(searches);
        });
    }
    assert_eq!(max_searches, 3, "no move was compared with another");
}

#[test]
fn the_engine_keeps_to_the_nodes_of_a_position() {
    let options = EngineOptions { hash: Megabytes(4), threads: 1 };
    let limits = Level::new(30).unwrap().limits().with_nodes(20_000);
    let mut engine = Engine::new(Evaluation::embedded(), options).unwrap();
    let visited = std::cell::Cell::new(0);
    let mut search = |position, limits: &Limits| {
        let report = engine.search(position, limits, &Silent::default());
        visited.set(visited.get() + report.nodes);
        Some(report)
    };
    let mut all = 0;
    judge(&random_game(3), &limits, &mut search, &mut |_| {
        // The engine polls the limit every few thousand nodes.
        assert!(visited.get() < 20_000 + 3 * 5_000, "{}", visited.get());
        all += visited.take();
    });
    assert!(all > 200_000, "{all}");
}

#[test]
fn a_stopped_search_ends_judging() {
    let board = random_game(5);
    let mut left = 3;
    let mut search = |position, _: &Limits| {
        left -= 1;
        (left > 0).then(|| fake_report(position, &[], 0))
    };
    let mut found = Vec::new();
    judge(&board, &Limits::depth(1), &mut search, &mut |judged| found.push(judged.ply));
    assert!(!found.is_empty() && found.len() < board.plies());
    let backwards: Vec<usize> = (0..=board.plies()).rev().take(found.len()).collect();
    assert_eq!(found, backwards);
}

#[test]
fn an_incomplete_analysis_says_which_moves_were_judged() {
    let board = transcript::parse("f5d6c3d3c4f4f6f3e6e7").unwrap().board().unwrap();
    let all = judged(&board, &Level::new(1).unwrap().limits());
    let record = Record::from_board(&board);
    for (left, says) in [
        (11, None),
        (10, Some("only moves 2 to 10 were judged")),
        (2, Some("only move 10 was judged")),
        (1, Some("only the last position was judged")),
        (0, Some("nothing was judged")),
    ] {
        let found = all[all.len() - left..].to_vec();
        let game = Analysis::new(record.clone(), found).unwrap();
        assert_eq!(game.gap_sentence().as_deref(), says);
        assert_eq!(game.is_complete(), says.is_none());
        let marked = says.map(|says| format!("# incomplete: {says}\n"));
        let text = game.to_string();
        assert!(marked.is_none_or(|marked| text.contains(&marked)), "{text}");
        assert_eq!(text.contains("incomplete"), says.is_some(), "{text}");
        let read: serde_json::Value = serde_json::from_str(&json(&game, None, 1)).unwrap();
        assert_eq!(read["complete"], says.is_none());
        assert_eq!(read["moves"].as_array().unwrap().len(), left.saturating_sub(1));
        assert_eq!(read["transcript"], "f5d6c3d3c4f4f6f3e6e7");
    }
}

#[test]
fn totals_count_moves_with_a_choice() {
    let board = random_game(9);
    let limits = Level::new(4).unwrap().limits();
    let record = Record::from_board(&board);
    let game = Analysis::new(record, judged(&board, &limits)).unwrap();
    for color in Color::ALL {
        let totals = game.totals(color);
        let own = game.judgements().iter().filter(|judged| judged.side == color);
        let losses: u32 =
            own.clone().filter(|judged| judged.choices() > 1).filter_map(Judgement::loss).sum();
        assert_eq!(totals.loss, losses);
        let marked = own.filter(|judged| Grade::of(judged).is_some_and(|g| !g.mark().is_empty()));
        assert_eq!(totals.inaccuracies + totals.mistakes + totals.blunders, marked.count() as u32);
        assert!(totals.best <= totals.choices && totals.choices <= totals.moves);
    }
    let points = game.turning_points();
    assert!(points.len() <= 6 && points.is_sorted_by_key(|point| point.ply));
    assert!(points.iter().all(|point| point.before.eval > point.after.eval));
}

#[test]
fn the_opening_is_named_at_the_move_that_reached_it() {
    let limits = Level::new(1).unwrap().limits();
    let tiger = analysis("f5d6c3d3c4f4", &limits);
    let [english, japanese] = tiger.openings();
    assert_eq!(english, Some(ReachedOpening { name: "Tiger", plies: 5 }));
    assert!(japanese.is_some_and(|opening| !opening.name.is_ascii()));
    assert!(tiger.to_string().contains("# opening: Tiger, to move 5\n"));
}

#[test]
fn text_and_json_are_ascii_whatever_the_names() {
    let mut record = transcript::parse("f5d6c3d3c4").unwrap();
    record.players[0].name = "\u{6d77}\u{4e80} \"<b>\" \n".to_owned();
    record.place = "\u{1f422}".to_owned();
    let judgements = judged(&record.board().unwrap(), &Level::new(1).unwrap().limits());
    let game = Analysis::new(record, judgements).unwrap();
    let (text, json) = (game.to_string(), json(&game, None, 1));
    assert!(text.is_ascii() && json.is_ascii() && !json.contains('\n'));
    let read: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(read["black"], "\u{6d77}\u{4e80} \"<b>\"");
    assert_eq!(read["place"], "\u{1f422}");
    assert_eq!(read["moves"].as_array().unwrap().len(), 5);
    assert_eq!(read["transcript"], "f5d6c3d3c4");
    assert_eq!(read["moves"][1]["color"], "white");
}
