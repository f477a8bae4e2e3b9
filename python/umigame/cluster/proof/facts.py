"""What a store knows for a proof: estimates of positions and results of endings, and nothing else.

The tree follows from them, so that a proof can be taken up again after any end of the process.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy

import umigame
from umigame import arrays
from umigame.cluster.store import Store
from umigame.cluster.task import Tasks

KIND = "estimate"
"""The kind of the estimates."""
FLUSH_SECONDS = 5.0
"""Time after which new facts are written; what is younger is lost in a crash and computed again."""

Pair = tuple[int, int]
"""A folded position: the discs of the side to move, then those of the other side."""

__all__ = ["KIND", "Estimate", "Facts", "Pair", "Solved", "positions_of"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimate of a search: discs for the side to move, and its standard deviation."""

    eval: float
    std_dev: float


@dataclass(frozen=True, slots=True)
class Solved:
    """What is proven of an ending: an exact score or a bound, and what it took."""

    score: int
    bound: str
    nodes: int = 0
    seconds: float = 0.0

    def is_at_least(self, score: int) -> bool | None:
        """Returns whether the value is at least a score, None where this does not tell."""
        if self.bound != "upper" and self.score >= score:
            return True
        if self.bound != "lower" and self.score < score:
            return False
        return None


def positions_of(pairs: Iterable[Pair]) -> arrays.Bits:
    """Returns positions as an array."""
    return numpy.array(list(pairs), dtype=numpy.uint64).reshape(-1, 2)


class Facts:
    """The facts of a store, kept in memory; new ones are written every few seconds."""

    def __init__(self, store: Store, limits: str, weights: int) -> None:
        """Reads the facts of a store. Estimates are those of the limits and weights given."""
        self.store = store
        self.limits = limits
        self.weights = weights
        self.estimates: dict[Pair, Estimate] = {}
        self.solved: dict[Pair, list[Solved]] = {}
        self._new: list[tuple[Pair, Estimate, int, float]] = []
        self._written = time.monotonic()
        self._read()

    def _read(self) -> None:
        for table in self.store.tables(KIND):
            rows = table.to_pydict()
            for at, limits in enumerate(rows["limits"]):
                if limits == self.limits and rows["weights"][at] == self.weights:
                    pair = rows["player"][at], rows["opponent"][at]
                    self.estimates[pair] = Estimate(rows["eval"][at], rows["std_dev"][at])
        for table in self.store.tables("solve"):
            self.note_rows(table.to_pydict())

    def note_rows(self, rows: dict[str, list[Any]]) -> None:
        """Takes rows of the kind `solve`."""
        for at, score in enumerate(rows["score"]):
            bound = rows["bound"][at]
            if rows["limits"][at] == "wld" and score:
                # The score is but a sign, and the least win is by two discs.
                score, bound = (2, "lower") if score > 0 else (-2, "upper")
            if score is not None and bound in ("exact", "lower", "upper"):
                found = Solved(score, bound, rows["nodes"][at] or 0, rows["seconds"][at] or 0.0)
                self.solved.setdefault((rows["player"][at], rows["opponent"][at]), []).append(found)

    def is_at_least(self, pair: Pair, score: int) -> bool | None:
        """Returns whether a position's value is at least a score, None where no result tells."""
        found = self.deciding(pair, score)
        return None if found is None else found.is_at_least(score)

    def deciding(self, pair: Pair, score: int) -> Solved | None:
        """Returns a result that tells whether a position's value is at least a score."""
        for solved in self.solved.get(pair, ()):
            if solved.is_at_least(score) is not None:
                return solved
        return None

    def add_estimates(self, pairs: list[Pair], results: umigame.Results) -> None:
        """Takes new estimates, to be written soon."""
        columns = results.evals, numpy.nan_to_num(results.std_devs), results.nodes, results.seconds
        values = zip(*(column.tolist() for column in columns), strict=True)
        for pair, (eval_, std_dev, nodes, seconds) in zip(pairs, values, strict=True):
            self.estimates[pair] = Estimate(eval_, std_dev)
            self._new.append((pair, self.estimates[pair], nodes, seconds))
        if time.monotonic() - self._written > FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Writes what is new."""
        self._written = time.monotonic()
        if not self._new:
            return
        new, self._new = self._new, []
        positions = positions_of(pair for pair, _, _, _ in new)
        self.store.write(
            KIND,
            {
                "key": Tasks.of_positions(KIND, positions, self.limits, self.weights).keys,
                "player": positions[:, 0],
                "opponent": positions[:, 1],
                "eval": [found.eval for _, found, _, _ in new],
                "std_dev": [found.std_dev for _, found, _, _ in new],
                "nodes": [nodes for _, _, nodes, _ in new],
                "seconds": [seconds for _, _, _, seconds in new],
                "limits": [self.limits] * len(new),
                "weights": [self.weights] * len(new),
                "version": [umigame.__version__] * len(new),
            },
        )
