//! Labels for positions that came from elsewhere: exact scores where few
//! squares are empty, values of searches above.

use std::sync::atomic::AtomicBool;

use super::LearnError;
use super::data::{Block, Generator, Label, Outcome, Recipe, Record, Sample, Searched, Writer};
use super::play::plies_of;
use umigame_engine::eval::SharedEvaluation;
use umigame_engine::search::batch::{self, Worker};
use umigame_engine::search::{Confidence, EngineOptions, Limits, Megabytes, Stoppable};
use umigame_othello::Position;

/// Positions of a block: a few seconds of work at 20 empties.
const POSITIONS_OF_BLOCK: usize = 64;
/// Samples of a block that are only copied.
const COPIED_OF_BLOCK: usize = 4096;
/// Table of a thread, cleared before every block.
const TABLE: Megabytes = Megabytes(16);

/// How positions are labelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LabelSettings {
    /// Plies of the searches, 1 to 60.
    pub depth: u8,
    /// Empties up to which positions are solved, 0 to 60.
    pub exact: u8,
    /// The weights of the evaluation.
    pub weights: u32,
}

/// The positions among these that labelling can add to: an exact score is
/// the last word.
pub fn unlabelled(samples: &[Sample]) -> Vec<Position> {
    let open = samples.iter().filter(|sample| !matches!(sample.outcome(), Outcome::Exact(_)));
    open.map(|sample| sample.position).filter(|position| position.moves() != 0).collect()
}

/// What stands in every block made of these positions.
pub fn recipe(settings: &LabelSettings, positions: &[Position]) -> Recipe {
    let mut hasher = crc32fast::Hasher::new();
    for position in positions {
        hasher.update(&position.player.to_le_bytes());
        hasher.update(&position.opponent.to_le_bytes());
    }
    Recipe {
        generator: Generator::Label,
        depth: settings.depth,
        exact: settings.exact,
        selectivity: Confidence::P73.percent(),
        weights: settings.weights,
        settings: hasher.finalize(),
        seed: 0,
    }
}

/// Labels positions, from the first that the file does not hold, and appends
/// them block by block in their order; `written` is told of each. `stop` ends
/// it with what is done.
///
/// # Errors
/// A file that cannot be written, or no table.
pub fn label(
    settings: &LabelSettings,
    positions: &[Position],
    evaluation: &SharedEvaluation,
    threads: usize,
    writer: &mut Writer,
    stop: &AtomicBool,
    mut written: impl FnMut(&Block),
) -> Result<(), LearnError> {
    let recipe = recipe(settings, positions);
    let done = writer.games(&recipe);
    let rest = usize::try_from(done).ok().and_then(|done| positions.get(done..));
    let blocks = rest.unwrap_or_default().chunks(POSITIONS_OF_BLOCK).enumerate();
    let options = EngineOptions { hash: Megabytes(TABLE.0 * threads), threads };
    let answer = |worker: &mut Worker<'_>, (index, positions): (usize, &[Position])| {
        worker.own().clear();
        let records = positions.iter().map(|&position| label_one(settings, position, worker, stop));
        let records = records.collect::<Option<Vec<Record>>>()?;
        let first = done + (index * POSITIONS_OF_BLOCK) as u64;
        Some(Block { recipe, first, games: positions.len() as u32, records })
    };
    batch::in_order(blocks, evaluation, options, stop, answer, |block: Block| {
        writer.write(&block)?;
        written(&block);
        Ok(())
    })
}

/// `None` where it was stopped.
fn label_one(
    settings: &LabelSettings,
    position: Position,
    worker: &mut Worker<'_>,
    stop: &AtomicBool,
) -> Option<Record> {
    let solve = position.empties() <= u32::from(settings.exact);
    let limits = if solve {
        Limits::exact()
    } else {
        let limits = Limits::depth(u32::from(settings.depth));
        Limits { solve_from: 0, ..limits.with_confidence(Confidence::P73) }
    };
    let report = worker.own().search(position, &limits, &Stoppable::new(stop));
    if stop.load(std::sync::atomic::Ordering::Relaxed) {
        return None;
    }
    let value = report.best()?.eval;
    if solve {
        return Some(Record::new(position, Label::Exact(value.round()), None));
    }
    let searched = Searched { value, depth: plies_of(&report, position) };
    Some(Record::new(position, Label::Searched, Some(searched)))
}

/// Appends samples that have an exact score as they are, from the first that
/// the file does not hold.
///
/// # Errors
/// A file that cannot be written.
pub fn copy(samples: &[Sample], writer: &mut Writer) -> Result<(), LearnError> {
    let exact = |sample: &Sample| match sample.outcome() {
        Outcome::Exact(score) => Some(Record::new(sample.position, Label::Exact(score), None)),
        _ => None,
    };
    let records: Vec<Record> = samples.iter().filter_map(exact).collect();
    let positions: Vec<Position> = records.iter().map(|record| record.position).collect();
    let nothing = LabelSettings { depth: 0, exact: 0, weights: 0 };
    let recipe = recipe(&nothing, &positions);
    let mut first = writer.games(&recipe);
    let rest = usize::try_from(first).ok().and_then(|first| records.get(first..));
    for records in rest.unwrap_or_default().chunks(COPIED_OF_BLOCK) {
        let games = records.len() as u32;
        writer.write(&Block { recipe, first, games, records: records.to_vec() })?;
        first += u64::from(games);
    }
    Ok(())
}
