//! Labelled positions, and their 21 bytes in a file.

use zerocopy::little_endian::{I16, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use umigame_othello::{Eval, Position, Score};

/// Bytes of a record.
pub(super) const RECORD_LEN: usize = 21;
const _: () = assert!(size_of::<PackedRecord>() == RECORD_LEN);
/// Search value of a record that has none.
const NO_VALUE: i16 = i16::MIN;

/// What is known about the outcome of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Label {
    /// Proven score under perfect play.
    Exact(Score),
    /// Score of the game that searches alone played from here.
    Game(Score),
    /// Nothing but the value of a search.
    Searched,
}

/// Value of a search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Searched {
    /// Value for the side to move.
    pub value: Eval,
    /// Plies searched, 1 to 60; the number of empties if searched to the end.
    pub depth: u8,
}

/// A labelled position. Label and value are for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Record {
    /// Position, the least of its eight images.
    pub position: Position,
    /// Exact score, result of the game, or neither.
    pub label: Label,
    /// Value of a search, if there was one.
    pub searched: Option<Searched>,
}

/// A record as it is stored.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct PackedRecord {
    player: U64,
    opponent: U64,
    score: i8,
    value: I16,
    depth: u8,
    kind: u8,
}

impl Record {
    /// Returns the record of any image of a position.
    pub fn new(position: Position, label: Label, searched: Option<Searched>) -> Record {
        Record { position: position.canonical().0, label, searched }
    }

    pub(super) fn pack(&self) -> PackedRecord {
        let (kind, score) = match self.label {
            Label::Exact(score) => (0, score.discs()),
            Label::Game(score) => (1, score.discs()),
            Label::Searched => (2, 0),
        };
        let (value, depth) = match self.searched {
            Some(searched) => (searched.value.centidiscs() as i16, searched.depth),
            None => (NO_VALUE, 0),
        };
        let [player, opponent] = [self.position.player(), self.position.opponent()];
        let (player, opponent) = (player.bits().into(), opponent.bits().into());
        PackedRecord { player, opponent, score: score as i8, value: value.into(), depth, kind }
    }

    /// Reads a record; `None` if the bytes are none.
    pub(super) fn unpack(packed: &PackedRecord) -> Option<Record> {
        let [player, opponent] = [packed.player, packed.opponent].map(|word| word.get().into());
        let position = Position::new(player, opponent).ok()?;
        let score = Score::new(packed.score.into())?;
        let label = match packed.kind {
            0 => Label::Exact(score),
            1 => Label::Game(score),
            2 => Label::Searched,
            _ => return None,
        };
        let searched = match (packed.value.get(), packed.depth) {
            (NO_VALUE, 0) => None,
            (value @ -6400..=6400, depth @ 1..=60) => {
                Some(Searched { value: Eval::from_centidiscs(i32::from(value)), depth })
            }
            _ => return None,
        };
        Some(Record { position, label, searched })
    }
}
