"""The workers of a cluster that a job may use, and what it asks of them."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from typing import Any

from umigame.cluster.errors import ClusterError
from umigame.cluster.local import Cluster
from umigame.cluster.task import Tasks
from umigame.cluster.worker import Work, fingerprint, probe, run_batch, stop_work

NO_WORKER_SECONDS = 120.0
"""Time without any worker after which a job ends."""

__all__ = ["NO_WORKER_SECONDS", "Workers"]


class Workers:
    """Sends the batches of one job to workers whose engines answer as this process's does."""

    def __init__(
        self, cluster: Cluster, weights: str | None = None, say: Callable[[str], object] = lambda text: None
    ) -> None:
        """`say` is told about workers that are refused, each once."""
        self.cluster = cluster
        self.client = cluster.client
        self.weights = weights
        self.name = uuid.uuid4().hex
        self.fingerprint = fingerprint(weights)
        self.refused: dict[str, str] = {}
        """Workers refused, with the reason."""
        self._say = say

    def check(self) -> None:
        """Waits for a worker, and refuses those whose engines differ.

        Raises ClusterError if none comes.
        """
        try:
            self.client.wait_for_workers(1, timeout=NO_WORKER_SECONDS)
        except TimeoutError as error:
            raise ClusterError(f"no worker within {NO_WORKER_SECONDS:.0f} s") from error
        answers = self.client.run(probe, self.fingerprint, self.weights, on_error="return")
        for address, reason in answers.items():
            if isinstance(reason, OSError):
                # It has died, and another takes its place.
                continue
            if isinstance(reason, BaseException):
                reason = f"it cannot load umigame.cluster: {reason}"
            if reason:
                self.refuse(address, reason)

    def refuse(self, address: str, reason: str) -> None:
        """Sends a worker nothing more."""
        if address not in self.refused:
            self.refused[address] = reason
            self._say(f"worker {address} is refused: {reason}")

    def slots(self, now: bool = False) -> dict[str, int]:
        """Returns the batches that each accepted worker computes at once; see `Cluster.slots`."""
        slots = self.cluster.slots(now)
        return {at: count for at, count in slots.items() if at not in self.refused}

    def accepted(self) -> list[str] | None:
        """Returns the workers that may be asked; None for all.

        Raises ClusterError if every worker is refused.
        """
        if not self.refused:
            return None
        # Others may have come since the list was made.
        accepted = list(self.slots() or self.slots(now=True))
        if not accepted and self.cluster.slots():
            reasons = "; ".join(f"{worker}: {why}" for worker, why in self.refused.items())
            raise ClusterError(f"every worker is refused: {reasons}")
        return accepted or None

    def submit(self, tasks: Tasks, label: str, done: Callable[[str], object]) -> Any:
        """Sends a batch and returns its future; `done` is called with the future's key, from another
        thread. `label` names the batch on Dask's pages.
        """
        work = Work(
            self.name, tasks.kind, tasks.limits, self.fingerprint, self.weights, self.cluster.threads
        )
        future = self.client.submit(
            run_batch, work, tasks.subjects, pure=False, workers=self.accepted(),
            key=f"umigame-{label}-{uuid.uuid4().hex}",
        )
        future.add_done_callback(lambda finished: done(finished.key))
        return future

    def cancel(self, futures: Iterable[Any]) -> None:
        """Takes batches back and ends their searches."""
        futures = list(futures)
        if futures and self.client.status == "running":
            self.client.cancel(futures, force=True)
            self.client.run(stop_work, self.name, on_error="ignore", wait=not self.cluster.is_local)
