"""Verifying a store: every checksum, every key, and a sample computed again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy
import pyarrow

from umigame._native import Engine
from umigame.cluster.keys import key_list
from umigame.cluster.kinds import kind_of
from umigame.cluster.store import block
from umigame.cluster.store.store import Store, block_names
from umigame.cluster.task import Tasks

COMPARED = {
    "solve": ("score", "bound"),
    "label": ("label", "score", "eval", "depth"),
    "search": ("eval", "depth", "confidence"),
    "selfplay": ("player", "opponent", "label", "score", "eval", "depth"),
    "analyze": ("black_loss", "white_loss"),
}
"""The columns of each kind that do not change where a task is computed again."""

__all__ = ["Verified", "set_apart", "verify"]


@dataclass(slots=True)
class Verified:
    """What verifying found."""

    blocks: int = 0
    """Sound blocks."""
    rows: int = 0
    """Rows in them."""
    damaged: dict[str, str] = field(default_factory=dict)
    """Damaged blocks with the reason."""
    lost: list[str] = field(default_factory=list)
    """Blocks of the manifest that are gone, and whose rows are nowhere else."""
    foreign: list[str] = field(default_factory=list)
    """Rows whose key is not that of their content."""
    conflicts: list[str] = field(default_factory=list)
    """Keys of rows that contradict each other."""
    repeated: int = 0
    """Tasks of the sample that were computed again."""
    wrong: list[str] = field(default_factory=list)
    """Those with another result."""

    def is_sound(self) -> bool:
        """Returns whether nothing is wrong."""
        return not (self.damaged or self.lost or self.foreign or self.conflicts or self.wrong)


def verify(
    store: Store, *, sample: int = 100, seconds: float = 60.0, seed: int = 0, threads: int = 1,
    weights: str | None = None,
) -> Verified:
    """Checks every block, and computes a sample of tasks again that took at most `seconds` each.

    Results of other weights than `weights` are not computed again, unless they do not depend on them.
    """
    found = Verified()
    chosen = random.Random(seed)
    picked: list[tuple[str, dict[str, Any]]] = []
    met = 0
    for kind in store.kinds():
        for name, table in _sound_blocks(store, kind):
            found.blocks += 1
            found.rows += len(table)
            if kind not in COMPARED:
                continue
            _check_keys(kind, name, table, found)
            # A sample of all rows, each as likely as any other.
            for row in range(len(table)):
                met += 1
                place = len(picked) if len(picked) < sample else chosen.randrange(met)
                if place < sample:
                    picked[place : place + 1] = [(kind, table.slice(row, 1).to_pylist()[0])]
        if kind in COMPARED:
            found.conflicts += _conflicts(store, kind)
    found.damaged = store.damaged()
    found.lost = _lost(store)
    with Engine(threads=threads, hash_mb=64 * threads, weights=weights) as engine:
        for kind, one in picked:
            if (one.get("seconds") or 0.0) <= seconds:
                _repeat(kind, one, engine, found)
    return found


def _sound_blocks(store: Store, kind: str) -> Iterator[tuple[str, pyarrow.Table]]:
    """Returns the blocks of a kind, with rows that other blocks have too."""
    for name in block_names(store.files, kind):
        try:
            content = store.files.read(block.path_of(kind, name))
            yield name, block.decode(kind, name, content)
        except FileNotFoundError:
            continue
        except ValueError as error:
            store.note_damage(kind, name, str(error))


def _subjects(kind: str, table: pyarrow.Table) -> Any:
    """Returns the subjects of rows: positions or texts."""
    if kind in ("selfplay", "analyze"):
        return [str(value) for value in table.column("game").to_pylist()]
    columns = (table.column(name).to_numpy() for name in ("player", "opponent"))
    return numpy.stack(list(columns), axis=1).astype(numpy.uint64)


def _tasks(kind: str, table: pyarrow.Table, limits: str, weights: int | None) -> Tasks:
    subjects = _subjects(kind, table)
    if isinstance(subjects, list):
        return Tasks.of_texts(kind, subjects, limits, weights)
    return Tasks.of_positions(kind, subjects, limits, weights)


def _check_keys(kind: str, name: str, table: pyarrow.Table, found: Verified) -> None:
    """Computes every key again."""
    limits, weights = (table.column(column).to_pylist() for column in ("limits", "weights"))
    groups: dict[tuple[str, int | None], list[int]] = {}
    for row, pair in enumerate(zip(limits, weights, strict=True)):
        groups.setdefault(pair, []).append(row)
    keys = block.key_column(table)
    for (limit, checksum), rows in groups.items():
        part = table.take(pyarrow.array(rows))
        own = checksum if kind_of(kind).uses_weights(limit) else None
        expected = key_list(_tasks(kind, part, limit, own).keys)
        pairs = zip(key_list(keys[numpy.array(rows)]), expected, strict=True)
        wrong = [stored.hex() for stored, key in pairs if stored != key]
        found.foreign += [f"{block.path_of(kind, name)}: key {key}" for key in wrong]


def _conflicts(store: Store, kind: str) -> list[str]:
    """Returns the keys of rows in different blocks with different results."""
    names = [name for name in COMPARED[kind]]
    first = store.read(kind)
    at = dict(zip(first.column("key").to_pylist(), range(len(first)), strict=True))
    ours = first.select(names).to_pylist() if len(first) else []
    wrong = []
    for name, table in _sound_blocks(store, kind):
        keys = table.column("key").to_pylist()
        for key, row in zip(keys, table.select(names).to_pylist(), strict=True):
            if key in at and not _equal(row, ours[at[key]]):
                wrong.append(f"{block.path_of(kind, name)}: key {key.hex()}: {row}, elsewhere {ours[at[key]]}")
    return wrong


def _equal(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Returns whether values are equal; NaN equals NaN."""
    return repr(one) == repr(other)


def _lost(store: Store) -> list[str]:
    """Returns the blocks that the manifest lists and the store lacks, unless as many rows are there."""
    listed = store.manifest()["blocks"]
    rows: dict[str, int] = {}
    for path, entry in listed.items():
        kind = path.split("/", 1)[0]
        rows[kind] = rows.get(kind, 0) + entry["rows"]
    lost = []
    for kind, count in rows.items():
        names = set(block_names(store.files, kind))
        gone = [path for path in listed if path.startswith(f"{kind}/") and path.split("/", 1)[1] not in names]
        if gone and len(store.keys(kind)) < count:
            lost += [f"blocks/{path}.parquet" for path in gone]
    return lost


def _repeat(kind: str, row: dict[str, Any], engine: Engine, found: Verified) -> None:
    """Computes a task again and compares."""
    limits = row["limits"]
    if kind_of(kind).uses_weights(limits) and row["weights"] != engine.weights_checksum:
        return
    table = block.table_of(kind, [row])
    tasks = _tasks(kind, table, limits, None)
    columns = kind_of(kind).run(engine, tasks.subjects, limits)
    again = block.table_of(
        kind, {"key": tasks.keys, "limits": [limits], "weights": [row["weights"]], "version": [""], **columns}
    ).to_pylist()[0]
    found.repeated += 1
    names = COMPARED[kind]
    if not _equal({name: again[name] for name in names}, {name: row[name] for name in names}):
        shown = {name: (row[name], again[name]) for name in names if not isinstance(row[name], list)}
        found.wrong.append(f"{kind} {tasks.task(0).subject}: stored and computed again: {shown}")


def set_apart(store: Store) -> list[str]:
    """Moves the damaged blocks met so far to `damaged/`, and returns their new paths."""
    moved = []
    for path in list(store.damaged()):
        target = path.replace("blocks/", "damaged/", 1)
        try:
            store.files.write(target, store.files.read(path))
        except FileNotFoundError:
            continue
        store.files.remove(path)
        moved.append(target)
    return moved
