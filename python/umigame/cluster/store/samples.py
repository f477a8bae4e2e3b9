"""Training data: the file that `umigame learn` and `umigame-lab learn` read."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import BinaryIO

import numpy
from numpy.typing import NDArray

from umigame import arrays
from umigame.cluster.errors import StoreError

MAX_RECORDS = 1 << 20
"""Records of a block, at most."""
NO_VALUE = -32768
"""The value of a record that has none."""
GAME, LABEL = 1, 2
"""Generators: self-play, and labels of positions from elsewhere."""
_RECORD = numpy.dtype(
    [("player", "<u8"), ("opponent", "<u8"), ("score", "i1"), ("value", "<i2"), ("depth", "u1"), ("kind", "u1")]
)

__all__ = ["GAME", "LABEL", "Recipe", "begin", "write_block"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How records were made."""

    generator: int
    """`GAME` or `LABEL`."""
    depth: int
    """Plies of the searches."""
    exact: int
    """Empties from which positions were solved."""
    weights: int
    """The checksum of the weights."""
    seed: int = 0
    """The seed of the random numbers."""
    confidence: int = 73
    """The confidence of the searches in percent."""


def begin(out: BinaryIO) -> None:
    """Writes the head of a file."""
    head = struct.pack("<8sHH", b"UMIGDATA", 1, _RECORD.itemsize)
    out.write(head + struct.pack("<I", zlib.crc32(head)))


def write_block(
    out: BinaryIO,
    recipe: Recipe,
    samples: arrays.Samples,
    first: int,
    games: int,
    settings: int = 0,
) -> None:
    """Writes samples as one block. `first` and `games` number what they were made from; `settings` is
    the checksum of the recipe's other settings.
    """
    if len(samples.positions) > MAX_RECORDS:
        raise StoreError(f"{len(samples.positions)} samples: a block has at most {MAX_RECORDS}")
    records = _pack(samples).tobytes()
    head = struct.pack(
        "<4sIBBBBIIQQII", b"BLCK", len(samples.positions), recipe.generator, recipe.depth, recipe.exact,
        recipe.confidence, recipe.weights, settings, recipe.seed, first, games, zlib.crc32(records),
    )
    out.write(head + struct.pack("<I", zlib.crc32(head)) + records)


def _pack(samples: arrays.Samples) -> NDArray[numpy.void]:
    """Returns samples as records."""
    records = numpy.zeros(len(samples.positions), dtype=_RECORD)
    folded = arrays.canonical(samples.positions)[0]
    records["player"], records["opponent"] = folded[:, 0], folded[:, 1]
    records["kind"] = samples.kinds
    records["score"] = numpy.where(samples.kinds == 2, 0, samples.scores)
    has_value = ~numpy.isnan(samples.evals)
    records["value"] = numpy.where(
        has_value, numpy.rint(100.0 * numpy.nan_to_num(samples.evals)), NO_VALUE
    ).astype(numpy.int16)
    records["depth"] = numpy.where(has_value, samples.depths, 0)
    return records
