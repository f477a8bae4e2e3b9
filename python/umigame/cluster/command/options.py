"""Arguments that commands share."""

from __future__ import annotations

import argparse
import sys

from umigame.cluster.errors import InputError, StoreError
from umigame.cluster.job import JobReport
from umigame.cluster.progress import Progress
from umigame.cluster.store import Store

__all__ = ["add_cluster", "add_store", "count", "open_store", "progress_of", "tell_end"]


def count(text: str) -> int:
    """Reads a number of things, 1 or more; thousands may be separated by _."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"`{text}`: expected a number from 1")
    return number


def add_store(parser: argparse.ArgumentParser) -> None:
    """Adds the store."""
    parser.add_argument(
        "--store", required=True, metavar="URL",
        help="where results are kept: a folder, or a URL of fsspec such as s3://bucket/folder",
    )


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """Adds what computes."""
    parser.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler, such as tcp://host:8786")
    parser.add_argument(
        "--workers", type=count, metavar="N",
        help="worker processes to start on this machine without --scheduler; one for each --threads cores",
    )
    parser.add_argument(
        "--threads", type=count, default=1, metavar="N",
        help="threads of a worker's engine, which share long searches (1)",
    )
    parser.add_argument(
        "--weights", metavar="FILE",
        help="weights for the evaluation, at this path on every worker; those in the package otherwise",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")


def open_store(arguments: argparse.Namespace) -> Store:
    """Opens the store."""
    try:
        return Store(arguments.store)
    except StoreError as error:
        raise InputError(str(error)) from error


def progress_of(arguments: argparse.Namespace, total: int | None) -> Progress:
    """Returns the progress of a job."""
    return Progress(total, None if arguments.quiet else sys.stderr)


def tell_end(report: JobReport, store: Store) -> None:
    """Says on standard error what a person should know at the end of a job."""
    if report.is_interrupted:
        print(f"interrupted: {report.known + report.done} results are in {store.url}; "
              "the same command goes on from there", file=sys.stderr)
    if report.failures:
        print(f"{len(report.failures)} tasks were set aside; `status` lists them", file=sys.stderr)
