"""Endings of a proof solved by the workers of a cluster."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from umigame.cluster.batches import PARTS
from umigame.cluster.errors import ClusterError
from umigame.cluster.folded import squares
from umigame.cluster.job import IN_FLIGHT, LOST_SECONDS, MAX_FAILURES, SCHEDULER_GONE
from umigame.cluster.local import Cluster
from umigame.cluster.proof.executor import Batch, Rows
from umigame.cluster.store import Store
from umigame.cluster.worker import Answer, Refused
from umigame.cluster.workers import NO_WORKER_SECONDS, Workers
from umigame.cluster.writer import Writer

__all__ = ["ClusterExecutor"]


class ClusterExecutor:
    """Sends batches to workers, takes what is finished, and writes it to the store."""

    def __init__(
        self,
        cluster: Cluster,
        store: Store,
        weights: str | None = None,
        say: Callable[[str], object] = lambda text: None,
    ) -> None:
        """Asks the workers for their fingerprints; raises ClusterError if none is there or fits.

        `say` is told about workers that are refused and endings that cannot be solved.
        """
        self.cluster = cluster
        self.client = cluster.client
        self._say = say
        self.workers = Workers(cluster, weights, say)
        self.writer = Writer(store)
        self._flying: dict[str, tuple[Any, Batch, int]] = {}
        self._finished: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._seen = time.monotonic()
        self.workers.check()
        self.workers.accepted()

    @property
    def threads(self) -> int:
        """The threads of all workers."""
        return max(sum(self.workers.slots().values()), 1) * self.cluster.threads

    @property
    def batch_threads(self) -> int:
        """The threads that share a batch."""
        return self.cluster.threads

    @property
    def batches_ahead(self) -> int:
        """The batches that should be submitted before the first is awaited."""
        return max(sum(self.workers.slots().values()), 1) * IN_FLIGHT

    @property
    def in_flight(self) -> int:
        """The batches begun and not returned."""
        return len(self._flying)

    def submit(self, batch: Batch) -> None:
        """Sends a batch."""
        self._send(batch, 0)

    def _send(self, batch: Batch, failures: int) -> None:
        future = self.workers.submit(batch.tasks, "proof", self._finished.put)
        self._flying[future.key] = (future, batch, failures)

    def wait(self) -> list[tuple[Batch, Rows | None]]:
        """Returns the batches that are done, at least one."""
        found: list[tuple[Batch, Rows | None]] = []
        while self._flying and not (found and self._finished.empty()):
            try:
                key = self._finished.get(timeout=0.2)
            except queue.Empty:
                self._watch()
                continue
            done = self._take(key)
            if done is not None:
                found.append(done)
        self.writer.flush_if_due()
        return found

    def _watch(self) -> None:
        """Ends the proof where the scheduler or every worker is gone."""
        now = time.monotonic()
        if self.client.status == "running" and self.workers.slots():
            self._seen = now
        elif now - self._seen > (LOST_SECONDS if self.client.status != "running" else NO_WORKER_SECONDS):
            raise ClusterError("the scheduler or every worker is gone; what was solved is in the store: run again")

    def _take(self, key: str) -> tuple[Batch, Rows | None] | None:
        """Returns a finished batch; None if it must be computed again."""
        future, batch, failures = self._flying.pop(key)
        try:
            answer: Answer = future.result()
        except Refused as refused:
            reason, address = refused.args
            self.workers.refuse(address, reason)
            self._send(batch, failures)
            return None
        except ClusterError:
            raise
        except Exception as error:
            return self._failed(batch, failures + 1, error)
        finally:
            future.release()
        self.writer.add(batch.tasks, answer.columns)
        return batch, rows_of(answer)

    def _failed(self, batch: Batch, failures: int, error: Exception) -> tuple[Batch, None] | None:
        """Divides a batch that failed, until the ending at fault is alone; returns that when it has
        failed often enough.
        """
        from distributed.scheduler import KilledWorker

        if self.client.status != "running":
            raise ClusterError(SCHEDULER_GONE) from error
        count = len(batch.nodes)
        if count == 1 and failures >= MAX_FAILURES:
            text = "its worker died" if isinstance(error, KilledWorker) else f"{type(error).__name__}: {error}"
            name = squares(*batch.nodes[0].pair)
            self._say(f"ending {name} failed {failures} times: {text}; its moves are tried instead")
            return batch, None
        size = -(-count // PARTS)
        for start in range(0, count, size):
            self._send(replace(batch, nodes=batch.nodes[start : start + size]), failures if count == 1 else 0)
        return None

    def flush(self) -> None:
        """Writes what is done to the store."""
        self.writer.flush()

    def close(self) -> None:
        """Writes what is done, and leaves nothing behind on the cluster."""
        try:
            futures = [future for future, _, _ in self._flying.values()]
            self._flying.clear()
            self.workers.cancel(futures)
        finally:
            self.flush()


def rows_of(answer: Answer) -> Rows:
    """Returns the columns of an answer as lists of plain types."""
    wanted = ("player", "opponent", "score", "bound", "nodes", "seconds", "limits")
    return {name: answer.columns[name].tolist() for name in wanted}
