"""Adds nodes to the tree of a proof: moves, games that are over, stored results, estimates."""

from __future__ import annotations

import numpy
from numpy.typing import NDArray

import umigame
from umigame import arrays
from umigame.cluster.proof.facts import Facts, Pair, positions_of
from umigame.cluster.proof.tree import Node, State, Tree

CONFIDENCE = 73
"""Of the searches that estimate, in percent."""

__all__ = ["CONFIDENCE", "Grower", "estimate_limits", "fold"]


def estimate_limits(depth: int) -> str:
    """Returns the limits of an estimate as the store writes them."""
    return f"depth {depth} confidence {CONFIDENCE}"


def fold(positions: arrays.Bits) -> list[Pair]:
    """Returns the folded positions as pairs of ints."""
    least: list[list[int]] = arrays.canonical(positions)[0].tolist()
    return [(player, opponent) for player, opponent in least]


class Grower:
    """Expands nodes, many at once."""

    def __init__(self, tree: Tree, facts: Facts, engine: umigame.Engine, depth: int) -> None:
        """`depth` is that of the searches that estimate new positions."""
        self.tree = tree
        self.facts = facts
        self.engine = engine
        self.limit = umigame.Limit(depth=depth, confidence=CONFIDENCE)

    def plant(self, position: arrays.Bits) -> Node:
        """Adds the root: a position of shape (1, 2)."""
        nodes = self._nodes(fold(position), self.tree.question.is_movers)
        self.tree.root = nodes[0]
        return nodes[0]

    def replay(self) -> None:
        """Expands again what an earlier run has expanded: open nodes all of whose children the store knows."""
        tried: set[int] = set()
        while True:
            nodes = [
                node
                for node in self.tree.nodes.values()
                if node.state is State.OPEN and node.children is None and id(node) not in tried
                and not self.tree.is_leaf(node)
            ]
            tried.update(map(id, nodes))
            known = [node for is_prover in (True, False) for node in self._knows_children(nodes, is_prover)]
            if not known:
                return
            self.expand(known)

    def _knows_children(self, nodes: list[Node], is_prover: bool) -> list[Node]:
        """Returns the nodes of one side whose children all have an estimate or a result, or are over."""
        some = [node for node in nodes if node.is_prover is is_prover]
        if not some:
            return []
        rows, _, positions = children_of(some)
        over = arrays.game_over(positions).tolist()
        threshold = self.threshold(not is_prover)
        missing = {
            row
            for row, pair, is_over in zip(rows.tolist(), fold(positions), over, strict=True)
            if not is_over and pair not in self.facts.estimates and self.facts.deciding(pair, threshold) is None
        }
        return [node for row, node in enumerate(some) if row not in missing]

    def expand(self, nodes: list[Node]) -> None:
        """Adds the children of open nodes."""
        for is_prover in (True, False):
            some = [node for node in nodes if node.is_prover is is_prover and node.children is None]
            if some:
                self._expand(some, is_prover)
        for node in sorted(nodes, key=lambda node: node.order):
            self.tree.expanded(node)
        self.tree.spread(nodes)

    def _expand(self, nodes: list[Node], is_prover: bool) -> None:
        rows, moves, positions = children_of(nodes)
        children = self._nodes(fold(positions), not is_prover)
        for node in nodes:
            node.children = []
        for row, move, child in zip(rows.tolist(), moves.tolist(), children, strict=True):
            node = nodes[row]
            # Moves that are images of each other lead to one child.
            if node.children is not None and child not in node.children:
                node.children.append(child)
                node.moves.append(move)
                child.parents.append(node)

    def _nodes(self, pairs: list[Pair], is_prover: bool) -> list[Node]:
        """Returns the nodes of folded positions, new ones settled or estimated."""
        known = self.tree.nodes
        new = list(dict.fromkeys(pair for pair in pairs if (pair, is_prover) not in known))
        if new:
            self._add(new, is_prover)
        return [known[pair, is_prover] for pair in pairs]

    def _add(self, pairs: list[Pair], is_prover: bool) -> None:
        positions = positions_of(pairs)
        mobility = [bits.bit_count() for bits in arrays.legal_moves(positions).tolist()]
        over, scores = arrays.game_over(positions).tolist(), arrays.final_scores(positions).tolist()
        unknown: list[Node] = []
        for at, pair in enumerate(pairs):
            node = self.tree.add(pair, is_prover, mobility[at])
            if over[at]:
                holds: bool | None = self.claim_of(node, scores[at] >= self.threshold(is_prover))
            else:
                holds = self.known(node)
            if holds is None:
                unknown.append(node)
            else:
                self.tree.settle(node, holds)
        self._estimate(unknown)

    def threshold(self, is_prover: bool) -> int:
        """Returns the score whose reaching by the side to move settles a node."""
        return self.tree.question.window(is_prover)[1]

    def claim_of(self, node: Node, reached: bool) -> bool:
        """Returns the claim of a node from whether its side to move reaches the threshold."""
        return reached if node.is_prover else not reached

    def known(self, node: Node) -> bool | None:
        """Returns the claim of a node by the stored results, None where none tells."""
        reached = self.facts.is_at_least(node.pair, self.threshold(node.is_prover))
        return None if reached is None else self.claim_of(node, reached)

    def _estimate(self, nodes: list[Node]) -> None:
        missing = [node.pair for node in nodes if node.pair not in self.facts.estimates]
        if missing:
            found = self.engine.search_many(positions_of(missing), self.limit)
            self.facts.add_estimates(missing, found)
        for node in nodes:
            self.tree.estimate(node, self.facts.estimates[node.pair])

    def note_results(self, nodes: list[Node]) -> list[Node]:
        """Settles nodes whose results have come; returns those that no result settles."""
        left = []
        for node in nodes:
            holds = self.known(node)
            if node.state is not State.OPEN:
                continue
            if holds is None:
                left.append(node)
            else:
                self.tree.settle(node, holds)
        self.tree.spread(nodes)
        return left


def children_of(nodes: list[Node]) -> tuple[NDArray[numpy.intp], NDArray[numpy.int8], arrays.Bits]:
    """Returns the children of nodes: the number of the node, the move, and the position after it."""
    positions = positions_of(node.pair for node in nodes)
    rows, moves = moves_in(arrays.legal_moves(positions))
    return rows, moves, arrays.apply(positions[rows], moves)


def moves_in(legal: NDArray[numpy.uint64]) -> tuple[NDArray[numpy.intp], NDArray[numpy.int8]]:
    """Returns rows and moves of all legal moves; a pass where a row has none."""
    octets = legal.astype("<u8").view(numpy.uint8).reshape(-1, 8)
    bits = numpy.unpackbits(octets, axis=1, bitorder="little")
    bits = numpy.concatenate([bits, (legal == 0).astype(numpy.uint8)[:, None]], axis=1)
    rows, moves = numpy.nonzero(bits)
    return rows, moves.astype(numpy.int8)
