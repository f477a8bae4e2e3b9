//! The order in which a thread searches the moves of a node that it shares with others.

use arrayvec::ArrayVec;

use super::currently_searching::{CurrentlySearching, MoveKey};
use crate::moves::move_picker::MAX_MOVES;
use crate::table::hash::Hash;
use umigame_othello::Position;

/// Defers the moves of a node of some depth that another thread is searching.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deferral<'a> {
    pub(super) currently_searching: &'a CurrentlySearching,
    pub(super) depth: u32,
}

impl Deferral<'_> {
    fn key(self, after: Position) -> MoveKey {
        self.currently_searching.key(Hash::of(after), self.depth)
    }
}

/// The turn of a move at its node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    /// Its place in the order of the node, from 1.
    pub number: u32,
    /// Another thread is searching the move, too.
    pub is_joined: bool,
}

/// A move that is searched now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TakenMove<M> {
    pub played: M,
    pub turn: Turn,
    key: Option<MoveKey>,
}

/// Hands out the moves of a node in their order, but defers those that another thread is searching:
/// by then the table may know their values, and if not, the thread helps with the one that the fewest
/// threads are searching.
///
/// The first move is not deferred: it may decide the node, or give the window for the others.
pub(crate) struct DeferredMoves<'a, M> {
    /// `None` at a node that every thread searches alone.
    deferral: Option<Deferral<'a>>,
    deferred: ArrayVec<TakenMove<M>, MAX_MOVES>,
    /// A move whose search was broken off.
    retried: Option<TakenMove<M>>,
    taken: u32,
}

impl<'a, M: Copy> DeferredMoves<'a, M> {
    /// Begins a node.
    #[inline(always)]
    pub fn new(deferral: Option<Deferral<'a>>) -> DeferredMoves<'a, M> {
        DeferredMoves { deferral, deferred: ArrayVec::new(), retried: None, taken: 0 }
    }

    /// Returns the next of the moves that `take` gives; `after` tells the position after a move.
    #[inline(always)]
    pub fn next(
        &mut self,
        mut take: impl FnMut() -> Option<M>,
        after: impl Fn(M) -> Position,
    ) -> Option<TakenMove<M>> {
        if let Some(taken) = self.retried.take() {
            return Some(self.begin(taken));
        }
        let Some(deferral) = self.deferral else {
            let played = take()?;
            self.taken += 1;
            let turn = Turn { number: self.taken, is_joined: false };
            return Some(TakenMove { played, turn, key: None });
        };
        while let Some(played) = take() {
            self.taken += 1;
            let key = deferral.key(after(played));
            let is_joined = deferral.currently_searching.is_searching(key);
            let turn = Turn { number: self.taken, is_joined };
            let taken = TakenMove { played, turn, key: Some(key) };
            if turn.number == 1 || !is_joined || self.deferred.is_full() {
                deferral.currently_searching.starting_search(key);
                return Some(taken);
            }
            self.deferred.push(taken);
        }
        self.take_deferred().map(|taken| self.begin(taken))
    }

    /// Takes the move that the fewest threads are searching, of equals the first.
    fn take_deferred(&mut self) -> Option<TakenMove<M>> {
        let set = self.deferral?.currently_searching;
        let searchers = |taken: &TakenMove<M>| taken.key.map(|key| set.searchers(key));
        let moves = self.deferred.iter().enumerate();
        let (fewest, _) = moves.min_by_key(|(_, taken)| searchers(taken))?;
        self.deferred.pop_at(fewest)
    }

    /// Begins the search of a move that was put off.
    #[inline(always)]
    fn begin(&self, mut taken: TakenMove<M>) -> TakenMove<M> {
        if let (Some(deferral), Some(key)) = (self.deferral, taken.key) {
            taken.turn.is_joined = deferral.currently_searching.is_searching(key);
            deferral.currently_searching.starting_search(key);
        }
        taken
    }

    /// Hands a move out again that was [`finished`](Self::finished) without a value.
    pub fn retry(&mut self, taken: TakenMove<M>) {
        self.retried = Some(taken);
    }

    /// Ends the search of a move, finished or not.
    #[inline(always)]
    pub fn finished(&self, taken: &TakenMove<M>) {
        if let (Some(deferral), Some(key)) = (self.deferral, taken.key) {
            deferral.currently_searching.finished_search(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deferral(currently_searching: &CurrentlySearching) -> Deferral<'_> {
        Deferral { currently_searching, depth: 8 }
    }

    #[test]
    fn every_move_has_one_turn_and_busy_ones_come_last() {
        let position = Position::START;
        let currently_searching = CurrentlySearching::new();
        let legal: Vec<_> = position.legal_moves().iter().collect();
        let after = |square| position.play(square).expect("a legal move");
        for others in 0..1 << legal.len() {
            let is_busy = |at: usize| others >> at & 1 == 1;
            let keys =
                legal.iter().map(|&square| deferral(&currently_searching).key(after(square)));
            let searched: Vec<_> =
                keys.enumerate().filter(|&(at, _)| is_busy(at)).map(|(_, key)| key).collect();
            searched.iter().for_each(|&key| currently_searching.starting_search(key));
            let mut deferred = DeferredMoves::new(Some(deferral(&currently_searching)));
            let mut moves = legal.iter().copied();
            let mut order = Vec::new();
            while let Some(taken) = deferred.next(|| moves.next(), after) {
                order.push(taken.turn.number as usize - 1);
                assert_eq!(taken.played, legal[taken.turn.number as usize - 1]);
                assert_eq!(taken.turn.is_joined, is_busy(taken.turn.number as usize - 1));
                deferred.finished(&taken);
            }
            let (mut expected, last): (Vec<_>, Vec<_>) =
                (0..legal.len()).partition(|&at| at == 0 || !is_busy(at));
            expected.extend(last);
            assert_eq!(order, expected);
            searched.iter().for_each(|&key| currently_searching.finished_search(key));
        }
    }

    #[test]
    fn a_deferred_move_is_helped_where_the_fewest_threads_are() {
        let position = Position::START;
        let currently_searching = CurrentlySearching::new();
        let legal: Vec<_> = position.legal_moves().iter().collect();
        let after = |square| position.play(square).expect("a legal move");
        let keys: Vec<_> =
            legal.iter().map(|&at| deferral(&currently_searching).key(after(at))).collect();
        for (at, searchers) in [(1, 3), (2, 1), (3, 2)] {
            (0..searchers).for_each(|_| currently_searching.starting_search(keys[at]));
        }
        let mut deferred = DeferredMoves::new(Some(deferral(&currently_searching)));
        let mut moves = legal.iter().copied();
        let mut order = Vec::new();
        while let Some(taken) = deferred.next(|| moves.next(), after) {
            order.push(taken.turn.number - 1);
            deferred.finished(&taken);
            if taken.turn.number == 3 {
                // Its searchers and two of the three of another have gone.
                currently_searching.finished_search(keys[2]);
                (0..2).for_each(|_| currently_searching.finished_search(keys[1]));
            }
        }
        assert_eq!(order, [0, 2, 1, 3]);
    }

    #[test]
    fn a_retried_move_is_the_next_one_shared_or_not() {
        let position = Position::START;
        let legal: Vec<_> = position.legal_moves().iter().collect();
        let after = |square| position.play(square).expect("a legal move");
        let currently_searching = CurrentlySearching::new();
        for deferral in [None, Some(deferral(&currently_searching))] {
            let mut deferred = DeferredMoves::new(deferral);
            let mut moves = legal.iter().copied();
            let mut found = Vec::new();
            let mut retries = legal.len();
            while let Some(taken) = deferred.next(|| moves.next(), after) {
                deferred.finished(&taken);
                if retries > legal.len() - taken.turn.number as usize {
                    retries -= 1;
                    deferred.retry(taken);
                } else {
                    found.push(taken.played);
                }
            }
            assert_eq!((found, retries), (legal.clone(), 0));
            let keys = legal.iter().filter_map(|&square| Some(deferral?.key(after(square))));
            assert!(keys.into_iter().all(|key| !currently_searching.is_searching(key)));
        }
    }

    #[test]
    fn a_node_searched_alone_keeps_its_order() {
        let expected: Vec<_> = (Position::START.legal_moves()).iter().collect();
        let mut moves = expected.iter().copied();
        let mut deferred = DeferredMoves::new(None);
        let mut found = Vec::new();
        while let Some(taken) = deferred.next(|| moves.next(), |_| Position::START) {
            deferred.finished(&taken);
            found.push(taken.played);
        }
        assert_eq!(found, expected);
    }
}
