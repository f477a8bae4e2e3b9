"""Kind `selfplay`: games of the engine with itself, with a label for every position.

A subject is the number of a game. Limits are `seed S depth D exact E explore X`: a game begins with
random moves, follows searches to D plies at 73 %, with a share X of moves at random, and is solved from
E empties on, as `umigame-lab learn play` does. It depends on these and the weights alone.
"""

from __future__ import annotations

import re
import time

import numpy
from numpy.typing import NDArray

from umigame._native import Engine
from umigame.cluster.errors import ClusterError
from umigame.cluster.kinds.kind import Columns
from umigame.cluster.task import Subjects

_LIMITS = re.compile(r"seed (\d{1,18}) depth (\d\d?) exact (\d\d?) explore (0(?:\.\d+)?|1)")

__all__ = ["SelfPlay"]


class SelfPlay:
    """Games of the engine with itself."""

    name = "selfplay"

    def _numbers(self, limits: str) -> tuple[int, int, int, float]:
        found = _LIMITS.fullmatch(limits)
        seed, depth, exact, explore = (
            (int(found[1]), int(found[2]), int(found[3]), float(found[4])) if found else (0, 0, 0, 0.0)
        )
        if not (1 <= depth <= 60 and 1 <= exact <= 60):
            raise ClusterError(
                f"limits `{limits}`: expected seed N depth 1-60 exact 1-60 explore 0-1"
            )
        return seed, depth, exact, explore

    def check(self, limits: str) -> None:
        """Raises ClusterError for limits that are none of this kind."""
        self._numbers(limits)

    def uses_weights(self, limits: str) -> bool:
        """Returns True: other weights play other games."""
        return True

    def seconds(self, subjects: Subjects, limits: str) -> NDArray[numpy.float64]:
        """Predicts the seconds of a game."""
        _, depth, exact, _ = self._numbers(limits)
        game = 30 * 4e-5 * 1.5**depth + 2.0 ** (exact - 14) * 2e-3
        return numpy.full(len(subjects), game)

    def run(self, engine: Engine, subjects: Subjects, limits: str) -> Columns:
        """Plays games, runs of neighbouring numbers together."""
        seed, depth, exact, explore = self._numbers(limits)
        numbers = [int(text) for text in subjects]
        rows = {}
        start = time.perf_counter()
        for first, count in _runs(sorted(numbers)):
            samples, games = engine.self_play(
                first, count, seed=seed, depth=depth, exact_from=exact, explore=explore
            )
            for number in range(first, first + count):
                mask = games == number
                rows[number] = [column[mask] for column in samples]
        each = (time.perf_counter() - start) / max(len(numbers), 1)
        positions, labels, scores, evals, depths = zip(
            *(rows[number] for number in numbers), strict=True
        )
        return {
            "game": numpy.array(numbers, dtype=numpy.uint64),
            "player": [game[:, 0] for game in positions],
            "opponent": [game[:, 1] for game in positions],
            "label": labels,
            "score": scores,
            "eval": evals,
            "depth": depths,
            "seconds": numpy.full(len(numbers), each, dtype=numpy.float32),
        }


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Returns sorted numbers as runs: the first and how many."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and sum(runs[-1]) == number:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((number, 1))
    return runs
