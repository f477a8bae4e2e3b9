"""Folded positions and their moves, in the position that was folded and as text."""

from __future__ import annotations

from typing import Any

import numpy

from umigame import arrays
from umigame._native import square_name

__all__ = ["move_name", "squares", "unfolded"]


def unfolded(moves: Any, symmetries: Any) -> Any:
    """Returns moves of folded positions as they are in the positions that were folded."""
    back = numpy.empty((8, 66), dtype=numpy.int8)
    for symmetry, images in enumerate(arrays.move_images()):
        back[symmetry, images] = numpy.arange(65)
    back[:, arrays.NO_MOVE] = arrays.NO_MOVE
    return back[symmetries, moves]


def move_name(move: int) -> str:
    """Returns a move as text."""
    if move == arrays.NO_MOVE:
        return "-"
    return "pass" if move == arrays.PASS else square_name(move)


def squares(player: int, opponent: int) -> str:
    """Returns the 64 squares of a position, X for the side to move."""
    return "".join("X" if player >> at & 1 else "O" if opponent >> at & 1 else "-" for at in range(64))
