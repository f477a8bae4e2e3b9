"""Endings of a proof solved by the workers of a cluster."""

from __future__ import annotations

import queue
import time
from typing import Any

from umigame.cluster.errors import ClusterError
from umigame.cluster.job import IN_FLIGHT, LOST_SECONDS, MAX_FAILURES
from umigame.cluster.local import Cluster
from umigame.cluster.proof.claim import ProofError
from umigame.cluster.proof.executor import Batch
from umigame.cluster.store import Store
from umigame.cluster.worker import Answer, Refused
from umigame.cluster.workers import NO_WORKER_SECONDS, Workers
from umigame.cluster.writer import Writer

__all__ = ["ClusterExecutor"]


class ClusterExecutor:
    """Sends batches to workers, takes what is finished, and writes it to the store."""

    def __init__(self, cluster: Cluster, store: Store, weights: str | None = None) -> None:
        """Asks the workers for their fingerprints; raises ClusterError if none is there or fits."""
        self.cluster = cluster
        self.client = cluster.client
        self.workers = Workers(cluster, weights)
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

    def _send(self, batch: Batch, deaths: int) -> None:
        future = self.workers.submit(batch.tasks, "proof", self._finished.put)
        self._flying[future.key] = (future, batch, deaths)

    def wait(self) -> list[tuple[Batch, dict[str, list[Any]]]]:
        """Returns the batches that are done, at least one."""
        found: list[tuple[Batch, dict[str, list[Any]]]] = []
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

    def _take(self, key: str) -> tuple[Batch, dict[str, list[Any]]] | None:
        """Returns a finished batch; None if it must be computed again."""
        future, batch, deaths = self._flying.pop(key)
        try:
            answer: Answer = future.result()
        except Refused as refused:
            reason, address = refused.args
            self.workers.refuse(address, reason)
            self._send(batch, deaths)
            return None
        except ClusterError:
            raise
        except Exception as error:
            if deaths + 1 >= MAX_FAILURES or self.client.status != "running":
                raise ProofError(self._failure(batch, error)) from error
            self._send(batch, deaths + 1)
            return None
        finally:
            future.release()
        self.writer.add(batch.tasks, answer.columns)
        return batch, rows_of(answer)

    def _failure(self, batch: Batch, error: Exception) -> str:
        from distributed.scheduler import KilledWorker

        if self.client.status != "running":
            return "the scheduler is gone; what was solved is in the store: run again"
        text = "its worker died" if isinstance(error, KilledWorker) else f"{type(error).__name__}: {error}"
        pairs = ", ".join(f"{own:016x}{other:016x}" for own, other in batch.tasks.subjects[:3].tolist())
        return f"a batch of {len(batch.nodes)} endings failed {MAX_FAILURES} times: {text}; it begins with {pairs}"

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


def rows_of(answer: Answer) -> dict[str, list[Any]]:
    """Returns the columns of an answer as lists of plain types."""
    wanted = ("player", "opponent", "score", "bound", "nodes", "seconds", "limits")
    return {name: answer.columns[name].tolist() for name in wanted}
