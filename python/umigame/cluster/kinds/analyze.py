"""Kind `analyze`: games judged move by move.

A subject is a game as a line of GGF. Limits are `level N`, as for `search`.
"""

from __future__ import annotations

import time

import numpy
from numpy.typing import NDArray

from umigame._native import Engine, Game, Limit, analyze_game
from umigame.cluster.kinds.kind import Columns
from umigame.cluster.kinds.search import Search
from umigame.cluster.task import Subjects

GAME_SECONDS = 2.0
"""Seconds of a game at a level, before anything is learnt."""

__all__ = ["Analyze"]


class Analyze(Search):
    """Games judged move by move."""

    name = "analyze"

    def seconds(self, subjects: Subjects, limits: str) -> NDArray[numpy.float64]:
        """Predicts the seconds of games, all alike."""
        return numpy.full(len(subjects), GAME_SECONDS)

    def run(self, engine: Engine, subjects: Subjects, limits: str) -> Columns:
        """Judges games, one after the other; the threads search each position together."""
        limit = Limit(level=self._level(limits))
        rows: Columns = {name: [] for name in ("game", "analysis", "black_loss", "white_loss", "seconds")}
        for text in subjects:
            start = time.perf_counter()
            engine.clear()
            found = analyze_game(Game.from_ggf(text), limit, engine=engine)
            rows["game"].append(text)
            rows["analysis"].append(found.json())
            rows["black_loss"].append(found.totals("black").loss)
            rows["white_loss"].append(found.totals("white").loss)
            rows["seconds"].append(time.perf_counter() - start)
        rows["seconds"] = numpy.array(rows["seconds"], dtype=numpy.float32)
        return rows
