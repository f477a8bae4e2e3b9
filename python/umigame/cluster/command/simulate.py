"""`simulate`: a model of jobs on more workers than there are, and the measuring of its costs."""

from __future__ import annotations

import argparse
import math

from umigame.cluster.batches import BATCH_SECONDS, SECONDS_A_THREAD
from umigame.cluster.command.options import count
from umigame.cluster.errors import InputError
from umigame.cluster.job import IN_FLIGHT
from umigame.cluster.simulation import Costs, Outcome, Policy, Work, batches_of, lognormal_work, simulate, store_work
from umigame.cluster.store import Store

NAME = "simulate"
HELP = "Model a job on any number of workers: time, share spent searching, what bends it"
EXAMPLES = """\
examples:
  python -m umigame.cluster simulate --measure > costs.json
  python -m umigame.cluster simulate --costs costs.json --workers 10,100,1000,10000
  python -m umigame.cluster simulate --costs costs.json --check --workers 1,2 --seconds 20"""

HEAD = (
    "# workers  seconds searching    client scheduler     store      tail    deaths  most is lost by   (shares in %)"
)

__all__ = ["EXAMPLES", "HELP", "NAME", "add", "run"]


def _counts(text: str) -> list[int]:
    return [count(word) for word in text.split(",")]


def _positive(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 1e9:
        raise argparse.ArgumentTypeError(f"`{text}`: expected a number above 0")
    return number


def _not_negative(text: str) -> float:
    return 0.0 if text == "0" else _positive(text)


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    parser.add_argument("--measure", action="store_true", help="measure the costs here and print them as JSON")
    parser.add_argument(
        "--check", action="store_true", help="run real jobs on as many processes of this machine beside the model"
    )
    parser.add_argument("--costs", metavar="FILE", help="costs that --measure printed; else those of the table in docs")
    parser.add_argument(
        "--workers", type=_counts, default=[10, 30, 100, 300, 1000, 3000, 10000], metavar="N,...",
        help="workers of one thread each (10,30,100,300,1000,3000,10000)",
    )
    parser.add_argument(
        "--seconds", type=_positive, default=600.0, metavar="S", help="work for each worker, in seconds (600)"
    )
    parser.add_argument("--task", type=_positive, default=1.0, metavar="S", help="mean seconds of a task (1)")
    parser.add_argument("--spread", type=_not_negative, default=1.5, metavar="BITS", help="spread of the tasks (1.5)")
    parser.add_argument("--error", type=_not_negative, default=1.0, metavar="BITS", help="error of predictions (1)")
    parser.add_argument("--store", metavar="URL", help="draw the seconds of tasks from the results here; all, once, "
                        "with --as-stored. With --measure, write blocks here")
    parser.add_argument("--as-stored", action="store_true", help="the tasks of the store are the work")
    parser.add_argument(
        "--batch-seconds", type=_positive, default=BATCH_SECONDS, metavar="S", help="of a batch, predicted (5)"
    )
    parser.add_argument(
        "--seconds-a-thread", type=_not_negative, default=SECONDS_A_THREAD, metavar="S",
        help="the least of a batch for each thread of the cluster (0.005)",
    )
    parser.add_argument("--in-flight", type=count, default=IN_FLIGHT, metavar="N", help="batches for each thread (2)")
    parser.add_argument("--any-order", action="store_true", help="tasks in any order instead of longest first")
    parser.add_argument("--workers-write", action="store_true", help="workers write the blocks, not the client")
    parser.add_argument(
        "--lists", choices=["never", "second", "batch"], default="second", help="when the client lists the workers (each second, less often where that takes long)"
    )
    parser.add_argument("--deaths", type=_not_negative, default=0.0, metavar="N", help="of a worker in an hour (0)")
    parser.add_argument("--one-processor", action="store_true", help="client and scheduler share a process")
    parser.add_argument(
        "--slowdown", type=_positive, default=1.0, metavar="F", help="tasks take F times as long, as where more "
        "workers than processors share them (1)",
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the random numbers (1)")


def policy_of(arguments: argparse.Namespace, workers: int) -> Policy:
    """Returns how a job of some workers is run."""
    return Policy(
        workers, arguments.in_flight, arguments.workers_write,
        {"never": 0.0, "second": 1.0, "batch": math.inf}[arguments.lists], arguments.one_processor,
        arguments.deaths, arguments.slowdown, arguments.seed,
    )


def work_of(arguments: argparse.Namespace, workers: int) -> Work:
    """Returns the tasks."""
    total = arguments.seconds * workers
    if arguments.as_stored and arguments.store is None:
        raise InputError("--as-stored: needs --store")
    if arguments.store is not None:
        wanted = None if arguments.as_stored else total
        return store_work(Store(arguments.store), wanted, arguments.error, arguments.seed)
    return lognormal_work(total, arguments.task, arguments.spread, arguments.error, arguments.seed)


def line_of(workers: int, outcome: Outcome) -> str:
    """Returns a line of the table."""
    shares = (outcome.searching, outcome.client, outcome.scheduler, outcome.store, outcome.tail, outcome.lost)
    text = " ".join(f"{100 * share:9.1f}" for share in shares)
    return f"{workers:7d} {outcome.seconds:9.1f} {text}  {outcome.bottleneck()}"


def run(arguments: argparse.Namespace) -> int:
    """Measures, or prints the table."""
    if arguments.measure:
        from umigame.cluster.simulation.measure import measure

        print(measure(arguments.store).text())
        return 0
    costs = Costs.load(arguments.costs) if arguments.costs else Costs()
    if arguments.check:
        from umigame.cluster.simulation.check import check

        for workers in arguments.workers:
            print(check(workers, costs, arguments.seconds, arguments.seed), flush=True)
        return 0
    print(HEAD)
    for workers in arguments.workers:
        batches = batches_of(
            work_of(arguments, workers), workers, arguments.batch_seconds, not arguments.any_order,
            arguments.seconds_a_thread,
        )
        print(line_of(workers, simulate(batches, costs, policy_of(arguments, workers))), flush=True)
    return 0
