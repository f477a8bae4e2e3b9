//! Entries: the games of a file, each with its place.

use crate::record::Record;

/// Maximum bytes of what is kept of one game: tags, their values and moves. Real games, comments
/// included, are smaller by far; without a bound, a file of empty tags takes 40 times its size.
pub(crate) const MAX_GAME_BYTES: usize = 1 << 20;

/// A game of a file, or the reason why it cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub struct GameEntry<E> {
    /// Number of the game in the file, from 1.
    pub game: usize,
    /// Line on which the game begins, from 1; 0 in a file without lines.
    pub line: usize,
    /// The game.
    pub record: Result<Record, E>,
}
