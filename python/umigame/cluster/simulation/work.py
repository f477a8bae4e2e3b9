"""Tasks for the model: drawn at random, or those that a store has seen; and the batches made of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from umigame.cluster.batches import BATCH_SECONDS, LAST_SECONDS, MAX_TASKS, SECONDS_A_THREAD, SHARE
from umigame.cluster.errors import InputError
from umigame.cluster.store import Store

Seconds = NDArray[numpy.float64]

__all__ = ["Batches", "Work", "batches_of", "lognormal_work", "store_work"]


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """Tasks: the seconds that they take, and those predicted."""

    seconds: Seconds
    predicted: Seconds


@dataclass(frozen=True, slots=True, eq=False)
class Batches:
    """Batches in the order in which they are sent."""

    seconds: Seconds
    """What each takes."""
    tasks: NDArray[numpy.intp]
    """The number of tasks in each."""


def lognormal_work(total: float, mean: float, spread_bits: float, error_bits: float, seed: int) -> Work:
    """Returns tasks that take about `total` seconds together and `mean` each.

    The binary logarithms of the predictions have the standard deviation `spread_bits`, those of what the
    predictions miss have `error_bits`.
    """
    random = numpy.random.default_rng(seed)
    count = max(round(total / mean), 1)
    spread, error = spread_bits * numpy.log(2), error_bits * numpy.log(2)
    predicted = mean * numpy.exp(random.normal(-(spread**2) / 2, spread, count))
    return Work(predicted * numpy.exp(random.normal(-(error**2) / 2, error, count)), predicted)


def store_work(store: Store, total: float | None, error_bits: float, seed: int) -> Work:
    """Returns the tasks of kind `solve` in a store, drawn again until they take `total` seconds."""
    rows = [table.column("seconds").to_numpy() for table in store.tables("solve")]
    seconds = numpy.concatenate(rows).astype(numpy.float64) if rows else numpy.zeros(0)
    if not seconds.sum() > 0:
        raise InputError(f"{store.url}: no results of `solve`, whose seconds are to be drawn")
    random = numpy.random.default_rng(seed)
    if total is not None:
        seconds = random.choice(seconds, max(round(total / float(seconds.mean())), 1))
    error = error_bits * numpy.log(2)
    return Work(seconds, seconds / numpy.exp(random.normal(-(error**2) / 2, error, len(seconds))))


def batches_of(
    work: Work,
    threads: int,
    batch_seconds: float = BATCH_SECONDS,
    longest_first: bool = True,
    seconds_a_thread: float = SECONDS_A_THREAD,
) -> Batches:
    """Returns batches as jobs make them: of `batch_seconds` by prediction, smaller towards the end, larger for
    many threads.
    """
    count = len(work.seconds)
    order = numpy.argsort(-work.predicted) if longest_first else numpy.arange(count)
    ends, actual = numpy.cumsum(work.predicted[order]), numpy.cumsum(work.seconds[order])
    bounds, start, total = [0], 0, float(ends[-1])
    while start < count:
        before = float(ends[start - 1]) if start else 0.0
        target = min(max((total - before) / (SHARE * threads), LAST_SECONDS), batch_seconds)
        target = max(target, seconds_a_thread * threads)
        end = int(numpy.searchsorted(ends, before + target, side="right"))
        start = min(max(end, start + 1), start + MAX_TASKS)
        bounds.append(start)
    edges = numpy.array(bounds)
    sums = numpy.concatenate([[0.0], actual])[edges]
    return Batches(numpy.diff(sums), numpy.diff(edges))
