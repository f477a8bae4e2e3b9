//! Laws of all formats: moves survive writing and reading whatever the names,
//! and no damaged file breaks a reader.

use std::fs;
use std::path::Path;

use crate::cli::convert::{Format, GameError, GameReader};

use umigame_othello::formats::wthor::Archive;
use umigame_othello::testing::{mutated, random_game};
use umigame_othello::{Board, Move, Record};

const WRITTEN: [Format; 5] =
    [Format::Ggf, Format::Sgf, Format::Pgn, Format::Transcript, Format::Obf];

/// Reads the games of a file as the commands do.
fn games_of(path: &Path) -> Vec<Result<Record, GameError>> {
    let mut games = Vec::new();
    let mut each = |game: Result<Record, GameError>| {
        games.push(game);
        true
    };
    // A damaged file may not be of its format at all.
    match GameReader::default().read(path, &mut each) {
        Ok(()) => {}
        Err(error) => assert!(error.to_string().is_ascii(), "{error}"),
    }
    games
}

/// Returns a name with characters that have a meaning in some format.
fn hostile_text(random: &mut fastrand::Rng) -> String {
    const PARTS: &[&str] = &[
        "]",
        "[",
        "\\",
        "\"",
        "'",
        ";)",
        "(;",
        "{",
        "}",
        "\n",
        "\r\n",
        "\t",
        "\0",
        "%",
        "#",
        "*",
        "1. f5",
        "B[A1]",
        "\u{6d77}\u{4e80}",
        "\u{1f422}",
        "\u{202e}",
        "<b>",
        "&amp;",
        " ",
        "a",
    ];
    (0..random.usize(0..6)).map(|_| PARTS[random.usize(0..PARTS.len())]).collect()
}

fn hostile_game(random: &mut fastrand::Rng) -> Record {
    let mut game = random_game(random);
    for player in &mut game.players {
        player.name = hostile_text(random);
    }
    game.place = hostile_text(random);
    game.date = hostile_text(random);
    game
}

/// Replays a game, with a final forced pass, which some formats cannot hold.
fn board_of(game: &Record) -> Board {
    let mut board = game.board().unwrap();
    if board.must_pass() {
        board.pass().unwrap();
    }
    board
}

#[test]
fn moves_survive_every_format_whatever_the_names() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = fastrand::Rng::with_seed(61);
    for format in WRITTEN.into_iter().filter(|format| *format != Format::Obf) {
        let file = folder.path().join("games").with_extension(format.extension());
        let games: Vec<Record> = (0..200).map(|_| hostile_game(&mut random)).collect();
        // A transcript without moves is an empty line, which is not read as a game.
        let is_writable = |game: &&Record| {
            format != Format::Transcript || game.turns.iter().any(|turn| turn.played != Move::Pass)
        };
        let games: Vec<&Record> = games.iter().filter(is_writable).collect();
        let texts: Vec<String> = games.iter().map(|game| format.text(game).unwrap()).collect();
        fs::write(&file, texts.concat()).unwrap();
        let read = games_of(&file);
        assert_eq!(read.len(), games.len(), "{format:?}");
        for ((read, game), text) in read.into_iter().zip(games).zip(texts) {
            let read = read.unwrap_or_else(|error| panic!("{format:?}: {error}\n{text}"));
            assert_eq!(board_of(&read), board_of(game), "{format:?}\n{text}");
        }
    }
}

/// Writes a WTHOR file after the description of the format, apart from the project's own writer.
fn wthor_bytes(games: &[Record]) -> Vec<u8> {
    let mut bytes = vec![20, 26, 11, 21];
    bytes.extend((games.len() as u32).to_le_bytes());
    bytes.extend(0u16.to_le_bytes());
    bytes.extend(2026u16.to_le_bytes());
    bytes.extend([8, 0, 24, 0]);
    for game in games {
        let board = game.board().unwrap();
        let black = (64 + board.score_for_black().discs()) / 2;
        bytes.extend([0, 0, 1, 0, 2, 0, black as u8, black as u8]);
        let mut moves: Vec<u8> = game
            .turns
            .iter()
            .filter_map(|turn| turn.played.square())
            .map(|square| (10 * (square.index() / 8 + 1) + square.index() % 8 + 1) as u8)
            .collect();
        moves.resize(60, 0);
        bytes.extend(moves);
    }
    bytes
}

fn standard_game(random: &mut fastrand::Rng) -> Record {
    loop {
        let game = random_game(random);
        if game.is_standard() {
            return game;
        }
    }
}

#[test]
fn moves_survive_wthor() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.wtb");
    let mut random = fastrand::Rng::with_seed(62);
    let games: Vec<Record> = (0..300).map(|_| standard_game(&mut random)).collect();
    fs::write(&file, wthor_bytes(&games)).unwrap();
    let read = games_of(&file);
    assert_eq!(read.len(), games.len());
    for (read, game) in read.into_iter().zip(&games) {
        assert_eq!(board_of(&read.unwrap()), board_of(game));
    }
    let mut archive = Archive::default();
    let stored: Vec<&Record> = games.iter().filter(|game| archive.add(game).is_ok()).collect();
    assert!(stored.len() > 100, "{}", stored.len());
    umigame_training::wthor::write(&file, &archive).unwrap();
    let read = games_of(&file);
    assert_eq!(read.len(), stored.len());
    for (read, game) in read.into_iter().zip(stored) {
        assert_eq!(board_of(&read.unwrap()), board_of(game));
    }
}

/// Changes, drops, doubles or cuts off some of the bytes.
fn damaged(bytes: &[u8], random: &mut fastrand::Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..random.usize(1..6) {
        if bytes.is_empty() {
            break;
        }
        let at = random.usize(0..bytes.len());
        match random.u8(0..20) {
            0..10 => bytes[at] = random.u8(..),
            10..13 => bytes[at] ^= 1 << random.u32(0..8),
            13..15 => drop(bytes.remove(at)),
            15..17 => bytes.insert(at, random.u8(..)),
            17 => bytes.truncate(at),
            18 => bytes.extend_from_within(at..),
            _ => bytes.rotate_left(at),
        }
    }
    bytes
}

/// Checks that each entry of a damaged file is a game or a short error; counts both.
fn check_file(path: &Path) -> [usize; 2] {
    let mut counts = [0; 2];
    for game in games_of(path) {
        match game {
            Ok(game) => {
                assert!(game.board().is_ok());
                for format in WRITTEN {
                    assert!(format.text(&game).is_some());
                }
                counts[0] += 1;
            }
            Err(error) => {
                let error = error.to_string();
                assert!(error.is_ascii() && error.len() < 1_000, "{error}");
                counts[1] += 1;
            }
        }
    }
    counts
}

/// Reads `files` damaged files of each format, each of one to three games.
fn read_damaged_files(files: usize) {
    let folder = tempfile::tempdir().unwrap();
    let mut random = fastrand::Rng::with_seed(63);
    let games: Vec<Record> = (0..200).map(|_| hostile_game(&mut random)).collect();
    for format in WRITTEN {
        let path = folder.path().join("damaged").with_extension(format.extension());
        let mut counts = [0; 2];
        for _ in 0..files {
            let mut text = String::new();
            for _ in 0..random.usize(1..4) {
                text += &format.text(&games[random.usize(0..games.len())]).unwrap();
            }
            // Half of the files are damaged as bytes, and may not be UTF-8.
            if random.bool() {
                fs::write(&path, mutated(&text, random.u64(..))).unwrap()
            } else {
                fs::write(&path, damaged(text.as_bytes(), &mut random)).unwrap()
            }
            let found = check_file(&path);
            counts = [counts[0] + found[0], counts[1] + found[1]];
        }
        // Damage is neither harmless nor fatal to the games around it.
        assert!(counts.iter().all(|&count| count > files / 20), "{format:?}: {counts:?}");
        eprintln!("{format:?}: {files} damaged files, {} games read, {} not", counts[0], counts[1]);
    }
    read_damaged_wthor(&folder.path().join("wthor"), files, &mut random);
}

/// Reads damaged WTHOR files, with damaged files of names beside them.
fn read_damaged_wthor(folder: &Path, files: usize, random: &mut fastrand::Rng) {
    fs::create_dir(folder).unwrap();
    let games: Vec<Record> = (0..50).map(|_| standard_game(random)).collect();
    let names = |random: &mut fastrand::Rng, length: usize| {
        let mut bytes = vec![20, 26, 11, 21, 0, 0, 0, 0, 3, 0, 234, 7, 0, 0, 0, 0];
        bytes.extend((0..3 * length).map(|_| random.u8(..)));
        bytes
    };
    let (players, tournaments) = (names(random, 20), names(random, 26));
    let path = folder.join("damaged.wtb");
    let mut counts = [0; 2];
    for _ in 0..files {
        let first = random.usize(0..games.len() - 3);
        let bytes = wthor_bytes(&games[first..first + random.usize(1..4)]);
        // In a quarter of the cases the names alone are damaged.
        let whole = random.u8(0..4) == 0;
        let bytes = if whole { bytes } else { damaged(&bytes, random) };
        fs::write(&path, bytes).unwrap();
        for (name, bytes) in [("WTH.JOU", &players), ("WTH.TRN", &tournaments)] {
            let whole = random.u8(0..4) != 0;
            let bytes = if whole { bytes.clone() } else { damaged(bytes, random) };
            fs::write(folder.join(name), bytes).unwrap();
        }
        let found = check_file(&path);
        counts = [counts[0] + found[0], counts[1] + found[1]];
    }
    assert!(counts[0] > files / 20, "{counts:?}");
    eprintln!("Wthor: {files} damaged files, {} games read, {} not", counts[0], counts[1]);
}

#[test]
fn damaged_files_of_each_format_break_no_reader() {
    read_damaged_files(150);
}

/// `cargo test --release ten_thousand_damaged_files -- --ignored --nocapture`
#[test]
#[ignore = "60,000 files are written and read"]
fn ten_thousand_damaged_files_of_each_format_break_no_reader() {
    read_damaged_files(10_000);
}
