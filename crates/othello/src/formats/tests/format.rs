//! Tests of format detection and of reading any format.

use std::path::Path;

use super::*;
use crate::formats::{Format, read_games};

const FORMATS: [Format; 6] =
    [Format::Ggf, Format::Sgf, Format::Pgn, Format::Transcript, Format::Obf, Format::Wthor];

/// Returns each game's number, line and number of plies, or its error.
fn games(format: Format, bytes: &[u8]) -> Vec<(usize, usize, Result<usize, String>)> {
    let mut found = Vec::new();
    read_games(format, bytes, &Default::default(), &mut |entry| {
        let plies = entry.record.map(|record| record.turns.len());
        found.push((entry.game, entry.line, plies.map_err(|error| error.to_string())));
        true
    })
    .unwrap();
    found
}

#[test]
fn the_extension_names_the_format() {
    for format in FORMATS {
        assert_eq!(Format::named(format.extension()), Some(format));
        let name = format!("games.{}", format.extension().to_uppercase());
        assert_eq!(Format::of(Path::new(&name)), Some(format));
    }
    assert_eq!(Format::of(Path::new("games.zip")), None);
    assert_eq!(Format::of(Path::new("ggf")), None);
}

#[test]
fn every_written_format_reads_back() {
    let record: Record = Record::from_board(&"f5d6c3d3c4".parse().unwrap());
    for format in FORMATS {
        let Some(text) = format.text(&record) else {
            assert_eq!(format, Format::Wthor);
            continue;
        };
        let plies = if format == Format::Obf { 0 } else { 5 };
        let twice = text.repeat(2);
        let found = games(format, twice.as_bytes());
        assert_eq!(found.len(), 2, "{format:?}");
        assert!(found.iter().all(|(_, _, found)| *found == Ok(plies)), "{format:?}");
    }
}

#[test]
fn transcripts_skip_comments_and_report_faulty_games_in_place() {
    let found = games(Format::Transcript, b"# a comment\nf5d6\n\nf5a1\n% more\nf5\n");
    let fault = "character 3: move 2 is illegal: a1: flips nothing for White".to_string();
    assert_eq!(found, [(1, 2, Ok(2)), (2, 4, Err(fault)), (3, 6, Ok(1))]);
}

#[test]
fn a_text_that_is_not_utf8_reads_as_latin1() {
    let mut names = Vec::new();
    let bytes = b"(;PB[Bj\xf6rn]B[F5];)";
    read_games(Format::Ggf, &bytes[..], &Default::default(), &mut |entry| {
        names.push(entry.record.unwrap().players[0].name.clone());
        true
    })
    .unwrap();
    assert_eq!(names, ["Bj\u{f6}rn"]);
}

#[test]
fn reading_stops_when_it_is_told_to() {
    let mut count = 0;
    read_games(Format::Transcript, &b"f5\nf5\nf5\n"[..], &Default::default(), &mut |_| {
        count += 1;
        count < 2
    })
    .unwrap();
    assert_eq!(count, 2);
}
