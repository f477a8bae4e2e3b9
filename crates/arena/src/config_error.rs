//! Errors of engine configurations.

/// What is wrong with the configuration of an engine; quotes the text at fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub(crate) String);
