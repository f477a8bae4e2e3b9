//! Growing a book: searches where knowing more changes most.
//!
//! Take the value of the root as a soft maximum over the lines that lead
//! away from it. Its derivative by the value of a position is then the
//! product, along the way, of how likely each move is the best one; times the
//! error to be expected of the position's own search, it says how much
//! another look there may change the root. The positions for which that is
//! most are opened: every move of them is searched, many positions at once,
//! and the values are backed up. All of a round is one commit, and what to do
//! next follows from the book alone, so that growing can stop at any moment
//! and go on later.
//!
//! After the best-first trees of Sensei (M. Borassi), which expand the leaf
//! with the greatest derivative of the root.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry as Held;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use umigame_engine::eval::SharedEvaluation;
use umigame_engine::search::batch::{Worker, in_order};
use umigame_engine::search::{
    Bound, EngineOptions, Level, Limits, Listener, Report, ScoreKind, Stoppable,
};
use umigame_othello::{Position, squares};

use super::add::Searches;
use super::entry::{BookEntry, StoredSearch, Trust};
use super::error::BookError;
use super::minimax::PositionMap;
use super::{Book, CanonicalPosition};

/// Two moves whose values are a disc and a half apart differ by a factor e in
/// how likely they are taken for the best one: about the error of a search to
/// depth 12.
const SOFTNESS: f64 = 150.0;
/// Positions that count less than this are left alone, whatever their error.
const LEAST: f64 = 1e-9;
/// Positions opened in a round, for each thread; each has some ten moves.
const OPENED: usize = 2;

/// How a book is to grow.
#[derive(Clone, Debug)]
pub struct GrowSettings {
    /// From which position on.
    pub root: Position,
    /// How each position is searched.
    pub limits: Limits,
    /// What the searches evaluate with.
    pub evaluation: SharedEvaluation,
    /// Threads, and the memory of their tables together.
    pub search: EngineOptions,
    /// When no further round begins.
    pub until: Instant,
}

impl GrowSettings {
    /// Grows from the start of the game at this level until then.
    pub fn at_level(
        level: Level,
        evaluation: SharedEvaluation,
        search: EngineOptions,
        until: Instant,
    ) -> GrowSettings {
        GrowSettings { root: Position::START, limits: level.limits(), evaluation, search, until }
    }
}

/// What growing has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GrowProgress {
    /// Commits.
    pub rounds: u64,
    /// Positions whose moves were all searched.
    pub opened: u64,
    /// Positions searched.
    pub searched: u64,
    /// Nothing is left to search: the root is proven, or what is not counts
    /// for nothing.
    pub finished: bool,
}

/// A position that a round may open.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Leaf {
    worth: f64,
    position: Position,
}

/// Positions of the book that have been looked up, folded.
#[derive(Default)]
struct Known {
    entries: PositionMap<Option<BookEntry>>,
    /// The database as it was when they were looked up.
    version: i64,
}

impl Known {
    fn entry(&mut self, book: &Book, position: Position) -> Result<Option<&BookEntry>, BookError> {
        let held = match self.entries.entry(position) {
            Held::Occupied(held) => held.into_mut(),
            Held::Vacant(free) => free.insert(book.sql.entry(position)?),
        };
        Ok(held.as_ref())
    }

    /// Forgets what others may have changed.
    fn refresh(&mut self, book: &Book) -> Result<(), BookError> {
        if book.sql.changed_elsewhere(&mut self.version)? {
            self.entries.clear();
        }
        Ok(())
    }
}

impl Book {
    /// Searches until the time is over, `stop` is set, or nothing is left;
    /// `each` hears what has been done so far after every commit.
    ///
    /// # Errors
    /// The file cannot be written, or a table cannot be had; what was
    /// committed stays.
    pub fn grow(
        &mut self,
        settings: &GrowSettings,
        stop: &AtomicBool,
        mut each: impl FnMut(&Book, GrowProgress),
    ) -> Result<GrowProgress, BookError> {
        let root = CanonicalPosition::of(settings.root).position();
        let mut known = Known::default();
        let mut grown = GrowProgress::default();
        let threads = settings.search.threads.max(1);
        while Instant::now() < settings.until && !stop.load(std::sync::atomic::Ordering::Relaxed) {
            known.refresh(self)?;
            let asked = self.questions(root, OPENED * threads, &mut known)?;
            if asked.positions.is_empty() {
                grown.finished = true;
                break;
            }
            let searches = search_all(asked.positions, settings, stop)?;
            if searches.is_empty() {
                break;
            }
            let count = searches.len() as u64;
            let found: Vec<Position> = searches.iter().map(|(position, _)| *position).collect();
            let (_, changed) = self.add_all(&[], searches)?;
            for position in found.iter().chain(&changed) {
                known.entries.remove(position);
            }
            grown.rounds += 1;
            grown.opened += asked.opened;
            grown.searched += count;
            each(self, grown);
        }
        Ok(grown)
    }

    /// The positions to search next.
    fn questions(
        &self,
        root: Position,
        most: usize,
        known: &mut Known,
    ) -> Result<Questions, BookError> {
        let mut asked = Questions::default();
        let mut searched = PositionMap::default();
        if known.entry(self, root)?.is_none() {
            asked.positions.push(root);
            searched.insert(root, ());
        }
        for leaf in self.leaves(root, known)?.into_iter().take(most) {
            asked.opened += 1;
            for next in children(leaf.position) {
                let entry = known.entry(self, next)?;
                let is_known = entry.is_some_and(|entry| {
                    entry.searched.is_some()
                        || entry.value.is_some_and(|value| value.trust > Trust::Played)
                });
                if !is_known && searched.insert(next, ()).is_none() {
                    asked.positions.push(next);
                }
            }
        }
        Ok(asked)
    }

    /// The positions that can be opened, those first that matter most.
    fn leaves(&self, root: Position, known: &mut Known) -> Result<Vec<Leaf>, BookError> {
        let mut leaves = Vec::new();
        // By empties, the most first: every way to a position comes before it.
        // A pass keeps the empties, so that a position that passes is first.
        let mut open: BTreeMap<(std::cmp::Reverse<u32>, bool, Position), f64> = BTreeMap::new();
        let rank = |position: Position| {
            (std::cmp::Reverse(position.empties()), !position.must_pass(), position)
        };
        open.insert(rank(root), 1.0);
        while let Some(((_, _, position), weight)) = open.pop_first() {
            let entry = known.entry(self, position)?;
            let value = entry.and_then(|entry| entry.value);
            let error = expected_error(position, entry);
            if value.is_some_and(|value| value.trust == Trust::Exact) || position.is_over() {
                continue;
            }
            let next = children(position);
            let mut evals = Vec::with_capacity(next.len());
            for after in &next {
                let value = known.entry(self, *after)?.and_then(|entry| entry.value);
                let value = value.filter(|value| value.trust > Trust::Played);
                evals.extend(value.map(|value| f64::from(-value.eval.centidiscs())));
            }
            if evals.len() < next.len() {
                leaves.push(Leaf { worth: weight * error, position });
                continue;
            }
            let best = evals.iter().copied().fold(f64::MIN, f64::max);
            let shares: Vec<f64> =
                evals.iter().map(|eval| ((eval - best) / SOFTNESS).exp()).collect();
            let sum: f64 = shares.iter().sum();
            for (after, share) in next.into_iter().zip(shares) {
                let passed_on = weight * share / sum;
                if passed_on > LEAST {
                    *open.entry(rank(after)).or_default() += passed_on;
                }
            }
        }
        leaves.sort_by(|a, b| b.worth.total_cmp(&a.worth).then(a.position.cmp(&b.position)));
        Ok(leaves)
    }
}

/// The folded positions after a position, each once.
fn children(position: Position) -> Vec<Position> {
    let mut found: Vec<Position> = squares(position.moves())
        .filter_map(|square| position.place(square))
        .map(|next| CanonicalPosition::of(next).position())
        .collect();
    if position.must_pass() {
        found.push(CanonicalPosition::of(position.passed()).position());
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// How far off the value of a leaf may be, in hundredths of a disc: more the
/// farther the search was from the end of the game.
fn expected_error(position: Position, entry: Option<&BookEntry>) -> f64 {
    let Some(searched) = entry.and_then(|entry| entry.searched) else { return 1000.0 };
    let seen = match searched.kind {
        ScoreKind::Depth { plies, .. } => u32::from(plies),
        _ => return 50.0,
    };
    let unseen = f64::from(position.empties().saturating_sub(seen));
    100.0 + 6.0 * unseen
}

/// The positions of a round.
#[derive(Default)]
struct Questions {
    positions: Vec<Position>,
    /// How many positions they open.
    opened: u64,
}

/// Searches positions, as many at once as there are threads; what a stop cuts
/// short is left out.
fn search_all(
    positions: Vec<Position>,
    settings: &GrowSettings,
    stop: &AtomicBool,
) -> Result<Searches, BookError> {
    let mut found = Vec::with_capacity(positions.len());
    // An error of the batch must not look like a stop of the user.
    let halt = AtomicBool::new(false);
    let answer = |worker: &mut Worker<'_>, position: Position| {
        let listener = Stoppable::new(stop);
        let report = worker.search(position, &settings.limits, &listener);
        listener.go_on().then_some(())?;
        // Of a finished game there is nothing to say but its score.
        let over = || StoredSearch {
            eval: position.final_score().to_eval(),
            kind: ScoreKind::Exact,
            best: None,
        };
        Some((
            position,
            searched_of(&CanonicalPosition::of(position), &report).unwrap_or_else(over),
        ))
    };
    in_order(
        positions.into_iter(),
        &settings.evaluation,
        settings.search,
        &halt,
        answer,
        |answer| {
            found.push(answer);
            Ok::<(), BookError>(())
        },
    )?;
    Ok(found)
}

/// What a report says of a position, the best move folded; `None` where it
/// says nothing that can be kept.
pub(super) fn searched_of(folded: &CanonicalPosition, report: &Report) -> Option<StoredSearch> {
    let line = report.best()?;
    let usable = report.kind != ScoreKind::WinLossDraw && line.bound == Bound::Exact;
    let best = Some(folded.fold(line.first()));
    usable.then_some(StoredSearch { eval: line.eval, kind: report.kind, best })
}
