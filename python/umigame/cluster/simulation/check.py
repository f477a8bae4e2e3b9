"""The model beside real jobs on the processes of this machine."""

from __future__ import annotations

import random
import tempfile

import numpy

from umigame import Board, arrays
from umigame.cluster.job import run_job
from umigame.cluster.local import Cluster, connect
from umigame.cluster.simulation.costs import Costs
from umigame.cluster.simulation.model import Policy, simulate
from umigame.cluster.simulation.work import batches_of, store_work
from umigame.cluster.store import Store
from umigame.cluster.task import Tasks

EMPTIES = range(15, 19)
"""Empties of the positions that are solved."""
PILOT = 200
"""Positions solved beforehand: they warm the engines up, and tell how many are needed."""
ERROR_BITS = 1.0
"""What predictions of the cost model miss."""

__all__ = ["check"]


def random_positions(count: int, seed: int) -> arrays.Bits:
    """Returns positions of random games."""
    chance = random.Random(seed)
    boards: list[Board] = []
    while len(boards) < count:
        board, wanted = Board(), chance.choice(EMPTIES)
        while board.empties > wanted and not board.is_game_over():
            board.push(chance.choice(board.legal_moves or ["pass"]))
        if not board.is_game_over():
            boards.append(board)
    return arrays.from_boards(boards)


def _solve(cluster: Cluster, folder: str, positions: arrays.Bits) -> tuple[Store, float]:
    """Solves positions and returns the store and the seconds that the job took."""
    store = Store(folder)
    report = run_job([Tasks.of_positions("solve", positions, "exact")], store, cluster)
    return store, report.seconds


def check(workers: int, costs: Costs, seconds: float, seed: int) -> str:
    """Runs a job of about `seconds` on some worker processes, then the model on the same tasks.

    The tasks of the model take what they took in the job. Where more processes than processors share the
    machine, that is longer, and the model need not know of it.
    """
    with tempfile.TemporaryDirectory() as folder, connect(workers=workers) as cluster:
        pilot, _ = _solve(cluster, f"{folder}/pilot", random_positions(PILOT, seed))
        mean = float(numpy.mean(pilot.read("solve").column("seconds").to_numpy()))
        count = max(round(seconds * workers / mean), PILOT)
        store, real = _solve(cluster, f"{folder}/job", random_positions(count, seed + 1))
        work = store_work(store, None, ERROR_BITS, seed)
    outcome = simulate(batches_of(work, workers), costs, Policy(workers, lists_workers=numpy.inf, one_processor=True))
    searching = float(work.seconds.sum()) / (real * workers)
    return (
        f"{workers} workers, {len(work.seconds)} tasks: {real:.1f} s, {100 * searching:.1f} % searching; "
        f"model {outcome.seconds:.1f} s ({100 * (outcome.seconds / real - 1):+.1f} %), {100 * outcome.searching:.1f} %"
    )
