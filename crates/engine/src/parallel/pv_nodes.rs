//! Results that threads share at nodes of the principal variation.
//!
//! The transposition table does not decide such a node: it would cut the variation short. So the
//! threads, which all pass through these few nodes, tell each other their results here: a better move
//! raises alpha for every thread, and the first to finish a node finishes it for all.

use std::collections::HashMap;
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Release},
};
use std::sync::{Mutex, MutexGuard, PoisonError};

use arrayvec::ArrayVec;

use crate::report::variation::Variation;
use crate::table::SearchDepth;
use umigame_eval::value::{BestMove, Centidiscs, Unit, Window};
use umigame_othello::Move;

/// Room for nodes: more than the plies of a game.
const MAX_NODES: usize = 64;

/// A node: the hash of its position and the depth of its search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PvKey {
    pub hash: u64,
    pub depth: SearchDepth,
}

/// A move that raised alpha.
#[derive(Clone, Debug)]
pub(crate) struct PvMove {
    pub played: Move,
    pub value: Centidiscs,
    /// The value is not only a lower bound.
    pub is_exact: bool,
    /// The play expected after the move.
    pub rest: Variation,
}

/// What other threads have found at a node that helps the one that searches it.
#[derive(Clone, Debug)]
pub(crate) struct PvNews {
    pub value: Centidiscs,
    /// The move of this value; `None` if the value is not above alpha.
    pub best: Option<PvMove>,
    /// The value is that of the node for its window, and nothing is left to search.
    pub is_decided: bool,
}

impl PvNews {
    /// The best move so far, with the play expected at the node; the variation of a node that is
    /// decided without a move stays as it was.
    pub fn best_move<V: Unit>(&self, variation: &mut Variation) -> BestMove<V> {
        if let Some(found) = &self.best {
            variation.set(found.played, &found.rest);
        }
        let square = self.best.as_ref().and_then(|found| found.played.square());
        BestMove { value: V::floor_of(self.value), square }
    }
}

/// The results of a node so far.
#[derive(Debug, Default)]
struct PvResults {
    best: Option<PvMove>,
    /// The best move has the value of the node.
    is_finished: bool,
    /// The least upper bound found.
    upper: Option<Centidiscs>,
}

impl PvResults {
    /// The news for a thread that has found `known` itself: a value, its move, and whether it decides
    /// the node.
    fn find_news(
        &self,
        window: Window<Centidiscs>,
        known: Centidiscs,
    ) -> Option<(Centidiscs, Option<&PvMove>, bool)> {
        if let Some(best) = &self.best {
            let is_decided = self.is_finished && best.is_exact || best.value >= window.beta;
            let raises = best.is_exact && best.value > known.max(window.alpha);
            if is_decided || raises {
                return Some((best.value, Some(best), is_decided));
            }
        }
        let upper = self.upper.filter(|&upper| upper <= window.alpha)?;
        Some((upper, None, true))
    }
}

/// The results of all nodes of a search.
#[derive(Debug, Default)]
pub(crate) struct PvNodes {
    results: Mutex<HashMap<PvKey, PvResults>>,
    /// Counts the results.
    changes: AtomicU64,
}

impl PvNodes {
    fn lock(&self) -> MutexGuard<'_, HashMap<PvKey, PvResults>> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, key: PvKey, change: impl FnOnce(&mut PvResults)) {
        change(self.lock().entry(key).or_default());
        self.changes.fetch_add(1, Release);
    }
}

/// A node that a thread shares with the others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PvNode<'a> {
    nodes: &'a PvNodes,
    key: PvKey,
    window: Window<Centidiscs>,
    /// Its place on the thread's path.
    at: usize,
}

impl PvNode<'_> {
    /// Returns what other threads have found, to a thread that has found `known`.
    pub fn news(&self, known: Centidiscs) -> Option<PvNews> {
        let results = self.nodes.lock();
        let (value, best, is_decided) = results.get(&self.key)?.find_news(self.window, known)?;
        Some(PvNews { value, best: best.cloned(), is_decided })
    }

    /// Hands in a move that raised alpha.
    pub fn raise(&self, found: PvMove) {
        self.nodes.change(self.key, |results| {
            if results.best.as_ref().is_none_or(|best| best.value < found.value) {
                results.best = Some(found);
            }
        });
    }

    /// Hands in the value of the node, fail-soft.
    pub fn finish(&self, value: Centidiscs) {
        self.nodes.change(self.key, |results| {
            if value <= self.window.alpha {
                results.upper = Some(results.upper.map_or(value, |upper| upper.min(value)));
            } else if value < self.window.beta {
                results.is_finished = true;
            }
        });
    }
}

/// The shared nodes that a thread is in, from the root on.
#[derive(Debug, Default)]
pub(crate) struct PvPath<'a> {
    /// Each with the best value that the thread knows.
    nodes: ArrayVec<(PvNode<'a>, Centidiscs), MAX_NODES>,
    /// A node to which the thread returns for news.
    news: Option<usize>,
    /// The results that the thread has looked at.
    seen: u64,
}

impl<'a> PvPath<'a> {
    /// Forgets all nodes.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.news = None;
    }

    /// Enters a node; `None` if there is no room.
    pub fn enter(
        &mut self,
        nodes: &'a PvNodes,
        key: PvKey,
        window: Window<Centidiscs>,
    ) -> Option<PvNode<'a>> {
        let at = self.nodes.len();
        let node = PvNode { nodes, key, window, at };
        self.nodes.try_push((node, window.alpha)).ok()?;
        Some(node)
    }

    /// Tells the best value that the thread knows of a node.
    pub fn know(&mut self, node: PvNode<'_>, best: Centidiscs) {
        if let Some((_, known)) = self.nodes.get_mut(node.at) {
            *known = best;
        }
    }

    /// Leaves a node and those below it.
    pub fn leave(&mut self, node: PvNode<'_>) {
        self.nodes.truncate(node.at);
    }

    /// Looks for the outermost node with news.
    pub fn find_news(&mut self) -> bool {
        let Some((PvNode { nodes, .. }, _)) = self.nodes.first() else { return false };
        let changes = nodes.changes.load(Acquire);
        if changes == self.seen {
            return false;
        }
        self.seen = changes;
        let results = nodes.lock();
        self.news = self.nodes.iter().position(|&(PvNode { key, window, .. }, known)| {
            results.get(&key).is_some_and(|it| it.find_news(window, known).is_some())
        });
        self.news.is_some()
    }

    /// Whether the thread returned to this node for news.
    pub fn takes_news(&mut self, node: PvNode<'_>) -> bool {
        self.news.take_if(|at| *at == node.at).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::confidence::Confidence;
    use umigame_eval::value::Unit;

    const WINDOW: Window<Centidiscs> = Window { alpha: Centidiscs(-100), beta: Centidiscs(100) };

    fn key(hash: u64) -> PvKey {
        PvKey { hash, depth: SearchDepth { plies: 9, confidence: Confidence::P73 } }
    }

    fn found(value: i32, is_exact: bool) -> PvMove {
        PvMove {
            played: Move::Pass,
            value: Centidiscs(value),
            is_exact,
            rest: Variation::default(),
        }
    }

    /// The value of the news for a thread that knows `known`, and whether it decides the node.
    fn news(node: PvNode<'_>, known: i32) -> Option<(i32, bool)> {
        node.news(Centidiscs(known)).map(|news| (news.value.0, news.is_decided))
    }

    #[test]
    fn a_thread_learns_what_raises_its_alpha_and_what_decides_its_window() {
        let nodes = PvNodes::default();
        let enter = |hash: u64, alpha: i32, beta: i32| {
            let window = Window::new(Centidiscs(alpha), Centidiscs(beta));
            PvPath::default().enter(&nodes, key(hash), window).expect("room")
        };
        let unsearched = Centidiscs::NEG_INFINITY.0;
        let (wide, high, low) = (enter(1, -100, 100), enter(1, 50, 100), enter(1, -100, 0));
        assert_eq!(news(wide, unsearched), None);
        wide.raise(found(20, true));
        wide.raise(found(10, true));
        assert_eq!(news(wide, unsearched), Some((20, false)));
        assert_eq!(news(wide, 20), None, "a thread knows as much itself");
        assert_eq!(news(high, unsearched), None, "nothing above its alpha");
        assert_eq!(news(low, unsearched), Some((20, true)), "a value above beta decides");
        wide.finish(Centidiscs(20));
        for node in [wide, high, low] {
            assert_eq!(news(node, unsearched), Some((20, true)), "an exact value decides");
        }

        let (node, lower, wider) = (enter(2, 0, 100), enter(2, -50, 100), enter(2, 0, 200));
        node.finish(Centidiscs(-20));
        assert_eq!(news(node, unsearched), Some((-20, true)), "an upper bound");
        assert_eq!(news(lower, unsearched), None, "it may be above this alpha");
        node.raise(found(150, false));
        assert_eq!(news(node, unsearched), Some((150, true)));
        assert_eq!(news(wider, unsearched), Some((-20, true)), "a lower bound within its window");
    }

    #[test]
    fn a_thread_returns_to_the_outermost_node_with_news() {
        let nodes = PvNodes::default();
        let (mut path, mut other) = (PvPath::default(), PvPath::default());
        let mut enter = |hash| path.enter(&nodes, key(hash), WINDOW).expect("room");
        let entered = [enter(0), enter(1), enter(2)];
        assert!(!path.find_news());
        for hash in [2, 1] {
            let node = other.enter(&nodes, key(hash), WINDOW).expect("room");
            node.raise(found(30, true));
        }
        assert!(path.find_news());
        path.leave(entered[2]);
        assert!(!path.takes_news(entered[2]) && !path.takes_news(entered[0]));
        assert!(path.takes_news(entered[1]) && !path.takes_news(entered[1]));
        path.know(entered[1], Centidiscs(30));
        entered[0].finish(Centidiscs(-200));
        assert!(path.find_news() && path.takes_news(entered[0]));
        path.leave(entered[0]);
        entered[0].raise(found(40, true));
        assert!(!path.find_news(), "it is in no node");
    }
}
