//! The null-window nodes that a thread is in, from the root on.

use arrayvec::ArrayVec;

use crate::table::hash::Hash;
use crate::table::{SearchDepth, TableRef};
use umigame_eval::value::{Centidiscs, NullWindow, Unit};

/// Room for nodes: more than the plies of a game.
const MAX_NODES: usize = 64;

/// A node that another thread may decide.
#[derive(Clone, Copy, Debug)]
struct AncestorNode {
    hash: Hash,
    depth: SearchDepth,
    window: NullWindow<Centidiscs>,
}

impl AncestorNode {
    fn cutoff(&self, table: TableRef<'_>) -> Option<Centidiscs> {
        table.probe(self.hash)?.bounds(self.depth)?.cutoff(self.window)
    }
}

/// The path of a thread through the nodes that it shares with others.
#[derive(Debug, Default)]
pub(crate) struct Ancestors {
    nodes: ArrayVec<AncestorNode, MAX_NODES>,
    /// A node that the table decides, and its value: the thread returns to it.
    decided: Option<(usize, Centidiscs)>,
}

impl Ancestors {
    /// Forgets all nodes.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.decided = None;
    }

    /// Enters a node. Returns whether it has to be left again: not if there is no room.
    pub fn enter<V: Unit>(
        &mut self,
        hash: Hash,
        depth: SearchDepth,
        window: NullWindow<V>,
    ) -> bool {
        let window = NullWindow::above(window.alpha.to_centidiscs());
        self.nodes.try_push(AncestorNode { hash, depth, window }).is_ok()
    }

    /// Leaves the innermost node. Returns its value if the thread returned for that.
    pub fn leave<V: Unit>(&mut self) -> Option<V> {
        self.nodes.pop();
        let (_, value) = self.decided.take_if(|(at, _)| *at == self.nodes.len())?;
        Some(V::floor_of(value))
    }

    /// Looks for a node that the table decides, the outermost if there are several.
    pub fn find_cutoff(&mut self, table: TableRef<'_>) -> bool {
        let mut nodes = self.nodes.iter().enumerate();
        self.decided = nodes.find_map(|(at, node)| Some((at, node.cutoff(table)?)));
        self.decided.is_some()
    }

    /// Whether the table decides the innermost node: another thread has finished it.
    pub fn is_innermost_decided(&mut self, table: TableRef<'_>) -> bool {
        let innermost = self.nodes.iter().enumerate().next_back();
        self.decided = innermost.and_then(|(at, node)| Some((at, node.cutoff(table)?)));
        self.decided.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Megabytes;
    use crate::limits::confidence::Confidence;
    use crate::table::Table;
    use umigame_eval::value::{BestMove, Window};
    use umigame_othello::Position;

    #[test]
    fn a_thread_returns_to_the_outermost_node_that_is_decided() {
        let mut table = Table::new(Megabytes(1)).expect("a megabyte");
        let table = table.open();
        let mut nodes = vec![Position::START];
        for _ in 0..5 {
            let position = nodes[nodes.len() - 1];
            let square = position.legal_moves().iter().next().expect("a move");
            nodes.push(position.play(square).expect("legal"));
        }
        let depth = |at: usize| SearchDepth { plies: 12 - at as u8, confidence: Confidence::P73 };
        let window = NullWindow::above(Centidiscs(50));
        let mut path = Ancestors::default();
        for (at, &position) in nodes.iter().enumerate() {
            assert!(path.enter(Hash::of(position), depth(at), window));
        }
        assert!(!path.find_cutoff(table));
        for (at, value) in [(2, 50), (4, 51), (5, 50)] {
            assert!(!path.is_innermost_decided(table));
            let best = BestMove { value: Centidiscs(value), square: None };
            table.store(Hash::of(nodes[at]), depth(at), Window::from(window), best);
        }
        assert!(path.is_innermost_decided(table));
        assert!(path.find_cutoff(table));
        let left: Vec<_> = (0..nodes.len()).map(|_| path.leave()).collect();
        let value = Some(Centidiscs(50));
        assert_eq!(left, [None, None, None, value, None, None], "node 2 is left as the fourth");
    }
}
