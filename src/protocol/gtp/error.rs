//! Errors of GTP commands.

/// Reason why a command fails. The specification prescribes most of the texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GtpError {
    /// There is no such command.
    #[error("unknown command")]
    UnknownCommand,
    /// Arguments are missing or cannot be read.
    #[error("syntax error")]
    Syntax,
    /// The line was cut.
    #[error("line too long")]
    LineTooLong,
    /// A board size other than 8.
    #[error("unacceptable size")]
    Size,
    /// A game other than Othello.
    #[error("unsupported game")]
    Game,
    /// The move is illegal, or the other colour is to move and can.
    #[error("illegal move")]
    IllegalMove,
    /// There is no move to undo.
    #[error("cannot undo")]
    Undo,
    /// The file is missing or holds no game of Othello.
    #[error("cannot load file")]
    LoadFile,
    /// The game is not over.
    #[error("cannot score")]
    Score,
    /// A fault in umigame.
    #[error("internal error")]
    Internal,
}
