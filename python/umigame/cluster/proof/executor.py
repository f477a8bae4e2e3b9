"""Where the endings of a proof are solved: by an engine of this process, or by a cluster."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, Protocol

import numpy

import umigame
from umigame import arrays
from umigame.cluster.proof.facts import positions_of
from umigame.cluster.proof.tree import Node, Tree
from umigame.cluster.store import Store
from umigame.cluster.task import Tasks
from umigame.cluster.writer import Writer

Rows = dict[str, list[Any]]
"""Columns of results."""

__all__ = ["Batch", "Executor", "LocalExecutor", "Rows"]


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Endings to be solved by one null window."""

    nodes: list[Node]
    window: tuple[int, int]
    tree: Tree

    @property
    def limits(self) -> str:
        """The limits of the tasks."""
        return f"window {self.window[0]} {self.window[1]}"

    @property
    def tasks(self) -> Tasks:
        """The tasks, whose results the store keeps."""
        return Tasks.of_positions("solve", positions_of(node.pair for node in self.nodes), self.limits)


class Executor(Protocol):
    """Solves batches and writes the results to the store."""

    @property
    def threads(self) -> int:
        """The threads that solve endings at the same time."""

    @property
    def batch_threads(self) -> int:
        """The threads that share a batch."""

    @property
    def batches_ahead(self) -> int:
        """The batches that should be submitted before the first is awaited."""

    def submit(self, batch: Batch) -> None:
        """Begins to solve a batch."""

    def wait(self) -> list[tuple[Batch, Rows | None]]:
        """Returns the batches that are done with their rows, at least one if any is in flight.

        An ending that cannot be solved comes back alone and without rows.
        """

    def flush(self) -> None:
        """Writes what is done to the store."""

    @property
    def in_flight(self) -> int:
        """The batches begun and not returned."""


def columns_of(batch: Batch, results: umigame.Results, weights: int) -> dict[str, Any]:
    """Returns columns of the kind `solve`, without keys."""
    low, high = batch.window
    count = len(batch.nodes)
    scores = numpy.rint(results.evals).astype(int).tolist()
    return {
        "player": [node.pair[0] for node in batch.nodes],
        "opponent": [node.pair[1] for node in batch.nodes],
        "score": scores,
        "bound": ["upper" if score <= low else "lower" if score >= high else "exact" for score in scores],
        "move": results.moves.tolist(),
        "nodes": results.nodes.tolist(),
        "seconds": results.seconds.tolist(),
        "limits": [batch.limits] * count,
        "weights": [weights] * count,
        "version": [umigame.__version__] * count,
    }


class LocalExecutor:
    """Solves by an engine of this process, one batch after the other."""

    batches_ahead = 1

    def __init__(self, engine: umigame.Engine, store: Store) -> None:
        self.engine = engine
        self.writer = Writer(store)
        self._queue: deque[Batch] = deque()

    @property
    def threads(self) -> int:
        """The threads of the engine."""
        return self.engine.threads

    @property
    def batch_threads(self) -> int:
        """The threads of the engine, which share each batch."""
        return self.engine.threads

    @property
    def in_flight(self) -> int:
        """The batches begun and not returned."""
        return len(self._queue)

    def submit(self, batch: Batch) -> None:
        """Begins to solve a batch."""
        self._queue.append(batch)

    def wait(self) -> list[tuple[Batch, Rows | None]]:
        """Solves the first batch."""
        batch = self._queue.popleft()
        positions: arrays.Bits = positions_of(node.pair for node in batch.nodes)
        results = self.engine.solve_many(positions, window=batch.window)
        columns = columns_of(batch, results, self.engine.weights_checksum)
        self.writer.add(batch.tasks, columns)
        self.writer.flush_if_due()
        return [(batch, columns)]

    def flush(self) -> None:
        """Writes what is done to the store."""
        self.writer.flush()
