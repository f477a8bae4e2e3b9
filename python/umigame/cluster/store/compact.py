"""Merging small blocks, while others write and read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow

from umigame.cluster.store import block
from umigame.cluster.store.store import Store, block_names

MERGED_ROWS = 1_000_000
"""Rows of a merged block, about; a reader holds one block in memory."""

__all__ = ["MERGED_ROWS", "Compacted", "compact"]


@dataclass(slots=True)
class Compacted:
    """What compacting did."""

    before: int = 0
    """Blocks before."""
    merged: int = 0
    """Blocks that were merged."""
    written: int = 0
    """Blocks that they became."""
    repeated: int = 0
    """Rows dropped because another row has the same key."""
    leftovers: int = 0
    """Unfinished files of ended processes, removed."""


def compact(store: Store, *, rows: int = MERGED_ROWS) -> Compacted:
    """Merges the blocks of at most half of `rows` rows into blocks of about `rows` rows.

    The merged block is written before the small ones are removed, so that every result is in the
    store at every moment. A reader that misses a small block lists the blocks again.
    """
    done = Compacted(leftovers=store.files.remove_leftovers())
    for kind in store.kinds():
        index = store.index(kind)
        done.before += len(index.rows) + len(index.damaged)
        small = [name for name, count in sorted(index.rows.items()) if count <= rows // 2]
        for names in _groups(small, index.rows, rows):
            _merge(store, kind, names, done)
        store.index(kind)
    store.rebuild_manifest()
    return done


def _groups(names: list[str], counts: dict[str, int], rows: int) -> Iterator[list[str]]:
    """Returns blocks to merge, at least two together."""
    group: list[str] = []
    total = 0
    for name in names:
        group.append(name)
        total += counts[name]
        if total >= rows:
            yield group
            group, total = [], 0
    if len(group) > 1:
        yield group


def _merge(store: Store, kind: str, names: list[str], done: Compacted) -> None:
    """Merges some blocks; those that are gone or damaged are left out."""
    tables, taken = [], []
    for name in names:
        try:
            content = store.files.read(block.path_of(kind, name))
            tables.append(block.decode(kind, name, content))
            taken.append(name)
        except FileNotFoundError:
            continue
        except ValueError as error:
            store.note_damage(kind, name, str(error))
    if len(taken) < 2:
        return
    table = pyarrow.concat_tables(tables)
    merged, content, count = block.encode(kind, table)
    store.files.write(block.path_of(kind, merged), content)
    for name in taken:
        if name != merged:
            store.files.remove(block.path_of(kind, name))
    done.merged += len(taken)
    done.written += 1
    done.repeated += len(table) - count


def blocks_in(store: Store) -> int:
    """Returns the number of blocks of all kinds."""
    return sum(len(block_names(store.files, kind)) for kind in store.kinds())
