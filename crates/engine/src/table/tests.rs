//! Laws of the transposition table.

use super::*;
use crate::limits::confidence::Confidence;
use umigame_eval::value::Centidiscs;
use umigame_othello::{Bitboard, Position, testing};

fn table() -> Table {
    Table::new(Megabytes(1)).expect("a megabyte")
}

fn depth(plies: u8, confidence: Confidence) -> SearchDepth {
    SearchDepth { plies, confidence }
}

fn window(alpha: i32, beta: i32) -> Window<Centidiscs> {
    Window::new(Centidiscs(alpha), Centidiscs(beta))
}

fn value(centidiscs: i32) -> BestMove<Centidiscs> {
    BestMove { value: Centidiscs(centidiscs), square: None }
}

#[test]
fn a_stored_position_is_found_again_with_its_bounds() {
    let mut table = table();
    let table = table.open();
    let depth = depth(9, Confidence::P98);
    testing::random_positions(1, 2_000, |position| {
        let hash = Hash::of(position);
        let square = Some(position.legal_moves().lowest());
        table.store(hash, depth, window(-100, 250), BestMove { square, ..value(120) });
        let entry = table.probe(hash).expect("just stored");
        assert_eq!((entry.lower, entry.upper, entry.moves[0]), (120, 120, square));
        assert_eq!(entry.depth, depth);
    });
}

#[test]
fn bounds_of_equal_depth_are_intersected_and_deeper_ones_replace_them() {
    let mut table = table();
    let table = table.open();
    let hash = Hash::of(Position::START);
    table.store(hash, depth(4, Confidence::FULL), window(0, 1), value(300));
    table.store(hash, depth(4, Confidence::FULL), window(400, 401), value(400));
    let entry = table.probe(hash).expect("stored");
    assert_eq!((entry.lower, entry.upper), (300, 400));
    table.store(hash, depth(5, Confidence::FULL), window(0, 1), value(-20));
    let entry = table.probe(hash).expect("stored");
    assert_eq!((entry.lower, entry.upper), (-6400, -20));
}

#[test]
fn a_torn_entry_does_not_match() {
    let mut table = table();
    let table = table.open();
    let hash = Hash::of(Position::START);
    table.store(hash, depth(4, Confidence::P73), window(0, 100), value(50));
    for slot in table.bucket(hash).expect("a bucket") {
        slot.data.fetch_xor(1 << 20, Relaxed);
    }
    assert_eq!(table.probe(hash), None);
}

#[test]
fn a_cleared_table_holds_nothing_and_serves_again() {
    let mut table = table();
    let hash = Hash::of(Position::START);
    // Generations wrap around several times.
    for _ in 0..400 {
        let open = table.open();
        assert_eq!(open.probe(hash), None);
        open.store(hash, depth(4, Confidence::P73), window(0, 100), value(50));
        assert_ne!(table.open().probe(hash), None, "a later search finds it");
        table.clear();
    }
}

#[test]
fn a_table_has_the_size_asked_for_within_bounds() {
    assert_eq!(Table::new(Megabytes(3)).map(|table| table.size()), Ok(Megabytes(3)));
    assert_eq!(Table::new(Megabytes(0)).err(), Some(EngineError::HashSize(0)));
    assert!(matches!(Table::new(Megabytes::MAX), Err(EngineError::HashMemory { .. }) | Ok(_)));
    assert!(Table::new(Megabytes(usize::MAX)).is_err());
}

#[test]
fn one_bit_of_a_position_turns_half_the_bits_of_its_hash() {
    let (mut turned, mut count) = (0, 0);
    testing::random_positions(5, 1_000, |position| {
        let hash = Hash::of(position);
        for bit in 0..64 {
            let changed = position.player() ^ Bitboard::from_bits(1 << bit);
            let other =
                Hash::of(Position::new_unchecked(changed, position.opponent().difference(changed)));
            assert_ne!(other.check, hash.check);
            turned +=
                (other.check ^ hash.check).count_ones() + (other.index ^ hash.index).count_ones();
            count += 128;
        }
    });
    let share = f64::from(turned) / f64::from(count);
    assert!((0.4..0.6).contains(&share), "{share}");
}
