"""What it costs to settle a position by a null window, learnt from the endings solved so far."""

from __future__ import annotations

import math

import numpy
from numpy.typing import NDArray

MIN_BITS, MAX_BITS = -17.0, 40.0
"""Costs are at least some microseconds, and finite."""
# Binary logarithm of the seconds of 20 empties with 9 moves at no margin; what a further empty, a doubling
# of the moves and a disc of margin add. Fitted to null windows of positions of games at 16 to 24 empties.
PRIOR = numpy.array([-4.3, 0.95, 0.9, -0.09])
PRIOR_WEIGHTS = numpy.array([4.0, 400.0, 60.0, 900.0])
"""How many results each number is worth."""
PRIOR_ERROR_BITS = 1.5
"""Standard deviation of a prediction before any result."""

__all__ = ["LeafCosts"]


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
