//! Errors of engine configurations.

/// An invalid configuration of an engine; the message quotes the text at fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub(crate) String);
