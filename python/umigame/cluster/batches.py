"""Batches: what a worker is given at once, the longest work first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy
from numpy.typing import NDArray

from umigame.cluster.cost import CostModel
from umigame.cluster.task import Tasks

BATCH_SECONDS = 5.0
"""Predicted seconds of a batch: long beside the milliseconds that it takes to send, short enough to
lose when a worker dies."""
FIRST_SECONDS = 0.5
"""The same until the first tasks have told how good predictions are."""
LAST_SECONDS = 0.25
"""The same at the end, where long batches would leave workers without work."""
MAX_TASKS = 20_000
"""Tasks of a batch, at most: a message of a megabyte."""
PARTS = 8
"""Parts of a batch that failed: a worker dies once for each split on the way to the task at fault."""
REPLAN_BATCHES = 32
"""Batches after which the rest is planned anew, by what was learnt."""
SHARE = 4.0
"""A batch has at most this part of a worker's share in the work that is left."""

__all__ = ["Batch", "Planner", "split"]


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Tasks that a worker computes together."""

    tasks: Tasks
    """The tasks."""
    seconds: float
    """Predicted seconds on one thread."""
    is_suspect: bool = False
    """Whether it had failed, or was with a worker that died."""
    failures: int = 0
    """Times that its task failed alone."""


class Planner:
    """Makes batches of windows of tasks, the longest tasks of each window first.

    Tasks are taken as batches are asked for, by what the cost model has learnt until then.
    """

    def __init__(self, windows: Iterable[Tasks], cost: CostModel, threads: int) -> None:
        """Begins. `threads` is the number of threads of all workers."""
        self.threads = threads
        self.left_seconds = 0.0
        """Predicted seconds of the tasks of the window that are in no batch yet."""
        self.tasks = 0
        """Tasks in the windows until now."""
        self.seconds = 0.0
        """Their predicted seconds."""
        self._batches = self._plan(windows, cost)

    def __next__(self) -> Batch:
        return next(self._batches)

    def __iter__(self) -> Iterator[Batch]:
        return self

    def _plan(self, windows: Iterable[Tasks], cost: CostModel) -> Iterator[Batch]:
        for left in windows:
            self.tasks += len(left)
            is_new = True
            while len(left):
                order, ends = _longest_first(left, cost)
                if is_new:
                    self.seconds += float(ends[-1])
                    is_new = False
                start = 0
                for _ in range(REPLAN_BATCHES):
                    if start == len(order):
                        break
                    most = FIRST_SECONDS if cost.error_bits(left.kind, left.limits) is None else BATCH_SECONDS
                    end = _end(ends, start, self.threads, most)
                    seconds = float(ends[end - 1] - (ends[start - 1] if start else 0.0))
                    self.left_seconds = float(ends[-1] - ends[end - 1])
                    yield Batch(left.take(order[start:end]), seconds)
                    start = end
                left = left.take(order[start:])


def _longest_first(
    tasks: Tasks, cost: CostModel
) -> tuple[NDArray[numpy.intp], NDArray[numpy.float64]]:
    """Returns the order of tasks and the running sums of their predicted seconds."""
    seconds = cost.seconds(tasks.kind, tasks.limits, tasks.subjects)
    order = numpy.argsort(-seconds, kind="stable")
    return order, numpy.cumsum(seconds[order])


def _end(ends: NDArray[numpy.float64], start: int, threads: int, most: float) -> int:
    """Returns where the batch that begins with task `start` ends: after `most` seconds, or less near
    the end of the window.
    """
    before = float(ends[start - 1]) if start else 0.0
    share = (float(ends[-1]) - before) / (SHARE * threads)
    target = min(max(share, LAST_SECONDS), most)
    end = int(numpy.searchsorted(ends, before + target, side="right"))
    return min(max(end, start + 1), start + MAX_TASKS)


def split(batch: Batch) -> list[Batch]:
    """Returns the parts of a batch that failed; a single task stays, with one failure more."""
    count = len(batch.tasks)
    if count == 1:
        return [replace(batch, is_suspect=True, failures=batch.failures + 1)]
    size = -(-count // PARTS)
    starts = range(0, count, size)
    tasks = (batch.tasks.take(slice(start, start + size)) for start in starts)
    return [Batch(part, batch.seconds / len(starts), is_suspect=True) for part in tasks]
