"""The AND/OR tree of a proof, with expected costs in the place of proof numbers.

At a node of the proving side one move must hold, at a node of the other side every move. Each open node
knows the seconds that proving and disproving it are expected to take (proof-number search, Allis 1994,
with costs instead of counts). Positions are folded by symmetry, and transpositions share a node.
"""

from __future__ import annotations

import enum
import heapq
import math
from collections.abc import Iterable, Iterator

from umigame.cluster.proof.claim import Question
from umigame.cluster.proof.costs import LeafCosts, StepCosts
from umigame.cluster.proof.facts import Estimate, Pair

MIN_CHANCE = 0.01
"""No estimate counts as surer than this."""
LEAF_MOVES = 9
"""Moves of a typical leaf."""
MIN_CHANGE = 0.002
"""A smaller relative change of a cost does not go up the tree."""

__all__ = ["Node", "State", "Tree"]


class State(enum.Enum):
    """What is known of a node's claim."""

    OPEN = "open"
    TRUE = "true"
    FALSE = "false"


class Node:
    """A position in the tree. The claim of every node is that of the proving side."""

    __slots__ = (
        "chance", "children", "disproof", "empties", "in_flight", "is_hard", "is_prover", "margin", "mobility",
        "moves", "pair", "parents", "proof", "state",
    )

    def __init__(self, pair: Pair, is_prover: bool, mobility: int) -> None:
        self.pair = pair
        self.is_prover = is_prover
        """The proving side moves here: one move must hold."""
        self.empties = 64 - (pair[0] | pair[1]).bit_count()
        self.mobility = mobility
        self.state = State.OPEN
        self.chance = 0.5
        """Of the claim, by the estimate."""
        self.margin = 0.0
        """Discs between the estimate and the window."""
        self.proof = 0.0
        """Expected seconds to prove the claim."""
        self.disproof = 0.0
        """Expected seconds to disprove it."""
        self.children: list[Node] | None = None
        self.moves: list[int] = []
        """The moves to the children, 64 for a pass, in the folded position."""
        self.parents: list[Node] = []
        self.in_flight = False
        self.is_hard = False
        """It could not be solved, so that it is expanded whatever its empties."""

    @property
    def order(self) -> int:
        """Children come before their parents in this order: a pass leaves the number of empties."""
        return 2 * self.empties + (self.mobility == 0)

    def open_children(self) -> list[Node]:
        """Returns the children that are not settled."""
        return [child for child in self.children or () if child.state is State.OPEN]


class Tree:
    """The nodes of one question."""

    def __init__(self, question: Question, costs: LeafCosts, leaf_empties: int) -> None:
        self.question = question
        self.costs = costs
        self.leaf_empties = leaf_empties
        """Positions of this many empties or fewer are solved, others expanded."""
        self.steps = StepCosts()
        self.nodes: dict[tuple[Pair, bool], Node] = {}
        self.root: Node | None = None

    def add(self, pair: Pair, is_prover: bool, mobility: int) -> Node:
        """Adds a node, which must be settled or estimated next."""
        node = self.nodes[pair, is_prover] = Node(pair, is_prover, mobility)
        return node

    def estimate(self, node: Node, estimate: Estimate) -> None:
        """Sets chance and costs of an open node from its estimate."""
        for_prover = estimate.eval if node.is_prover else -estimate.eval
        node.margin = for_prover - (self.question.target - 1)
        chance = 0.5 * (1 + math.erf(node.margin / max(estimate.std_dev, 0.5) / math.sqrt(2)))
        node.chance = min(max(chance, MIN_CHANCE), 1 - MIN_CHANCE)
        self.price(node)

    def is_leaf(self, node: Node) -> bool:
        """Returns whether a position is solved and not expanded."""
        return node.empties <= self.leaf_empties and not node.is_hard

    def price(self, node: Node) -> None:
        """Sets the costs of an open node without children."""
        if self.is_leaf(node):
            cost = against = self.costs.seconds(node.empties, node.mobility, node.margin)
        else:
            leaf = self.costs.bits(self.leaf_empties, LEAF_MOVES, node.margin)
            plies = max(node.empties - self.leaf_empties, 1)
            cost = 2.0 ** (leaf + self.steps.bits(plies, node.mobility, not node.is_prover))
            against = 2.0 ** (leaf + self.steps.bits(plies, node.mobility, node.is_prover))
        node.proof = cost / node.chance
        node.disproof = against / (1 - node.chance)

    def expected(self, node: Node, goal: State) -> float:
        """Returns the expected seconds of an open node if it turns out as a goal needs it."""
        return node.proof * node.chance if goal is State.TRUE else node.disproof * (1 - node.chance)

    def price_again(self) -> None:
        """Brings all costs up to date with what was learnt."""
        for node in sorted(self.nodes.values(), key=_order):
            if node.state is State.OPEN:
                if node.children is None:
                    self.price(node)
                else:
                    self._update(node)

    def expanded(self, node: Node) -> None:
        """Takes the children of a node, and learns from what they cost."""
        children = node.children or []
        self.steps.saw_moves(node.mobility)
        self.price(node)
        proof, disproof = node.proof, node.disproof
        self._update(node)
        if node.state is State.OPEN and all(child.state is State.OPEN for child in children):
            self.steps.learn(not node.is_prover, math.log2(node.proof / proof))
            self.steps.learn(node.is_prover, math.log2(node.disproof / disproof))

    def settle(self, node: Node, holds: bool) -> None:
        """Sets the claim of a node."""
        node.state = State.TRUE if holds else State.FALSE
        node.proof, node.disproof = (0.0, math.inf) if holds else (math.inf, 0.0)

    def spread(self, changed: Iterable[Node]) -> None:
        """Brings the nodes above changed ones up to date, the deepest first."""
        queue: list[tuple[int, int, Node]] = []
        waiting: set[int] = set()

        def push(nodes: Iterable[Node]) -> None:
            for node in nodes:
                if node.state is State.OPEN and id(node) not in waiting:
                    waiting.add(id(node))
                    heapq.heappush(queue, (node.order, id(node), node))

        for node in changed:
            push(node.parents)
        while queue:
            _, number, node = heapq.heappop(queue)
            waiting.discard(number)
            if self._update(node):
                push(node.parents)

    def _update(self, node: Node) -> bool:
        """Computes state and costs of a node from its children. Returns whether they changed."""
        children = node.children or []
        decisive, other = (State.TRUE, State.FALSE) if node.is_prover else (State.FALSE, State.TRUE)
        if any(child.state is decisive for child in children):
            self.settle(node, decisive is State.TRUE)
            return True
        left = [child for child in children if child.state is State.OPEN]
        if not left:
            self.settle(node, other is State.TRUE)
            return True
        proofs, disproofs = [child.proof for child in left], [child.disproof for child in left]
        proof = min(proofs) if node.is_prover else math.fsum(proofs)
        disproof = math.fsum(disproofs) if node.is_prover else min(disproofs)
        changed = _differs(proof, node.proof) or _differs(disproof, node.disproof)
        node.proof, node.disproof = proof, disproof
        return changed

    def goal(self) -> State:
        """Returns the answer that is cheaper to show: the claim, or its opposite."""
        root = self.root
        return State.FALSE if root is not None and root.disproof < root.proof else State.TRUE

    def frontier(self, goal: State, least_use: float = 1.0) -> Iterator[Node]:
        """Yields the open nodes without children of the cheapest proof of a goal.

        Where one move suffices, the cheapest is followed, and others that are needed with a chance of at
        least `least_use`, because those before them fail; where all must hold, that which most cheaply
        fails comes first.
        """
        if self.root is None:
            return
        # For a disproof the sides change their parts.
        for_goal, against = (_proof, _disproof) if goal is State.TRUE else (_disproof, _proof)
        stack, seen = [(self.root, 1.0)], {id(self.root)}
        while stack:
            node, use = stack.pop()
            if node.state is not State.OPEN:
                continue
            if node.children is None:
                yield node
                continue
            chosen: list[tuple[Node, float]] = []
            if node.is_prover is (goal is State.TRUE):
                for child in sorted(node.open_children(), key=for_goal):
                    if chosen and use < least_use:
                        break
                    chosen.append((child, use))
                    use *= 1 - child.chance if goal is State.TRUE else child.chance
            else:
                chosen = [(child, use) for child in sorted(node.open_children(), key=against)]
            for child, needed in reversed(chosen):
                if id(child) not in seen:
                    seen.add(id(child))
                    stack.append((child, needed))


def _order(node: Node) -> int:
    return node.order


def _proof(node: Node) -> float:
    return node.proof


def _disproof(node: Node) -> float:
    return node.disproof


def _differs(new: float, old: float) -> bool:
    return abs(new - old) > MIN_CHANGE * abs(old)
