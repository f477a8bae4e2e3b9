//! Labels for positions from other sources: exact scores up to a number of empties, values of
//! searches above.

use super::data::{
    Block, Generator, Label, Recipe, Record, Sample, SampleOutcome, Searched, Writer,
};
use super::error::LearnError;
use super::play::searched_plies;
use super::searches::Searches;
use super::starts::hash_positions;
use umigame_engine::batch::Worker;
use umigame_engine::{Confidence, Limits, Megabytes, Stoppable};
use umigame_othello::Position;

/// Positions of a block: a few seconds of work at 20 empties.
const BLOCK_POSITIONS: usize = 64;
/// Empties above which a position to solve is a block of its own: it takes seconds to hours, which a
/// stop must not lose, and which all threads share at the end.
const BLOCK_MAX_EMPTIES: u32 = 22;
/// Samples of a block that are copied without a search.
const COPIED_BLOCK_POSITIONS: usize = 4096;
/// Transposition table of a thread, cleared before every block.
const TABLE_PER_THREAD: Megabytes = Megabytes(16);
/// The same if positions above [`BLOCK_MAX_EMPTIES`] are solved.
const LARGE_TABLE_PER_THREAD: Megabytes = Megabytes(128);

/// How positions are labelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LabelSettings {
    /// Plies of the searches, 1 to 60.
    pub depth: u8,
    /// Empties up to which positions are solved, 0 to 60.
    pub exact: u8,
    /// Checksum of the weights.
    pub weights: u32,
}

impl LabelSettings {
    /// Whether a position is solved.
    fn solves(&self, position: Position) -> bool {
        position.empties() <= u32::from(self.exact)
    }

    /// Whether a position is solved, and takes long.
    fn is_long(&self, position: Position) -> bool {
        self.solves(position) && position.empties() > BLOCK_MAX_EMPTIES
    }
}

/// Returns the positions that labelling can add to: those with a move and without exact score.
pub fn unlabelled(samples: &[Sample]) -> Vec<Position> {
    let open = samples.iter().filter(|sample| !matches!(sample.outcome(), SampleOutcome::Exact(_)));
    open.map(|sample| sample.position)
        .filter(|position| !position.legal_moves().is_empty())
        .collect()
}

/// Returns the recipe of the blocks made from `positions`.
pub fn recipe(settings: &LabelSettings, positions: &[Position]) -> Recipe {
    let mut hasher = crc32fast::Hasher::new();
    hash_positions(&mut hasher, positions);
    Recipe {
        generator: Generator::Label,
        depth: settings.depth,
        exact: settings.exact,
        confidence: Confidence::P73.percent(),
        weights: settings.weights,
        settings: hasher.finalize(),
        seed: 0,
    }
}

/// Labels positions, beginning with the first that the file does not hold, and appends them block
/// by block in their order.
///
/// `written` is called for each block. When `stop` is set, labelling ends after whole blocks.
///
/// # Errors
/// A file that cannot be written, or no memory for the transposition table.
pub fn label(
    settings: &LabelSettings,
    positions: &[Position],
    searches: Searches<'_>,
    writer: &mut Writer,
    written: impl FnMut(&Block),
) -> Result<(), LearnError> {
    let recipe = recipe(settings, positions);
    let done = writer.games(&recipe);
    let rest = usize::try_from(done).ok().and_then(|done| positions.get(done..));
    let mut first = done;
    let blocks = blocks(settings, rest.unwrap_or_default()).map(move |positions| {
        let at = first;
        first += positions.len() as u64;
        (at, positions)
    });
    let table = if positions.iter().any(|&position| settings.is_long(position)) {
        LARGE_TABLE_PER_THREAD
    } else {
        TABLE_PER_THREAD
    };
    let answer = |worker: &mut Worker<'_>, (first, positions): (u64, &[Position])| {
        worker.own().clear();
        let record = |&position| label_one(settings, position, searches, worker);
        let records = positions.iter().map(record).collect::<Option<Vec<Record>>>()?;
        Some(Ok(Block { recipe, first, games: positions.len() as u32, records }))
    };
    searches.write(blocks, table, answer, writer, written)
}

/// Returns consecutive blocks of positions, of which those that are long work are alone.
fn blocks<'a>(
    settings: &LabelSettings,
    positions: &'a [Position],
) -> impl Iterator<Item = &'a [Position]> + Send {
    let settings = *settings;
    let runs = positions.chunk_by(move |&a, &b| !settings.is_long(a) && !settings.is_long(b));
    runs.flat_map(|run| run.chunks(BLOCK_POSITIONS))
}

/// Labels one position; `None` if it was stopped.
fn label_one(
    settings: &LabelSettings,
    position: Position,
    searches: Searches<'_>,
    worker: &mut Worker<'_>,
) -> Option<Record> {
    if settings.solves(position) {
        let report = if settings.is_long(position) {
            let report = worker.search(position, &Limits::exact(), &Stoppable::new(searches.stop));
            (!searches.is_stopped()).then_some(report)?
        } else {
            searches.search(worker.own(), position, &Limits::exact())?
        };
        return Some(Record::new(position, Label::Exact(report.best()?.raw.round()), None));
    }
    let limits = Limits::midgame(u32::from(settings.depth), Confidence::P73);
    let report = searches.search(worker.own(), position, &limits)?;
    let value = report.best()?.raw;
    let searched = Searched { value, depth: searched_plies(&report, position) };
    Some(Record::new(position, Label::Searched, Some(searched)))
}

/// Appends the samples that have an exact score, beginning with the first that the file does not
/// hold. Nothing is searched.
///
/// # Errors
/// A file that cannot be written.
pub fn copy(samples: &[Sample], writer: &mut Writer) -> Result<(), LearnError> {
    let exact = |sample: &Sample| match sample.outcome() {
        SampleOutcome::Exact(score) => {
            Some(Record::new(sample.position, Label::Exact(score), None))
        }
        _ => None,
    };
    let records: Vec<Record> = samples.iter().filter_map(exact).collect();
    let positions: Vec<Position> = records.iter().map(|record| record.position).collect();
    let no_search = LabelSettings { depth: 0, exact: 0, weights: 0 };
    let recipe = recipe(&no_search, &positions);
    let mut first = writer.games(&recipe);
    let rest = usize::try_from(first).ok().and_then(|first| records.get(first..));
    for records in rest.unwrap_or_default().chunks(COPIED_BLOCK_POSITIONS) {
        let games = records.len() as u32;
        writer.write(&Block { recipe, first, games, records: records.to_vec() })?;
        first += u64::from(games);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_othello::testing::random_positions;

    #[test]
    fn blocks_hold_all_positions_in_order_and_long_work_alone() {
        let mut positions = Vec::new();
        random_positions(12, 3_000, |position| positions.push(position));
        for exact in [16, 24, 40] {
            let settings = LabelSettings { depth: 8, exact, weights: 0 };
            let blocks: Vec<_> = blocks(&settings, &positions).collect();
            assert_eq!(blocks.concat(), positions);
            let mut met = 0;
            for block in &blocks {
                let is_long = block.iter().any(|&position| settings.is_long(position));
                assert!(block.len() <= if is_long { 1 } else { BLOCK_POSITIONS });
                met += usize::from(is_long);
            }
            assert_eq!(met > 0, u32::from(exact) > BLOCK_MAX_EMPTIES);
        }
    }
}
