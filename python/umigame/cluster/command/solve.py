"""`solve`: solves the positions of a file, as `umigame solve` does, on a cluster."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from umigame.cluster.command.options import add_cluster, add_store, open_store
from umigame.cluster.command.running import compute
from umigame.cluster.command.solved import Printer
from umigame.cluster.errors import InputError
from umigame.cluster.kinds.solve import Solve
from umigame.cluster.problems import complain_once, read_problems
from umigame.cluster.task import Tasks

NAME = "solve"
HELP = "Solve the positions of an OBF file exactly and compare with its scores"
EXAMPLES = """\
examples:
  python -m umigame.cluster solve problems.obf --store results
  python -m umigame.cluster solve many.obf --store s3://bucket/results --scheduler tcp://host:8786"""


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    parser.add_argument("file", metavar="FILE", help="the file; - is standard input")
    add_store(parser)
    goal = parser.add_mutually_exclusive_group()
    goal.add_argument("--wld", action="store_true", help="only win, loss or draw")
    goal.add_argument(
        "--window", nargs=2, type=int, metavar=("A", "B"),
        help="the score if it lies between A and B, else a bound",
    )
    parser.add_argument("--jsonl", action="store_true", help="print one JSON object a line")
    parser.add_argument("--no-answers", action="store_true", help="print the summary alone")
    add_cluster(parser)


def limits_of(arguments: argparse.Namespace) -> str:
    """Returns the limits of the tasks."""
    if arguments.window:
        limits = f"window {arguments.window[0]} {arguments.window[1]}"
    else:
        limits = "wld" if arguments.wld else "exact"
    try:
        Solve().check(limits)
    except Exception as error:
        raise InputError(f"--window: {error}") from error
    return limits


def run(arguments: argparse.Namespace) -> int:
    """Solves what the store lacks, and prints the answers in the order of the lines."""
    limits = limits_of(arguments)
    with tempfile.TemporaryDirectory() as folder:
        return _run(arguments, limits, _input(arguments.file, folder))


def _input(file: str, folder: str) -> Path:
    """Returns a file that can be read twice."""
    if file != "-":
        return Path(file)
    path = Path(folder, "standard input")
    path.write_bytes(sys.stdin.buffer.read())
    return path


def _run(arguments: argparse.Namespace, limits: str, path: Path) -> int:
    begun = time.monotonic()
    complain, unreadable = complain_once()
    total = sum(len(problems) for problems in read_problems(path, complain))
    store = open_store(arguments)

    def windows() -> Iterator[Tasks]:
        for problems in read_problems(path):
            yield Tasks.of_positions("solve", problems.positions, limits)

    report = compute(arguments, store, windows, total)
    if report.is_interrupted:
        return 130
    printer = Printer(limits, arguments.jsonl, arguments.no_answers)
    printer.begin()
    for problems in read_problems(path):
        printer.show(problems, store)
    printer.end(time.monotonic() - begun, report.known, unreadable(), store)
    if unreadable():
        return 2
    return 1 if printer.is_wrong() or report.failures else 0

