"""The fingerprint of an engine: machines with equal ones give equal results.

It has the version, the checksum of the weights, and the answers to a few fixed positions. The client
makes one; a worker whose own differs is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy

from umigame import arrays
from umigame._native import Engine, Limit, __version__

SOLVED_EMPTIES = (8, 10, 11, 12)
"""Empties of the positions that are solved."""
SEARCHED_EMPTIES = (24, 34, 44)
"""Empties of the positions that are searched."""
DEPTH = 6

__all__ = ["Fingerprint", "fingerprint_of"]


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What the results of an engine depend on."""

    version: str
    """The version of the package."""
    weights: int
    """The checksum of the weights."""
    answers: tuple[tuple[float, int, int], ...]
    """Evals, moves and nodes of the fixed positions."""

    def difference(self, other: Fingerprint) -> str | None:
        """Returns the reason why another engine is not this one; None if it is."""
        if self.version != other.version:
            return f"its version is {other.version}, the client's {self.version}"
        if self.weights != other.weights:
            return f"its weights have the checksum {other.weights}, the client's {self.weights}"
        pairs = enumerate(zip(self.answers, other.answers, strict=True))
        wrong = [f"{number} ({theirs} for {ours})" for number, (ours, theirs) in pairs if ours != theirs]
        return f"it answers test position {', '.join(wrong)} otherwise than the client" if wrong else None


@lru_cache(maxsize=1)
def _positions() -> tuple[arrays.Bits, arrays.Bits]:
    """Returns the positions to solve and to search, from a game of middle legal moves."""
    position = arrays.from_boards(["start"])
    by_empties = {}
    while not arrays.game_over(position)[0]:
        by_empties[64 - int(position[0, 0] | position[0, 1]).bit_count()] = position
        legal = int(arrays.legal_moves(position)[0])
        squares = [index for index in range(64) if legal >> index & 1]
        move = squares[len(squares) // 2] if squares else arrays.PASS
        position = arrays.apply(position, numpy.array([move], dtype=numpy.int8))

    def some(empties: tuple[int, ...]) -> arrays.Bits:
        return numpy.concatenate([by_empties[number] for number in empties if number in by_empties])

    return some(SOLVED_EMPTIES), some(SEARCHED_EMPTIES)


def fingerprint_of(engine: Engine) -> Fingerprint:
    """Returns the fingerprint of an engine of one thread; takes some milliseconds."""
    solved, searched = _positions()
    answers = []
    for position in solved:
        answers.append(engine.solve_many(position[None]))
    for position in searched:
        answers.append(engine.search_many(position[None], Limit(depth=DEPTH)))
    found = tuple(
        (float(one.evals[0]), int(one.moves[0]), int(one.nodes[0])) for one in answers
    )
    return Fingerprint(__version__, engine.weights_checksum, found)
