"""What runs in a worker process: warm engines that compute batches."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy

from umigame._native import Engine, Error, __version__
from umigame.cluster.fingerprint import Fingerprint, fingerprint_of
from umigame.cluster.kinds import kind_of
from umigame.cluster.kinds.kind import Columns, empties_of
from umigame.cluster.task import Subjects

SMALL_EMPTIES = 24
"""Empties up to which a small table is enough."""
SMALL_TABLE_MB = 32
"""The table of a thread for such positions."""
MIN_TABLE_MB = 64
MAX_TABLE_MB = 4096
"""The tables of a process for larger positions: a quarter of its memory, within these bounds."""
DEFAULT_MEMORY_MB = 1024
"""Memory of a process that was given no limit."""

__all__ = ["Answer", "Refused", "Work", "probe", "run_batch", "stop_work"]


class Refused(Exception):
    """This worker's engine is not the client's."""


@dataclass(frozen=True, slots=True)
class Work:
    """What the batches of a job share."""

    job: str
    """The name of the job: `stop_work` ends its searches alone."""
    kind: str
    """The kind of the tasks."""
    limits: str
    """The limits of the tasks."""
    fingerprint: Fingerprint
    """The client's fingerprint."""
    weights: str | None = None
    """The file of the weights, None for those in the package."""
    threads: int = 1
    """Threads of an engine."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The results of a batch."""

    columns: Columns
    """The columns of the results."""
    seconds: float
    """Seconds that the worker took."""


_thread = threading.local()
_searching: dict[str, list[Engine]] = {}
_lock = threading.Lock()


def table_mb(subjects: Subjects, threads: int, memory_mb: float) -> int:
    """Returns the size of the transposition tables of an engine for some tasks."""
    empties = empties_of(subjects)
    if empties.max(initial=0) <= SMALL_EMPTIES:
        return SMALL_TABLE_MB * threads
    return int(min(max(memory_mb / 4, MIN_TABLE_MB), MAX_TABLE_MB))


def _memory_mb() -> float:
    """Returns the megabytes that a thread of this worker may use."""
    try:
        from distributed import get_worker

        worker = get_worker()
        limit = worker.memory_manager.memory_limit
        return limit / 2**20 / max(worker.state.nthreads, 1) if limit else DEFAULT_MEMORY_MB
    except (ValueError, ImportError, AttributeError):
        return DEFAULT_MEMORY_MB


def _engine(weights: str | None, threads: int, hash_mb: int) -> Engine:
    """Returns the engine of this thread: the one it had, if it suits."""
    wanted = (weights, threads, hash_mb)
    if getattr(_thread, "wanted", None) != wanted:
        if (old := getattr(_thread, "engine", None)) is not None:
            _thread.wanted = None
            old.close()
        _thread.engine = Engine(threads=threads, hash_mb=hash_mb, weights=weights)
        _thread.wanted = wanted
    engine: Engine = _thread.engine
    return engine


_fingerprints: dict[str | None, Fingerprint] = {}


def fingerprint(weights: str | None = None) -> Fingerprint:
    """Returns the fingerprint of this process, which is made once."""
    if weights not in _fingerprints:
        with Engine(threads=1, hash_mb=1, weights=weights) as engine:
            _fingerprints[weights] = fingerprint_of(engine)
    return _fingerprints[weights]


def probe(expected: Fingerprint, weights: str | None) -> str | None:
    """Returns the reason why this worker cannot take part; None if it can."""
    try:
        return expected.difference(fingerprint(weights))
    except (Error, OSError) as error:
        return f"it cannot load the weights: {error}"


@contextmanager
def _can_be_stopped(job: str, engine: Engine) -> Iterator[None]:
    """Lets `stop_work` reach an engine while it works."""
    with _lock:
        _searching.setdefault(job, []).append(engine)
    try:
        yield
    finally:
        with _lock:
            _searching[job].remove(engine)


def stop_work(job: str) -> None:
    """Ends the searches of a job in this process."""
    with _lock:
        engines = list(_searching.get(job, ()))
    for engine in engines:
        engine.stop()


def run_batch(work: Work, subjects: Subjects) -> Answer:
    """Computes a batch.

    Raises Refused if this worker's engine is not the client's.
    """
    start = time.perf_counter()
    if reason := probe(work.fingerprint, work.weights):
        raise Refused(reason, _address())
    engine = _engine(work.weights, work.threads, table_mb(subjects, work.threads, _memory_mb()))
    with _can_be_stopped(work.job, engine):
        columns = kind_of(work.kind).run(engine, subjects, work.limits)
    count = len(subjects)
    columns["limits"] = numpy.full(count, work.limits, dtype=object)
    columns["weights"] = numpy.full(count, engine.weights_checksum, dtype=numpy.uint32)
    columns["version"] = numpy.full(count, __version__, dtype=object)
    return Answer(columns, time.perf_counter() - start)


def _address() -> Any:
    """Returns the address of this worker; None outside one."""
    try:
        from distributed import get_worker

        return get_worker().address
    except (ValueError, ImportError):
        return None
