//! The order in which a thread searches the moves of a node that it shares with others.

use arrayvec::ArrayVec;

use super::busy::{BusyMoves, MoveKey};
use super::pace::Pace;
use crate::moves::move_picker::MAX_MOVES;
use crate::table::hash::Hash;
use umigame_othello::Position;

/// Looks at a move that another thread searches before a thread that waits for it goes on: some 50
/// microseconds. Ten or a hundred times as many made endings 3 % slower.
const MAX_LOOKS: u32 = 2_000;

/// How the moves of a node are shared out among threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sharing<'a> {
    pub(super) busy: &'a BusyMoves,
    pub(super) pace: Pace<'a>,
    pub(super) depth: u32,
    /// The nodes below are too small to share: a thread waits for the one that searches such a node.
    pub(super) waits: bool,
}

impl Sharing<'_> {
    fn key(self, after: Position) -> MoveKey {
        self.busy.key(Hash::of(after), self.depth)
    }

    /// Waits a little for the other threads that search a move, then counts as one of them.
    fn begin(self, key: MoveKey) {
        if self.waits {
            self.pace.wait(MAX_LOOKS, || !self.busy.contains(key));
        }
        self.busy.insert(key);
    }
}

/// A move whose turn it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn<M> {
    pub played: M,
    /// Its place in the order of the node, from 1.
    pub number: u32,
    key: Option<MoveKey>,
}

/// Hands out the moves of a node in their order, those that another thread searches last: by then
/// the table may know their values, and if not, the thread helps with them.
///
/// The first move is not put off: it may decide the node, or give the window for the others.
pub(crate) struct Turns<'a, M> {
    /// `None` at a node that every thread searches alone.
    sharing: Option<Sharing<'a>>,
    put_off: ArrayVec<Turn<M>, MAX_MOVES>,
    taken: u32,
}

impl<'a, M: Copy> Turns<'a, M> {
    /// Begins a node.
    #[inline(always)]
    pub fn new(sharing: Option<Sharing<'a>>) -> Turns<'a, M> {
        Turns { sharing, put_off: ArrayVec::new(), taken: 0 }
    }

    /// Returns the next of the moves that `take` gives; `after` tells the position after a move.
    #[inline(always)]
    pub fn next(
        &mut self,
        mut take: impl FnMut() -> Option<M>,
        after: impl Fn(M) -> Position,
    ) -> Option<Turn<M>> {
        let Some(sharing) = self.sharing else {
            let played = take()?;
            self.taken += 1;
            return Some(Turn { played, number: self.taken, key: None });
        };
        while let Some(played) = take() {
            self.taken += 1;
            let key = sharing.key(after(played));
            let turn = Turn { played, number: self.taken, key: Some(key) };
            let is_full = self.put_off.is_full();
            if turn.number == 1 || is_full || !sharing.busy.contains(key) {
                sharing.begin(key);
                return Some(turn);
            }
            self.put_off.push(turn);
        }
        let turn = self.put_off.pop_at(0)?;
        turn.key.inspect(|&key| sharing.begin(key));
        Some(turn)
    }

    /// Ends the search of a move, finished or not.
    #[inline(always)]
    pub fn end(&self, turn: &Turn<M>) {
        if let (Some(sharing), Some(key)) = (self.sharing, turn.key) {
            sharing.busy.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use umigame_othello::squares;

    fn sharing(busy: &BusyMoves) -> Sharing<'_> {
        Sharing { busy, pace: Pace::default(), depth: 8, waits: false }
    }

    #[test]
    fn every_move_has_one_turn_and_busy_ones_come_last() {
        let position = Position::START;
        let busy = BusyMoves::new();
        let legal: Vec<_> = squares(position.moves()).collect();
        let after = |square| position.place(square).expect("a legal move");
        for others in 0..1 << legal.len() {
            let is_busy = |at: usize| others >> at & 1 == 1;
            let keys = legal.iter().map(|&square| sharing(&busy).key(after(square)));
            let searched: Vec<_> =
                keys.enumerate().filter(|&(at, _)| is_busy(at)).map(|(_, key)| key).collect();
            searched.iter().for_each(|&key| busy.insert(key));
            let mut turns = Turns::new(Some(sharing(&busy)));
            let mut moves = legal.iter().copied();
            let mut order = Vec::new();
            while let Some(turn) = turns.next(|| moves.next(), after) {
                order.push(turn.number as usize - 1);
                assert_eq!(turn.played, legal[turn.number as usize - 1]);
                turns.end(&turn);
            }
            let (mut expected, last): (Vec<_>, Vec<_>) =
                (0..legal.len()).partition(|&at| at == 0 || !is_busy(at));
            expected.extend(last);
            assert_eq!(order, expected);
            searched.iter().for_each(|&key| busy.remove(key));
        }
    }

    #[test]
    fn a_node_searched_alone_keeps_its_order() {
        let expected: Vec<_> = squares(Position::START.moves()).collect();
        let mut moves = expected.iter().copied();
        let mut turns = Turns::new(None);
        let mut found = Vec::new();
        while let Some(turn) = turns.next(|| moves.next(), |_| Position::START) {
            turns.end(&turn);
            found.push(turn.played);
        }
        assert_eq!(found, expected);
    }
}
