"""`grow`: searches the positions that matter most for the value of a position, for a book."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from umigame._native import Board, Book, Error
from umigame.cluster.command.options import add_cluster, add_store, count, open_store, progress_of, tell_end
from umigame.cluster.command.running import own_weights
from umigame.cluster.errors import InputError
from umigame.cluster.job import run_job
from umigame.cluster.kinds.search import Search
from umigame.cluster.local import Cluster, connect
from umigame.cluster.store import Store
from umigame.cluster.store.export import add_to_book
from umigame.cluster.task import Tasks

NAME = "grow"
HELP = "Grow a book by searching the positions that matter most"
EXAMPLES = """\
example:
  python -m umigame.cluster grow book.sqlite --store results --minutes 60 --level 21

The book is written by this process alone; workers send searches. What an ended run has searched lies
in the store, and is not searched again."""
EXPANDED_PER_THREAD = 4
"""Positions expanded in a round for each thread; each has about ten moves."""


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    parser.add_argument("book", metavar="BOOK", type=Path, help="the book; made if missing")
    add_store(parser)
    parser.add_argument("--minutes", type=float, default=10.0, metavar="M", help="no round begins after this (10)")
    parser.add_argument("--rounds", type=count, metavar="N", help="end after so many rounds")
    parser.add_argument("--level", type=count, default=16, metavar="N", help="level of the searches, 1 to 30 (16)")
    parser.add_argument("--root", default="start", metavar="POSITION", help="grow from here (the start of a game)")
    add_cluster(parser)


def run(arguments: argparse.Namespace) -> int:
    """Grows the book round by round."""
    store, weights = open_store(arguments), own_weights(arguments)
    limits = f"level {arguments.level}"
    try:
        Search().check(limits)
        root = Board(arguments.root)
        book = Book(arguments.book, "a")
    except (Error, OSError) as error:
        raise InputError(str(error)) from error
    with book, connect(arguments.scheduler, arguments.workers, arguments.threads) as cluster:
        return _grow(arguments, store, cluster, book, root, Tasks.of_texts("search", [], limits, weights))


def _grow(
    arguments: argparse.Namespace, store: Store, cluster: Cluster, book: Book, root: Board, like: Tasks
) -> int:
    """Grows until the time is over, or nothing is left."""
    end = time.monotonic() + 60.0 * arguments.minutes
    expand = EXPANDED_PER_THREAD * max(sum(cluster.slots().values()), 1) * cluster.threads
    rounds = searched = 0
    while time.monotonic() < end and (arguments.rounds is None or rounds < arguments.rounds):
        positions = book.positions_to_search(expand, root=root)
        if not len(positions):
            break
        tasks = Tasks.of_positions("search", positions, like.limits, like.weights)
        report = run_job(
            _once(tasks), store, cluster, weights=arguments.weights, progress=progress_of(arguments, len(tasks))
        )
        tell_end(report, store)
        searched += add_to_book(book, "search", store.read("search", tasks.keys))
        rounds += 1
        if report.is_interrupted:
            return 130
        if report.failures:
            # The same positions would be asked for again, for ever.
            return 1
    value = book.view(root).eval
    shown = "none" if value is None else f"{value:+.2f}"
    print(f"{rounds} rounds, {searched} positions searched; value of the root: {shown}")
    return 0


def _once(tasks: Tasks) -> Iterator[Tasks]:
    yield tasks
