"""`label`: exact scores and search values of positions, for training."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy

from umigame import arrays
from umigame._native import Error
from umigame.cluster.command.options import add_cluster, add_store, count, open_store
from umigame.cluster.command.running import compute, exit_code, own_weights, tell
from umigame.cluster.errors import InputError
from umigame.cluster.kinds.kind import empties_of
from umigame.cluster.problems import complain_once, read_problems
from umigame.cluster.task import Tasks

NAME = "label"
HELP = "Label positions for training: exact scores near the end, search values above"
EXAMPLES = """\
examples:
  python -m umigame.cluster label games.ggf --store results --empties 10-30 --depth 8 --exact-from 16
  python -m umigame.cluster export --store results label labels.umi"""
_GAMES = ("ggf", "sgf", "pgn", "txt", "wtb")


def _range(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    if first.isdigit() and (last or first).isdigit() and 0 <= int(first) <= int(last or first) <= 60:
        return int(first), int(last or first)
    raise argparse.ArgumentTypeError(f"`{text}`: expected FIRST-LAST, from 0 to 60")


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    parser.add_argument(
        "file", metavar="FILE", type=Path,
        help="positions: OBF, training data (umi), or games (ggf, sgf, pgn, txt, wtb, or a folder)",
    )
    add_store(parser)
    parser.add_argument("--depth", type=count, default=8, metavar="N", help="plies of the searches (8)")
    parser.add_argument(
        "--exact-from", type=int, default=16, metavar="N", help="empties from which positions are solved (16)"
    )
    parser.add_argument("--empties", type=_range, default=(1, 60), metavar="A-B", help="of the positions (1-60)")
    add_cluster(parser)


def run(arguments: argparse.Namespace) -> int:
    """Labels what the store lacks."""
    store, weights = open_store(arguments), own_weights(arguments)
    limits = f"depth {arguments.depth} exact {arguments.exact_from}"
    complain, unreadable = complain_once()
    total = sum(len(window) for window in _positions(arguments, complain))

    def windows() -> Iterator[Tasks]:
        for positions in _positions(arguments, lambda _: None):
            yield Tasks.of_positions("label", positions, limits, weights)

    report = compute(arguments, store, windows, total)
    tell(report, store, "labels")
    return exit_code(report) or (2 if unreadable() else 0)


def _positions(arguments: argparse.Namespace, complain: object) -> Iterator[arrays.Bits]:
    """Returns the positions of a file that have a move, window by window."""
    for positions in _all(arguments.file, complain):
        empties = empties_of(positions)
        mask = (empties >= arguments.empties[0]) & (empties <= arguments.empties[1])
        found = positions[mask & (arrays.legal_moves(positions) != 0)]
        if len(found):
            yield numpy.ascontiguousarray(found)


def _all(path: Path, complain: object) -> Iterator[arrays.Bits]:
    """Returns all positions of a file."""
    try:
        if path.suffix == ".umi":
            for block in arrays.read_samples(path):
                yield block.positions
        elif path.suffix[1:] in _GAMES or path.is_dir():
            for games in arrays.read_games(path, rows=1 << 17):
                yield games.positions
        else:
            for problems in read_problems(path, complain):  # type: ignore[arg-type]
                yield problems.positions
    except (Error, OSError) as error:
        raise InputError(str(error)) from error
