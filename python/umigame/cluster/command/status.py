"""`status`: what a store holds, what remains, and what failed."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from umigame.cluster.command.options import add_store, open_store
from umigame.cluster.kinds import kind_of
from umigame.cluster.problems import read_problems
from umigame.cluster.status import page, status, text
from umigame.cluster.task import Tasks
from umigame.cluster.worker import fingerprint

NAME = "status"
HELP = "Show what a store holds, what is predicted to remain of a file, and what failed"
EXAMPLES = """\
examples:
  python -m umigame.cluster status --store results
  python -m umigame.cluster status --store results --of many.obf --html status.html"""


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    add_store(parser)
    parser.add_argument("--of", metavar="FILE", type=Path, help="an OBF file of which the rest is predicted")
    parser.add_argument("--kind", default="solve", choices=("solve", "label", "search"), help="of the tasks (solve)")
    parser.add_argument("--limits", default="exact", help="of the tasks (exact)")
    parser.add_argument("--html", metavar="FILE", type=Path, help="write a page instead of text")


def run(arguments: argparse.Namespace) -> int:
    """Prints the status, or writes the page."""
    store = open_store(arguments)
    found = status(store, _windows(arguments) if arguments.of else None)
    if arguments.html:
        arguments.html.write_text(page(found), encoding="utf-8")
    else:
        print(text(found))
    return 1 if found.damaged or found.failures else 0


def _windows(arguments: argparse.Namespace) -> Iterator[Tasks]:
    """Returns the tasks of a file."""
    kind = kind_of(arguments.kind)
    kind.check(arguments.limits)
    weights = fingerprint().weights if kind.uses_weights(arguments.limits) else None
    for problems in read_problems(arguments.of):
        yield Tasks.of_positions(arguments.kind, problems.positions, arguments.limits, weights)
