"""Kind `label`: labels for training data.

Limits are `depth D exact E`: positions of at most E empties get their exact score, others the value of a
search to D plies at 73 %, each from an empty table. So a label depends on its position, the limits and
the weights alone.
"""

from __future__ import annotations

import re

import numpy
from numpy.typing import NDArray

from umigame import arrays
from umigame._native import Engine, Limit
from umigame.cluster.errors import ClusterError
from umigame.cluster.kinds.kind import Columns, empties_of
from umigame.cluster.task import Subjects

EXACT, SEARCHED = 0, 2
"""Numbers of the labels, as in `umigame.arrays.Samples`."""
PLY_SECONDS = 4e-5
"""Seconds of a search to depth 1; each ply takes `PLY_FACTOR` as long as the one before."""
PLY_FACTOR = 1.5
_LIMITS = re.compile(r"depth ([1-9]\d?) exact (\d\d?)")

__all__ = ["EXACT", "SEARCHED", "Label"]


class Label:
    """Labels of positions."""

    name = "label"

    def _numbers(self, limits: str) -> tuple[int, int]:
        """Returns depth and empties of limits."""
        found = _LIMITS.fullmatch(limits)
        depth, exact = (int(found[1]), int(found[2])) if found else (0, 0)
        if not (1 <= depth <= 60 and exact <= 60):
            raise ClusterError(f"limits `{limits}`: expected depth 1-60 exact 0-60")
        return depth, exact

    def check(self, limits: str) -> None:
        """Raises ClusterError for limits that are none of this kind."""
        self._numbers(limits)

    def uses_weights(self, limits: str) -> bool:
        """Returns True: a search's value is that of the evaluation."""
        return True

    def seconds(self, subjects: Subjects, limits: str) -> NDArray[numpy.float64]:
        """Predicts the seconds: solving by the engine's model, searching by the depth."""
        depth, exact = self._numbers(limits)
        searched = PLY_SECONDS * PLY_FACTOR**depth
        solved = arrays.solve_seconds(subjects).astype(numpy.float64)
        return numpy.where(empties_of(subjects) <= exact, solved, searched)

    def run(self, engine: Engine, subjects: Subjects, limits: str) -> Columns:
        """Solves or searches positions, one a thread."""
        depth, exact = self._numbers(limits)
        found = engine.search_many(subjects, Limit(depth=depth, confidence=73, exact_from=exact))
        is_exact = (empties_of(subjects) <= exact) & found.proven
        scores = numpy.where(is_exact, numpy.rint(found.evals), arrays.NO_SCORE).astype(numpy.int8)
        return {
            "player": subjects[:, 0],
            "opponent": subjects[:, 1],
            "label": numpy.where(is_exact, EXACT, SEARCHED).astype(numpy.uint8),
            "score": scores,
            "eval": numpy.where(is_exact, numpy.float32(numpy.nan), found.raws),
            "depth": numpy.where(is_exact, 0, found.depths).astype(numpy.uint8),
            "move": found.moves,
            "nodes": found.nodes,
            "seconds": found.seconds,
        }
