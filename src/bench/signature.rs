//! The signature: node total of 24 fixed searches.
//!
//! With one thread it is the same on every machine and with every build; it changes only when the
//! search or the evaluation does.

use std::sync::LazyLock;

use umigame_engine::{
    Confidence, Engine, EngineError, EngineOptions, Limits, Megabytes, ScoreKind, SharedEvaluation,
    Silent,
};
use umigame_othello::{Move, Position, parse_position};

/// Number of positions.
pub const SIGNATURE_POSITIONS: usize = 24;

/// A position and its search depth in plies: exact where the depth reaches all empties, at 73 %
/// otherwise, so that the total covers every kind of cutoff.
struct Task {
    position: Position,
    plies: u32,
}

/// Four positions each of six games between simple players, from opening to ending. The last six
/// are solved exactly.
static TASKS: LazyLock<Vec<Task>> = LazyLock::new(|| {
    let task = |line: &str| {
        let (position, plies) = line.rsplit_once(' ')?;
        Some(Task { position: parse_position(position).ok()?.0, plies: plies.parse().ok()? })
    };
    include_str!("signature.txt").lines().filter_map(task).collect()
});

/// Options of the searches: the node total depends on the table's size.
const OPTIONS: EngineOptions = EngineOptions { hash: Megabytes(16), threads: 1 };

/// Returns the positions whose searches make the signature.
pub fn signature_positions() -> Vec<Position> {
    TASKS.iter().map(|task| task.position).collect()
}

/// One search of the signature.
#[derive(Clone, Copy, Debug)]
pub struct SignatureSearch {
    /// Position.
    pub position: Position,
    /// Kind of result.
    pub kind: ScoreKind,
    /// Best move.
    pub best: Option<Move>,
    /// Nodes visited.
    pub nodes: u64,
}

/// The searches whose node total is the signature.
#[derive(Debug)]
pub struct SignatureBench {
    engine: Engine,
}

impl SignatureBench {
    /// Creates the engine, with one thread and a table of 16 MB.
    ///
    /// # Errors
    /// The system lacks the memory for the table.
    pub fn new(evaluation: &SharedEvaluation) -> Result<SignatureBench, EngineError> {
        Ok(SignatureBench { engine: Engine::new(evaluation.clone(), OPTIONS)? })
    }

    /// Searches the positions in turn as the iterator advances.
    pub fn run(&mut self) -> impl Iterator<Item = SignatureSearch> + '_ {
        TASKS.iter().map(|task| {
            let position = task.position;
            self.engine.clear();
            let report = self.engine.search(position, &task.limits(), &Silent::default());
            let best = report.best().map(|line| line.first());
            SignatureSearch { position, kind: report.kind, best, nodes: report.nodes }
        })
    }
}

impl Task {
    fn limits(&self) -> Limits {
        let exact = self.plies >= self.position.empties();
        let confidence = if exact { Confidence::FULL } else { Confidence::P73 };
        Limits::depth(self.plies).with_confidence(confidence)
    }
}
