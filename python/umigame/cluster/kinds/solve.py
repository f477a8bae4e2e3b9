"""Kind `solve`: proven scores.

| limits | score |
|---|---|
| `exact` | the score in discs for the side to move |
| `wld` | 1, 0 or -1: win, draw or loss |
| `window LOW HIGH` | exact between the two, else `bound` is "lower" or "upper" |
"""

from __future__ import annotations

import numpy
from numpy.typing import NDArray

from umigame import arrays
from umigame._native import Engine
from umigame.cluster.errors import ClusterError
from umigame.cluster.kinds.kind import Columns
from umigame.cluster.task import Subjects

__all__ = ["Solve", "window_of"]


def window_of(limits: str) -> tuple[int, int] | None:
    """Returns the window of limits; None if they have none."""
    words = limits.split(" ")
    if words[0] != "window":
        return None
    try:
        low, high = (int(word) for word in words[1:])
    except ValueError:
        low, high = 1, 0
    if not -64 <= low < high <= 64:
        raise ClusterError(
            f"limits `{limits}`: expected two scores from -64 to 64, the lower one first"
        )
    return low, high


class Solve:
    """Proven scores of positions."""

    name = "solve"

    def check(self, limits: str) -> None:
        """Raises ClusterError for limits that are none of this kind."""
        if limits not in ("exact", "wld") and window_of(limits) is None:
            raise ClusterError(f"limits `{limits}`: expected exact, wld or window LOW HIGH")

    def uses_weights(self, limits: str) -> bool:
        """Returns False: a proven score is that of every evaluation."""
        return False

    def seconds(self, subjects: Subjects, limits: str) -> NDArray[numpy.float64]:
        """Predicts the seconds by the engine's model of solving."""
        return arrays.solve_seconds(subjects).astype(numpy.float64)

    def run(self, engine: Engine, subjects: Subjects, limits: str) -> Columns:
        """Solves positions, one a thread; threads without a position help the others."""
        window = window_of(limits)
        found = engine.solve_many(subjects, wld=limits == "wld", window=window)
        scores = numpy.rint(found.evals).astype(numpy.int8)
        if limits == "wld":
            scores = numpy.sign(scores)
        bounds = numpy.full(len(scores), "exact", dtype=object)
        if window is not None:
            bounds[scores >= window[1]] = "lower"
            bounds[scores <= window[0]] = "upper"
        return {
            "player": subjects[:, 0],
            "opponent": subjects[:, 1],
            "score": scores,
            "bound": bounds,
            "move": found.moves,
            "nodes": found.nodes,
            "seconds": found.seconds,
        }
