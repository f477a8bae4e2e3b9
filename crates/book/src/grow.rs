//! Grows a book by searching the positions that matter most for the value of a root position.
//!
//! Take the value of the root as a soft maximum over the lines that start from it. Its derivative
//! by the value of a position is the product, along the way, of the probability that each move is
//! the best one. That derivative times the expected error of the position's own search estimates
//! how much another search there may change the root. The positions with the largest estimates are
//! expanded: every move of them is searched, many positions at once, and the values are backed up.
//! One round is one commit. The next round follows from the book alone, so growing can stop at any
//! moment and continue later.
//!
//! After the best-first trees of Sensei (M. Borassi), which expand the leaf with the greatest
//! derivative of the root.

use std::cmp::Reverse;
use std::collections::{BTreeMap, hash_map};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use umigame_engine::SharedEvaluation;
use umigame_engine::batch::{Worker, in_order};
use umigame_engine::{EngineOptions, Level, Limits, Listener, ScoreKind, Stoppable};
use umigame_othello::Position;

use crate::add::PositionSearches;
use crate::book::Book;
use crate::canonical::CanonicalPosition;
use crate::entry::{BookEntry, BookValue, StoredSearch, Trust};
use crate::error::BookError;
use crate::interrupt;
use crate::minimax::PositionMap;

/// Difference of value at which one of two moves is e times as likely to be the best: about the
/// error of a search to depth 12.
const SOFTNESS_CENTIDISCS: f64 = 150.0;
/// Positions with a smaller derivative are never expanded.
const MIN_DERIVATIVE: f64 = 1e-9;
/// Positions expanded in a round for each thread; each has about ten moves.
const EXPANDED_PER_THREAD: usize = 2;

/// Expected error of a position without a search, in hundredths of a disc.
const UNSEARCHED_ERROR_CENTIDISCS: f64 = 1000.0;
/// Expected error of a selective search to the end of the game.
const ENDING_ERROR_CENTIDISCS: f64 = 50.0;
/// Expected error of a search that ends just before the end of the game.
const DEPTH_ERROR_CENTIDISCS: f64 = 100.0;
/// Further error for each empty square beyond the depth of the search.
const ERROR_CENTIDISCS_PER_EMPTY: f64 = 6.0;

/// Settings of growing.
#[derive(Clone, Debug)]
pub struct GrowSettings {
    /// Position to grow from.
    pub root: Position,
    /// Limits of each search.
    pub limits: Limits,
    /// Evaluation of the searches.
    pub evaluation: SharedEvaluation,
    /// Number of threads, and the size of their tables together.
    pub search: EngineOptions,
    /// No round begins after this.
    pub until: Instant,
}

impl GrowSettings {
    /// Returns settings that grow from the start of the game at a level.
    pub fn at_level(
        level: Level,
        evaluation: SharedEvaluation,
        search: EngineOptions,
        until: Instant,
    ) -> GrowSettings {
        GrowSettings { root: Position::START, limits: level.limits(), evaluation, search, until }
    }
}

/// Progress of growing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GrowProgress {
    /// Rounds, each of them one commit.
    pub rounds: u64,
    /// Positions expanded.
    pub expanded: u64,
    /// Positions searched.
    pub searched: u64,
    /// No position is left to expand: all that matter for the root are proven.
    pub finished: bool,
}

/// A position that a round may expand.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Leaf {
    /// Derivative of the root times expected error.
    priority: f64,
    position: Position,
}

/// A cache of entries, by canonical position.
#[derive(Default)]
struct EntryCache {
    entries: PositionMap<Option<BookEntry>>,
    /// Version of the database when the entries were read.
    version: i64,
}

impl EntryCache {
    fn entry(&mut self, book: &Book, position: Position) -> Result<Option<&BookEntry>, BookError> {
        let cached = match self.entries.entry(position) {
            hash_map::Entry::Occupied(occupied) => occupied.into_mut(),
            hash_map::Entry::Vacant(vacant) => vacant.insert(book.database.entry(position)?),
        };
        Ok(cached.as_ref())
    }

    fn value(&mut self, book: &Book, position: Position) -> Result<Option<BookValue>, BookError> {
        Ok(self.entry(book, position)?.and_then(|entry| entry.value))
    }

    /// Clears the cache where another process has committed.
    fn refresh(&mut self, book: &Book) -> Result<(), BookError> {
        if book.database.changed_elsewhere(&mut self.version)? {
            self.entries.clear();
        }
        Ok(())
    }
}

impl Book {
    /// Searches until the time is over, `stop` is set, or nothing is left to search; calls
    /// `committed` with the progress after each round.
    ///
    /// # Errors
    /// The file cannot be written, or an engine cannot be made; what was committed stays.
    pub fn grow(
        &mut self,
        settings: &GrowSettings,
        stop: &AtomicBool,
        mut committed: impl FnMut(&Book, GrowProgress),
    ) -> Result<GrowProgress, BookError> {
        let root = CanonicalPosition::of(settings.root).position();
        let mut cache = EntryCache::default();
        let mut progress = GrowProgress::default();
        let max_expanded = EXPANDED_PER_THREAD * settings.search.threads.max(1);
        while Instant::now() < settings.until && !stop.load(Ordering::Relaxed) {
            cache.refresh(self)?;
            let round = self.next_round(root, max_expanded, &mut cache)?;
            if round.positions.is_empty() {
                progress.finished = true;
                break;
            }
            let searches = search_all(round.positions, settings, stop)?;
            if searches.is_empty() {
                break;
            }
            let searched: Vec<Position> = searches.iter().map(|(position, _)| *position).collect();
            let (_, changed) = self.add_all(&[], searches, &interrupt::NEVER)?;
            for position in searched.iter().chain(&changed) {
                cache.entries.remove(position);
            }
            progress.rounds += 1;
            progress.expanded += round.expanded;
            progress.searched += searched.len() as u64;
            committed(self, progress);
        }
        Ok(progress)
    }

    /// Returns the positions that a round of [`Book::grow`] would search to expand `max_expanded`
    /// positions, for searches made elsewhere; [`Book::add_searches`] takes their results.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn positions_to_search(
        &self,
        root: Position,
        max_expanded: usize,
    ) -> Result<Vec<Position>, BookError> {
        let root = CanonicalPosition::of(root).position();
        Ok(self.next_round(root, max_expanded, &mut EntryCache::default())?.positions)
    }

    /// Adds searches of positions, with best moves as they are in these, and backs their values up,
    /// in one commit. Returns the number of positions whose value changed.
    ///
    /// # Errors
    /// The file cannot be written; the book is unchanged then.
    pub fn add_searches(
        &mut self,
        searches: Vec<(Position, StoredSearch)>,
    ) -> Result<usize, BookError> {
        let canonical = |(position, search): (Position, StoredSearch)| {
            let folded = CanonicalPosition::of(position);
            let best = search.best.map(|best| folded.canonical_move(best));
            (folded.position(), StoredSearch { best, ..search })
        };
        let searches = searches.into_iter().map(canonical).collect();
        Ok(self.add_all(&[], searches, &interrupt::NEVER)?.1.len())
    }

    /// Chooses the positions of the next round.
    fn next_round(
        &self,
        root: Position,
        max_expanded: usize,
        cache: &mut EntryCache,
    ) -> Result<Round, BookError> {
        let mut round = Round::default();
        let mut chosen = PositionMap::default();
        if cache.entry(self, root)?.is_none() {
            round.positions.push(root);
            chosen.insert(root, ());
        }
        for leaf in self.leaves(root, cache)?.into_iter().take(max_expanded) {
            round.expanded += 1;
            for child in children(leaf.position) {
                let entry = cache.entry(self, child)?;
                let is_searched = entry.is_some_and(|entry| {
                    entry.search.is_some() || entry.value.is_some_and(BookValue::is_searched)
                });
                if !is_searched && chosen.insert(child, ()).is_none() {
                    round.positions.push(child);
                }
            }
        }
        Ok(round)
    }

    /// Returns the positions that can be expanded, highest priority first.
    fn leaves(&self, root: Position, cache: &mut EntryCache) -> Result<Vec<Leaf>, BookError> {
        let mut leaves = Vec::new();
        // Most empties first, so that a position comes after all of its parents. A pass keeps the
        // empties: a position that passes comes before the others with its empties.
        let mut queue: BTreeMap<(Reverse<u32>, bool, Position), f64> = BTreeMap::new();
        let key =
            |position: Position| (Reverse(position.empties()), !position.must_pass(), position);
        queue.insert(key(root), 1.0);
        while let Some(((_, _, position), derivative)) = queue.pop_first() {
            let entry = cache.entry(self, position)?;
            let value = entry.and_then(|entry| entry.value);
            let error = expected_error(position, entry);
            if value.is_some_and(|value| value.trust == Trust::Exact) || position.is_over() {
                continue;
            }
            let next = children(position);
            let mut evals = Vec::with_capacity(next.len());
            for child in &next {
                let value = cache.value(self, *child)?.filter(|value| value.is_searched());
                evals.extend(value.map(|value| f64::from(-value.eval.centidiscs())));
            }
            if evals.len() < next.len() {
                leaves.push(Leaf { priority: derivative * error, position });
                continue;
            }
            for (child, share) in next.into_iter().zip(soft_maximum_shares(&evals)) {
                let derivative = derivative * share;
                if derivative > MIN_DERIVATIVE {
                    *queue.entry(key(child)).or_default() += derivative;
                }
            }
        }
        leaves.sort_by(|a, b| b.priority.total_cmp(&a.priority).then(a.position.cmp(&b.position)));
        Ok(leaves)
    }
}

/// Returns the derivative of the soft maximum by each value; they add up to 1.
fn soft_maximum_shares(evals: &[f64]) -> Vec<f64> {
    let best = evals.iter().copied().fold(f64::MIN, f64::max);
    let weights = evals.iter().map(|eval| ((eval - best) / SOFTNESS_CENTIDISCS).exp());
    let sum: f64 = weights.clone().sum();
    weights.map(|weight| weight / sum).collect()
}

/// Returns the canonical positions after a position, each once.
fn children(position: Position) -> Vec<Position> {
    let mut found: Vec<Position> = position
        .legal_moves()
        .iter()
        .filter_map(|square| position.play(square))
        .map(|next| CanonicalPosition::of(next).position())
        .collect();
    if position.must_pass() {
        found.push(CanonicalPosition::of(position.passed()).position());
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the expected error of a position's own search, in hundredths of a disc.
fn expected_error(position: Position, entry: Option<&BookEntry>) -> f64 {
    let Some(search) = entry.and_then(|entry| entry.search) else {
        return UNSEARCHED_ERROR_CENTIDISCS;
    };
    let ScoreKind::Depth { plies, .. } = search.kind else { return ENDING_ERROR_CENTIDISCS };
    let beyond = f64::from(position.empties().saturating_sub(u32::from(plies)));
    DEPTH_ERROR_CENTIDISCS + ERROR_CENTIDISCS_PER_EMPTY * beyond
}

/// The positions to search in a round.
#[derive(Default)]
struct Round {
    positions: Vec<Position>,
    /// Number of positions whose moves these are.
    expanded: u64,
}

/// Searches positions, one per thread at a time; searches cut short by `stop` are left out.
fn search_all(
    positions: Vec<Position>,
    settings: &GrowSettings,
    stop: &AtomicBool,
) -> Result<PositionSearches, BookError> {
    let mut found = Vec::with_capacity(positions.len());
    // Set by the batch on an error: `stop` belongs to the caller.
    let halt = AtomicBool::new(false);
    let search = |worker: &mut Worker<'_>, position: Position| {
        let listener = Stoppable::new(stop);
        let report = worker.search(position, &settings.limits, &listener);
        listener.go_on().then_some(())?;
        let canonical = CanonicalPosition::of(position);
        let search = StoredSearch::of_report(&canonical, &report);
        Some((position, search.unwrap_or_else(|| StoredSearch::of_finished(position))))
    };
    in_order(
        positions.into_iter(),
        &settings.evaluation,
        settings.search,
        &halt,
        search,
        |search| {
            found.push(search);
            Ok::<(), BookError>(())
        },
    )?;
    Ok(found)
}
