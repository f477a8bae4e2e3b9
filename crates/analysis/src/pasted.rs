//! A game that was pasted as JSON, in the words that pages, programs and the npm package share.

use serde::Serialize;
use umigame_othello::formats::pasted::Pasted;
use umigame_othello::position_text;

/// A game or a position, and the form that it was found in.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct PastedRecord {
    form: &'static str,
    start: String,
    moves: Vec<String>,
    /// Names of Black and White, where the text has any.
    players: Option<[String; 2]>,
}

impl From<Pasted> for PastedRecord {
    fn from(Pasted { form, record }: Pasted) -> PastedRecord {
        let players = record.players.map(|player| player.name);
        PastedRecord {
            form,
            start: position_text(record.start, record.side),
            moves: record.turns.iter().map(|turn| turn.played.to_string()).collect(),
            players: Some(players).filter(|[black, white]| !black.is_empty() || !white.is_empty()),
        }
    }
}
