//! Values backed up by minimax through the graph of positions, passes included.
//!
//! The children of a position are the positions after its legal moves that are in the book,
//! whoever reached them. One rule, [`minimax_value`], derives a value from them. [`LayerValues`]
//! applies it layer by layer to the whole book, [`propagate`] from changed positions upward; each
//! checks the other.

use std::collections::BTreeSet;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use umigame_othello::{Bitboard, Eval, Move, Position, Score, Square};

use crate::canonical::CanonicalPosition;
use crate::database::Database;
use crate::entry::{BookEntry, BookValue, StoredSearch, Trust};
use crate::error::BookError;

/// Maximum number of empties of a position.
pub(crate) const MAX_EMPTIES: u32 = 64;

/// Returns the value of a canonical position, from its own search and the values of the canonical
/// positions after it; `None` where nothing is known.
///
/// - A finished game and an exact search are proven. So is a position whose moves are all proven,
///   or one of them won by all 64 discs.
/// - Where the position was searched, or all of its moves were, the value is the best of the
///   searched moves, and of its own search where that chose a move not among them.
/// - Elsewhere the value is the best result of games.
pub(crate) fn minimax_value(
    position: Position,
    search: Option<&StoredSearch>,
    mut child_value: impl FnMut(Position) -> Option<BookValue>,
) -> Option<BookValue> {
    let moves = position.legal_moves();
    if moves.is_empty() && position.passed().legal_moves().is_empty() {
        return Some(BookValue { eval: position.final_score().to_eval(), trust: Trust::Exact });
    }
    let own = search.map(|search| {
        let trust = if search.kind.is_proven() { Trust::Exact } else { Trust::Searched };
        BookValue { eval: search.eval, trust }
    });
    if let Some(own) = own.filter(|own| own.trust == Trust::Exact) {
        return Some(own);
    }
    if moves.is_empty() {
        let passed = child_value(CanonicalPosition::of(position.passed()).position());
        let passed = passed.filter(|passed| own.is_none() || passed.is_searched());
        return passed.map(BookValue::for_other).or(own);
    }
    let canonical = CanonicalPosition::of(position);
    let search_move = search.and_then(|search| search.best);
    let mut least_trust = Trust::Exact;
    let mut search_move_is_valued = false;
    let mut child_is_missing = false;
    let mut best: Option<BookValue> = None;
    let mut best_searched: Option<Eval> = None;
    for square in moves {
        let Some(next) = position.play(square) else { continue };
        let child = child_value(CanonicalPosition::of(next).position());
        let Some(value) = child.map(BookValue::for_other) else {
            child_is_missing = true;
            continue;
        };
        least_trust = least_trust.min(value.trust);
        best = best.filter(|best| best.eval >= value.eval).or(Some(value));
        if value.is_searched() {
            best_searched = best_searched.max(Some(value.eval));
            search_move_is_valued |= search_move == Some(canonical.canonical_move(square.into()));
        }
        if value.trust == Trust::Exact && value.eval == Score::MAX.to_eval() {
            return Some(value);
        }
    }
    let value = |eval, trust| Some(BookValue { eval, trust });
    match (best, own) {
        (Some(best), _) if !child_is_missing && least_trust > Trust::Played => {
            value(best.eval, least_trust)
        }
        (_, Some(own)) => {
            let own = (!search_move_is_valued).then_some(own.eval);
            best_searched.max(own).and_then(|eval| value(eval, Trust::Searched))
        }
        (Some(best), None) => value(best.eval, Trust::Played),
        (None, None) => None,
    }
}

/// A map keyed by position.
pub(crate) type PositionMap<T> = FxHashMap<Position, T>;

/// Sets the values of one layer after the other, from the end of the game upward.
#[derive(Default)]
pub(crate) struct LayerValues {
    /// Values of the layer last set.
    previous: PositionMap<BookValue>,
}

impl LayerValues {
    /// Sets the values of a layer: all positions with one number of empties.
    ///
    /// The previous call was with the layer of one empty square less, unless that is empty.
    pub fn set(&mut self, layer: &mut [(Position, &mut BookEntry)]) {
        let (mut movers, mut passers): (Vec<_>, Vec<_>) =
            layer.iter_mut().partition(|(position, _)| !position.must_pass());
        let previous = &self.previous;
        movers.par_iter_mut().for_each(|(position, entry)| {
            let child_value = |child: Position| previous.get(&child).copied();
            entry.value = minimax_value(*position, entry.search.as_ref(), child_value);
        });
        let mut here = PositionMap::default();
        here.extend(movers.iter().filter_map(|(position, entry)| Some((*position, entry.value?))));
        // A pass leads to a position of the same layer.
        for (position, entry) in &mut passers {
            let child_value = |child: Position| here.get(&child).copied();
            entry.value = minimax_value(*position, entry.search.as_ref(), child_value);
        }
        here.extend(passers.iter().filter_map(|(position, entry)| Some((*position, entry.value?))));
        self.previous = here;
    }
}

/// Returns the order in which changed positions are valued: fewest empties first, and a position
/// that passes after the one that its pass leads to.
fn value_order(position: Position) -> (u32, bool, Position) {
    (position.empties(), position.must_pass(), position)
}

/// Updates the values of the `changed` canonical positions and of all positions above them that
/// this affects.
///
/// Positions that are `new` in the book count as changed. Returns the positions with a new value.
pub(crate) fn propagate(
    database: &Database,
    changed: impl IntoIterator<Item = Position>,
    new: &BTreeSet<Position>,
) -> Result<Vec<Position>, BookError> {
    let mut queue: BTreeSet<_> = changed.into_iter().map(value_order).collect();
    let mut updated = Vec::new();
    while let Some((_, _, position)) = queue.pop_first() {
        let Some(entry) = database.entry(position)? else { continue };
        let mut failed = None;
        let child_value = |child: Position| match database.entry(child) {
            Ok(entry) => entry.and_then(|entry| entry.value),
            Err(error) => {
                failed.get_or_insert(error);
                None
            }
        };
        let value = minimax_value(position, entry.search.as_ref(), child_value);
        if let Some(error) = failed {
            return Err(error);
        }
        let is_different = value != entry.value;
        if is_different {
            database.put(position, &BookEntry { value, ..entry.clone() }, Some(&entry))?;
            updated.push(position);
        }
        if is_different || new.contains(&position) {
            for parent in predecessors(position) {
                if database.entry(parent)?.is_some() {
                    queue.insert(value_order(parent));
                }
            }
        }
    }
    Ok(updated)
}

/// Returns every canonical position from which a move or a pass leads to this one.
pub(crate) fn predecessors(position: Position) -> BTreeSet<Position> {
    let mut found = BTreeSet::new();
    let passed = position.passed();
    if passed.must_pass() {
        found.insert(CanonicalPosition::of(passed).position());
    }
    for square in position.opponent() {
        let lines = flippable_lines(position.opponent(), square);
        let mut flips = vec![Bitboard::EMPTY];
        for line in lines.iter().filter(|line| !line.is_empty()) {
            let combined: Vec<Bitboard> =
                flips.iter().flat_map(|&some| line.iter().map(move |&more| some | more)).collect();
            flips.extend(combined);
        }
        for flipped in flips.into_iter().filter(|flipped| !flipped.is_empty()) {
            let earlier = Position::new_unchecked(
                position.opponent().difference(flipped).without(square),
                position.player() | flipped,
            );
            if earlier.flips(square) == flipped {
                found.insert(CanonicalPosition::of(earlier).position());
            }
        }
    }
    found
}

/// Returns, for each direction, the sets of discs that a disc on `square` may have flipped.
///
/// The last disc of a row is never flipped: it is the one that closes the row.
fn flippable_lines(discs: Bitboard, square: Square) -> [Vec<Bitboard>; 8] {
    std::array::from_fn(|direction| {
        let (mut line, mut sets, mut at) = (Bitboard::EMPTY, Vec::new(), square);
        while let Some(next) = at.step(direction).filter(|&next| discs.contains(next)) {
            if !line.is_empty() {
                sets.push(line);
            }
            line.insert(next);
            at = next;
        }
        sets
    })
}

/// Returns the canonical position after a canonical move, or `None` where that is illegal.
pub(crate) fn successor(position: Position, played: Move) -> Option<Position> {
    Some(CanonicalPosition::of(position.play(played)?).position())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predecessors_contain_the_position_before_every_move_of_a_game() {
        fastrand::seed(11);
        let mut passes = 0;
        for _ in 0..60 {
            let mut position = Position::START;
            while !position.is_over() {
                let legal: Vec<Square> = position.legal_moves().iter().collect();
                let next = match fastrand::choice(&legal) {
                    Some(square) => position.play(*square).expect("legal"),
                    None => position.passed(),
                };
                passes += usize::from(legal.is_empty());
                let canonical_next = CanonicalPosition::of(next).position();
                let found = predecessors(next);
                let before = CanonicalPosition::of(position).position();
                assert!(found.contains(&before), "{position:?}");
                for earlier in found {
                    let moves = earlier.legal_moves().iter().map(Move::Place).chain([Move::Pass]);
                    let mut children = moves.filter_map(|played| successor(earlier, played));
                    assert!(children.any(|child| child == canonical_next));
                }
                position = next;
            }
        }
        assert!(passes > 20, "only {passes} passes were tested");
    }

    fn value(discs: i32, trust: Trust) -> Option<BookValue> {
        Some(BookValue { eval: Score::saturating(discs).to_eval(), trust })
    }

    /// Returns the canonical position after f5.
    fn f5() -> Position {
        let f5 = Position::START.play(Square::F5).expect("legal");
        CanonicalPosition::of(f5).position()
    }

    /// Returns the value of the position after f5, given those of its three replies.
    fn value_of_f5(
        replies: [Option<BookValue>; 3],
        search: Option<StoredSearch>,
    ) -> Option<BookValue> {
        let f5 = f5();
        let children: BTreeSet<Position> =
            f5.legal_moves().iter().filter_map(|square| successor(f5, square.into())).collect();
        assert_eq!(children.len(), 3);
        let child_value =
            |child| children.iter().position(|one| *one == child).and_then(|at| replies[at]);
        minimax_value(f5, search.as_ref(), child_value)
    }

    #[test]
    fn the_value_is_that_of_the_best_move_and_the_trust_that_of_the_least_trusted() {
        use Trust::{Exact, Played, Searched};
        assert_eq!(value_of_f5([None; 3], None), None);
        assert_eq!(value_of_f5([value(4, Exact), None, None], None), value(-4, Played));
        let played = [value(4, Exact), value(2, Played), None];
        assert_eq!(value_of_f5(played, None), value(-2, Played));
        let searched = [value(4, Exact), value(2, Searched), value(6, Exact)];
        assert_eq!(value_of_f5(searched, None), value(-2, Searched));
        let exact = [value(4, Exact), value(2, Exact), value(6, Exact)];
        assert_eq!(value_of_f5(exact, None), value(-2, Exact));
        assert_eq!(value_of_f5([value(-64, Exact), None, None], None), value(64, Exact));
    }

    #[test]
    fn a_search_outweighs_games_and_yields_to_searches_of_its_moves() {
        use umigame_engine::{Confidence, ScoreKind};
        let first = f5().legal_moves().iter().next().expect("a move").into();
        let best = Some(CanonicalPosition::of(f5()).canonical_move(first));
        let search = |kind| StoredSearch { eval: Score::DRAW.to_eval(), kind, best };
        let depth = search(ScoreKind::Depth { plies: 9, confidence: Confidence::P73 });
        // Games had better results, but no search shows that they can be forced.
        let played = [value(-40, Trust::Played); 3];
        assert_eq!(value_of_f5(played, Some(depth)), value(0, Trust::Searched));
        // One reply is not searched: the search of the position counts where it chose that one.
        let known = [value(2, Trust::Searched), value(2, Trust::Searched), None];
        let found: Vec<_> = [[0, 1, 2], [0, 2, 1], [2, 0, 1]]
            .map(|order| value_of_f5(order.map(|at| known[at]), Some(depth)))
            .to_vec();
        assert!(found.contains(&value(-2, Trust::Searched)), "{found:?}");
        assert!(found.contains(&value(0, Trust::Searched)), "{found:?}");
        let exact = search(ScoreKind::Exact);
        assert_eq!(value_of_f5(played, Some(exact)), value(0, Trust::Exact));
    }
}
