"""Keys of tasks: 16 bytes each, in arrays that sort by their bytes."""

from collections.abc import Iterable
from typing import TypeAlias

import numpy
from numpy.typing import NDArray

KEY_BYTES = 16
"""Bytes of a key."""
Keys: TypeAlias = NDArray[numpy.bytes_]
"""Keys, type S16. An element read by itself loses the zeros at its end: use `key_at`."""

__all__ = ["KEY_BYTES", "Keys", "distinct", "is_among", "key_at", "key_list", "keys_of"]


def keys_of(keys: Iterable[bytes]) -> Keys:
    """Returns an array of keys.

    >>> keys_of([bytes(16)]).shape
    (1,)
    """
    return numpy.frombuffer(b"".join(keys), dtype=f"S{KEY_BYTES}")


def key_at(keys: Keys, row: int) -> bytes:
    """Returns all 16 bytes of one key."""
    return keys[row : row + 1].tobytes()


def key_list(keys: Keys) -> list[bytes]:
    """Returns the keys as bytes."""
    whole = numpy.ascontiguousarray(keys).tobytes()
    return [whole[at : at + KEY_BYTES] for at in range(0, len(whole), KEY_BYTES)]


def distinct(keys: Keys) -> Keys:
    """Returns the keys sorted, each once."""
    ordered: Keys = numpy.sort(keys)
    first = numpy.ones(len(ordered), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


def is_among(keys: Keys, ordered: Keys) -> NDArray[numpy.bool_]:
    """Returns whether each key is among sorted ones."""
    if len(ordered) == 0:
        return numpy.zeros(len(keys), dtype=bool)
    at = numpy.minimum(numpy.searchsorted(ordered, keys), len(ordered) - 1)
    found: NDArray[numpy.bool_] = ordered[at] == keys
    return found
