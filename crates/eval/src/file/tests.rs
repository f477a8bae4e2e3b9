//! Laws of the weights file.

use super::differences::{TWO_BYTES, unzigzag, zigzag};
use super::*;
use crate::network::Embedding;
use crate::network::layer::{LayerParameters, max_parameter};
use crate::patterns::Tables;
use crate::position_noise::NUMBERS;

fn some_weights() -> Weights {
    let mut random = fastrand::Rng::with_seed(1);
    let patterns = (0..PHASES * PACKING.len)
        .map(|_| random.i16(-900..900) * i16::from(random.bool()))
        .collect();
    let embedding = |_| -> Embedding { std::array::from_fn(|_| random.i8(-3..3)) };
    let embeddings = (0..PACKING.len).map(embedding).collect();
    let max = |at| max_parameter(at) as i16;
    let layer = |i: usize| std::array::from_fn(|at| [max(at), 0, -max(at)][(i + at) % 3]);
    let layers = (0..PHASES).map(|i| LayerParameters(layer(i))).collect();
    let network = Some(Parameters { embeddings, layers });
    Weights { patterns, network }
}

#[test]
fn a_file_gives_back_its_weights() {
    let weights = some_weights();
    let mut random = fastrand::Rng::with_seed(3);
    let models = FittedModels {
        probcut: ProbCutModel(std::array::from_fn(|_| random.f64())),
        calibration: ScoreCalibration::of_coefficients(&std::array::from_fn(|_| {
            random.f64() - 0.5
        })),
        noise: PositionNoiseModel([(); PHASES].map(|()| [(); NUMBERS].map(|()| random.i16(-9..9)))),
    };
    let file = to_bytes(&weights, &models);
    assert!(from_bytes(&file).as_ref() == Ok(&weights));
    let file = WeightsFile::new(&file).expect("a complete file");
    assert_eq!(file.checksum(), weights.checksum());
    assert!(file.network() == Ok(weights.network.clone()));
    assert_eq!(file.models(), models);
    let tables = Tables::new(&weights.patterns).expect("weights of every phase");
    let unpacked = Tables::from_blocks(|block| file.block(block));
    assert!(unpacked.is_ok_and(|unpacked| unpacked == tables));
}

#[test]
fn extreme_weights_survive() {
    let patterns: Vec<i16> =
        (0..PHASES * PACKING.len).map(|i| [i16::MIN, i16::MAX, 0][i % 3]).collect();
    let weights = Weights::from(patterns);
    assert!(from_bytes(&to_bytes(&weights, &FittedModels::DEFAULT)) == Ok(weights));
    for difference in i16::MIN..=i16::MAX {
        assert_eq!(unzigzag(zigzag(difference)), difference);
    }
}

#[test]
fn a_damaged_file_is_refused() {
    let file = to_bytes(&some_weights(), &FittedModels::DEFAULT);
    let mut random = fastrand::Rng::with_seed(2);
    for _ in 0..40 {
        let mut bad = file.clone();
        let at = random.usize(..bad.len());
        bad[at] ^= 1 << random.u32(..8);
        let read = std::panic::catch_unwind(|| from_bytes(&bad));
        assert!(matches!(read, Ok(Err(_))), "byte {at}");
        let short = file.get(..at).unwrap_or_default();
        assert!(matches!(std::panic::catch_unwind(|| from_bytes(short)), Ok(Err(_))));
    }
    assert_eq!(from_bytes(b"P6 64 64 255"), Err(WeightsError::Foreign));
    assert_eq!(from_bytes(b""), Err(WeightsError::Foreign));
    let mut old = file;
    old[8] = 5;
    let error = from_bytes(&old).expect_err("the file of an older program");
    assert_eq!(error.to_string(), "weights of version 5, this program reads version 13");
}

#[test]
fn coefficients_that_are_not_finite_are_refused() {
    let mut probcut = ProbCutModel::DEFAULT;
    probcut.0[3] = f64::NAN;
    let mut calibration = ScoreCalibration::DEFAULT;
    calibration.std_dev[2] = f64::INFINITY;
    for (name, models) in [
        ("ProbCut model", FittedModels { probcut, ..FittedModels::DEFAULT }),
        ("score calibration", FittedModels { calibration, ..FittedModels::DEFAULT }),
    ] {
        let zeros = Weights::from(vec![0; PHASES * PACKING.len]);
        let error = from_bytes(&to_bytes(&zeros, &models)).expect_err("not finite");
        let expected = format!("damaged: a coefficient of the {name} is not finite");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn a_noise_out_of_bounds_is_refused() {
    let mut noise = PositionNoiseModel::AVERAGE;
    noise.0[PHASES - 1][NUMBERS - 1] = i16::MAX;
    let zeros = Weights::from(vec![0; PHASES * PACKING.len]);
    let file = to_bytes(&zeros, &FittedModels { noise, ..FittedModels::DEFAULT });
    let error = from_bytes(&file).expect_err("out of bounds");
    assert_eq!(error.to_string(), "damaged: a number of the noise out of bounds");
}

/// Returns the bytes of a file with these parts and matching checksums.
fn file_with(parts: &[Vec<u8>]) -> Vec<u8> {
    let zeros = Weights::from(vec![0; PHASES * PACKING.len]);
    let mut file = to_bytes(&zeros, &FittedModels::DEFAULT);
    file.truncate(LENGTHS_AT);
    append_parts(&mut file, parts);
    file
}

/// Parts with pattern weights of zero, unpacked and changed by `change`; no network.
fn changed_blocks(change: fn(&mut Vec<u8>)) -> Vec<Vec<u8>> {
    let block = |block: usize| {
        let mut bytes = vec![0; PACKING.block(block).len() * PHASES];
        change(&mut bytes);
        lz4_flex::block::compress(&bytes)
    };
    let mut parts: Vec<Vec<u8>> = (0..BLOCKS).map(block).collect();
    parts.resize(PARTS, Vec::new());
    parts
}

#[test]
fn malformed_blocks_with_matching_checksums_are_refused() {
    let read = |change| from_bytes(&file_with(&changed_blocks(change)));
    assert!(read(|_| {}).is_ok_and(|read| read.patterns.len() == PHASES * PACKING.len));
    let changes: [fn(&mut Vec<u8>); 5] = [
        |bytes| bytes.push(0),
        |bytes| bytes.extend([1, 0]),
        |bytes| bytes.truncate(7),
        |bytes| bytes[0] = TWO_BYTES,
        |bytes| bytes.resize(5_000_000, 0),
    ];
    for change in changes {
        assert!(matches!(read(change), Err(WeightsError::Damaged(_))));
    }
    let none = from_bytes(&file_with(&vec![Vec::new(); PARTS]));
    assert!(matches!(none, Err(WeightsError::Damaged(_))), "{none:?}");
    let noise = from_bytes(&file_with(&vec![vec![0xA7; 3000]; PARTS]));
    assert!(matches!(noise, Err(WeightsError::Damaged(_))), "{noise:?}");
}

#[test]
fn a_malformed_network_with_matching_checksums_is_refused() {
    let read = |part: usize, change: fn(&mut Vec<u8>)| {
        let mut parts = changed_blocks(|_| {});
        for block in 0..BLOCKS {
            let length = PACKING.block(block).len() * network::WIDTH;
            parts[EMBEDDINGS + block] = vec![0; length];
        }
        parts[LAYERS] = vec![0; network::LAYER_BYTES];
        change(&mut parts[part]);
        for part in &mut parts[EMBEDDINGS..] {
            *part = deflate::pack(part);
        }
        from_bytes(&file_with(&parts))
    };
    assert!(read(LAYERS, |_| {}).is_ok_and(|read| read.network.is_some()));
    let changes: [fn(&mut Vec<u8>); 4] = [
        |bytes| bytes.push(0),
        |bytes| bytes.truncate(7),
        |bytes| bytes.clear(),
        |bytes| bytes.resize(50_000_000, 0),
    ];
    for change in changes {
        for part in [EMBEDDINGS, LAYERS - 1, LAYERS] {
            assert!(matches!(read(part, change), Err(WeightsError::Damaged(_))));
        }
    }
    // A parameter of the last layer that is too large.
    let too_large = |bytes: &mut Vec<u8>| {
        bytes.iter_mut().rev().skip(2).take(2).for_each(|byte| *byte = 0x7F);
    };
    assert!(matches!(read(LAYERS, too_large), Err(WeightsError::Damaged(_))));
}
