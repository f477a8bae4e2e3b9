//! Errors of engine configurations.

use umigame_support::time::ParseTimeError;

/// A configuration of an engine is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A time.
    #[error("`{text}`: {why}")]
    Time {
        /// The text.
        text: String,
        /// Reason.
        why: ParseTimeError,
    },
    /// A time for a game.
    #[error("`{text}`: {why}, or two of them as in 60+0.5")]
    GameTime {
        /// The text.
        text: String,
        /// Reason, for one of its times.
        why: ParseTimeError,
    },
    /// Settings before a command without their closing bracket.
    #[error("`{0}`: expected `]` after the settings of the engine")]
    Bracket(String),
    /// A word between the brackets that is not a setting.
    #[error("`{0}` is no setting: expected KEY=VALUE")]
    Setting(String),
    /// An unclosed quotation mark.
    #[error("`{0}`: a quotation mark is not closed")]
    Quote(String),
    /// No command.
    #[error("an engine without a command")]
    NoCommand,
    /// An error of the TOML reader, with its place in the text.
    #[error("{0}")]
    Toml(String),
}
