//! Properties of pattern indices, packing and phases.

use super::layout::{BLOCKS, FEATURES, PACKING, RAW, block, raw_features};
use super::shapes::{LANES, PLACEMENT, SHAPE, Shape, folds};
use super::*;
use umigame_othello::testing::random_positions;
use umigame_othello::{Position, Symmetry};

/// Computes the index of a lane by its definition.
fn index(position: Position, lane: usize) -> u16 {
    let placement = PLACEMENT[lane];
    let shape = SHAPE[placement.shape];
    (0..shape.len()).rev().fold(0, |index, i| {
        let square = placement.symmetry.of_square(shape.square(i));
        let digit = u16::from(position.player().contains(square))
            + 2 * u16::from(position.opponent().contains(square));
        3 * index + digit
    })
}

#[test]
fn indices_agree_with_their_definition() {
    random_positions(31, 300, |position| {
        let board = MidBoard::new(position);
        for lane in 0..LANES {
            let expected = if lane < PLACEMENT.len() { index(position, lane) } else { 0 };
            assert_eq!(board.indices().0[lane], expected, "lane {lane} of {position:?}");
        }
    });
}

#[test]
fn moves_and_passes_update_the_indices() {
    random_positions(32, 20_000, |position| {
        let board = MidBoard::new(position);
        assert_eq!(board.passed(), MidBoard::new(position.passed()));
        for square in position.legal_moves() {
            let flips = position.flips(square);
            let next = board.after(square, flips);
            assert_eq!(next, MidBoard::new(position.after(square, flips)));
            assert_eq!(&board.indices_after(square, flips), next.indices());
        }
    });
}

#[test]
fn the_eight_images_of_a_position_have_the_same_packed_features() {
    let packed = |position| {
        let mut features = raw_features(position, MidBoard::new(position).indices())
            .map(|raw| PACKING.packed[raw]);
        features.sort_unstable();
        features
    };
    random_positions(33, 3_000, |position| {
        let expected: [u32; FEATURES] = packed(position);
        for symmetry in Symmetry::ALL {
            assert_eq!(packed(symmetry.of_position(position)), expected, "{position:?}");
        }
    });
}

/// Computes the least image of a configuration digit by digit.
fn least_image(shape: &Shape, index: usize) -> usize {
    let digit = |i: usize| index / 3usize.pow(i as u32) % 3;
    let squares: Vec<_> = (0..shape.len()).map(|i| shape.square(i)).collect();
    let image = |symmetry: Symmetry| {
        let places = squares.iter().map(|&square| {
            let image = symmetry.of_square(square);
            squares.iter().position(|&other| other == image)
        });
        let places: Option<Vec<usize>> = places.collect();
        let digits =
            places?.into_iter().enumerate().map(|(i, to)| digit(i) * 3usize.pow(to as u32));
        Some(digits.sum::<usize>())
    };
    Symmetry::ALL.into_iter().filter_map(image).min().expect("the identity leaves a shape alone")
}

#[test]
fn configurations_fold_to_the_least_of_their_images() {
    for shape in &SHAPE {
        let folds: Vec<u32> = folds(shape).into_iter().map(|(least, _)| least).collect();
        assert_eq!(folds.len(), shape.configurations());
        for (index, &least) in folds.iter().enumerate() {
            assert!(least as usize <= index && folds[least as usize] == least);
            if index % 7 == 0 {
                assert_eq!(least as usize, least_image(shape, index), "{} {index}", shape.name);
            }
        }
    }
}

#[test]
fn blocks_partition_raw_and_packed_weights() {
    let (mut raw, mut packed) = (0, 0);
    for at in 0..BLOCKS {
        assert_eq!((block(at).start, PACKING.block(at).start), (raw, packed));
        (raw, packed) = (block(at).end, PACKING.block(at).end);
        let places = &PACKING.packed[block(at)];
        assert!(places.iter().all(|&place| PACKING.block(at).contains(&(place as usize))));
    }
    assert_eq!((raw, packed), (RAW, PACKING.len));
}

#[test]
fn phases_are_two_plies_each() {
    let phases: Vec<usize> = (0..=60).rev().map(phase_of).collect();
    assert_eq!((phases[0], phases[60]), (0, PHASES - 1));
    assert!(phases.windows(2).all(|pair| pair[1] - pair[0] <= 1));
    assert!((0..PHASES).all(|phase| phases.iter().filter(|&&p| p == phase).count() >= 2));
}
