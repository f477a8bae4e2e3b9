"""Results on their way into a store, in blocks of some seconds."""

from __future__ import annotations

import time

import pyarrow

from umigame._native import __version__
from umigame.cluster.kinds.kind import Columns
from umigame.cluster.store import Store
from umigame.cluster.store.block import table_of
from umigame.cluster.task import Task, Tasks

FLUSH_SECONDS = 10.0
"""Time between two blocks: what a job that is killed loses at most, besides what is in flight."""
FLUSH_ROWS = 100_000
"""Rows of a block, about."""

__all__ = ["Writer"]


class Writer:
    """Gathers rows and writes them as blocks."""

    def __init__(self, store: Store) -> None:
        """Begins without rows."""
        self.store = store
        self._tables: dict[str, list[pyarrow.Table]] = {}
        self._rows = 0
        self._flushed = time.monotonic()

    def add(self, tasks: Tasks, columns: Columns) -> None:
        """Adds the results of tasks."""
        table = table_of(tasks.kind, {"key": tasks.keys, **columns})
        self._tables.setdefault(tasks.kind, []).append(table)
        self._rows += len(table)

    def add_failure(self, task: Task, reason: str) -> None:
        """Adds a task that was set aside."""
        row = {
            "key": task.key, "kind": task.kind, "subject": task.subject, "reason": reason,
            "limits": task.limits, "weights": task.weights, "version": __version__,
        }
        self._tables.setdefault("failed", []).append(table_of("failed", [row]))
        self._rows += 1

    def flush_if_due(self) -> None:
        """Writes what there is, if it is time to."""
        if self._rows >= FLUSH_ROWS or time.monotonic() - self._flushed >= FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Writes what there is."""
        for kind in list(self._tables):
            tables = self._tables.pop(kind)
            try:
                self.store.write(kind, pyarrow.concat_tables(tables))
            except BaseException:
                # Ctrl-C, or a store that cannot be written now: the rows are still there.
                self._tables.setdefault(kind, []).extend(tables)
                raise
        self._rows = 0
        self._flushed = time.monotonic()
