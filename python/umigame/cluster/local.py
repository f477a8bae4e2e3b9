"""A cluster: worker processes of this machine, or any Dask cluster by its address."""

from __future__ import annotations

import logging
import math
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from typing import Any

from umigame.cluster.errors import ClusterError

START_SECONDS = 60.0
"""Time in which a scheduler must answer, and the first worker be there."""
START_TRIES = 3
"""Attempts to start the workers of this machine."""
LIST_SECONDS = 1.0
"""Time between two questions for the workers, at least."""
LIST_WAIT = 20.0
"""This wait is at least so many times as long as the last answer took, which grows with the workers."""

__all__ = ["Cluster", "connect", "cores"]


@dataclass(slots=True)
class Cluster:
    """A Dask cluster in use."""

    client: Any
    """The `distributed.Client`."""
    threads: int
    """Threads of the engine of a worker."""
    pool: Any = None
    """The `LocalCluster` whose workers belong to this process, None for a cluster by its address."""
    workers: int = 0
    """Workers of that."""
    _slots: dict[str, int] = field(default_factory=dict)
    _next_list: float = -math.inf

    @property
    def is_local(self) -> bool:
        """Whether the workers belong to this process."""
        return self.pool is not None

    def slots(self, now: bool = False) -> dict[str, int]:
        """Returns the batches that each worker computes at once, by its address: as of some seconds ago,
        or as of `now`.
        """
        begun = time.monotonic()
        if now or begun >= self._next_list:
            workers = self.client.scheduler_info(n_workers=-1)["workers"]
            self._slots = {address: worker["nthreads"] for address, worker in workers.items()}
            end = time.monotonic()
            self._next_list = end + max(LIST_SECONDS, LIST_WAIT * (end - begun))
        return self._slots

    def revive(self) -> None:
        """Starts workers of this process again that are gone for good: one that dies as it starts is
        not started again by Dask.
        """
        if self.is_local:
            self.pool.scale(self.workers)


def cores() -> int:
    """Returns the processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


@contextmanager
def connect(
    scheduler: str | None = None, workers: int | None = None, threads: int = 1
) -> Iterator[Cluster]:
    """Connects to the scheduler at an address, or starts workers on this machine: one for each
    `threads` cores unless `workers` says how many.
    """
    import dask
    import distributed

    # Without types of their own.
    Client: Any = distributed.Client
    LocalCluster: Any = distributed.LocalCluster
    _hush()
    if scheduler is not None:
        try:
            client = Client(scheduler, timeout=START_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise ClusterError(f"{scheduler}: no scheduler answers: {error}") from error
        with client:
            yield Cluster(client, threads)
        return
    settings = {
        # A dead worker is told to the job at once, which counts deaths for each task.
        "distributed.scheduler.allowed-failures": 0,
        "distributed.comm.timeouts.connect": "60s",
        "distributed.deploy.lost-worker-timeout": "60s",
        # Dask watches itself: a fiftieth of a core for each process, on cores that solve.
        "distributed.worker.profile.enabled": False,
        "distributed.admin.tick.interval": "1s",
        "distributed.admin.tick.limit": "60s",
        "distributed.admin.system-monitor.interval": "5s",
    }
    count = workers or max(cores() // threads, 1)
    with dask.config.set(settings):
        pool = _start(LocalCluster, count)
        with pool, Client(pool, set_as_default=False) as client:
            yield Cluster(client, threads, pool, count)


def _start(local_cluster: Any, count: int) -> Any:
    """Starts workers on this machine; again where one dies as it starts, which ends all of them."""
    for attempt in range(1, START_TRIES + 1):
        try:
            with _interrupts_wait():
                return local_cluster(
                    n_workers=count, threads_per_worker=1, dashboard_address=":0",
                    silence_logs=logging.CRITICAL,
                )
        except (RuntimeError, OSError) as error:
            if attempt == START_TRIES:
                raise ClusterError(f"the workers of this machine do not start: {error}") from error
    raise AssertionError("every attempt returns or raises")


def _hush() -> None:
    """Silences the log of Dask: what matters of dead workers and schedulers is told by the job."""
    names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    for name in ("distributed", "tornado.application", "asyncio", *names):
        logging.getLogger(name).setLevel(logging.CRITICAL)


@contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Lets Ctrl-C wait for the end of a block, for the threads and processes begun there for ever: a
    terminal sends it to workers too, whose end is for their client to decide.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Its start would let interrupts through.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
