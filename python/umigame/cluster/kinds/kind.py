"""A kind of task: how its limits read, what it costs, and how a worker computes it."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

import numpy
from numpy.typing import NDArray

from umigame import arrays
from umigame._native import Engine
from umigame.cluster.errors import ClusterError
from umigame.cluster.task import Subjects

Columns: TypeAlias = dict[str, Any]
"""Columns of results: arrays or lists, in the order of the subjects."""

__all__ = ["Columns", "Kind", "empties_of", "kind_of", "register_kind"]


class Kind(Protocol):
    """A kind of task. The same code runs in the client and in the workers."""

    name: str
    """The name, which is that of the folder of the results."""

    def check(self, limits: str) -> None:
        """Raises ClusterError for limits that are none of this kind."""

    def uses_weights(self, limits: str) -> bool:
        """Returns whether results depend on the weights."""

    def seconds(self, subjects: Subjects, limits: str) -> NDArray[numpy.float64]:
        """Predicts the seconds of each task on one thread, before anything is learnt."""

    def run(self, engine: Engine, subjects: Subjects, limits: str) -> Columns:
        """Computes tasks: all columns but the key, `limits`, `weights` and `version`."""


_KINDS: dict[str, Kind] = {}


def register_kind(kind: Kind) -> None:
    """Makes a kind known by its name."""
    _KINDS[kind.name] = kind


def kind_of(name: str) -> Kind:
    """Returns a kind by its name."""
    if name not in _KINDS:
        raise ClusterError(f"kind `{name}`: expected one of {', '.join(sorted(_KINDS))}")
    return _KINDS[name]


def empties_of(subjects: Subjects) -> NDArray[numpy.intp]:
    """Returns the empty squares of positions; 0 for other subjects."""
    if subjects.ndim != 2:
        return numpy.zeros(len(subjects), dtype=numpy.intp)
    discs = numpy.bitwise_or(subjects[:, 0], subjects[:, 1], dtype=numpy.uint64)
    return 64 - count_bits(discs)


def count_bits(words: arrays.Bits) -> NDArray[numpy.intp]:
    """Returns the number of squares in each set."""
    octets = numpy.ascontiguousarray(words).view(numpy.uint8).reshape(len(words), 8)
    counts: NDArray[numpy.intp] = numpy.unpackbits(octets, axis=1).sum(axis=1, dtype=numpy.intp)
    return counts
