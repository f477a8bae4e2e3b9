"""Blocks: rows as the bytes of a Parquet file, named by their checksum."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, TypeAlias

import numpy
import pyarrow
import pyarrow.parquet

from umigame.cluster.errors import StoreError
from umigame.cluster.keys import KEY_BYTES, Keys, key_list
from umigame.cluster.store.schema import SCHEMAS, schema_of

Rows: TypeAlias = pyarrow.Table | Sequence[Mapping[str, Any]] | Mapping[str, Any]
"""Rows: a table, a list of dicts, or a dict of columns."""
ROW_GROUP = 1 << 17
"""Rows that a reader decodes at once."""
SUFFIX = ".parquet"

__all__ = ["Rows", "decode", "distinct_rows", "encode", "key_column", "name_of", "path_of", "table_of"]


def path_of(kind: str, name: str) -> str:
    """Returns the path of a block."""
    return f"blocks/{kind}/{name}{SUFFIX}"


def name_of(content: bytes) -> str:
    """Returns the name of a block."""
    return blake2b(content, digest_size=16).hexdigest()


def table_of(kind: str, rows: Rows) -> pyarrow.Table:
    """Returns rows as a table with the columns of a kind; columns that rows lack are null.

    A table of a kind that nobody has registered stays as it is: stores can be merged and copied by
    programs that do not know all of their kinds.
    """
    if isinstance(rows, pyarrow.Table) and kind not in SCHEMAS and rows.column_names[:1] == ["key"]:
        return rows
    schema = schema_of(kind)
    try:
        if isinstance(rows, pyarrow.Table):
            return rows.select(schema.names).cast(schema)
        if isinstance(rows, Mapping):
            if unknown := set(rows) - set(schema.names):
                raise StoreError(f"rows of `{kind}` have no column {sorted(unknown)}")
            return pyarrow.table(
                {name: _column(rows[name], schema.field(name).type) for name in schema.names}, schema
            )
        return pyarrow.Table.from_pylist(list(rows), schema)
    except (pyarrow.ArrowException, KeyError, TypeError, OverflowError) as error:
        raise StoreError(f"rows of `{kind}`: {error}") from error


def _column(values: Any, type_: pyarrow.DataType) -> Any:
    """Returns a column; keys may be an array of type S16."""
    if isinstance(values, numpy.ndarray) and values.dtype == f"S{KEY_BYTES}":
        return pyarrow.array(key_list(values), type_)
    return pyarrow.array(values, type_)


def key_column(table: pyarrow.Table) -> Keys:
    """Returns the keys of a table."""
    parts = [numpy.empty(0, dtype=f"S{KEY_BYTES}")]
    for chunk in table.column("key").chunks:
        data = memoryview(chunk.buffers()[1])[chunk.offset * KEY_BYTES :]
        parts.append(numpy.frombuffer(data, dtype=f"S{KEY_BYTES}", count=len(chunk)))
    return numpy.concatenate(parts)


def distinct_rows(table: pyarrow.Table) -> pyarrow.Table:
    """Returns the rows sorted by key; of several with one key, the first."""
    keys = key_column(table)
    order = numpy.argsort(keys, kind="stable")
    ordered = keys[order]
    first = numpy.ones(len(keys), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return table.take(pyarrow.array(order[first]))


def encode(kind: str, rows: Rows) -> tuple[str, bytes, int]:
    """Returns the name, the bytes and the number of rows of a block."""
    table = distinct_rows(table_of(kind, rows))
    out = io.BytesIO()
    pyarrow.parquet.write_table(
        table, out, compression="zstd", row_group_size=ROW_GROUP, store_schema=True
    )
    content = out.getvalue()
    return name_of(content), content, len(table)


def decode(kind: str, name: str, content: bytes) -> pyarrow.Table:
    """Returns the rows of a block.

    Raises ValueError with the reason if it is damaged.
    """
    if name_of(content) != name:
        raise ValueError(f"its checksum differs from its name ({len(content)} bytes)")
    try:
        table = pyarrow.parquet.read_table(io.BytesIO(content), partitioning=None)
        return table_of(kind, table)
    except (pyarrow.ArrowException, OSError, StoreError) as error:
        raise ValueError(str(error)) from error
