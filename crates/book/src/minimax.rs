//! Values backed up through the graph: best for the mover, passes included.
//!
//! The children of a position are those after its legal moves that are in the
//! book, whoever played them, from wherever: one rule ([`value_of`]) says what
//! follows from them. It is applied ply by ply to the whole book
//! ([`Layers`]), or from some changed positions upward ([`refresh`]); the two
//! check each other.

use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

use rayon::prelude::*;

use umigame_othello::{Eval, Move, Position, Score, Square, squares};

use super::canonical::CanonicalPosition;
use super::entry::{BookEntry, BookValue, StoredSearch, Trust};
use super::error::BookError;
use super::queries::{Held, Sql};

/// Positions have at most this many empties.
pub(super) const MAX_EMPTIES: u32 = 64;

/// The value of a folded position, from what a search of it said and from
/// the values of the folded positions after it; `None` where nothing is known.
///
/// - A finished game, and a search to the end, are proven; so is a position
///   whose moves are all proven, or one of them won by all 64 discs.
/// - Where the position was searched, or every move of it was, the best of
///   the searched moves counts, and the search itself where it spoke of a
///   move that is not among them.
/// - Elsewhere it is the best of what games came to.
pub(super) fn value_of(
    position: Position,
    searched: Option<&StoredSearch>,
    mut after: impl FnMut(Position) -> Option<BookValue>,
) -> Option<BookValue> {
    let moves = position.moves();
    if moves == 0 && position.passed().moves() == 0 {
        return Some(BookValue { eval: position.final_score().to_eval(), trust: Trust::Exact });
    }
    let own = searched.map(|searched| {
        let proven = searched.kind.is_proven();
        let trust = if proven { Trust::Exact } else { Trust::Searched };
        BookValue { eval: searched.eval, trust }
    });
    if let Some(own) = own.filter(|own| own.trust == Trust::Exact) {
        return Some(own);
    }
    if moves == 0 {
        let passed = after(CanonicalPosition::of(position.passed()).position());
        let passed = passed.filter(|passed| own.is_none() || passed.trust > Trust::Played);
        return passed.map(BookValue::for_other).or(own);
    }
    let folded = CanonicalPosition::of(position);
    let answer = searched.and_then(|searched| searched.best);
    let mut least = Trust::Exact;
    let mut answered = false;
    let mut missing = false;
    let mut best: Option<BookValue> = None;
    let mut surest: Option<Eval> = None;
    for square in squares(moves) {
        let Some(next) = position.place(square) else { continue };
        let Some(value) = after(CanonicalPosition::of(next).position()).map(BookValue::for_other)
        else {
            missing = true;
            continue;
        };
        least = least.min(value.trust);
        best = best.filter(|best| best.eval >= value.eval).or(Some(value));
        if value.trust > Trust::Played {
            surest = surest.max(Some(value.eval));
            answered |= answer == Some(folded.fold(square.into()));
        }
        if value.trust == Trust::Exact && value.eval == Score::MAX.to_eval() {
            return Some(value);
        }
    }
    let of = |eval, trust| Some(BookValue { eval, trust });
    match (best, own) {
        (Some(best), _) if !missing && least > Trust::Played => of(best.eval, least),
        (_, Some(own)) => {
            let own = (!answered).then_some(own.eval);
            surest.max(own).and_then(|eval| of(eval, Trust::Searched))
        }
        (Some(best), None) => of(best.eval, Trust::Played),
        (None, None) => None,
    }
}

/// Hashes two words that are spread out well enough already.
#[derive(Default)]
pub(super) struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, word: u64) {
        // The golden ratio, as in Knuth's multiplicative hashing.
        let mixed = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }
}

/// Something for each of many positions.
pub(super) type PositionMap<T> = HashMap<Position, T, BuildHasherDefault<Mix>>;

/// The values of one ply after the other, from the end of the game on.
#[derive(Default)]
pub(super) struct Layers {
    /// Of the ply that was valued last.
    after: PositionMap<BookValue>,
}

impl Layers {
    /// Sets the values of all the positions with one number of empties; the
    /// layer with one empty less must have been the last, if it is not empty.
    pub fn value(&mut self, layer: &mut [(Position, &mut BookEntry)]) {
        let (mut movers, mut passers): (Vec<_>, Vec<_>) =
            layer.iter_mut().partition(|(position, _)| !position.must_pass());
        let after = &self.after;
        movers.par_iter_mut().for_each(|(position, entry)| {
            entry.value =
                value_of(*position, entry.searched.as_ref(), |next| after.get(&next).copied());
        });
        let mut here = PositionMap::default();
        here.extend(movers.iter().filter_map(|(position, entry)| Some((*position, entry.value?))));
        for (position, entry) in &mut passers {
            entry.value =
                value_of(*position, entry.searched.as_ref(), |next| here.get(&next).copied());
        }
        here.extend(passers.iter().filter_map(|(position, entry)| Some((*position, entry.value?))));
        self.after = here;
    }
}

/// The order in which changed positions are valued: the end of the game
/// first, and a pass after what it leads to.
fn rank(position: Position) -> (u32, bool, Position) {
    (position.empties(), position.must_pass(), position)
}

/// Brings the values of some folded positions up to date, and those of every
/// position before them for which that makes a difference. Positions that are
/// `new` to the book count as changed. Returns every position whose value is
/// another now.
pub(super) fn refresh(
    sql: &Sql,
    changed: impl IntoIterator<Item = Position>,
    new: &BTreeSet<Position>,
) -> Result<Vec<Position>, BookError> {
    let mut open: BTreeSet<_> = changed.into_iter().map(rank).collect();
    let mut different = Vec::new();
    while let Some((_, _, position)) = open.pop_first() {
        let Some(entry) = sql.entry(position)? else { continue };
        let mut failed = None;
        let value = value_of(position, entry.searched.as_ref(), |next| match sql.entry(next) {
            Ok(entry) => entry.and_then(|entry| entry.value),
            Err(error) => {
                failed.get_or_insert(error);
                None
            }
        });
        if let Some(error) = failed {
            return Err(error);
        }
        let is_different = value != entry.value;
        if is_different {
            sql.put(position, &BookEntry { value, ..entry.clone() }, Some(&entry))?;
            different.push(position);
        }
        if is_different || new.contains(&position) {
            for before in before(position) {
                if sql.entry(before)?.is_some() {
                    open.insert(rank(before));
                }
            }
        }
    }
    Ok(different)
}

/// Every position, folded, from which a move or a pass leads to this one.
pub(super) fn before(position: Position) -> BTreeSet<Position> {
    let mut found = BTreeSet::new();
    let passed = position.passed();
    if passed.must_pass() {
        found.insert(CanonicalPosition::of(passed).position());
    }
    for square in squares(position.opponent) {
        let lines = lines_from(position.opponent, square);
        let mut flips = vec![0_u64];
        for line in lines.iter().filter(|line| !line.is_empty()) {
            let partial: Vec<u64> =
                flips.iter().flat_map(|some| line.iter().map(move |more| some | more)).collect();
            flips.extend(partial);
        }
        for flipped in flips.into_iter().filter(|flipped| *flipped != 0) {
            let earlier = Position {
                player: position.opponent & !(flipped | square.bit()),
                opponent: position.player | flipped,
            };
            if earlier.flips(square) == flipped {
                found.insert(CanonicalPosition::of(earlier).position());
            }
        }
    }
    found
}

/// For each direction, the sets of discs that a disc on a square may have
/// flipped: all but the last of the discs in a row.
fn lines_from(discs: u64, square: Square) -> [Vec<u64>; 8] {
    std::array::from_fn(|direction| {
        let (mut line, mut sets, mut at) = (0, Vec::new(), square);
        while let Some(next) = at.step(direction).filter(|next| discs & next.bit() != 0) {
            if line != 0 {
                sets.push(line);
            }
            line |= next.bit();
            at = next;
        }
        sets
    })
}

/// The position after a folded move of a folded position, folded.
pub(super) fn after(position: Position, played: Move) -> Option<Position> {
    let next = match played {
        Move::Place(square) => position.place(square)?,
        Move::Pass => position.must_pass().then(|| position.passed())?,
    };
    Some(CanonicalPosition::of(next).position())
}

/// The parts of a layer that values are set in.
pub(super) fn borrowed(layer: &mut [Held]) -> Vec<(Position, &mut BookEntry)> {
    layer.iter_mut().map(|(position, entry)| (*position, entry)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_of_a_game_is_found_before_the_next_one() {
        fastrand::seed(11);
        let mut passes = 0;
        for _ in 0..60 {
            let mut position = Position::START;
            while !position.is_over() {
                let legal: Vec<Square> = squares(position.moves()).collect();
                let next = match fastrand::choice(&legal) {
                    Some(square) => position.place(*square).expect("legal"),
                    None => position.passed(),
                };
                passes += usize::from(legal.is_empty());
                let before = before(next);
                assert!(
                    before.contains(&CanonicalPosition::of(position).position()),
                    "{position:?}"
                );
                for earlier in before {
                    let moves = squares(earlier.moves()).map(Move::Place);
                    let leads =
                        moves.chain([Move::Pass]).filter_map(|played| after(earlier, played));
                    assert!(
                        leads
                            .into_iter()
                            .any(|found| found == CanonicalPosition::of(next).position())
                    );
                }
                position = next;
            }
        }
        assert!(passes > 20, "passes were met: {passes}");
    }

    fn value(discs: i32, trust: Trust) -> BookValue {
        BookValue { eval: Score::saturating(discs).to_eval(), trust }
    }

    /// The values of the three replies to f5, folded, in any order.
    fn after_f5(
        values: [Option<BookValue>; 3],
        searched: Option<StoredSearch>,
    ) -> Option<BookValue> {
        let f5 =
            CanonicalPosition::of(Position::START.place(Square::F5).expect("legal")).position();
        let replies: BTreeSet<Position> = squares(f5.moves())
            .map(|square| CanonicalPosition::of(f5.place(square).expect("legal")).position())
            .collect();
        assert_eq!(replies.len(), 3);
        let of = |next| replies.iter().position(|reply| *reply == next).and_then(|at| values[at]);
        value_of(f5, searched.as_ref(), of)
    }

    #[test]
    fn the_best_move_for_the_mover_counts_as_far_as_it_can_be_trusted() {
        use Trust::{Exact, Played, Searched};
        let some = |discs, trust| Some(value(discs, trust));
        assert_eq!(after_f5([None; 3], None), None);
        assert_eq!(after_f5([some(4, Exact), None, None], None), some(-4, Played));
        assert_eq!(after_f5([some(4, Exact), some(2, Played), None], None), some(-2, Played));
        let all = [some(4, Exact), some(2, Searched), some(6, Exact)];
        assert_eq!(after_f5(all, None), some(-2, Searched));
        let exact = [some(4, Exact), some(2, Exact), some(6, Exact)];
        assert_eq!(after_f5(exact, None), some(-2, Exact));
        assert_eq!(after_f5([some(-64, Exact), None, None], None), some(64, Exact));
    }

    #[test]
    fn a_search_of_the_position_outweighs_what_was_played_and_yields_to_deeper_moves() {
        use umigame_engine::search::ScoreKind;
        let f5 =
            CanonicalPosition::of(Position::START.place(Square::F5).expect("legal")).position();
        let best =
            CanonicalPosition::of(f5).fold(squares(f5.moves()).next().expect("a move").into());
        let searched = |kind| StoredSearch { eval: Score::DRAW.to_eval(), kind, best: Some(best) };
        let depth = searched(ScoreKind::Depth { plies: 9, percent: 73 });
        let some = |discs, trust| Some(value(discs, trust));
        // Games came to better; nobody looked whether that was forced.
        let played = [some(-40, Trust::Played); 3];
        assert_eq!(after_f5(played, Some(depth)), some(0, Trust::Searched));
        // The move it spoke of is known better.
        let known = [some(2, Trust::Searched), some(2, Trust::Searched), None];
        let found: Vec<_> = [[0, 1, 2], [0, 2, 1], [2, 0, 1]]
            .map(|order| after_f5(order.map(|at| known[at]), Some(depth)))
            .to_vec();
        assert!(found.contains(&some(-2, Trust::Searched)), "{found:?}");
        assert!(found.contains(&some(0, Trust::Searched)), "{found:?}");
        let exact = searched(ScoreKind::Exact);
        assert_eq!(after_f5(played, Some(exact)), some(0, Trust::Exact));
    }
}
