"""Proves claims: plans what to solve next, hands it out, and goes on from what the store knows."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import umigame
from umigame import arrays
from umigame.cluster.proof.claim import Claim, ProofError, Question
from umigame.cluster.proof.costs import LeafCosts
from umigame.cluster.proof.executor import Batch, Executor, LocalExecutor, Rows
from umigame.cluster.proof.facts import Facts
from umigame.cluster.proof.grow import Grower, estimate_limits
from umigame.cluster.proof.tree import Node, State, Tree
from umigame.cluster.proof.watch import Progress, Watch
from umigame.cluster.store import Store

BATCH_SECONDS = 2.0
"""Predicted time of a batch on its threads: results come often enough to change the plan."""
MAX_BATCH = 512
"""Leaves of a batch at most."""
MAX_EXPANSIONS = 64
"""Nodes expanded before the plan is made again."""
ESTIMATE_PLIES_LESS = 8
"""Plies by which estimates look less far than leaves have empties: they cost a small part of a leaf."""
MIN_ESTIMATE_DEPTH = 4
"""Plies that estimates look ahead at least."""
MIN_USE = 0.125
"""Chance of being needed, at least, of endings that are solved where threads would wait."""
FIRST_PRICES = 32
"""Endings after which all costs are computed anew; again at each doubling."""
MAX_HARD = 100
"""Endings that may be expanded because they could not be solved: more have another reason."""
EXTRAPOLATION_BITS = 1.0
"""Standard deviation of the cost of a whole subtree that is not expanded yet."""

__all__ = ["Answer", "Proof", "prove"]


@dataclass(slots=True)
class Answer:
    """A question, its tree, and the answer."""

    question: Question
    tree: Tree
    holds: bool


@dataclass(slots=True)
class Proof:
    """A claim that was proved or refuted."""

    claim: Claim
    """The claim asked for."""
    proven: Claim
    """What is proven: the claim, or the bound that refutes it."""
    answers: list[Answer]
    """The trees that prove it."""
    facts: Facts
    seconds: float = 0.0
    solved: int = 0
    """Endings solved by this run."""

    @property
    def holds(self) -> bool:
        """Whether the claim asked for is proven."""
        return self.proven == self.claim


class Planner:
    """Answers one question."""

    def __init__(self, grower: Grower, executor: Executor, batch_seconds: float) -> None:
        self.grower = grower
        self.tree = grower.tree
        self.executor = executor
        self.batch_seconds = batch_seconds
        self.solved = 0
        self.positions = 0
        self.hard = 0
        self._next_prices = FIRST_PRICES

    def run(self, root: Node, report: Callable[[], None]) -> bool:
        """Settles the root and returns whether the claim holds."""
        while root.state is State.OPEN:
            while self.executor.in_flight < self.executor.batches_ahead and root.state is State.OPEN:
                batches = self._plan()
                if not batches:
                    break
                for batch in batches:
                    self.executor.submit(batch)
            if root.state is not State.OPEN:
                break
            if not self.executor.in_flight:
                raise ProofError("the proof cannot go on: no ending is left to solve, and the claim is open")
            self._take()
            report()
        return root.state is State.TRUE

    def _plan(self) -> list[Batch]:
        """Returns the next endings to solve; expands the tree where they lie below open nodes."""
        while self.tree.root is not None and self.tree.root.state is State.OPEN:
            use = 1.0
            leaves, inner = self._choose(use)
            # Other moves are a bet, for workers that would wait otherwise.
            is_idle = 2 * self.executor.in_flight < self.executor.batches_ahead
            while is_idle and not leaves and not inner and use > MIN_USE:
                use /= 2
                leaves, inner = self._choose(use)
            if not inner:
                return self._batches(leaves)
            self.grower.expand(inner)
        return []

    def _choose(self, use: float) -> tuple[list[Node], list[Node]]:
        """Returns leaves for one batch, needed with a chance of at least `use`, and the open nodes met on
        the way to them. Batches of leaves that may not be needed are smaller.
        """
        leaves: list[Node] = []
        inner: list[Node] = []
        seconds, threads = 0.0, self.executor.batch_threads
        for node in self.tree.frontier(self.tree.goal(), use):
            if not self.tree.is_leaf(node):
                inner.append(node)
                if len(inner) >= MAX_EXPANSIONS:
                    break
            elif not node.in_flight:
                leaves.append(node)
                seconds += self.tree.expected(node, State.TRUE)
                full = seconds >= self.batch_seconds * threads * use
                if len(leaves) >= MAX_BATCH * use**2 or (full and len(leaves) >= threads):
                    break
        return leaves, inner

    def _batches(self, leaves: list[Node]) -> list[Batch]:
        """Returns the leaves by their windows, the longest first."""
        found = []
        for is_prover in (True, False):
            nodes = [node for node in leaves if node.is_prover is is_prover]
            nodes.sort(key=lambda node: -self.tree.expected(node, State.TRUE))
            for node in nodes:
                node.in_flight = True
            if nodes:
                found.append(Batch(nodes, self.tree.question.window(is_prover), self.tree))
        return found

    def _take(self) -> None:
        """Takes the results of the batches that are done."""
        for batch, rows in self.executor.wait():
            if rows is not None:
                self.grower.facts.note_rows(rows)
            if batch.tree is not self.tree:
                # Of the question before.
                continue
            for node in batch.nodes:
                node.in_flight = False
            if rows is not None:
                self._learn(batch, rows)
            left = self.grower.note_results(batch.nodes)
            for node in left:
                # Its moves are tried instead.
                node.is_hard = True
            self.hard += len(left)
            if self.hard > MAX_HARD:
                raise ProofError(f"{self.hard} endings could not be solved")
            self.solved += len(batch.nodes) - len(left)
            if self.solved >= self._next_prices:
                self._next_prices = 2 * self.solved
                self.tree.price_again()

    def _learn(self, batch: Batch, rows: Rows) -> None:
        """Learns from the seconds and nodes of a batch."""
        for node, seconds, nodes in zip(batch.nodes, rows["seconds"], rows["nodes"], strict=True):
            self.tree.costs.learn(node.empties, node.mobility, node.margin, seconds)
            self.positions += nodes

    def goal(self) -> str:
        """Returns which answer the plan is to show."""
        return "claim" if self.tree.goal() is State.TRUE else "opposite"

    def progress(self, claim: str, chance: float, started: float, solved: int) -> Progress:
        """Returns how far the proof is. `started` is when it began, `solved` the endings of earlier questions."""
        leaves, unexpanded, left, factor = self.remaining()
        return Progress(
            claim, self.goal(), solved + self.solved, leaves, unexpanded, len(self.tree.nodes), chance,
            time.monotonic() - started, left, factor, self.positions,
        )

    def remaining(self) -> tuple[int, int, float, float]:
        """Returns open leaves, unexpanded nodes, seconds left and the factor of the error."""
        bits = self.tree.costs.error_bits
        leaves = unexpanded = 0
        total = variance = unsure = 0.0
        goal = self.tree.goal()
        for node in self.tree.frontier(goal):
            is_leaf = self.tree.is_leaf(node)
            leaves, unexpanded = leaves + is_leaf, unexpanded + (not is_leaf)
            cost = self.tree.expected(node, goal)
            # The mean of a logarithmic normal distribution lies above its median.
            cost *= math.exp((bits * math.log(2)) ** 2 / 2)
            total += cost
            variance += (cost * bits) ** 2
            unsure += 0.0 if is_leaf else cost
        if not total:
            return leaves, unexpanded, 0.0, 1.0
        error = math.hypot(0.3, math.sqrt(variance) / total, EXTRAPOLATION_BITS * unsure / total)
        return leaves, unexpanded, total / self.executor.threads, 2.0**error


def prove(
    claim: Claim,
    store: Store,
    engine: umigame.Engine,
    *,
    executor: Executor | None = None,
    leaf_empties: int = 20,
    estimate_depth: int | None = None,
    batch_seconds: float = BATCH_SECONDS,
    progress: Callable[[Progress], object] | None = None,
    on_tree: Callable[[Tree], object] | None = None,
) -> Proof:
    """Proves a claim, or refutes it by the opposite bound.

    `progress` is called every second; `on_tree` receives the tree every half minute, and when the proof
    ends, however it ends. The store keeps the last of both for `status`.

    `engine` estimates positions, and solves endings of at most `leaf_empties` empties unless an executor
    does. All that is found lies in the store, from which a later call goes on.
    """
    started = time.monotonic()
    depth = estimate_depth or max(leaf_empties - ESTIMATE_PLIES_LESS, MIN_ESTIMATE_DEPTH)
    facts = Facts(store, estimate_limits(depth), engine.weights_checksum)
    executor = executor or LocalExecutor(engine, store)
    costs = LeafCosts()
    watch = Watch(claim, store, progress, on_tree)
    proof = Proof(claim, claim, [], facts)
    tree, proven = None, None
    try:
        for question in claim.questions():
            tree = Tree(question, costs, leaf_empties)
            planner = Planner(Grower(tree, facts, engine, depth), executor, batch_seconds)
            root = planner.grower.plant(arrays.from_boards([claim.board]))
            planner.grower.replay()
            now = partial(planner.progress, claim.text(), root.chance, started, proof.solved)
            holds = planner.run(root, partial(watch.look, tree, now))
            proof.solved += planner.solved
            proof.answers.append(Answer(question, tree, holds))
            if not holds:
                proof.proven = claim.refuted_by(question)
                proof.answers = proof.answers[-1:]
                break
        proven = proof.proven
    finally:
        facts.flush()
        executor.flush()
        if tree is not None:
            watch.end(tree, proven)
    proof.seconds = time.monotonic() - started
    return proof
