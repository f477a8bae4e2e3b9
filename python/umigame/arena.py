"""Engines as processes over NBoard and GTP, and matches between them.

>>> from umigame import Board, Limit, arena
>>> with arena.EngineProcess(arena.own_command("--level", "2"), protocol="nboard") as engine:
...     engine.set_position(Board("f5d6c3"))
...     move = engine.go().move
>>> move in Board("f5d6c3").legal_moves
True
"""

import sys

from umigame._native import EngineProcess, play_match, random_openings
from umigame.results import ChosenMove, Forfeit, Hint, Interval, MatchGame, MatchResult

__all__ = [
    "ChosenMove",
    "EngineProcess",
    "Forfeit",
    "Hint",
    "Interval",
    "MatchGame",
    "MatchResult",
    "own_command",
    "play_match",
    "random_openings",
]


def own_command(*arguments: str, protocol: str = "nboard") -> list[str]:
    """Returns the command that starts this package's engine: `python -m umigame nboard`.

    >>> own_command("--level", "2")[1:]
    ['-m', 'umigame', 'nboard', '--level', '2']
    """
    return [sys.executable, "-m", "umigame", protocol, *arguments]
