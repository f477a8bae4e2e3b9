//! Properties of self-play: labels are true of their games, and a game does not depend on how its
//! file was made.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::data::{Block, DataReader, Label, Record, Writer};
use super::error::LearnError;
use super::play::{PlaySettings, Until, play};
use super::starts::{Mix, Starts};
use umigame_engine::Evaluation;
use umigame_othello::{Bitboard, Position, Square, formats::transcript};

fn settings(seed: u64) -> PlaySettings {
    let starts = Starts::new(Mix::default(), Vec::new(), Vec::new());
    PlaySettings {
        depth: 3,
        exact: 9,
        end_from: 0,
        lambda: 0,
        explore: 500,
        evaluation: Evaluation::embedded(),
        seed,
        starts,
    }
}

/// Plays until the file holds `games` games.
fn play_games(path: &Path, settings: &PlaySettings, games: u64, threads: usize) {
    let mut writer = Writer::append(path).expect("a file");
    let stop = AtomicBool::new(false);
    play(settings, Until::Games(games), threads, &mut writer, &stop, |_| {}).expect("games");
}

fn blocks(path: &Path) -> Vec<Block> {
    let blocks: Result<_, _> = DataReader::open(path).expect("a file").collect();
    blocks.expect("whole blocks")
}

/// Returns the records of each game.
fn games(settings: &PlaySettings, count: u64) -> Vec<Vec<Record>> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.umi");
    (1..=count).for_each(|games| play_games(&path, settings, games, 1));
    let blocks = blocks(&path);
    assert!(blocks.iter().map(|block| (block.first, block.games)).eq((0..count).map(|n| (n, 1))));
    blocks.into_iter().map(|block| block.records).collect()
}

/// Returns the positions after each move, passes included, with the sign that takes their score to
/// the side to move of `position`.
fn successors(position: Position) -> impl Iterator<Item = (Position, i32)> {
    position.legal_moves().iter().map(move |square| {
        let next = position.play(square).expect("legal");
        if next.legal_moves().is_empty() && !next.is_over() {
            (next.passed(), 1)
        } else {
            (next, -1)
        }
    })
}

/// Returns the exact score by plain alpha-beta: without table, move ordering or search kernels.
fn solve(position: Position, alpha: i32, beta: i32) -> i32 {
    if position.is_over() {
        return position.final_score().discs();
    }
    let mut best = -64;
    for (next, sign) in successors(position) {
        let (low, high) = (alpha.max(best), beta);
        let window = if sign < 0 { (-high, -low) } else { (low, high) };
        best = best.max(sign * solve(next, window.0, window.1));
        if best >= beta {
            break;
        }
    }
    best
}

/// Returns the sign that takes the score of `second` to the side to move of `first`.
fn sign_between(first: Position, second: Position) -> i32 {
    let mut successors = successors(first);
    let found = successors.find(|(next, _)| next.canonical().0 == second);
    found.expect("the records of a game follow each other").1
}

#[test]
fn exact_labels_agree_with_a_plain_solver() {
    let mut checked = 0;
    for record in games(&settings(1), 24).into_iter().flatten() {
        let Label::Exact(score) = record.label else { continue };
        assert!(record.position.empties() <= 9 && record.searched.is_none(), "{record:?}");
        assert_eq!(score.discs(), solve(record.position, -64, 64), "{record:?}");
        checked += 1;
    }
    assert!(checked > 150, "{checked}");
}

#[test]
fn game_labels_are_the_result_and_positions_before_a_random_move_have_none() {
    let (mut followed, mut spoiled) = (0, 0);
    for game in games(&settings(2), 48) {
        let scores = |label| match label {
            Label::Exact(score) | Label::Game(score) => Some(score.discs()),
            Label::Searched => None,
        };
        for pair in game.windows(2) {
            let sign = sign_between(pair[0].position, pair[1].position);
            let (first, second) = (scores(pair[0].label), scores(pair[1].label));
            if let Some(first) = first {
                assert_eq!(Some(first), second.map(|second| sign * second), "{pair:?}");
                followed += usize::from(matches!(pair[0].label, Label::Game(_)));
            }
        }
        // The last label is the score of one of the possible ends.
        let last = game.last().expect("no game is empty");
        let end = successors(last.position).filter(|(next, _)| next.is_over());
        let mut ends = end.map(|(next, sign)| sign * next.final_score().discs());
        assert!(ends.any(|end| Some(end) == scores(last.label)), "{last:?}");
        spoiled += game.iter().filter(|record| record.label == Label::Searched).count();
    }
    assert!(followed > 200 && spoiled > 50, "{followed} {spoiled}");
}

#[test]
fn every_position_has_a_score_without_random_moves() {
    let settings = PlaySettings { explore: 0, ..settings(3) };
    let records: Vec<Record> = games(&settings, 8).into_iter().flatten().collect();
    assert!(records.len() > 100, "{}", records.len());
    for record in records {
        assert_ne!(record.label, Label::Searched);
        assert_eq!(matches!(record.label, Label::Game(_)), record.searched.is_some());
    }
}

#[test]
fn the_file_does_not_depend_on_threads_and_interrupts() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, two, parts] = ["one", "two", "parts"].map(|name| folder.path().join(name));
    let settings = settings(4);
    play_games(&one, &settings, 56, 1);
    play_games(&two, &settings, 56, 2);
    let mut interrupts = 0;
    loop {
        let mut writer = Writer::append(&parts).expect("a file");
        let stop = AtomicBool::new(false);
        let interrupt = |_: &Block| stop.store(true, Relaxed);
        play(&settings, Until::Games(56), 2, &mut writer, &stop, interrupt).expect("games");
        if writer.games(&settings.recipe()) == 56 {
            break;
        }
        interrupts += 1;
    }
    assert!((1..4).contains(&interrupts), "{interrupts}");
    let bytes = |path| std::fs::read(path).expect("a file");
    assert!(bytes(&one) == bytes(&two), "two threads write another file");
    assert!(bytes(&one) == bytes(&parts), "interrupts lead to another file");
    let numbers = blocks(&one).into_iter().map(|block| (block.first, block.games));
    assert_eq!(numbers.collect::<Vec<_>>(), [(0, 16), (16, 16), (32, 16), (48, 8)]);
}

#[test]
fn other_settings_have_a_recipe_and_games_of_their_own() {
    let first = settings(5);
    let opening = vec![Position::START];
    let starts = Starts::new(Mix::default(), Vec::new(), opening);
    let others = [
        PlaySettings { depth: 2, ..first.clone() },
        PlaySettings { exact: 8, ..first.clone() },
        PlaySettings { end_from: 11, ..first.clone() },
        PlaySettings { explore: 501, ..first.clone() },
        PlaySettings { evaluation: Evaluation::nothing().into(), ..first.clone() },
        PlaySettings { seed: 6, ..first.clone() },
        PlaySettings { starts, ..first.clone() },
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.umi");
    play_games(&path, &first, 2, 1);
    for other in &others {
        assert_ne!(other.recipe(), first.recipe());
        play_games(&path, other, 2, 1);
    }
    let blocks = blocks(&path);
    assert_eq!(blocks.len(), 1 + others.len());
    assert!(blocks.iter().all(|block| (block.first, block.games) == (0, 2)));
}

#[test]
fn starts_without_a_move_fall_back_to_the_initial_position() {
    let over = Position::new(Bitboard::FULL, Bitboard::EMPTY).expect("a full board");
    let mix = Mix { random: 0, ..Mix::default() };
    let starts = Starts::new(mix, vec![Vec::new()], vec![over]);
    assert_eq!(starts.choose(&mut fastrand::Rng::with_seed(1)), Position::START);
}

#[test]
fn a_folder_without_games_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let error = super::starts::wthor_games(folder.path()).expect_err("nothing in it");
    assert!(matches!(&error, LearnError::Source { .. }), "{error}");
    assert!(error.to_string().ends_with("no .wtb file in it"), "{error}");
}

#[test]
fn games_begin_at_the_chosen_starts() {
    let game = transcript::parse("f5d6c5f4e7f6g5e6e3").expect("the shortest game");
    let squares: Vec<_> = game.turns.iter().filter_map(|turn| turn.played.square()).collect();
    let games = [squares];
    let opening = [Position::START.play(Square::D3).expect("a first move")];
    let plies = |[random, wthor, openings]: [u32; 3], games: &[_], opening: &[_]| {
        let mix = Mix { random, wthor, openings, random_plies: 3..=3, wthor_plies: 2..=5 };
        let starts = Starts::new(mix, games.to_vec(), opening.to_vec());
        let mut random = fastrand::Rng::with_seed(3);
        let start = |_| 60 - starts.choose(&mut random).empties();
        (0..300).map(start).collect::<std::collections::BTreeSet<u32>>()
    };
    assert!(plies([1, 0, 0], &games, &opening).into_iter().eq(3..=3));
    assert!(plies([0, 1, 0], &games, &opening).into_iter().eq(2..=5));
    assert!(plies([0, 0, 1], &games, &opening).into_iter().eq(1..=7));
    assert!(plies([1, 1, 1], &games, &opening).into_iter().eq(1..=7));
    // The shares of missing games and openings go to random moves.
    assert!(plies([0, 1, 1], &[], &[]).into_iter().eq(3..=3));
}
