"""Measures what messages, rows, blocks and restarts cost on this machine.

Processor time counts, not the clock, so that other work on the machine changes little. Scheduler and worker are
processes of their own, as on a cluster.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy

from umigame import Board, arrays
from umigame.cluster.cost import CostModel
from umigame.cluster.errors import ClusterError
from umigame.cluster.simulation.costs import Costs
from umigame.cluster.store import Store
from umigame.cluster.task import Tasks
from umigame.cluster.worker import Answer, Work, fingerprint, run_batch
from umigame.cluster.writer import Writer

BATCHES = 400
"""Messages of each size."""
SMALL_ROWS, LARGE_ROWS = 1, 500
"""Tasks of a small and of a large batch: their difference tells what a row costs."""
BLOCK_ROWS = 20_000
START_SECONDS = 60.0

__all__ = ["measure"]


def echo(subjects: Any) -> Answer:
    """Returns rows such as those of solving, without searching."""
    count = len(subjects)
    columns = {
        "player": subjects[:, 0],
        "opponent": subjects[:, 1],
        "score": numpy.zeros(count, dtype=numpy.int8),
        "bound": numpy.full(count, "exact", dtype=object),
        "move": numpy.zeros(count, dtype=numpy.int8),
        "nodes": numpy.ones(count, dtype=numpy.uint64),
        "seconds": numpy.ones(count, dtype=numpy.float32),
        "limits": numpy.full(count, "exact", dtype=object),
        "weights": numpy.zeros(count, dtype=numpy.uint32),
        "version": numpy.full(count, "0", dtype=object),
    }
    return Answer(columns, 0.0)


def work_once(empties: int) -> float:
    """Makes an engine and searches, as a worker does that has been started."""
    from umigame import Engine

    with Engine(hash_mb=32) as engine:
        return float(engine.solve(Board("X" * (63 - empties) + "O" + "-" * empties + " X")).eval)


def _positions(rows: int, seed: int) -> Any:
    """Returns sets of squares that do not overlap."""
    found = numpy.random.default_rng(seed).integers(0, 1 << 62, (rows, 2), dtype=numpy.uint64)
    found[:, 1] &= ~found[:, 0]
    return found


@dataclass(slots=True)
class Processes:
    """A scheduler and a worker as processes, with a client of them."""

    scheduler: Any
    worker: Any
    client: Any

    def times(self) -> tuple[float, float, float]:
        """Returns the processor seconds of client, scheduler and worker."""
        found = []
        for process in (self.scheduler, self.worker):
            used = process.cpu_times()
            found.append(used.user + used.system)
        own = os.times()
        return own.user + own.system, found[0], found[1]


def _start(module: str, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.{module}", *words],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )


@contextmanager
def _processes() -> Iterator[Processes]:
    import distributed
    import psutil  # type: ignore[import-untyped]

    started: list[subprocess.Popen[bytes]] = []
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "scheduler.json")
        try:
            started.append(_start("dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", file))
            words = ("--scheduler-file", file, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0")
            started.append(_start("dask_worker", *words, "--local-directory", folder))
            client_of: Any = distributed.Client
            client = client_of(scheduler_file=file, timeout=START_SECONDS, set_as_default=False)
            with client:
                client.wait_for_workers(1, timeout=START_SECONDS)
                yield Processes(psutil.Process(started[0].pid), psutil.Process(started[1].pid), client)
        except (OSError, TimeoutError) as error:
            raise ClusterError(f"no scheduler and worker could be started to be measured: {error}") from error
        finally:
            for process in started:
                process.kill()
                process.wait()


def _messages(processes: Processes, rows: int, count: int) -> list[float]:
    """Returns the processor seconds of client, scheduler and worker for each batch of `rows` tasks."""
    store = Store(f"memory://{uuid.uuid4().hex}")
    writer, cost, client = Writer(store), CostModel(), processes.client
    flying: list[Any] = []
    before = processes.times()
    for number in range(count + 2):
        if number < count:
            tasks = Tasks.of_positions("solve", _positions(rows, number), "exact")
            key = f"umigame-solve-{uuid.uuid4().hex}"
            flying.append((client.submit(echo, tasks.subjects, pure=False, key=key), tasks))
        if number >= 2:
            future, done = flying.pop(0)
            answer: Answer = future.result()
            future.release()
            cost.learn("solve", "exact", done.subjects, answer.columns["seconds"])
            writer.add(done, answer.columns)
    return [(after - start) / count for after, start in zip(processes.times(), before, strict=True)]


def _idle(processes: Processes, seconds: float) -> list[float]:
    """Returns the processor seconds in a second of client, scheduler and worker that do nothing."""
    before = processes.times()
    time.sleep(seconds)
    return [(after - start) / seconds for after, start in zip(processes.times(), before, strict=True)]


def _round_trip(client: Any) -> float:
    """Returns the seconds of the fastest of many round trips of an empty task."""
    found = []
    for _ in range(50):
        start = time.perf_counter()
        client.submit(int, pure=False).result()
        found.append(time.perf_counter() - start)
    return min(found)


def _worker_info(client: Any) -> tuple[str, dict[str, Any]]:
    """Returns the address of the worker and what the scheduler tells of it."""
    workers: dict[str, dict[str, Any]] = dict(client.scheduler_info(n_workers=-1)["workers"])
    return next(iter(workers.items()))


def _heartbeat(processes: Processes, count: int = 300) -> float:
    """Returns the processor seconds of the scheduler for a heartbeat."""
    client = processes.client
    address, info = _worker_info(client)
    beat = {"address": address, "metrics": dict(info["metrics"]), "executing": {}, "extensions": {}}
    before = processes.times()[1]
    for _ in range(count):
        client.sync(client.scheduler.heartbeat_worker, now=time.time(), resolve_address=False, **beat)
    return (processes.times()[1] - before) / count


def _list_of_workers(client: Any, count: int = 500) -> float:
    """Returns the processor seconds that packing and unpacking a worker takes in a long list of them."""
    import distributed.protocol

    protocol: Any = distributed.protocol
    _, info = _worker_info(client)
    workers = {f"tcp://10.0.{number // 256}.{number % 256}:40000": dict(info) for number in range(count)}
    before = time.process_time()
    for _ in range(5):
        protocol.loads(protocol.dumps({"workers": workers}))
    return (time.process_time() - before) / 5 / count


def _block(store: Store, rows: int) -> float:
    """Returns the seconds of the fastest of some blocks."""
    found = []
    for number in range(5):
        tasks = Tasks.of_positions("solve", _positions(rows, number), "exact")
        writer = Writer(store)
        writer.add(tasks, echo(tasks.subjects).columns)
        start = time.perf_counter()
        writer.flush()
        found.append(time.perf_counter() - start)
    return min(found)


def _between_tasks(count: int = 50) -> float:
    """Returns the seconds of a worker between the searches of two tasks: its tables are emptied."""
    chance = random.Random(1)
    boards: list[Board] = []
    while len(boards) < count:
        board = Board()
        while board.empties > 12 and not board.is_game_over():
            board.push(chance.choice(board.legal_moves or ["pass"]))
        boards.append(board.canonical())
    work, positions = Work("measure", "solve", "exact", fingerprint()), arrays.from_boards(boards)
    found = []
    for _ in range(5):
        start = time.perf_counter()
        answer = run_batch(work, positions)
        found.append((time.perf_counter() - start - float(answer.columns["seconds"].sum())) / count)
    return max(min(found), 0.0)


def _restart() -> float:
    """Returns the seconds until a new process has searched."""
    code = "import distributed; from umigame.cluster.simulation.measure import work_once; work_once(4)"
    found = []
    for _ in range(3):
        before = os.times()
        subprocess.run([sys.executable, "-c", code], check=True)
        after = os.times()
        found.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return min(found)


def measure(url: str | None = None) -> Costs:
    """Measures the costs; blocks are written to the store at `url`, by default a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(url or folder)
        small, large = _block(store, 1), _block(store, BLOCK_ROWS)
    with _processes() as processes:
        _messages(processes, SMALL_ROWS, 20)
        idle = _idle(processes, 5.0)
        start = time.perf_counter()
        one = _messages(processes, SMALL_ROWS, BATCHES)
        # What the processes do by the way is no cost of a batch.
        share = (time.perf_counter() - start) / BATCHES
        one = [max(cost - rest * share, 1e-5) for cost, rest in zip(one, idle, strict=True)]
        many = _messages(processes, LARGE_ROWS, BATCHES)
        trip, listed = _round_trip(processes.client), _list_of_workers(processes.client)
        heartbeat = _heartbeat(processes)
    row = [max(big - little, 0.0) / (LARGE_ROWS - SMALL_ROWS) for big, little in zip(many, one, strict=True)]
    return Costs(
        client_batch=one[0], client_row=row[0], scheduler_batch=one[1], scheduler_row=row[1],
        scheduler_worker=listed, scheduler_heartbeat=heartbeat,
        worker_batch=one[2], worker_row=row[2] + _between_tasks(),
        latency=max((trip - one[0] - one[1] - one[2]) / 4, 1e-4), block=small,
        block_row=max(large - small, 0.0) / BLOCK_ROWS, blocks_per_second=1 / small, restart=_restart(),
    )
