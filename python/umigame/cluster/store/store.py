"""The store: writes results once, reads them, and tells what is missing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, overload

import numpy
import pyarrow

from umigame.cluster.errors import StoreError
from umigame.cluster.keys import Keys, distinct, is_among, key_list, keys_of
from umigame.cluster.store import block
from umigame.cluster.store.block import Rows
from umigame.cluster.store.files import Files
from umigame.cluster.store.index import Index
from umigame.cluster.store.schema import schema_of
from umigame.cluster.task import FORMAT, Task, Tasks

MANIFEST = "manifest.json"
MAX_ROUNDS = 100
"""Times that a reader starts again because blocks were merged under it."""

__all__ = ["Store", "block_names"]


def _warn(message: str) -> None:
    print(message, file=sys.stderr)


def block_names(files: Files, kind: str) -> list[str]:
    """Returns the names of the blocks of a kind, sorted."""
    found = (name for name in files.names(f"blocks/{kind}") if name.endswith(block.SUFFIX))
    return [name.removesuffix(block.SUFFIX) for name in found]


class Store:
    """Results of tasks, in a folder or at a URL of fsspec.

    >>> from umigame.cluster import Store, Task
    >>> store = Store("memory://example")
    >>> task = Task.of_position("solve", "f5d6c3", "exact")
    >>> store.write("solve", [{"key": task.key, "score": 4}])
    1
    >>> store.get(task)["score"], store.missing([task])
    (4, [])
    """

    def __init__(
        self,
        url: str,
        *,
        warn: Callable[[str], object] = _warn,
        options: dict[str, Any] | None = None,
    ) -> None:
        """Opens a store, which may be empty. `warn` is told about damaged blocks, each once."""
        self.files = Files(url, options)
        self.url = url
        self._warn = warn
        self._indexes: dict[str, Index] = {}
        self._is_marked = False
        self._check_format()

    def _check_format(self) -> None:
        mark = self.files.read_json("store.json")
        self._is_marked = mark is not None
        if mark is not None and (not isinstance(mark, dict) or mark.get("format") != FORMAT):
            raise StoreError(f"{self.url}: store.json says {mark}: expected format {FORMAT}")

    def _mark(self) -> None:
        if not self._is_marked:
            self.files.write_json("store.json", {"format": FORMAT})
            self._is_marked = True

    def kinds(self) -> list[str]:
        """Returns the kinds that have results, sorted."""
        return self.files.names("blocks")

    # Writing.

    def write(self, kind: str, rows: Rows) -> int:
        """Writes rows as one block, and returns their number. Of rows with one key the first stays."""
        self._mark()
        name, content, count = block.encode(kind, rows)
        if count:
            # Also where there is such a block: it may be damaged.
            self.files.write(block.path_of(kind, name), content)
            if kind in self._indexes:
                self._add(kind, name, content)
        return count

    # Reading.

    def index(self, kind: str) -> Index:
        """Returns what is known of a kind, after a look at the store."""
        index = self._indexes.setdefault(kind, Index())
        for _ in range(MAX_ROUNDS):
            names = block_names(self.files, kind)
            index.forget((set(index.rows) | set(index.damaged)) - set(names))
            new = [name for name in names if name not in index.rows and name not in index.damaged]
            if not new:
                return index
            for name in new:
                try:
                    self._add(kind, name, self.files.read(block.path_of(kind, name)))
                except FileNotFoundError:
                    # Merged into another block in the meantime.
                    break
        raise self._too_fast(kind)

    def _too_fast(self, kind: str) -> StoreError:
        return StoreError(f"{self.url}: the blocks of `{kind}` change faster than they can be read")

    def _add(self, kind: str, name: str, content: bytes) -> None:
        table = self._decode(kind, name, content)
        if table is not None:
            self._indexes[kind].add(name, block.key_column(table), len(content))

    def _decode(self, kind: str, name: str, content: bytes) -> pyarrow.Table | None:
        """Returns the rows of a block; None if it is damaged, which is told once."""
        try:
            return block.decode(kind, name, content)
        except ValueError as error:
            self.note_damage(kind, name, str(error))
            return None

    def note_damage(self, kind: str, name: str, reason: str) -> None:
        """Tells that a block is damaged, once: its results are missing."""
        index = self._indexes.setdefault(kind, Index())
        if name not in index.damaged:
            index.damaged[name] = reason
            path = block.path_of(kind, name)
            self._warn(f"{self.url}/{path}: damaged: {reason}; its results count as missing")
        if name in index.rows:
            # Its keys cannot be told from those of other blocks any more: read them again.
            self._indexes[kind] = Index(damaged=dict(index.damaged))

    def damaged(self) -> dict[str, str]:
        """Returns the paths of the damaged blocks met so far, with the reasons."""
        found = self._indexes.items()
        return {
            block.path_of(kind, name): reason
            for kind, index in found
            for name, reason in index.damaged.items()
        }

    def keys(self, kind: str) -> Keys:
        """Returns the keys of all results of a kind, sorted, each once."""
        return self.index(kind).keys()

    def tables(self, kind: str, keys: Keys | Iterable[bytes] | None = None) -> Iterator[pyarrow.Table]:
        """Returns all rows, or those of some keys, block by block, each key once.

        The memory taken is that of one block and of 16 bytes a row.
        """
        wanted = None if keys is None else distinct(_keys(keys))
        seen = Index()
        done: set[str] = set()
        for _ in range(MAX_ROUNDS):
            # Until there is no new block: a listing made while blocks are merged may lack both.
            names = [name for name in block_names(self.files, kind) if name not in done]
            if not names:
                return
            for name in names:
                try:
                    content = self.files.read(block.path_of(kind, name))
                except FileNotFoundError:
                    break
                done.add(name)
                table = self._decode(kind, name, content)
                rows = None if table is None else _unseen(table, wanted, seen.keys())
                if rows is not None and len(rows):
                    seen.add(name, block.key_column(rows), 0)
                    yield rows
        raise self._too_fast(kind)

    def read(self, kind: str, keys: Keys | Iterable[bytes] | None = None) -> pyarrow.Table:
        """Returns all rows, or those of some keys, sorted by key, each key once."""
        tables = list(self.tables(kind, keys))
        if not tables:
            return schema_of(kind).empty_table()
        return block.distinct_rows(pyarrow.concat_tables(tables))

    def get(self, task: Task) -> dict[str, Any] | None:
        """Returns the row of one task, or None. For many tasks, `read` is faster."""
        rows = self.read(task.kind, [task.key]).to_pylist()
        return rows[0] if rows else None

    @overload
    def missing(self, tasks: Tasks) -> Tasks: ...
    @overload
    def missing(self, tasks: Iterable[Task]) -> list[Task]: ...
    def missing(self, tasks: Tasks | Iterable[Task]) -> Tasks | list[Task]:
        """Returns the tasks without a result, in their order, each once: `Tasks` of `Tasks`, else a
        list.
        """
        if isinstance(tasks, Tasks):
            return tasks.take(self._first_missing(tasks.kind, tasks.keys))
        by_key = {task.key: task for task in tasks}
        left: set[bytes] = set()
        for kind in {task.kind for task in by_key.values()}:
            keys = keys_of(key for key, task in by_key.items() if task.kind == kind)
            left.update(key_list(keys[~is_among(keys, self.keys(kind))]))
        return [task for key, task in by_key.items() if key in left]

    def _first_missing(self, kind: str, keys: Keys) -> numpy.typing.NDArray[numpy.intp]:
        """Returns the rows of keys without a result, each key once, in order."""
        rows = numpy.flatnonzero(~is_among(keys, self.keys(kind)))
        order = rows[numpy.argsort(keys[rows], kind="stable")]
        ordered = keys[order]
        first = numpy.ones(len(order), dtype=bool)
        first[1:] = ordered[1:] != ordered[:-1]
        return numpy.sort(order[first])

    # The manifest.

    def rebuild_manifest(self) -> dict[str, Any]:
        """Lists the sound blocks with their rows and bytes, writes that and returns it."""
        blocks: dict[str, Any] = {}
        for kind in self.kinds():
            index = self.index(kind)
            for name, rows in sorted(index.rows.items()):
                blocks[f"{kind}/{name}"] = {"rows": rows, "bytes": index.sizes[name]}
        manifest = {"format": FORMAT, "blocks": blocks}
        self._mark()
        self.files.write_json(MANIFEST, manifest)
        return manifest

    def manifest(self) -> dict[str, Any]:
        """Returns the manifest, without blocks if there is none or it cannot be read."""
        found = self.files.read_json(MANIFEST)
        if isinstance(found, dict) and isinstance(found.get("blocks"), dict):
            return found
        return {"format": FORMAT, "blocks": {}}


def _keys(keys: Keys | Iterable[bytes]) -> Keys:
    return keys if isinstance(keys, numpy.ndarray) else keys_of(keys)


def _unseen(table: pyarrow.Table, wanted: Keys | None, seen: Keys) -> pyarrow.Table:
    """Returns the rows that are wanted and were not seen."""
    keys = block.key_column(table)
    mask = ~is_among(keys, seen)
    if wanted is not None:
        mask &= is_among(keys, wanted)
    return table if mask.all() else table.filter(pyarrow.array(mask))
