"""Positions of OBF files: 64 squares, the side to move, and scores, one a line."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy

from umigame import arrays
from umigame._native import Board, Error
from umigame.cluster.errors import InputError

WINDOW = 1 << 17
"""Lines of a window: the longest of its positions go first."""
PIECE = 1 << 12
"""Lines read at a time."""
_SCORE = re.compile(r";\s*(?:[^;:]*:)?\s*([+-]?\d+)\s*(?=;|$)")
_NO_SCORE = -127
"""The score of a meaningless last move that some writers add."""

__all__ = ["Problems", "read_problems"]


@dataclass(frozen=True, slots=True, eq=False)
class Problems:
    """Positions of a file."""

    lines: list[int]
    """The lines where they stand, from 1."""
    texts: list[str]
    """64 squares and the side to move."""
    positions: arrays.Bits
    """The positions, shape (n, 2)."""
    expected: list[int | None]
    """The best of the scores in the line."""

    def __len__(self) -> int:
        return len(self.lines)


def read_problems(path: Path, complain: Callable[[str], object] | None = None) -> Iterator[Problems]:
    """Reads a file, many positions at a time. Lines that cannot be read are told to `complain`."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            numbered = enumerate(file, 1)
            while (window := _window(path, numbered, complain)) is not None:
                yield window
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error


def _window(
    path: Path, numbered: Iterator[tuple[int, str]], complain: Callable[[str], object] | None
) -> Problems | None:
    """Reads the lines of a window, piece by piece: a board takes far more memory than its position."""
    pieces = []
    for _ in range(WINDOW // PIECE):
        if not (part := list(islice(numbered, PIECE))):
            break
        pieces.append(_parse(path, part, complain))
    if not pieces:
        return None
    return Problems(
        [line for piece in pieces for line in piece.lines],
        [text for piece in pieces for text in piece.texts],
        numpy.concatenate([piece.positions for piece in pieces]),
        [score for piece in pieces for score in piece.expected],
    )


def _parse(
    path: Path, part: list[tuple[int, str]], complain: Callable[[str], object] | None
) -> Problems:
    """Reads some lines."""
    lines, texts, expected = [], [], []
    boards = []
    for number, line in part:
        text = line.split("%", 1)[0].strip()
        if not text or text.startswith("#"):
            continue
        try:
            board = Board.from_obf(text)
        except Error as error:
            if complain:
                complain(f"{path}, line {number}: {error}")
            continue
        scores = [score for found in _SCORE.findall(text) if -64 <= (score := int(found)) <= 64]
        boards.append(board)
        lines.append(number)
        texts.append(board.obf())
        expected.append(max(scores, default=None))
    empty = numpy.empty((0, 2), dtype=numpy.uint64)
    return Problems(lines, texts, arrays.from_boards(boards) if boards else empty, expected)


def complain_once() -> tuple[Callable[[str], None], Callable[[], int]]:
    """Returns a function that prints complaints, and one that counts them."""
    count = 0

    def complain(message: str) -> None:
        nonlocal count
        count += 1
        print(f"umigame.cluster: {message}", file=sys.stderr)

    return complain, lambda: count
