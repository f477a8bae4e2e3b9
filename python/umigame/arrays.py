"""Many positions at once, as numpy arrays.

Positions have shape (n, 2) and type uint64: the discs of the side to move, then those of the other
side; bit 0 is a1, bit 7 h1, bit 63 h8. Moves are int8: 0 (a1) to 63 (h8), `PASS` (64), and
`NO_MOVE` (-1) where there is none. Scores are int8, in discs for the side to move, `NO_SCORE`
(-128) where unknown. The functions use all processors unless `threads` says otherwise; the engine's
own functions for arrays are `Engine.evaluate_many`, `search_many` and `solve_many`.

>>> from umigame import Board, arrays
>>> positions = arrays.from_boards([Board(), Board("f5"), Board("f5d6c3")])
>>> arrays.legal_moves(positions)
array([17729692631040, 43981001981952,   275417399296], dtype=uint64)
>>> arrays.moves_of(arrays.legal_moves(positions)[0])
['d3', 'c4', 'f5', 'e6']
>>> arrays.apply(positions[:1], numpy.array([37], dtype=numpy.int8)).tolist() == positions[1:2].tolist()
True
"""

from collections.abc import Iterator
from os import PathLike
from typing import NamedTuple

import numpy
import numpy.typing

from umigame._native import (
    Book,
    apply,
    canonical,
    feature_count,
    features,
    final_scores,
    flips,
    from_boards,
    game_over,
    legal_moves,
    move_images,
    solve_seconds,
    square_name,
    symmetries,
    to_boards,
)
from umigame._native import read_positions as _read_positions
from umigame._native import read_samples as _read_samples

PASS = 64
"""The number of a pass."""
NO_MOVE = -1
"""The number where there is no move."""
NO_SCORE = -128
"""The score where it is unknown."""

Bits = numpy.typing.NDArray[numpy.uint64]
"""Sets of squares, and positions."""

__all__ = [
    "NO_MOVE",
    "NO_SCORE",
    "PASS",
    "BookPositions",
    "GamePositions",
    "Samples",
    "apply",
    "canonical",
    "feature_count",
    "features",
    "final_scores",
    "flips",
    "from_boards",
    "from_planes",
    "game_over",
    "legal_moves",
    "move_images",
    "moves_of",
    "read_book",
    "read_games",
    "read_samples",
    "solve_seconds",
    "symmetries",
    "to_boards",
    "to_planes",
]


class GamePositions(NamedTuple):
    """Positions of games."""

    positions: Bits
    """Shape (n, 2)."""
    moves: numpy.typing.NDArray[numpy.int8]
    """The moves played, 0 to 63; -1 in a position without a game."""
    scores: numpy.typing.NDArray[numpy.int8]
    """The results of the games, for the side to move; -128 where unknown."""
    games: numpy.typing.NDArray[numpy.uint32]
    """The numbers of the games in the file or folder, from 0."""


class Samples(NamedTuple):
    """Labelled positions of training data."""

    positions: Bits
    """Shape (n, 2), each the least of its eight images."""
    kinds: numpy.typing.NDArray[numpy.uint8]
    """0 where the score is exact, 1 where it is a game's, 2 where there is none."""
    scores: numpy.typing.NDArray[numpy.int8]
    """Scores for the side to move; -128 where there is none."""
    evals: numpy.typing.NDArray[numpy.float32]
    """Evals of searches in discs; NaN where there is none."""
    depths: numpy.typing.NDArray[numpy.uint8]
    """Plies of the searches; 0 where there is none."""


class BookPositions(NamedTuple):
    """Positions of a book at one ply."""

    positions: Bits
    """Shape (n, 2), each the least of its eight images."""
    games: numpy.typing.NDArray[numpy.uint32]
    """Games that met the position."""
    means: numpy.typing.NDArray[numpy.float32]
    """Mean results in discs for the side to move; NaN without games."""
    values: numpy.typing.NDArray[numpy.float32]
    """Values backed up by minimax; NaN where there is none."""
    trust: numpy.typing.NDArray[numpy.uint8]
    """Of the values: 0 none, 1 played, 2 searched, 3 exact."""
    evals: numpy.typing.NDArray[numpy.float32]
    """Evals of the searches of the positions themselves; NaN where there is none."""
    moves: numpy.typing.NDArray[numpy.int8]
    """The best moves of these searches; -1 where there is none."""


def read_games(
    path: str | PathLike[str],
    *,
    format: str | None = None,
    errors: str = "raise",
    rows: int = 65536,
) -> Iterator[GamePositions]:
    """Reads the positions of a file of games (ggf, sgf, pgn, txt, obf, wtb), or of all such files in a
    folder, in batches.

    A position in which a disc was placed has a row; a game without moves has one. A batch has whole
    games and at least `rows` rows, but for the last. A faulty game raises ParseError, after which
    the iterator is at its end; with errors="skip" it is left out.
    """
    for batch in _read_positions(path, format=format, errors=errors, rows=rows):
        yield GamePositions(*batch)


def read_samples(path: str | PathLike[str]) -> Iterator[Samples]:
    """Reads training data, as `umigame learn` writes it, block by block."""
    for batch in _read_samples(path):
        yield Samples(*batch)


def read_book(path: str | PathLike[str]) -> Iterator[BookPositions]:
    """Reads the positions of a book ply by ply."""
    with Book(path) as book:
        for batch in book.layers():
            yield BookPositions(*batch)


def to_planes(positions: Bits) -> numpy.typing.NDArray[numpy.bool_]:
    """Returns the squares of each position, shape (n, 2, 8, 8): side to move, other side; rows from
    the top, columns from a.

    >>> planes = to_planes(from_boards(["start"]))
    >>> planes.shape, int(planes.sum())
    ((1, 2, 8, 8), 4)
    """
    words = numpy.ascontiguousarray(positions, dtype="<u8")
    octets = words.view(numpy.uint8).reshape(*words.shape, 8)
    return numpy.unpackbits(octets, axis=-1, bitorder="little").reshape(*words.shape, 8, 8).astype(bool)


def from_planes(planes: numpy.typing.NDArray[numpy.bool_]) -> Bits:
    """Returns the positions of planes: the inverse of `to_planes`."""
    octets = numpy.packbits(planes.astype(bool), axis=-1, bitorder="little")
    words = numpy.ascontiguousarray(octets[..., 0]).view("<u8")[..., 0]
    return numpy.ascontiguousarray(words, dtype=numpy.uint64)


def moves_of(bits: int | numpy.uint64) -> list[str]:
    """Returns the names of a set of squares."""
    word = int(bits)
    return [square_name(index) for index in range(64) if word >> index & 1]
