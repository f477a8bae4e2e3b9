//! Errors in making an engine.

/// A size in units of 2^20 bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Megabytes(pub usize);

impl Megabytes {
    /// The largest transposition table.
    pub const MAX: Megabytes = Megabytes(1 << 20);
}

/// The system lacks the memory or the threads of an engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The transposition table is too small or too large; with its megabytes.
    #[error("hash of {0} MB: expected 1 to {max} MB", max = Megabytes::MAX.0)]
    HashSize(usize),
    /// The system lacks the memory for the table.
    #[error("hash of {megabytes} MB: there is not enough memory{}", available(*.free))]
    HashMemory {
        /// Size asked for.
        megabytes: usize,
        /// Free memory, where the system tells.
        free: Option<usize>,
    },
    /// The system does not start the threads; with its message.
    #[error("the threads cannot be started: {0}")]
    Threads(String),
}

fn available(megabytes: Option<usize>) -> String {
    megabytes.map_or_else(String::new, |megabytes| format!(", {megabytes} MB are free"))
}
