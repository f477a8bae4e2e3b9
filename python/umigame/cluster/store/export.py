"""Exports: OBF, JSON Lines, training data, a book."""

from __future__ import annotations

import base64
import json
import math
import os
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy
import pyarrow
import pyarrow.compute

from umigame import arrays
from umigame._native import Board, Book, square_name
from umigame.cluster.errors import InputError
from umigame.cluster.store import samples
from umigame.cluster.store.samples import Recipe
from umigame.cluster.store.store import Store

BATCH_ROWS = 20_000
"""Rows that go into a book or a block of training data at once."""

__all__ = ["FORMATS", "export"]


def export(store: Store, kind: str, path: Path, format_: str | None = None) -> int:
    """Writes all results of a kind to a file, and returns how many: "obf", "jsonl", "umi" (training
    data) or "sqlite" (a book, to which they are added); by default as the file's extension says.
    """
    name = format_ or path.suffix.removeprefix(".")
    if name not in FORMATS:
        raise InputError(f"{path}: expected one of the formats {', '.join(FORMATS)}")
    kinds, write = FORMATS[name]
    if kinds and kind not in kinds:
        raise InputError(f"format {name}: expected a kind among {', '.join(kinds)}, not {kind}")
    return write(store, kind, path)


@contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    """Opens a file that appears once it is whole."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as out:
            yield out
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _obf(store: Store, kind: str, path: Path) -> int:
    """Writes proven scores as lines of OBF."""
    count = 0
    with _replacing(path) as out:
        for table in store.tables(kind):
            columns = ("player", "opponent", "score", "move", "bound", "limits")
            rows = table.select(columns).to_pylist()
            for row in rows:
                if row["bound"] != "exact" or row["limits"] == "wld":
                    continue
                board = Board.from_bits(row["player"], row["opponent"])
                move = row["move"]
                name = "" if move < 0 else f"{'--' if move == arrays.PASS else square_name(move).upper()}:"
                out.write(f"{board.obf()}; {name}{row['score']:+d};\n".encode())
                count += 1
    return count


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex() if len(value) == 16 else base64.b64encode(value).decode()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value


def _jsonl(store: Store, kind: str, path: Path) -> int:
    """Writes all columns as lines of JSON."""
    count = 0
    with _replacing(path) as out:
        for table in store.tables(kind):
            for row in table.to_pylist():
                line = {name: _plain(value) for name, value in row.items()}
                out.write((json.dumps(line) + "\n").encode())
                count += 1
    return count


def _samples(store: Store, kind: str, path: Path) -> int:
    """Writes training data: sorted by key, so that it does not depend on how it was computed."""
    table = store.read(kind)
    count = 0
    with _replacing(path) as out:
        samples.begin(out)
        for (limits, weights), part in _groups(table):
            if kind == "selfplay":
                part = part.take(pyarrow.compute.sort_indices(part, [("game", "ascending")]))
            recipe = _recipe(kind, limits, weights)
            settings = zlib.crc32(limits.encode())
            for first in range(0, len(part), _block_rows(kind)):
                some = part.slice(first, _block_rows(kind))
                number = some.column("game")[0].as_py() if kind == "selfplay" else first
                samples.write_block(out, recipe, _samples_of(kind, some), number, len(some), settings)
                count += len(some)
    return count


def _block_rows(kind: str) -> int:
    """Returns the rows of a block: of games as many as `umigame-lab learn play` takes."""
    return 16 if kind == "selfplay" else BATCH_ROWS


def _groups(table: pyarrow.Table) -> list[tuple[tuple[str, int], pyarrow.Table]]:
    """Returns the rows of each pair of limits and weights."""
    pairs = list(zip(table.column("limits").to_pylist(), table.column("weights").to_pylist(), strict=True))
    groups: dict[tuple[str, int], list[int]] = {}
    for row, pair in enumerate(pairs):
        groups.setdefault(pair, []).append(row)
    return [(pair, table.take(pyarrow.array(rows))) for pair, rows in sorted(groups.items())]


def _recipe(kind: str, limits: str, weights: int) -> Recipe:
    """Returns the recipe of a kind's limits."""
    words = dict(re.findall(r"(seed|depth|exact) (\d+)", limits))
    depth, exact, seed = (int(words.get(name, 0)) for name in ("depth", "exact", "seed"))
    if kind == "solve":
        return Recipe(samples.LABEL, 0, 60, 0, confidence=100)
    generator = samples.GAME if kind == "selfplay" else samples.LABEL
    return Recipe(generator, depth, exact, weights, seed)


def _samples_of(kind: str, table: pyarrow.Table) -> arrays.Samples:
    """Returns rows as samples."""
    if kind == "solve":
        proven = table.filter(
            pyarrow.compute.and_(
                pyarrow.compute.equal(table["bound"], "exact"),
                pyarrow.compute.not_equal(table["limits"], "wld"),
            )
        )
        count = len(proven)
        return arrays.Samples(
            _positions(proven), numpy.zeros(count, numpy.uint8), proven["score"].to_numpy(),
            numpy.full(count, numpy.nan, numpy.float32), numpy.zeros(count, numpy.uint8),
        )
    if kind == "selfplay":
        table = pyarrow.table({
            name: pyarrow.compute.list_flatten(table[name])
            for name in ("player", "opponent", "label", "score", "eval", "depth")
        })
    names = ("label", "score", "eval", "depth")
    return arrays.Samples(_positions(table), *(table[name].to_numpy() for name in names))


def _positions(table: pyarrow.Table) -> arrays.Bits:
    columns = [table[name].to_numpy() for name in ("player", "opponent")]
    return numpy.stack(columns, axis=1).astype(numpy.uint64)


def _book(store: Store, kind: str, path: Path) -> int:
    """Adds searches and proven scores to a book."""
    count = 0
    with Book(path, "a") as book:
        for table in store.tables(kind):
            for first in range(0, len(table), BATCH_ROWS):
                count += add_to_book(book, kind, table.slice(first, BATCH_ROWS))
    return count


def add_to_book(book: Book, kind: str, table: pyarrow.Table) -> int:
    """Adds rows of kind solve or search to a book, and returns how many it takes."""
    if kind == "solve":
        rows = [row for row in table.to_pylist() if row["bound"] == "exact" and row["limits"] == "exact"]
        evals = [float(row["score"]) for row in rows]
        depths = [64 - (row["player"] | row["opponent"]).bit_count() for row in rows]
        confidences = [100] * len(rows)
    else:
        rows = table.to_pylist()
        evals = [row["eval"] for row in rows]
        depths, confidences = ([row[name] for row in rows] for name in ("depth", "confidence"))
    if rows:
        positions = numpy.array([[row["player"], row["opponent"]] for row in rows], dtype=numpy.uint64)
        moves = numpy.array([row["move"] for row in rows], dtype=numpy.int8)
        book.add_searches(positions, evals, moves, depths, confidences)
    return len(rows)


FORMATS: dict[str, tuple[tuple[str, ...], Callable[[Store, str, Path], int]]] = {
    "obf": (("solve",), _obf),
    "jsonl": ((), _jsonl),
    "umi": (("solve", "label", "selfplay"), _samples),
    "sqlite": (("solve", "search"), _book),
}
"""The kinds that a format takes, all if none is named, and what writes it."""
