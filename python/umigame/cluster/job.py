"""Jobs: tasks that a store lacks, computed by a cluster and written to the store."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from umigame.cluster.batches import Batch, Planner, split
from umigame.cluster.cost import CostModel
from umigame.cluster.errors import ClusterError
from umigame.cluster.kinds import kind_of
from umigame.cluster.local import Cluster
from umigame.cluster.progress import Progress
from umigame.cluster.store import Store
from umigame.cluster.task import Task, Tasks
from umigame.cluster.worker import Answer, Refused
from umigame.cluster.workers import NO_WORKER_SECONDS, Workers
from umigame.cluster.writer import Writer

MAX_FAILURES = 3
"""Times that a task alone ends its worker, or fails, before it is set aside."""
IN_FLIGHT = 2
"""Batches sent for each that is being computed: the next one waits at the worker."""
POLL_SECONDS = 0.2
"""Wait for the next finished batch before other things are looked after."""
LOST_SECONDS = 30.0
"""Time without a scheduler after which a job ends."""
REVIVE_SECONDS = 10.0
"""Time between two attempts to start the missing ones of the job's own workers."""
SCHEDULER_GONE = "the scheduler is gone; what was computed is in the store: run again"

__all__ = ["Failure", "JobReport", "run_job"]


@dataclass(frozen=True, slots=True)
class Failure:
    """A task that was set aside."""

    kind: str
    """Its kind."""
    subject: str
    """Its subject."""
    reason: str
    """What happened."""


@dataclass(slots=True)
class JobReport:
    """What a job did."""

    known: int = 0
    """Tasks whose results the store had."""
    done: int = 0
    """Tasks computed."""
    failures: list[Failure] = field(default_factory=list)
    """Tasks set aside."""
    refused: dict[str, str] = field(default_factory=dict)
    """Workers refused, with the reason."""
    deaths: int = 0
    """Times that a worker died with a batch."""
    is_interrupted: bool = False
    """Whether Ctrl-C ended it."""
    seconds: float = 0.0
    """Seconds that it took."""


def run_job(
    windows: Iterable[Tasks],
    store: Store,
    cluster: Cluster,
    *,
    weights: str | None = None,
    progress: Progress | None = None,
) -> JobReport:
    """Computes the tasks that a store lacks.

    `windows` are parts of the work, of some hundred thousand tasks each: memory does not grow with
    their number, and the longest tasks of each go first. Ctrl-C ends the job; like every other end,
    it leaves in the store what was computed until then, and the next run goes on there.

    Raises ClusterError if the scheduler is gone or no worker is left, StoreError if the store cannot
    be written.
    """
    return _Job(store, cluster, weights, progress or Progress(out=None)).run(windows)


class _Job:
    """A job in progress."""

    def __init__(
        self, store: Store, cluster: Cluster, weights: str | None, progress: Progress
    ) -> None:
        self.store, self.cluster, self.progress = store, cluster, progress
        self.client = cluster.client
        self.workers = Workers(cluster, weights, progress.say)
        self.report = JobReport(refused=self.workers.refused)
        self.cost = CostModel(store)
        self.writer = Writer(store)
        self.flying: dict[str, tuple[Any, Batch]] = {}
        self.again: list[Batch] = []
        self.suspects: list[Batch] = []
        self.finished: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.seen = self.revived = time.monotonic()

    def run(self, windows: Iterable[Tasks]) -> JobReport:
        """Runs the job to its end, whatever ends it."""
        begun = time.monotonic()
        try:
            self.workers.check()
            threads = max(sum(self.workers.slots().values()), 1) * self.cluster.threads
            self.planner = Planner(self._missing(windows), self.cost, threads)
            self._fill()
            while self.flying:
                self._step()
        except KeyboardInterrupt:
            self.report.is_interrupted = True
        except OSError as error:
            # Of Dask: those of the store are StoreErrors.
            raise ClusterError(SCHEDULER_GONE) from error
        finally:
            self.progress.clear()
            self._end()
            self.report.seconds = time.monotonic() - begun
        return self.report

    def _missing(self, windows: Iterable[Tasks]) -> Iterator[Tasks]:
        """Returns the tasks that the store lacks."""
        for window in windows:
            kind_of(window.kind).check(window.limits)
            left = self.store.missing(window)
            self.report.known += len(window) - len(left)
            self.progress.known = self.report.known
            yield left

    def _end(self) -> None:
        """Leaves nothing behind on the cluster, and everything in the store."""
        futures = [future for future, _ in self.flying.values()]
        self.flying.clear()
        try:
            self.workers.cancel(futures)
        except Exception as error:
            # The cluster is gone, which is no reason to lose results.
            self.progress.say(f"the cluster did not hear the end of the job: {error}")
        self.writer.flush()
        if self.report.done:
            self.cost.save(self.store)

    def _watch(self) -> None:
        """Ends the job where the scheduler or every worker is gone."""
        now = time.monotonic()
        slots = self.workers.slots() if self.client.status == "running" else {}
        if len(slots) + len(self.workers.refused) < self.cluster.workers and now > self.revived + REVIVE_SECONDS:
            self.revived = now
            self.cluster.revive()
        if slots:
            self.seen = now
        elif self.client.status != "running" and now - self.seen > LOST_SECONDS:
            raise ClusterError(SCHEDULER_GONE)
        elif now - self.seen > NO_WORKER_SECONDS:
            self.workers.accepted()
            raise ClusterError("no worker is left; what was computed is in the store: run again")

    # Batches.

    def _fill(self) -> None:
        """Sends batches until enough are in flight; suspects once nothing else is left.

        Where a worker dies, all batches that it had are suspects. Each is then computed with nothing
        else in its process, so that a further death tells which one is at fault.
        """
        slots = self.workers.slots()
        while len(self.flying) < max(sum(slots.values()), 1) * IN_FLIGHT:
            batch = self.again.pop() if self.again else next(self.planner, None)
            if batch is None:
                break
            self._send(batch)
        if all(batch.is_suspect for _, batch in self.flying.values()):
            while self.suspects and len(self.flying) < max(len(slots), 1):
                self._send(self.suspects.pop())

    def _send(self, batch: Batch) -> None:
        future = self.workers.submit(batch.tasks, batch.tasks.kind, self.finished.put)
        self.flying[future.key] = (future, batch)

    def _step(self) -> None:
        """Waits for a finished batch, and looks after everything else."""
        try:
            key = self.finished.get(timeout=POLL_SECONDS)
        except queue.Empty:
            self._watch()
        else:
            self._take(key)
        self._fill()
        self.writer.flush_if_due()
        flying = sum(batch.seconds for _, batch in self.flying.values())
        self.progress.show(self._later_seconds() + self.planner.left_seconds + flying)

    def _later_seconds(self) -> float:
        """Predicts the seconds of the windows to come, at the mean of those before."""
        planner, total = self.planner, self.progress.total
        if total is None or planner.tasks == 0:
            return 0.0
        later = max(total - self.report.known - planner.tasks, 0)
        return later * planner.seconds / planner.tasks

    def _take(self, key: str) -> None:
        """Takes the result of a batch."""
        future, batch = self.flying.pop(key, (None, None))
        if future is None or batch is None:
            return
        try:
            answer: Answer = future.result()
        except KeyboardInterrupt:
            raise
        except Refused as refused:
            reason, address = refused.args
            self.workers.refuse(address, reason)
            self.again.append(batch)
            return
        except Exception as error:
            self._failed(batch, error)
            return
        finally:
            future.release()
        tasks = batch.tasks
        if "seconds" in answer.columns:
            self.cost.learn(tasks.kind, tasks.limits, tasks.subjects, answer.columns["seconds"])
        self.writer.add(tasks, answer.columns)
        self.report.done += len(tasks)
        self.progress.add(len(tasks), batch.seconds)

    def _failed(self, batch: Batch, error: Exception) -> None:
        """Halves a batch that failed, until the task at fault is alone and is set aside."""
        from distributed import CancelledError
        from distributed.scheduler import KilledWorker

        if isinstance(error, CancelledError) or self.client.status != "running":
            raise ClusterError(SCHEDULER_GONE)
        if isinstance(error, KilledWorker):
            self.report.deaths += 1
            if not batch.is_suspect:
                self.suspects.append(replace(batch, is_suspect=True))
                return
            reason = "its worker died"
        else:
            reason = f"{type(error).__name__}: {error}"
        for part in split(batch):
            if part.failures < MAX_FAILURES:
                self.suspects.append(part)
            else:
                self._set_aside(part.tasks.task(0), f"{reason}, {part.failures} times")

    def _set_aside(self, task: Task, reason: str) -> None:
        """Goes on without a task."""
        self.report.failures.append(Failure(task.kind, task.subject, reason))
        self.writer.add_failure(task, reason)
        self.progress.say(f"{task.kind} {task.subject} is set aside: {reason}")
