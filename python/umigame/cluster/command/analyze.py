"""`analyze`: games judged move by move."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from umigame._native import Error, read_games
from umigame.cluster.command.options import add_cluster, add_store, count, open_store
from umigame.cluster.command.running import compute, exit_code, own_weights, tell
from umigame.cluster.errors import InputError
from umigame.cluster.task import Tasks

NAME = "analyze"
HELP = "Judge every move of many games"
EXAMPLES = """\
examples:
  python -m umigame.cluster analyze games.ggf --store results --level 16
  python -m umigame.cluster export --store results analyze analyses.jsonl"""
WINDOW = 1 << 12
"""Games planned at a time."""


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    parser.add_argument("file", metavar="FILE", type=Path, help="games: ggf, sgf, pgn, txt, wtb, or a folder")
    add_store(parser)
    parser.add_argument("--level", type=count, default=16, metavar="N", help="level of the searches, 1 to 30 (16)")
    add_cluster(parser)


def run(arguments: argparse.Namespace) -> int:
    """Judges the games that the store lacks."""
    store, weights = open_store(arguments), own_weights(arguments)

    def windows() -> Iterator[Tasks]:
        for texts in _texts(arguments.file):
            yield Tasks.of_texts("analyze", texts, f"level {arguments.level}", weights)

    total = sum(len(texts) for texts in _texts(arguments.file))
    report = compute(arguments, store, windows, total)
    tell(report, store, "games")
    return exit_code(report)


def _texts(path: Path) -> Iterator[list[str]]:
    """Returns games as lines of GGF, window by window."""
    try:
        games = (game.ggf() for game in read_games(path, errors="skip"))
        while texts := list(islice(games, WINDOW)):
            yield texts
    except (Error, OSError) as error:
        raise InputError(str(error)) from error
