//! Labelled positions, and their 21 bytes in a file.

use super::bytes::bytes_at;
use umigame_othello::{Eval, Position, Score};

/// Bytes of a record.
pub(super) const RECORD_LEN: usize = 21;
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

impl Record {
    /// Returns the record of any image of a position.
    pub fn new(position: Position, label: Label, searched: Option<Searched>) -> Record {
        Record { position: position.canonical().0, label, searched }
    }

    pub(super) fn pack(&self) -> [u8; RECORD_LEN] {
        let (kind, score) = match self.label {
            Label::Exact(score) => (0, score.discs()),
            Label::Game(score) => (1, score.discs()),
            Label::Searched => (2, 0),
        };
        let (value, depth) = match self.searched {
            Some(searched) => (searched.value.centidiscs() as i16, searched.depth),
            None => (NO_VALUE, 0),
        };
        let mut bytes = [0; RECORD_LEN];
        bytes[..8].copy_from_slice(&self.position.player().bits().to_le_bytes());
        bytes[8..16].copy_from_slice(&self.position.opponent().bits().to_le_bytes());
        bytes[16] = score as i8 as u8;
        bytes[17..19].copy_from_slice(&value.to_le_bytes());
        bytes[19] = depth;
        bytes[20] = kind;
        bytes
    }

    /// Reads a record; `None` if the bytes are none.
    pub(super) fn unpack(bytes: &[u8; RECORD_LEN]) -> Option<Record> {
        let [player, opponent] = [0, 8].map(|at| u64::from_le_bytes(bytes_at(bytes, at)));
        let position = Position::new(player.into(), opponent.into()).ok()?;
        let score = Score::new(i32::from(bytes[16] as i8))?;
        let label = match bytes[20] {
            0 => Label::Exact(score),
            1 => Label::Game(score),
            2 => Label::Searched,
            _ => return None,
        };
        let searched = match (i16::from_le_bytes([bytes[17], bytes[18]]), bytes[19]) {
            (NO_VALUE, 0) => None,
            (value @ -6400..=6400, depth @ 1..=60) => {
                Some(Searched { value: Eval::from_centidiscs(i32::from(value)), depth })
            }
            _ => return None,
        };
        Some(Record { position, label, searched })
    }
}
