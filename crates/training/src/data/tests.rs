//! A file gives back exactly what was written; damaged files are refused.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::block::file_header;
use super::*;
use umigame_othello::{Eval, Position, Score, Symmetry, testing, text::shown_path as shown};

/// Returns records of random positions with all kinds of label.
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
        confidence: 73,
        weights: seed as u32 ^ 77,
        settings: 3,
        seed,
    }
}

/// Returns blocks with the given numbers of records.
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
    DataReader::open(path)?.collect()
}

/// Writes a file of these bytes into a new folder.
fn file_of(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data.umi");
    std::fs::write(&path, bytes).expect("a file");
    (folder, path)
}

/// Returns the bytes of a file with these blocks.
fn bytes_of(blocks: &[Block]) -> Vec<u8> {
    file_header().into_iter().chain(blocks.iter().flat_map(Block::pack)).collect()
}

/// Returns whether `shorter` is a prefix of `blocks`.
fn is_prefix(shorter: &[Block], blocks: &[Block]) -> bool {
    shorter.len() <= blocks.len() && shorter == &blocks[..shorter.len()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_file_gives_back_its_blocks(
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
    fn arbitrary_bytes_cause_no_panic(
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
fn a_truncated_file_loses_at_most_the_last_block_and_can_be_continued() {
    let blocks = blocks(5, &[3, 0, 4]);
    let whole = bytes_of(&blocks);
    for length in 0..whole.len() {
        let (_folder, path) = file_of(&whole[..length]);
        let rest = read(&path).expect("a truncated file");
        assert!(rest.len() < blocks.len() && is_prefix(&rest, &blocks), "{length} bytes");
        let mut writer = Writer::append(&path).expect("a truncated file");
        assert_eq!(writer.games(&recipe(5)), 16 * rest.len() as u64);
        for block in &blocks[rest.len()..] {
            writer.write(block).expect("room for a block");
        }
        assert_eq!(std::fs::read(&path).expect("the file"), whole, "{length} bytes");
    }
}

#[test]
fn any_changed_byte_is_detected() {
    let blocks = blocks(8, &[3, 2]);
    let whole = bytes_of(&blocks);
    for at in 0..whole.len() {
        for change in [1, 0x80, 0xFF] {
            let mut bytes = whole.clone();
            bytes[at] ^= change;
            let (_folder, path) = file_of(&bytes);
            let mut read = Vec::new();
            let mut error = None;
            match DataReader::open(&path) {
                Ok(reader) => reader.for_each(|block| match block {
                    Ok(block) => read.push(block),
                    Err(found) => error = Some(found),
                }),
                Err(found) => error = Some(found),
            }
            assert!(is_prefix(&read, &blocks) && read.len() < blocks.len(), "byte {at}");
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
fn zeros_at_the_end_are_removed_like_an_incomplete_block() {
    let blocks = blocks(2, &[5]);
    for zeros in [1, 47, 48, 49, 5000] {
        let (_folder, path) = file_of(&[bytes_of(&blocks), vec![0; zeros]].concat());
        assert_eq!(read(&path).expect("a truncated file"), blocks);
        drop(Writer::append(&path).expect("a truncated file"));
        assert_eq!(std::fs::read(&path).expect("the file"), bytes_of(&blocks));
    }
}

#[test]
fn errors_name_the_file_and_the_offset() {
    let blocks = blocks(4, &[1, 1]);
    let error = |bytes: &[u8]| {
        let (_folder, path) = file_of(bytes);
        let error = read(&path).expect_err("a malformed file").to_string();
        error.replace(&shown(&path), "FILE")
    };
    assert_eq!(
        error(b"-----------OX------XO------------ X;"),
        "FILE: is no training data of umigame: it does not begin with UMIGDATA"
    );
    let mut damaged = bytes_of(&blocks);
    damaged[16 + 48 + 21 + 48 + 3] ^= 1;
    assert_eq!(error(&damaged), "FILE, byte 85: damaged: the checksum of the records differs");
    let mut later = file_header();
    later[8] = 2;
    let check = crc32fast::hash(&later[..12]).to_le_bytes();
    later[12..].copy_from_slice(&check);
    assert_eq!(error(&later), "FILE: has version 2: expected 1");
}

#[test]
fn a_file_has_one_writer_at_a_time() {
    let (_folder, path) = file_of(&[]);
    let writer = Writer::append(&path).expect("an empty file");
    let error = Writer::append(&path).expect_err("a second writer").to_string();
    assert!(error.contains("another process is writing to it"), "{error}");
    drop(writer);
    assert!(Writer::append(&path).is_ok());
}

#[test]
fn a_writer_counts_the_games_of_each_recipe() {
    let (_folder, path) = file_of(&[]);
    write(&path, &blocks(6, &[7, 9]));
    write(&path, &blocks(9, &[5]));
    OpenOptions::new()
        .append(true)
        .open(&path)
        .and_then(|mut file| file.write_all(b"BLCK"))
        .expect("an incomplete block");
    let writer = Writer::append(&path).expect("the file");
    let games = |seed| writer.games(&recipe(seed));
    assert_eq!((games(6), games(9), games(3), writer.records()), (32, 16, 0, 21));
}

#[test]
fn records_of_one_position_are_merged_into_one_sample() {
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
    let mean = SampleOutcome::Games(Eval::from_centidiscs(200));
    assert_eq!(folded(&games), (mean, found(300, 10), 3));
    for at in 0..=games.len() {
        let mut records = games.to_vec();
        records.insert(at, record(Label::Exact(score(-20)), None));
        assert_eq!(folded(&records), (SampleOutcome::Exact(score(-20)), found(300, 10), 1));
    }
    assert_eq!(folded(&games[1..2]), (SampleOutcome::Unknown, found(300, 10), 1));
}

#[test]
fn folded_samples_are_sorted_by_ply_and_unique() {
    let mut all = records(11, 900);
    // All images of a position have the same record.
    let images = all.iter().flat_map(|record| {
        let image = |symmetry: Symmetry| symmetry.of_position(record.position);
        let label = record.label;
        Symmetry::ALL.map(|symmetry| Record::new(image(symmetry), label, None))
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
