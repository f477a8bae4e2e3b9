//! Who plays at the prompt.

use umigame_othello::Color;

/// Colours that the engine plays; the modes of the prompt, numbered as in Edax.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EnginePlays {
    /// 0: the engine has White.
    White,
    /// 1: the engine has Black.
    Black,
    /// 2: the engine plays both sides.
    Both,
    /// 3: the engine moves only on `go`.
    None,
}

impl EnginePlays {
    pub const ALL: [EnginePlays; 4] =
        [EnginePlays::White, EnginePlays::Black, EnginePlays::Both, EnginePlays::None];

    pub fn includes(self, color: Color) -> bool {
        match self {
            EnginePlays::White => color == Color::White,
            EnginePlays::Black => color == Color::Black,
            EnginePlays::Both => true,
            EnginePlays::None => false,
        }
    }

    pub fn text(self) -> &'static str {
        match self {
            EnginePlays::White => "mode 0: you have Black, the engine White",
            EnginePlays::Black => "mode 1: the engine has Black, you White",
            EnginePlays::Both => "mode 2: the engine plays both sides",
            EnginePlays::None => "mode 3: you play both sides",
        }
    }
}
