//! Tests of WTHOR, and of the whole archive against its known figures.

use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;

use super::super::wthor::{Names, WthorError, WthorGame, WthorNames, games};
use super::*;

/// Returns a header that promises games and names.
fn header(games: u32, names: u16) -> Vec<u8> {
    let mut bytes = vec![20, 26, 11, 21];
    bytes.extend(games.to_le_bytes());
    bytes.extend(names.to_le_bytes());
    bytes.extend([0xEA, 0x07, 8, 0, 24, 0]);
    bytes
}

fn game_bytes(moves: &[u8]) -> Vec<u8> {
    let mut bytes = vec![1, 0, 2, 0, 3, 0, 40, 33];
    bytes.extend(moves);
    bytes.resize(68, 0);
    bytes
}

fn file(list: &[&[u8]]) -> Vec<u8> {
    let mut bytes = header(list.len() as u32, 0);
    bytes.extend(list.iter().flat_map(|moves| game_bytes(moves)));
    bytes
}

fn messages(bytes: &[u8]) -> Vec<String> {
    match games(bytes) {
        Err(error) => vec![error.to_string()],
        Ok(games) => games
            .map(|game| match game.and_then(|game| game.turns()) {
                Ok(turns) => format!("{} plies", turns.len()),
                Err(error) => error.to_string(),
            })
            .collect(),
    }
}

#[test]
fn a_game_is_read_with_its_names() {
    let bytes = file(&[&[56, 64, 33]]);
    let mut found = games(bytes.as_slice()).unwrap();
    let head = *found.header();
    assert_eq!((head.created, head.year, head.theory_depth), ((2026, 11, 21), 2026, 24));
    let game: WthorGame = found.next().unwrap().unwrap();
    assert!(found.next().is_none());
    assert_eq!(game.squares(), [Square::F5, Square::D6, Square::C3]);
    assert_eq!(game.score_for_black(), Score::saturating(16));
    assert_eq!(game.theoretical_score_for_black(), Score::saturating(2));

    let mut bytes = header(0, 4);
    for name in ["???", "Anna", "Bj\u{f6}rn", "Chie"] {
        let mut latin: Vec<u8> = name.chars().map(|c| c as u8).collect();
        latin.resize(20, 0);
        bytes.extend(latin);
    }
    let names =
        WthorNames { players: Names::players(bytes.as_slice()).unwrap(), ..Default::default() };
    let record = game.record(&head, &names).unwrap();
    assert_eq!(record.players[0].name, "Bj\u{f6}rn");
    assert_eq!(record.players[1].name, "Chie");
    assert_eq!((record.place.as_str(), record.date.as_str()), ("#1", "2026"));
    assert_eq!(transcript::text(&record), "f5d6c3");
}

#[test]
fn errors_name_the_byte_and_the_next_game_follows() {
    let mut bytes = file(&[&[56], &[56, 64, 99], &[56, 0, 64], &[56, 11], &[56, 64]]);
    let expected = [
        "1 plies",
        "byte 94, game 2: 99 is no square: expected 11 to 88, or 0 after the last",
        "byte 162, game 3: 64 is no square: expected 11 to 88, or 0 after the last",
        "byte 229, game 4: a1: flips nothing for White",
        "2 plies",
    ];
    assert_eq!(messages(&bytes), expected);
    bytes.push(0);
    assert_eq!(messages(&bytes)[5..], ["byte 356: more follows the 5 records of the header"]);
    bytes.truncate(100);
    assert_eq!(messages(&bytes)[1..], ["byte 100: the file ends in game 2 of 5"]);
    bytes.truncate(10);
    assert_eq!(messages(&bytes), ["byte 10: the file ends in the header"]);
    let mut ten = file(&[]);
    ten[12] = 10;
    assert_eq!(messages(&ten), ["byte 12: unsupported size 10: expected 8, or 0 for the same"]);
    ten[12] = 0;
    assert_eq!(messages(&ten), [""; 0]);
}

#[test]
fn a_header_that_promises_too_much_takes_no_memory() {
    let mut bytes = header(u32::MAX, u16::MAX);
    bytes.extend(game_bytes(&[56]));
    assert_eq!(messages(&bytes)[1..], ["byte 84: the file ends in game 2 of 4294967295"]);
    assert!(matches!(Names::players(bytes.as_slice()), Err(WthorError::TooShort { .. })));
}

proptest! {
    #[test]
    fn damaged_bytes_never_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..400),
        damage in proptest::collection::vec((0..152usize, any::<u8>()), 0..6),
    ) {
        let mut damaged = file(&[&[56, 64, 33, 34], &[56, 66]]);
        for (at, byte) in damage {
            damaged[at] = byte;
        }
        for bytes in [bytes, damaged] {
            messages(&bytes);
            let _ = Names::players(bytes.as_slice());
            let _ = Names::tournaments(bytes.as_slice());
        }
    }
}

/// Figures of a file, in the order of the columns of `wthor-stats.tsv` from `games` on.
#[derive(Default, Debug, PartialEq, Clone, Copy)]
struct Figures([u64; 8]);

/// Replays a game on both boards and compares them after every ply. Returns the number of positions.
fn compare_boards(record: &Record) -> u64 {
    let mut board = record.start_board();
    let (mut position, mut side) = (record.start, record.side);
    for turn in &record.turns {
        assert_eq!(position.legal_moves(), board.legal_squares().collect());
        board.play(turn.played).expect("a move of the record is legal");
        position = position.play(turn.played).expect("legal on the bitboard too");
        side = !side;
        assert_eq!((board.position(), board.side_to_move()), (position, side));
        assert_eq!(board.key(), position.key(side));
        assert_eq!(board.empties(), position.empties());
        assert_eq!(board.is_over(), position.is_over());
        assert_eq!(board.must_pass(), position.must_pass());
    }
    record.turns.len() as u64 + 1
}

/// Compares both boards on every position of the archive, and its figures with those of another
/// program:
///
/// `cargo test --release -p umigame-othello --lib -- --ignored --nocapture the_archive`
#[test]
#[ignore = "8.5 million positions: half a minute in a release build"]
fn the_archive_replays_on_both_boards_and_has_the_known_figures() {
    let (Some(folder), Some(stats)) = (reference("wthor"), reference("wthor-stats.tsv")) else {
        return;
    };
    let open = |name: &str| BufReader::new(File::open(folder.join(name)).unwrap());
    let names = WthorNames {
        players: Names::players(open("WTH.JOU")).unwrap(),
        tournaments: Names::tournaments(open("WTH.TRN")).unwrap(),
    };
    let stats = std::fs::read_to_string(stats).unwrap();
    let mut seen = HashSet::new();
    let (mut total, mut positions) = (Figures::default(), 0);
    for row in stats.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        let found = games(open(columns[0])).unwrap();
        let head = *found.header();
        let mut figures = Figures::default();
        for game in found {
            let game = game.unwrap();
            let record = match game.record(&head, &names) {
                Ok(record) => record,
                Err(error) => panic!("{}: {error}", columns[0]),
            };
            positions += compare_boards(&record);
            let board = record.board().unwrap();
            let passes = record.turns.iter().filter(|turn| turn.played == Move::Pass).count();
            let matches = board.is_over() && board.score_for_black() == game.score_for_black();
            for (figure, more) in figures.0.iter_mut().zip([
                1,
                u64::from(game.squares().len() == 60),
                u64::from(board.is_over()),
                u64::from(!board.is_over()),
                0,
                passes as u64,
                u64::from(matches),
                u64::from(!seen.insert(game.squares().to_vec())),
            ]) {
                *figure += more;
            }
        }
        let mut known = [0; 8];
        for (figure, column) in known.iter_mut().zip(&columns[2..]) {
            *figure = column.parse().unwrap();
        }
        assert_eq!(figures, Figures(known), "{}", columns[0]);
        for (sum, figure) in total.0.iter_mut().zip(figures.0) {
            *sum += figure;
        }
    }
    let [count, sixty, over, unfinished, _, passes, matching, repeated] = total.0;
    println!(
        "{count} games, {positions} positions equal on both boards, 0 illegal; {sixty} with 60 moves, \
         {over} finished, {unfinished} not, {passes} passes, {matching} scores as replayed, \
         {repeated} repeated"
    );
    assert_eq!(count, 137_548);
    assert_eq!((names.players.len(), names.tournaments.len()), (4_448, 492));
}
