//! The file holds what was written, and nothing else is ever read from it.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use proptest::prelude::*;

use super::fold::Outcome;
use super::*;
use umigame_othello::testing;

/// Records of random positions, with every kind of label.
fn records(seed: u64, count: usize) -> Vec<Record> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut records = Vec::new();
    testing::random_positions(seed, count, |position| {
        let score = Score::saturating(random.i32(-64..=64));
        let label = match random.u8(0..3) {
            0 => Label::Exact(score),
            1 => Label::Game(score),
            _ => Label::Searched,
        };
        let searched = random.bool().then(|| Searched {
            value: Eval::from_centidiscs(random.i32(-6400..=6400)),
            depth: random.u8(1..=60),
        });
        records.push(Record::new(position, label, searched));
    });
    records.truncate(count);
    records
}

fn recipe(seed: u64) -> Recipe {
    let generator = if seed.is_multiple_of(2) { Generator::Play } else { Generator::Label };
    Recipe {
        generator,
        depth: 6,
        exact: 14,
        selectivity: 73,
        weights: seed as u32 ^ 77,
        settings: 3,
        seed,
    }
}

/// Blocks of these numbers of records.
fn blocks(seed: u64, lengths: &[usize]) -> Vec<Block> {
    let block = |(i, &length): (usize, &usize)| Block {
        recipe: recipe(seed),
        first: 16 * i as u64,
        games: 16,
        records: records(seed + i as u64, length),
    };
    lengths.iter().enumerate().map(block).collect()
}

fn write(path: &Path, blocks: &[Block]) {
    let mut writer = Writer::append(path).expect("a new file");
    blocks.iter().for_each(|block| writer.write(block).expect("room for a block"));
}

fn read(path: &Path) -> Result<Vec<Block>, DataError> {
    Reader::open(path)?.collect()
}

/// A folder with a file of these bytes.
fn file_of(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data.umi");
    std::fs::write(&path, bytes).expect("a file");
    (folder, path)
}

/// The bytes of a file with these blocks.
fn bytes_of(blocks: &[Block]) -> Vec<u8> {
    file_header().into_iter().chain(blocks.iter().flat_map(pack_block)).collect()
}

/// Whether `shorter` is the beginning of `blocks`.
fn is_beginning(shorter: &[Block], blocks: &[Block]) -> bool {
    shorter.len() <= blocks.len() && shorter == &blocks[..shorter.len()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn what_is_written_is_read(
        seed in 0..1_000_000u64,
        lengths in prop::collection::vec(0..200usize, 0..5),
    ) {
        let blocks = blocks(seed, &lengths);
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("data.umi");
        write(&path, &blocks);
        prop_assert_eq!(std::fs::read(&path)?, bytes_of(&blocks));
        prop_assert_eq!(read(&path)?, blocks);
    }

    #[test]
    fn bytes_of_any_kind_are_no_reason_to_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        with_header: bool,
    ) {
        let mut all = if with_header { file_header().to_vec() } else { Vec::new() };
        all.extend(bytes);
        let (_folder, path) = file_of(&all);
        if let Ok(blocks) = read(&path) {
            prop_assert_eq!(blocks, []);
        }
    }
}

#[test]
fn a_file_cut_off_anywhere_is_shorter_and_goes_on() {
    let blocks = blocks(5, &[3, 0, 4]);
    let whole = bytes_of(&blocks);
    for length in 0..whole.len() {
        let (_folder, path) = file_of(&whole[..length]);
        let rest = read(&path).expect("a file that was cut off");
        assert!(rest.len() < blocks.len() && is_beginning(&rest, &blocks), "{length} bytes");
        let mut writer = Writer::append(&path).expect("a file that was cut off");
        assert_eq!(writer.games(&recipe(5)), 16 * rest.len() as u64);
        for block in &blocks[rest.len()..] {
            writer.write(block).expect("room for a block");
        }
        assert_eq!(std::fs::read(&path).expect("the file"), whole, "{length} bytes");
    }
}

#[test]
fn a_file_with_any_byte_changed_is_never_read_as_something_else() {
    let blocks = blocks(8, &[3, 2]);
    let whole = bytes_of(&blocks);
    for at in 0..whole.len() {
        for change in [1, 0x80, 0xFF] {
            let mut bytes = whole.clone();
            bytes[at] ^= change;
            let (_folder, path) = file_of(&bytes);
            let mut read = Vec::new();
            let mut error = None;
            match Reader::open(&path) {
                Ok(reader) => reader.for_each(|block| match block {
                    Ok(block) => read.push(block),
                    Err(found) => error = Some(found),
                }),
                Err(found) => error = Some(found),
            }
            assert!(is_beginning(&read, &blocks) && read.len() < blocks.len(), "byte {at}");
            let error = error.expect("an error");
            let place = match error {
                DataError::Damaged { offset, .. } => offset as usize,
                _ => 0,
            };
            assert!(place <= at, "byte {at}: {error}");
            assert!(Writer::append(&path).is_err(), "byte {at}");
            assert_eq!(std::fs::read(&path).expect("the file"), bytes, "byte {at}");
        }
    }
}

#[test]
fn zeroes_at_the_end_are_a_write_that_never_came() {
    let blocks = blocks(2, &[5]);
    for zeroes in [1, 47, 48, 49, 5000] {
        let (_folder, path) = file_of(&[bytes_of(&blocks), vec![0; zeroes]].concat());
        assert_eq!(read(&path).expect("a file that was cut off"), blocks);
        drop(Writer::append(&path).expect("a file that was cut off"));
        assert_eq!(std::fs::read(&path).expect("the file"), bytes_of(&blocks));
    }
}

#[test]
fn errors_name_the_file_and_the_place() {
    let blocks = blocks(4, &[1, 1]);
    let error = |bytes: &[u8]| {
        let (folder, path) = file_of(bytes);
        let error = read(&path).expect_err("a file that is not right").to_string();
        error.replace(&shown(folder.path()), "FOLDER")
    };
    assert_eq!(
        error(b"-----------OX------XO------------ X;"),
        "FOLDER/data.umi: is no training data of umigame: it does not begin with UMIGDATA"
    );
    let mut damaged = bytes_of(&blocks);
    damaged[16 + 48 + 21 + 48 + 3] ^= 1;
    assert_eq!(
        error(&damaged),
        "FOLDER/data.umi, byte 85: damaged: the checksum of the records differs"
    );
    let mut later = file_header();
    later[8] = 2;
    let check = crc32fast::hash(&later[..12]).to_le_bytes();
    later[12..].copy_from_slice(&check);
    assert_eq!(error(&later), "FOLDER/data.umi: has version 2: expected 1");
}

#[test]
fn two_writers_do_not_meet() {
    let (_folder, path) = file_of(&[]);
    let writer = Writer::append(&path).expect("an empty file");
    assert!(matches!(Writer::append(&path), Err(DataError::Busy(_))));
    drop(writer);
    assert!(Writer::append(&path).is_ok());
}

#[test]
fn a_writer_knows_what_the_file_holds() {
    let (_folder, path) = file_of(&[]);
    write(&path, &blocks(6, &[7, 9]));
    write(&path, &blocks(9, &[5]));
    OpenOptions::new()
        .append(true)
        .open(&path)
        .and_then(|mut file| file.write_all(b"BLCK"))
        .expect("a torn block");
    let writer = Writer::append(&path).expect("the file");
    let games = |seed| writer.games(&recipe(seed));
    assert_eq!((games(6), games(9), games(3), writer.records()), (32, 16, 0, 21));
}

#[test]
fn records_of_one_position_become_one_sample() {
    let position = Position::START;
    let score = |discs| Score::new(discs).expect("a score");
    let found = |value, depth| Some(Searched { value: Eval::from_centidiscs(value), depth });
    let record = |label, searched| Record::new(position, label, searched);
    let folded = |records: &[Record]| {
        let mut samples: Vec<Sample> = records.iter().map(|&record| record.into()).collect();
        fold(&mut samples);
        assert_eq!(samples.len(), 1);
        (samples[0].outcome(), samples[0].searched(), samples[0].count())
    };
    let games = [
        record(Label::Game(score(4)), found(100, 6)),
        record(Label::Searched, found(300, 10)),
        record(Label::Game(score(-1)), found(200, 6)),
        record(Label::Game(score(3)), None),
    ];
    let mean = Outcome::Games(Eval::from_centidiscs(200));
    assert_eq!(folded(&games), (mean, found(300, 10), 3));
    for at in 0..=games.len() {
        let mut records = games.to_vec();
        records.insert(at, record(Label::Exact(score(-20)), None));
        assert_eq!(folded(&records), (Outcome::Exact(score(-20)), found(300, 10), 1));
    }
    assert_eq!(folded(&games[1..2]), (Outcome::Unknown, found(300, 10), 1));
}

#[test]
fn a_folded_file_is_sorted_by_ply_and_holds_each_position_once() {
    let mut all = records(11, 900);
    // Every image of a position is the same record.
    let images = all.iter().flat_map(|record| {
        let turn = |symmetry: umigame_othello::Symmetry| symmetry.of_position(record.position);
        let label = record.label;
        umigame_othello::Symmetry::ALL.map(|symmetry| Record::new(turn(symmetry), label, None))
    });
    all = images.collect();
    let mut samples: Vec<Sample> = all.iter().map(|&record| record.into()).collect();
    let mut positions: Vec<Position> = all.iter().map(|record| record.position).collect();
    fold(&mut samples);
    positions.sort();
    positions.dedup();
    assert_eq!(samples.len(), positions.len());
    assert!(samples.iter().all(|sample| positions.binary_search(&sample.position).is_ok()));
    assert!(samples.is_sorted_by_key(|sample| (sample.ply(), sample.position)));
    assert!(samples.first().is_some_and(|sample| sample.ply() == 0));
}
