//! Games in memory, against a replay of every game.

use umigame_othello::{Board, Color, Score};

use super::*;

fn archive_of(games: &[BookGame]) -> GameArchive {
    let mut archive = GameArchive::default();
    games.iter().for_each(|game| archive.add(game));
    archive
}

/// Returns a game turned about the board.
fn turned(game: &BookGame, symmetry: Symmetry) -> BookGame {
    BookGame {
        start: symmetry.of_position(game.start),
        squares: game.squares.iter().map(|&square| symmetry.of_square(square)).collect(),
        ..game.clone()
    }
}

/// Returns every position of a game with its side to move and its next move.
fn positions(game: &BookGame) -> Vec<(Position, Color, Option<Move>)> {
    let mut board = Board::from_position(game.start, game.side);
    let mut met = Vec::new();
    for &square in &game.squares {
        if board.position().must_pass() {
            met.push((board.position(), board.side_to_move(), Some(Move::Pass)));
            board.play(Move::Pass).expect("legal");
        }
        met.push((board.position(), board.side_to_move(), Some(square.into())));
        board.play(square).expect("legal");
    }
    met.push((board.position(), board.side_to_move(), None));
    met
}

#[test]
fn an_archive_finds_the_games_that_a_replay_of_all_games_finds() {
    let symmetries = Symmetry::ALL.into_iter().cycle();
    let games: Vec<BookGame> =
        random_games(60, 5).iter().zip(symmetries).map(|(game, turn)| turned(game, turn)).collect();
    let archive = archive_of(&games);
    let all: Vec<_> = games.iter().map(positions).collect();
    let mut passes = 0;
    for (position, side, _) in all.iter().step_by(7).flatten().copied() {
        let canonical = |position| CanonicalPosition::of(position).position();
        let meets = |(other, to_move, _): &&(Position, Color, Option<Move>)| {
            *to_move == side && canonical(*other) == canonical(position)
        };
        let expected: Vec<_> = all.iter().filter_map(|game| game.iter().find(meets)).collect();
        let found = archive.find(position, side, &GameFilter::default(), usize::MAX);
        assert_eq!(found.stats.games as usize, expected.len());
        assert_eq!(found.games.len(), expected.len());
        let continued = expected.iter().filter(|(.., next)| next.is_some()).count();
        let counted: u32 = found.moves.iter().map(|(_, stats)| stats.games).sum();
        assert_eq!(counted as usize, continued);
        for game in &found.games {
            let mut board = Board::from_position(game.start, game.side);
            for &played in &game.moves[..game.ply] {
                board.play(played).expect("legal");
            }
            assert_eq!((board.position(), board.side_to_move()), (position, side));
            let next = game.next();
            assert!(next.is_none_or(|next| found.moves.iter().any(|(known, _)| *known == next)));
            passes += usize::from(next == Some(Move::Pass));
        }
    }
    assert!(passes > 0, "no position with a pass was met");
}

#[test]
fn games_keep_the_usual_start_and_the_results_are_those_of_the_side_to_move() {
    let mut games = random_games(40, 9);
    for (index, game) in games.iter_mut().enumerate() {
        game.result = Score::new(2 - 2 * (index as i32 % 3));
    }
    let archive = archive_of(&games);
    let found = archive.find(Position::START, Color::Black, &GameFilter::default(), 5);
    assert_eq!(found.stats.games, 40);
    let results = [found.stats.wins, found.stats.draws, found.stats.losses];
    assert_eq!(results, [14, 13, 13]);
    assert_eq!(found.moves.len(), 1);
    assert_eq!(found.moves[0].0, Move::Place(Square::F5));
    assert_eq!(found.games.len(), 5);
    for game in &found.games {
        assert_eq!((game.start, game.next()), (Position::START, Some(Move::Place(Square::F5))));
    }
    let white = Position::START.play(Square::D3).expect("legal");
    let found = archive.find(white, Color::White, &GameFilter::default(), 1);
    assert_eq!([found.stats.losses, found.stats.draws, found.stats.wins], results);
    assert_eq!(found.games[0].moves[0], Move::Place(Square::D3));
    assert_eq!(archive.find(white, Color::Black, &GameFilter::default(), 1).stats.games, 0);
}

#[test]
fn games_are_filtered_by_player_event_and_year_and_the_newest_come_first() {
    let mut games = random_games(4, 2);
    for (game, (black, white, place, date)) in games.iter_mut().zip([
        ("Anna", "Émile", "Paris Open", "2001"),
        ("Bo", "anna k.", "London", "12 May 1999"),
        ("Bo", "Cy", "Paris", "2003-01-02"),
        ("Cy", "Bo", "", ""),
    ]) {
        (game.black, game.white) = (black.into(), white.into());
        (game.place, game.date) = (place.into(), date.into());
    }
    let archive = archive_of(&games);
    let dates = |player: &str, event: &str, years| {
        let filter = GameFilter { player: player.into(), event: event.into(), years };
        let found = archive.find(Position::START, Color::Black, &filter, 9);
        assert_eq!(found.stats.games as usize, found.games.len());
        found.games.into_iter().map(|game| game.date).collect::<Vec<_>>()
    };
    let all = 0..=u16::MAX;
    assert_eq!(dates("", "", all.clone()), ["2003-01-02", "2001", "12 May 1999", ""]);
    assert_eq!(dates(" ANNA", "", all.clone()), ["2001", "12 May 1999"]);
    assert_eq!(dates("émile", "", all.clone()), ["2001"]);
    assert_eq!(dates("", "paris", all.clone()), ["2003-01-02", "2001"]);
    assert_eq!(dates("bo", "paris", 2000..=2003), ["2003-01-02"]);
    assert_eq!(dates("nobody", "", all), [""; 0]);
    assert_eq!(dates("", "", 1999..=2001), ["2001", "12 May 1999"]);
}

#[test]
fn a_book_hands_out_its_games() {
    let (_folder, path) = folder();
    let games = random_games(30, 4);
    let mut book = Book::create(&path, None).expect("a book");
    book.add(&games).expect("it is written");
    let mut read = Vec::new();
    book.games(|some| {
        read.extend_from_slice(some);
        true
    })
    .expect("it is read");
    let mut ids = [games, read].map(|games| games.iter().map(BookGame::id).collect::<Vec<_>>());
    ids.iter_mut().for_each(|ids| ids.sort());
    assert_eq!(ids[0], ids[1]);
}
