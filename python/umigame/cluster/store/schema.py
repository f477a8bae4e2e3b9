"""Columns of the rows of each kind."""

from __future__ import annotations

import pyarrow

from umigame.cluster.errors import StoreError
from umigame.cluster.keys import KEY_BYTES

KEY = pyarrow.field("key", pyarrow.binary(KEY_BYTES), nullable=False)
"""The first column of every kind."""
SCHEMAS: dict[str, pyarrow.Schema] = {}
"""The columns of each kind."""

__all__ = ["KEY", "SCHEMAS", "register", "schema_of"]


def register(kind: str, columns: list[tuple[str, pyarrow.DataType]]) -> pyarrow.Schema:
    """Sets the columns of a kind, without the key, which comes first, and returns all of them."""
    if not kind.replace("-", "").isalnum():
        raise StoreError(f"kind `{kind}`: expected letters, digits and hyphens")
    fields = [KEY, *(pyarrow.field(name, type_) for name, type_ in columns)]
    SCHEMAS[kind] = pyarrow.schema(fields)
    return SCHEMAS[kind]


def schema_of(kind: str) -> pyarrow.Schema:
    """Returns the columns of a kind."""
    if kind not in SCHEMAS:
        known = ", ".join(sorted(SCHEMAS))
        raise StoreError(f"kind `{kind}`: expected one of {known}")
    return SCHEMAS[kind]


_TASK = [("limits", pyarrow.string()), ("weights", pyarrow.uint32()), ("version", pyarrow.string())]
_POSITION = [("player", pyarrow.uint64()), ("opponent", pyarrow.uint64())]
_EFFORT = [("nodes", pyarrow.uint64()), ("seconds", pyarrow.float32())]

register(
    "solve",
    [
        *_POSITION,
        ("score", pyarrow.int8()),
        ("bound", pyarrow.string()),
        ("move", pyarrow.int8()),
        *_EFFORT,
        *_TASK,
    ],
)
register(
    "label",
    [
        *_POSITION,
        ("label", pyarrow.uint8()),
        ("score", pyarrow.int8()),
        ("eval", pyarrow.float32()),
        ("depth", pyarrow.uint8()),
        ("move", pyarrow.int8()),
        *_EFFORT,
        *_TASK,
    ],
)
register(
    "search",
    [
        *_POSITION,
        ("eval", pyarrow.float32()),
        ("std_dev", pyarrow.float32()),
        ("depth", pyarrow.uint8()),
        ("confidence", pyarrow.uint8()),
        ("move", pyarrow.int8()),
        *_EFFORT,
        *_TASK,
    ],
)
register(
    "selfplay",
    [
        ("game", pyarrow.uint64()),
        ("player", pyarrow.list_(pyarrow.uint64())),
        ("opponent", pyarrow.list_(pyarrow.uint64())),
        ("label", pyarrow.list_(pyarrow.uint8())),
        ("score", pyarrow.list_(pyarrow.int8())),
        ("eval", pyarrow.list_(pyarrow.float32())),
        ("depth", pyarrow.list_(pyarrow.uint8())),
        ("seconds", pyarrow.float32()),
        *_TASK,
    ],
)
register(
    "match",
    [
        ("first", pyarrow.string()),
        ("second", pyarrow.string()),
        ("opening", pyarrow.string()),
        ("score_black", pyarrow.int8()),
        ("score_white", pyarrow.int8()),
        ("games", pyarrow.list_(pyarrow.string())),
        ("forfeits", pyarrow.list_(pyarrow.string())),
        ("seconds", pyarrow.float32()),
        *_TASK,
    ],
)
register(
    "analyze",
    [
        ("game", pyarrow.string()),
        ("analysis", pyarrow.string()),
        ("black_loss", pyarrow.float64()),
        ("white_loss", pyarrow.float64()),
        ("seconds", pyarrow.float32()),
        *_TASK,
    ],
)
register(
    "failed",
    [
        ("kind", pyarrow.string()),
        ("subject", pyarrow.string()),
        ("reason", pyarrow.string()),
        *_TASK,
    ],
)
