"""Kind `match`: pairs of games between two engines, each opening twice with colours swapped.

A subject is two commands and an opening, a line each. Limits are `depth N` or `nodes N` or `level N` or
`none`, for engines without limits of their own. Engines are processes on the worker's machine, and a
pair is played with nothing else beside it on its thread. Limits of time would depend on the machine, so
they are not offered.
"""

from __future__ import annotations

import re
import shlex
import time

import numpy
from numpy.typing import NDArray

from umigame._native import Engine, Limit, play_match
from umigame.arena import own_command
from umigame.cluster.errors import ClusterError
from umigame.cluster.kinds.kind import Columns
from umigame.cluster.task import Subjects

PAIR_SECONDS = 5.0
"""Seconds of a pair of games, before anything is learnt."""
_LIMITS = re.compile(r"(depth|nodes|level) ([1-9]\d{0,11})")

__all__ = ["Match", "subject_of"]


def subject_of(first: str, second: str, opening: str) -> str:
    """Returns the subject of a pair of games."""
    return f"{first}\n{second}\n{opening}"


class Match:
    """Pairs of games between two engines."""

    name = "match"

    def _limit(self, limits: str) -> Limit | None:
        if limits == "none":
            return None
        found = _LIMITS.fullmatch(limits)
        if not found:
            raise ClusterError(f"limits `{limits}`: expected depth N, nodes N, level N or none")
        number = int(found[2])
        if found[1] == "depth":
            return Limit(depth=number)
        return Limit(nodes=number) if found[1] == "nodes" else Limit(level=number)

    def check(self, limits: str) -> None:
        """Raises ClusterError for limits that are none of this kind."""
        self._limit(limits)

    def uses_weights(self, limits: str) -> bool:
        """Returns False: the commands say what plays."""
        return False

    def seconds(self, subjects: Subjects, limits: str) -> NDArray[numpy.float64]:
        """Predicts the seconds of pairs, all alike."""
        return numpy.full(len(subjects), PAIR_SECONDS)

    def run(self, engine: Engine, subjects: Subjects, limits: str) -> Columns:
        """Plays pairs of games, one after the other."""
        limit = self._limit(limits)
        names = ("first", "second", "opening", "score_black", "score_white", "games", "forfeits", "seconds")
        rows: Columns = {name: [] for name in names}
        for subject in subjects:
            first, second, opening = subject.split("\n")
            start = time.perf_counter()
            result = play_match(_words(first), _words(second), openings=[opening], games=2, limit=limit)
            played = sorted(result.games, key=lambda game: game.number)
            rows["first"].append(first)
            rows["second"].append(second)
            rows["opening"].append(opening)
            # From the view of the first engine, which is Black in the first game of a pair.
            rows["score_black"].append(played[0].score)
            rows["score_white"].append(-played[1].score)
            rows["games"].append([game.game.ggf() for game in played])
            rows["forfeits"].append([str(game.forfeit) for game in played if game.forfeit])
            rows["seconds"].append(time.perf_counter() - start)
        rows["seconds"] = numpy.array(rows["seconds"], dtype=numpy.float32)
        return rows


def _words(command: str) -> str | list[str]:
    """Returns a command as `play_match` takes it: settings in brackets stay text, and `self` is the
    engine of the worker's package.
    """
    if command.startswith("["):
        return command
    words = shlex.split(command)
    return own_command(*words[1:]) if words[0] == "self" else words
