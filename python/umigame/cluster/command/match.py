"""`match`: games between two engines on many machines."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from umigame._native import Board, Error, random_openings
from umigame.cluster.command.options import add_cluster, add_store, count, open_store
from umigame.cluster.command.running import compute, exit_code, tell
from umigame.cluster.errors import ClusterError, InputError
from umigame.cluster.kinds.match import Match, subject_of
from umigame.cluster.store import Store
from umigame.cluster.task import Tasks

NAME = "match"
HELP = "Play a match between two engines, each opening twice with colours swapped"
EXAMPLES = """\
example:
  python -m umigame.cluster match self "self --level 3" --store results --pairs 200 --limits "depth 4"

An engine is a command on every worker, or `self` for umigame's own, with its options."""


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    parser.add_argument("first", metavar="ENGINE", help="a command, or self")
    parser.add_argument("second", metavar="ENGINE", help="a command, or self")
    add_store(parser)
    parser.add_argument("--pairs", type=count, default=50, metavar="N", help="pairs of games (50)")
    parser.add_argument("--openings", type=Path, metavar="FILE", help="transcripts, one a line; random otherwise")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of random openings (0)")
    parser.add_argument(
        "--limits", default="none", help="depth N, nodes N or level N, for engines without limits of their own"
    )
    add_cluster(parser)


def _command(text: str) -> str:
    """Returns a command as a subject has it: `self` stays, and is that of each worker."""
    if "\n" in text or not text.strip():
        raise InputError(f"engine `{text}`: expected a command on one line")
    return text.strip()


def _openings(arguments: argparse.Namespace) -> list[str]:
    """Returns the transcripts of openings."""
    if arguments.openings is None:
        boards = random_openings(arguments.pairs, seed=arguments.seed)
        return [board.transcript() for board in boards]
    try:
        lines = [line.strip() for line in arguments.openings.read_text().splitlines() if line.strip()]
    except OSError as error:
        raise InputError(f"{arguments.openings}: {error.strerror}") from error
    for number, line in enumerate(lines, 1):
        try:
            Board(line)
        except Error as error:
            raise InputError(f"{arguments.openings}, line {number}: {error}") from error
    return lines[: arguments.pairs]


def run(arguments: argparse.Namespace) -> int:
    """Plays the pairs that the store lacks, and prints the result."""
    store = open_store(arguments)
    first, second = _command(arguments.first), _command(arguments.second)
    try:
        Match().check(arguments.limits)
    except ClusterError as error:
        raise InputError(f"--limits: {error}") from error
    subjects = [subject_of(first, second, opening) for opening in _openings(arguments)]
    tasks = Tasks.of_texts("match", subjects, arguments.limits)

    def windows() -> Iterator[Tasks]:
        yield tasks

    report = compute(arguments, store, windows, len(tasks))
    tell(report, store, "pairs")
    _print_result(store, tasks)
    return exit_code(report)


def _print_result(store: Store, tasks: Tasks) -> None:
    """Prints wins, draws and losses of the first engine."""
    rows = store.read("match", tasks.keys).to_pylist()
    scores = [score for row in rows for score in (row["score_black"], row["score_white"])]
    wins, losses = sum(score > 0 for score in scores), sum(score < 0 for score in scores)
    forfeits = sum(len(row["forfeits"]) for row in rows)
    mean = sum(scores) / max(len(scores), 1)
    print(f"{len(scores)} games: +{wins} ={len(scores) - wins - losses} -{losses}, "
          f"{mean:+.2f} discs a game, {forfeits} forfeits")
