//! Laws of conversion, on files.

mod fuzz;

use std::fs;
use std::path::Path;

use umigame_othello::Record;
use umigame_othello::formats::transcript;
use umigame_othello::formats::transcript::read_position;
use umigame_othello::testing::{self, mutated};

use super::{ConvertError, Converter, Format, GameError, GameReader, Summary};

/// A game in GGF as NBoard writes it, with these moves.
fn ggf_game(moves: &str) -> String {
    format!(
        "(;GM[Othello]PC[NBoard]DT[2026-11-21 07:40:20 GMT]PB[]PW[]RE[?]TI[5:00]TY[8]\
        BO[8 ---------------------------O*------*O--------------------------- *]{moves};)"
    )
}

/// Creates a folder with these files.
fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// Converts into one file; returns the counts and the errors reported.
fn convert(input: &Path, output: &Path) -> Result<(Summary, Vec<String>), ConvertError> {
    let mut errors = Vec::new();
    let mut report = |error: &GameError| errors.push(error.to_string());
    let mut converter = Converter::new(None, &mut report);
    converter.convert_to_file(input, output)?;
    let summary = converter.summary();
    Ok((summary, errors))
}

/// Converts into a folder of SGF files; returns the counts and the errors reported.
fn convert_folder(input: &Path, output: &Path) -> Result<(Summary, Vec<String>), ConvertError> {
    let mut errors = Vec::new();
    let mut report = |error: &GameError| errors.push(error.to_string());
    let mut converter = Converter::new(None, &mut report);
    converter.convert_to_folder(input, output, Format::Sgf, false)?;
    let summary = converter.summary();
    Ok((summary, errors))
}

/// Reads the games of a file.
fn games_of(path: &Path) -> Vec<Result<Record, String>> {
    let mut games = Vec::new();
    let mut each = |game: Result<Record, GameError>| {
        games.push(game.map_err(|error| error.to_string()));
        true
    };
    GameReader::default().read(path, &mut each).unwrap();
    games
}

#[test]
fn moves_survive_a_chain_of_conversions_through_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let games = ["f5d6c3d3c4", "f5f6e6f4e3", "f5d6c5f4e7f6g5e6e3", ""];
    fs::write(at("a.txt"), format!("# games\n{}\n\n", games[..3].join("\n"))).unwrap();
    for (from, to) in [
        ("a.txt", "b.ggf"),
        ("b.ggf", "c.SGF"),
        ("c.SGF", "d.pgn"),
        ("d.pgn", "e.txt"),
        ("e.txt", "e.txt"),
    ] {
        let converted = convert(&at(from), &at(to)).unwrap();
        assert_eq!(converted, (Summary { files: 1, games: 3, failed: 0 }, vec![]), "{from} {to}");
    }
    assert_eq!(fs::read_to_string(at("e.txt")).unwrap(), games[..3].join("\n") + "\n");
    convert(&at("b.ggf"), &at("f.obf")).unwrap();
    let last: Vec<_> = games_of(&at("f.obf")).into_iter().map(|game| game.unwrap().start).collect();
    let ours: Vec<_> =
        games[..3].iter().map(|text| read_position(text).unwrap().position()).collect();
    assert_eq!(last, ours);
    assert!(
        fs::read_dir(folder.path())
            .unwrap()
            .all(|entry| { !entry.unwrap().path().to_string_lossy().ends_with(".new") })
    );
}

#[test]
fn moves_names_and_results_survive_wthor() {
    let start = "BO[8 ---------------------------O*------*O--------------------------- *]";
    let game = |black: &str, result: &str, moves: &str| {
        format!(
            "(;GM[Othello]PC[Nice]DT[2019-07-01]PB[{black}]PW[Chie]RE[{result}]TI[0]TY[8]{start}{moves};)\n"
        )
    };
    let folder = folder_with(&[(
        "a.ggf",
        &[
            game("J\u{fc}rgen \u{6d77} of a very long name", "+12", "B[F5]W[D6]B[C3]"),
            game("Chie", "-3.5", "B[F5]W[F6]"),
            game("Chie", "-64", "B[F5]W[F6]"),
        ]
        .concat(),
    )]);
    let at = |name: &str| folder.path().join(name);
    let (summary, errors) = convert(&at("a.ggf"), &at("new.wtb")).unwrap();
    assert_eq!(summary, Summary { files: 1, games: 2, failed: 1 });
    assert!(errors.len() == 1 && errors[0].contains("a.ggf: game 2: WTHOR holds"), "{errors:?}");
    // Other names in the folder change nothing.
    fs::write(at("WTH.JOU"), "").unwrap();
    let games: Vec<Record> =
        games_of(&at("new.wtb")).into_iter().map(|game| game.unwrap()).collect();
    let first = &games[0];
    assert_eq!(first.players[0].name, "J\u{fc}rgen ? of a very ");
    assert_eq!((first.players[1].name.as_str(), first.place.as_str()), ("Chie", "Nice"));
    assert_eq!((first.date.as_str(), transcript::text(first).as_str()), ("2019", "f5d6c3"));
    let scores = games.iter().map(|game| game.outcome.unwrap().black_centidiscs);
    assert_eq!(scores.collect::<Vec<_>>(), [1_200, -6_400]);
    assert_eq!(games[1].players[0], first.players[1]);
}

#[test]
fn a_folder_is_converted_into_one_file_or_into_a_folder_of_the_same_shape() {
    let folder = folder_with(&[
        ("in/one.txt", "f5d6\n"),
        ("in/deep/two.ggf", &ggf_game("B[F5]")),
        ("in/deep/two.txt", "f5f6\n"),
        ("in/notes.md", "no games"),
    ]);
    let at = |name: &str| folder.path().join(name);
    let three = Summary { files: 3, games: 3, failed: 0 };
    assert_eq!(convert(&at("in"), &at("all.ggf")).unwrap(), (three, vec![]));
    assert_eq!(games_of(&at("all.ggf")).len(), 3);
    assert_eq!(convert_folder(&at("in"), &at("out")).unwrap(), (three, vec![]));
    assert_eq!(games_of(&at("out/one.sgf")).len(), 1);
    assert_eq!(transcript::text(games_of(&at("out/deep/two.sgf"))[0].as_ref().unwrap()), "f5");
    assert_eq!(
        transcript::text(games_of(&at("out/deep/two.txt.sgf"))[0].as_ref().unwrap()),
        "f5f6"
    );
}

#[test]
fn errors_name_file_game_and_place_and_the_rest_is_converted() {
    let folder = folder_with(&[("a.txt", "f5d6\n\nf5a1\nf5f6\n"), ("b.wtb", &"\0".repeat(20))]);
    let at = |name: &str| folder.path().join(name);
    let (summary, errors) = convert(&at("a.txt"), &at("c.ggf")).unwrap();
    assert_eq!((summary.games, summary.failed), (2, 1));
    let name = at("a.txt").display().to_string();
    let why = "character 3: move 2 is illegal: a1: flips nothing for White";
    assert_eq!(errors, [format!("{name}: game 2, line 3: {why}")]);
    for (from, to, part) in [
        ("a.txt", "x", "x: expected a name in .ggf"),
        ("a.doc", "x.ggf", "a.doc: expected a name in .ggf"),
        ("none.txt", "x.ggf", "none.txt: "),
        ("a.txt", "no/x.ggf", "x.ggf: cannot be written: "),
    ] {
        let error = convert(&at(from), &at(to)).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    let (_, errors) = convert(&at("b.wtb"), &at("d.ggf")).unwrap();
    assert!(
        errors[0].ends_with("b.wtb: game 1: byte 16: more follows the 0 records of the header")
    );
    assert!(!at("x.ggf").exists());
}

/// One unreadable file spoils neither the folder nor an output that exists.
#[test]
fn a_file_that_cannot_be_read_at_all_is_reported_and_the_others_are_converted() {
    let folder =
        folder_with(&[("in/a.txt", "f5d6\n"), ("in/b.wtb", ""), ("in/c.txt", "f5f6\nf5f4\n")]);
    let at = |name: &str| folder.path().join(name);
    let why = "b.wtb: byte 0: the file ends in the header";
    let (summary, errors) = convert(&at("in"), &at("all.ggf")).unwrap();
    assert_eq!(summary, Summary { files: 3, games: 3, failed: 1 });
    assert!(errors.len() == 1 && errors[0].ends_with(why), "{errors:?}");
    assert_eq!(convert_folder(&at("in"), &at("out")).unwrap(), (summary, errors));
    assert!(at("out/c.sgf").exists() && !at("out/b.sgf").exists());
    // Alone it is an error, and the output stays.
    let error = convert(&at("in/b.wtb"), &at("all.ggf")).unwrap_err();
    assert!(error.to_string().ends_with(why), "{error}");
    assert_eq!(games_of(&at("all.ggf")).len(), 3);
}

#[test]
fn the_game_files_of_the_reference_data_are_read() {
    if let Some(file) = testing::reference("ggf/nboard-test.WTB") {
        let games = games_of(&file);
        assert!(matches!(games.as_slice(), [Ok(_)]), "{games:?}");
    }
    let Some(folder) = testing::reference("ggf") else { return };
    let mut found: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| Format::of(path) == Some(Format::Ggf))
        .map(|path| {
            let games = games_of(&path);
            let failed: Vec<_> = games.iter().filter_map(|game| game.as_ref().err()).collect();
            // One game is played on four by four squares.
            assert!(
                failed.iter().all(|error| error.contains("unsupported size `4`")),
                "{failed:?}"
            );
            (games.len() - failed.len(), failed.len())
        })
        .collect();
    found.sort_unstable();
    assert_eq!(found, [(1, 0), (2, 1), (12, 0)]);
}

#[test]
fn ten_thousand_damaged_games_in_each_format_break_no_reader() {
    let folder = tempfile::tempdir().unwrap();
    let formats = [Format::Ggf, Format::Sgf, Format::Pgn, Format::Transcript, Format::Obf];
    let mut random = fastrand::Rng::with_seed(1);
    let games: Vec<_> = (0..500).map(|_| testing::random_game(&mut random)).collect();
    let (mut read, mut failed) = ([0; 5], [0; 5]);
    for (index, format) in formats.into_iter().enumerate() {
        let file = folder.path().join("damaged").with_extension(format.extension());
        for _ in 0..10 {
            let texts: Vec<_> = (0..1_000)
                .map(|_| {
                    let game = &games[random.usize(0..games.len())];
                    mutated(&format.text(game).unwrap(), random.u64(..))
                })
                .collect();
            fs::write(&file, texts.join("\n")).unwrap();
            for game in games_of(&file) {
                match game {
                    Ok(game) => {
                        assert!(game.board().is_ok());
                        read[index] += 1;
                    }
                    Err(error) => {
                        assert!(error.is_ascii() && error.len() < 1_000, "{error}");
                        failed[index] += 1;
                    }
                }
            }
        }
    }
    // Damage is neither harmless nor fatal to the games after it.
    for (read, failed) in read.into_iter().zip(failed) {
        assert!(read > 400 && failed > 1_000, "{read} games read, {failed} not");
    }
}
