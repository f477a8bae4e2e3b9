"""Runs the tasks of a command on a cluster."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

from umigame.cluster.command.options import progress_of, tell_end
from umigame.cluster.errors import InputError
from umigame.cluster.job import JobReport, run_job
from umigame.cluster.local import connect
from umigame.cluster.store import Store
from umigame.cluster.task import Tasks
from umigame.cluster.worker import fingerprint

__all__ = ["check_weights", "compute", "exit_code", "own_weights", "tell"]


def check_weights(arguments: argparse.Namespace) -> None:
    """Checks that a weights file is there, before workers are started."""
    if arguments.weights and not Path(arguments.weights).is_file():
        raise InputError(f"--weights {arguments.weights}: there is no such file")


def own_weights(arguments: argparse.Namespace) -> int:
    """Returns the checksum of the weights."""
    check_weights(arguments)
    return fingerprint(arguments.weights).weights


def compute(
    arguments: argparse.Namespace, store: Store, windows: Callable[[], Iterator[Tasks]], total: int | None
) -> JobReport:
    """Computes what a store lacks of some tasks. Without any, no worker is started."""
    check_weights(arguments)
    known = 0
    for window in windows():
        known += len(window)
        if len(store.missing(window)):
            break
    else:
        return JobReport(known=known)
    with connect(arguments.scheduler, arguments.workers, arguments.threads) as cluster:
        report = run_job(
            windows(), store, cluster, weights=arguments.weights, progress=progress_of(arguments, total)
        )
    tell_end(report, store)
    return report


def exit_code(report: JobReport) -> int:
    """Returns the exit code of a job."""
    if report.is_interrupted:
        return 130
    return 1 if report.failures else 0


def tell(report: JobReport, store: Store, what: str) -> None:
    """Prints what a job did."""
    print(f"{report.done} {what} computed in {report.seconds:.1f} s, {report.known} known before; "
          f"results in {store.url}")

