"""`selfplay`: games of the engine with itself, labelled for training."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from umigame.cluster.command.options import add_cluster, add_store, count, open_store
from umigame.cluster.command.running import compute, exit_code, own_weights, tell
from umigame.cluster.task import Tasks

NAME = "selfplay"
HELP = "Play games of the engine with itself, and label their positions for training"
EXAMPLES = """\
examples:
  python -m umigame.cluster selfplay --store results --games 100000 --seed 1
  python -m umigame.cluster export --store results selfplay games.umi"""
WINDOW = 1 << 16
"""Games planned at a time."""


def _share(text: str) -> str:
    """Reads a share and returns it as limits spell it."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"`{text}`: expected a share from 0 to 1")
    return f"{number:.4f}".rstrip("0").rstrip(".")


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    add_store(parser)
    parser.add_argument("--games", type=count, required=True, metavar="N", help="games 0 to N-1 of the seed")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the random numbers (1)")
    parser.add_argument("--depth", type=count, default=4, metavar="N", help="plies of the searches (4)")
    parser.add_argument(
        "--exact-from", type=count, default=14, metavar="N", help="empties from which games are solved (14)"
    )
    parser.add_argument("--explore", type=_share, default="0.02", metavar="X", help="share of random moves (0.02)")
    add_cluster(parser)


def run(arguments: argparse.Namespace) -> int:
    """Plays the games that the store lacks."""
    store, weights = open_store(arguments), own_weights(arguments)
    limits = (f"seed {arguments.seed} depth {arguments.depth} exact {arguments.exact_from} "
              f"explore {arguments.explore}")

    def windows() -> Iterator[Tasks]:
        for first in range(0, arguments.games, WINDOW):
            numbers = range(first, min(first + WINDOW, arguments.games))
            yield Tasks.of_texts("selfplay", [str(number) for number in numbers], limits, weights)

    report = compute(arguments, store, windows, arguments.games)
    tell(report, store, "games")
    return exit_code(report)
