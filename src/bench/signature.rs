//! The signature: node total of 24 fixed searches.
//!
//! With one thread it is the same on every machine and with every build; it changes only when the
//! search or the evaluation does.

use umigame_engine::SharedEvaluation;
use umigame_engine::{
    Confidence, Engine, EngineError, EngineOptions, Limits, Megabytes, ScoreKind, Silent,
};
use umigame_othello::{Move, Position, parse_position};

/// Number of positions.
pub const SIGNATURE_POSITIONS: usize = TASKS.len();

/// A position and its search depth in plies: exact where the depth reaches all empties, at 73 %
/// otherwise, so that the total covers every kind of cutoff.
struct Task(&'static str, u32);

/// Depth of the midgame searches.
const MIDGAME_PLIES: u32 = 14;

/// Four positions each of six games between simple players, from opening to ending. The last six
/// are solved exactly.
const TASKS: [Task; 24] = [
    Task("-----------------OOO------OXX------OXX-----O-------------------- X", MIDGAME_PLIES),
    Task("------------------XX------XOOO----XOOX----OO-------------------- X", MIDGAME_PLIES),
    Task("-----------------OOO------OXX------OXX----XOO-----XO------------ X", MIDGAME_PLIES),
    Task("-------------------OXX---OOOOOO---OXXXX-----XO------------------ X", MIDGAME_PLIES),
    Task("------------------OXX-----OXXO---OOXOO---OXXXO--O--------------- X", MIDGAME_PLIES),
    Task("-------------------O-------OO--O--XXXOOO---XXXOO----XX----OOO--- X", MIDGAME_PLIES),
    Task("----------------OOOO-O--OOXXO----XXOXX--XXOOO---X-XX-------X---- X", MIDGAME_PLIES),
    Task("--------X-X--O--XOOXOOX-XOOOXOXX--OOXOOO---XOO-----O------------ X", MIDGAME_PLIES),
    Task("----------------OOOOO---XOOXXX---OOXXX--XXOOXX----OXOO----OOOO-- X", MIDGAME_PLIES),
    Task("------------------XXXOO---XXXOXX--XOOO--OOOOOOX---OOXO-X--OOOOO- X", MIDGAME_PLIES),
    Task("----------------O-OXXX--OOXXXXXOOXOOXXOOOXXOXOXOO--OOO-----O---- X", MIDGAME_PLIES),
    Task("-----------X-----XXXX-OO--XXXOOO-OOXOOOO-OOOOOOO--OOXO---OOOOO-- X", MIDGAME_PLIES),
    Task("----OOO-X---X--XXXOXOOOOXOXXOXXXXOOXXX--XXXXXX--X-XXXX-----X---- X", MIDGAME_PLIES),
    Task("----------------OOOXXXXOOOOXXXXOOOXOXOXOOXXXOXXOO-XOXX----XXXX-- O", MIDGAME_PLIES),
    Task("-O------X-OO-O-XXOXOOOXXXOOOXXOXXOOOXOOXXOOOOO-XX-OOO-----O----- X", MIDGAME_PLIES),
    Task("-------------O-XOOOOOOO-OOOOOOXOOXOOXXX-OXOXXXX-OXXXOO--OXOOOO-- O", MIDGAME_PLIES),
    Task("-------O-----X-OOOXXXXXOXXXXXXXO-OOOOOXOOOOOOOOO--OOOO-X--OOOOO- X", MIDGAME_PLIES),
    Task("--------X--X----XXXXXOOOXXXXOOOOXOXOXOOOXOOOOXOOX-OOOOX--OOOOO-- O", MIDGAME_PLIES),
    Task("----OOOOX--XXXOOXXXXXOXOXXXXOXXOXOOOXX-OXOOXXX--XOXXXX-----X---- X", 18),
    Task("-OXX---XX-XXOOXXXXXOXOOXXOOOXXOXXOOOXOOXXOOOOO-XX-OOO-----O----- O", 17),
    Task("-------O-----XOOOOXXXOOOXXXXOXOOXXXOXXOOOOOOOXOO--OOOOOO--OOOOOO X", 16),
    Task("--XX-O----XXX--OOOXOXXOOOOOOXOXOOOXOXOOOOXXXOXOOO-XOXX-O--XXXX-- O", 15),
    Task("------X---O-XX-XOOOOXXOXOOXOOOXXOXOOXOOXOXOXOOOXOXXOOO-XOXOOOO-- O", 14),
    Task("---O----X-XOO---XXXXOOOOXXXOXOOOXOXXOXOOXOOOXOXOX-OOOXXX-OOOOOOO O", 13),
];

/// Options of the searches: the node total depends on the table's size.
const OPTIONS: EngineOptions = EngineOptions { hash: Megabytes(16), threads: 1 };

/// Returns the positions whose searches make the signature.
pub fn signature_positions() -> Vec<Position> {
    TASKS.iter().map(Task::position).collect()
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
            let position = task.position();
            self.engine.clear();
            let report = self.engine.search(position, &task.limits(), &Silent::default());
            let best = report.best().map(|line| line.first());
            SignatureSearch { position, kind: report.kind, best, nodes: report.nodes }
        })
    }
}

impl Task {
    fn position(&self) -> Position {
        parse_position(self.0).expect("a position of the table").0
    }

    fn limits(&self) -> Limits {
        let exact = self.1 >= self.position().empties();
        let confidence = if exact { Confidence::FULL } else { Confidence::P73 };
        Limits::depth(self.1).with_confidence(confidence)
    }
}
