"""Kind `search`: evals of searches to a level, for books.

Limits are `level N`, 1 to 30, as on the command line: a depth at 73 % with an exact ending.
"""

from __future__ import annotations

import re

import numpy
from numpy.typing import NDArray

from umigame import arrays
from umigame._native import Engine, Limit, levels
from umigame.cluster.errors import ClusterError
from umigame.cluster.kinds.kind import Columns, empties_of
from umigame.cluster.kinds.label import PLY_FACTOR, PLY_SECONDS
from umigame.cluster.task import Subjects

_LIMITS = re.compile(r"level ([1-9]\d?)")

__all__ = ["Search"]


class Search:
    """Searches of positions to a level."""

    name = "search"

    def _level(self, limits: str) -> int:
        found = _LIMITS.fullmatch(limits)
        level = int(found[1]) if found else 0
        if not 1 <= level <= 30:
            raise ClusterError(f"limits `{limits}`: expected level 1-30")
        return level

    def check(self, limits: str) -> None:
        """Raises ClusterError for limits that are none of this kind."""
        self._level(limits)

    def uses_weights(self, limits: str) -> bool:
        """Returns True: an eval is an opinion of the weights."""
        return True

    def seconds(self, subjects: Subjects, limits: str) -> NDArray[numpy.float64]:
        """Predicts the seconds: solving by the engine's model, searching by the depth."""
        name = str(self._level(limits))
        [level] = [one for one in levels() if one.level == name]
        searched = PLY_SECONDS * PLY_FACTOR**level.depth
        solved = arrays.solve_seconds(subjects).astype(numpy.float64)
        return numpy.where(empties_of(subjects) <= level.exact_from, solved, searched)

    def run(self, engine: Engine, subjects: Subjects, limits: str) -> Columns:
        """Searches positions, one a thread."""
        found = engine.search_many(subjects, Limit(level=self._level(limits)))
        return {
            "player": subjects[:, 0],
            "opponent": subjects[:, 1],
            "eval": found.evals,
            "std_dev": found.std_devs,
            "depth": found.depths,
            "confidence": found.confidences,
            "move": found.moves,
            "nodes": found.nodes,
            "seconds": found.seconds,
        }
