"""What it costs to settle a position: by one search, or by the tree below it. Learnt as results come."""

from __future__ import annotations

import math

import numpy
from numpy.typing import NDArray

MIN_BITS, MAX_BITS = -17.0, 40.0
"""Costs are at least some microseconds, and finite."""
# Binary logarithm of the seconds of 20 empties with 9 moves at no margin; what a further empty, a doubling of
# the moves and a disc of margin add. A fit to 1,650 null windows, at 14 to 22 empties two random plies beside games.
PRIOR = numpy.array([-5.5, 0.95, 0.1, -0.125])
PRIOR_WEIGHTS = numpy.array([4.0, 400.0, 60.0, 900.0])
"""How many results each number is worth."""
PRIOR_ERROR_BITS = 1.7
"""Standard deviation of a prediction before any result."""

STEP_WEIGHT = 20.0
"""Expansions that the first guess of a step counts for."""
TYPICAL_MOVES_BITS = 3.1
"""Binary logarithm of the moves of a position, before any was seen."""
LOYALTY_BITS = 0.3
"""What a position that is not expanded must cost less than one that is, to be preferred."""

__all__ = ["LeafCosts", "StepCosts"]


class LeafCosts:
    """A linear model of the binary logarithm of the seconds, fitted as results come."""

    def __init__(self) -> None:
        self._moments = numpy.diag(PRIOR_WEIGHTS)
        self._sums = PRIOR_WEIGHTS * PRIOR
        self._weights: NDArray[numpy.float64] = PRIOR
        self._errors = PRIOR_ERROR_BITS**2 * 10
        self._count = 10

    def bits(self, empties: int, moves: int, margin: float) -> float:
        """Predicts the binary logarithm of the seconds of one thread.

        `margin` is how far the estimate lies from the window, in discs.
        """
        weights = self._weights
        found = weights[0] + weights[1] * (empties - 20) + weights[2] * math.log2((1 + moves) / 10)
        return float(min(max(found + weights[3] * abs(margin), MIN_BITS), MAX_BITS))

    def seconds(self, empties: int, moves: int, margin: float) -> float:
        """Predicts the seconds of one thread."""
        return float(2.0 ** self.bits(empties, moves, margin))

    def learn(self, empties: int, moves: int, margin: float, seconds: float) -> None:
        """Takes what a result took."""
        bits = min(max(math.log2(max(seconds, 1e-9)), MIN_BITS), MAX_BITS)
        self._errors += (bits - self.bits(empties, moves, margin)) ** 2
        self._count += 1
        facts = numpy.array([1.0, empties - 20, math.log2((1 + moves) / 10), abs(margin)])
        self._moments += numpy.outer(facts, facts)
        self._sums += facts * bits
        self._weights = numpy.linalg.solve(self._moments, self._sums)

    @property
    def error_bits(self) -> float:
        """The standard deviation of a prediction, in bits."""
        return math.sqrt(self._errors / self._count)


class StepCosts:
    """How the costs of a tree grow with its plies.

    A ply of which all moves must hold multiplies the cost by their number, one of which one move suffices
    hardly changes it. Both steps are corrected by what expansions bring.
    """

    def __init__(self) -> None:
        self.all_bits = 0.0
        """Beyond the logarithm of the number of moves."""
        self.one_bits = 0.0
        self._moves_bits = TYPICAL_MOVES_BITS
        self._weights = [STEP_WEIGHT, STEP_WEIGHT, STEP_WEIGHT]

    def bits(self, plies: int, moves: int, needs_all: bool) -> float:
        """Returns the bits of `plies` plies above the leaves, the first of which has `moves` moves.

        `needs_all` says whether all of these must hold; plies of both kinds alternate.
        """
        own = self.all_bits + math.log2(max(moves, 1)) if needs_all else self.one_bits
        below = plies - 1
        all_below = below // 2 if needs_all else (below + 1) // 2
        rest = all_below * (self.all_bits + self._moves_bits) + (below - all_below) * self.one_bits
        return own + rest + LOYALTY_BITS

    def saw_moves(self, moves: int) -> None:
        """Takes the number of moves of a position."""
        self._weights[2] += 1
        self._moves_bits += (math.log2(max(moves, 1)) - self._moves_bits) / self._weights[2]

    def learn(self, needs_all: bool, bits: float) -> None:
        """Takes by how much an expansion changed the cost, in bits."""
        kind = 0 if needs_all else 1
        self._weights[kind] += 1
        if needs_all:
            self.all_bits += (bits + LOYALTY_BITS) / self._weights[kind]
        else:
            self.one_bits += (bits + LOYALTY_BITS) / self._weights[kind]
