"""The model: a queue of events, and servers that are busy until some moment.

A batch goes from the client to the scheduler, waits at a worker, is searched, and its end goes back the
same way; the client takes its result, writes blocks and sends the next batch. Client and scheduler do
one thing at a time each, or share a processor as on one machine.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import deque
from dataclasses import dataclass, field

from umigame.cluster.job import IN_FLIGHT
from umigame.cluster.local import LIST_WAIT
from umigame.cluster.simulation.costs import Costs
from umigame.cluster.simulation.work import Batches
from umigame.cluster.writer import FLUSH_SECONDS

MOSTLY_BUSY = 0.6
"""Share of the time from which something that does one thing at a time makes others wait."""
POLL_SECONDS = 0.2
"""Time after which a job whose workers died looks again."""

__all__ = ["Outcome", "Policy", "simulate"]


@dataclass(frozen=True, slots=True)
class Policy:
    """How a job is run."""

    workers: int
    """Worker processes of one thread each."""
    in_flight: int = IN_FLIGHT
    """Batches sent for each thread."""
    workers_write: bool = False
    """Workers write blocks, one for each batch; otherwise the client does, one every few seconds."""
    lists_workers: float = 0.0
    """Times in a second that the client asks for the list of workers, at most; infinite: for every batch."""
    one_processor: bool = False
    """Client and scheduler share a process, as on one machine."""
    failures_per_hour: float = 0.0
    """Times in an hour that a worker dies."""
    slowdown: float = 1.0
    """Factor of the seconds of tasks, such as that of more workers than processors."""
    seed: int = 1


@dataclass(slots=True)
class Outcome:
    """What a simulated job took."""

    seconds: float
    """From the first message to the last result in the store."""
    searching: float
    """Share of the workers' time that was spent on tasks whose results came."""
    client: float
    """Share of the time that the client was busy."""
    scheduler: float
    """Share of the time that the scheduler was busy."""
    store: float
    """Share of the time that the store was busy."""
    tail: float
    """Share of the workers' time lost after the first of them ran out of batches."""
    deaths: int
    """Workers that died."""
    lost: float
    """Share of the workers' time lost to deaths: work begun in vain, and restarts."""

    def bottleneck(self) -> str:
        """Returns the part that costs most of what is not spent searching."""
        shares = {"client": self.client, "scheduler": self.scheduler, "store": self.store}
        busiest = max(shares, key=lambda name: shares[name])
        if shares[busiest] > MOSTLY_BUSY:
            return busiest
        return "deaths" if self.lost > self.tail else "tail"


@dataclass(slots=True)
class _Worker:
    queue: deque[int] = field(default_factory=deque)
    """Batches that lie there."""
    sent: int = 0
    """Batches on their way there, waiting or searched."""
    batch: int = -1
    """The batch that is searched."""
    began: float = 0.0
    life: int = 0
    """Deaths so far: events of an earlier life do not count."""
    is_up: bool = True


class _Server:
    """Something that does one thing at a time."""

    def __init__(self) -> None:
        self.free = 0.0
        self.busy = 0.0

    def serve(self, now: float, seconds: float) -> float:
        """Returns when a request that comes now is done."""
        self.free = max(self.free, now) + seconds
        self.busy += seconds
        return self.free


def simulate(batches: Batches, costs: Costs, policy: Policy) -> Outcome:
    """Runs a job in the model."""
    return _Model(batches, costs, policy).run()


class _Model:
    def __init__(self, batches: Batches, costs: Costs, policy: Policy) -> None:
        self.costs, self.policy = costs, policy
        self.seconds = (batches.seconds * policy.slowdown).tolist()
        self.tasks = batches.tasks.tolist()
        self.workers = [_Worker() for _ in range(policy.workers)]
        self.client = _Server()
        self.scheduler = self.client if policy.one_processor else _Server()
        self.store = _Server()
        # Heartbeats take a part of the scheduler's time, at most that of 200 a second.
        beats = policy.workers / heartbeat_interval(policy.workers)
        self.stretch = 1 / max(1 - beats * costs.scheduler_heartbeat, 0.05)
        self.events: list[tuple[float, int, str, int, int, int]] = []
        self.number = 0
        self.waiting = deque(range(len(self.seconds)))
        self.least: list[tuple[int, int]] = [(0, at) for at in range(policy.workers)]
        self.done = [False] * len(self.seconds)
        self.left = len(self.seconds)
        self.rows = 0
        self.flushed = self.next_list = 0.0
        self.searched = self.lost = 0.0
        self.deaths = 0
        self.dry: float | None = None
        self.random = random.Random(policy.seed)

    def run(self) -> Outcome:
        policy = self.policy
        for _ in range(policy.workers * policy.in_flight):
            self._send(0.0)
        if policy.failures_per_hour:
            for at in range(policy.workers):
                self._plan_death(0.0, at)
        handlers = {
            "place": self._place, "arrive": self._arrive, "end": self._end, "report": self._report,
            "take": self._take, "die": self._die, "rise": self._rise,
        }
        now = 0.0
        while self.left:
            now, _, what, worker, batch, life = heapq.heappop(self.events)
            handlers[what](now, worker, batch, life)
        end = self._write(max(now, self.client.free), force=True)
        time = end * policy.workers
        dry = end if self.dry is None else self.dry
        idle = max(time - self.searched - self.lost, 0.0)
        return Outcome(
            end, self.searched / time, self.client.busy / end, self.scheduler.busy / end, self.store.busy / end,
            min((end - dry) * policy.workers, idle) / time, self.deaths, self.lost / time,
        )

    def _at(self, time: float, what: str, worker: int, batch: int, life: int = 0) -> None:
        self.number += 1
        heapq.heappush(self.events, (time, self.number, what, worker, batch, life))

    # The way there.

    def _send(self, now: float) -> None:
        """The client sends the next batch, if there is one."""
        if self.waiting:
            batch = self.waiting.popleft()
            done = self.client.serve(now, self.costs.client_batch / 2)
            self._at(done + self.costs.latency, "place", -1, batch)

    def _serve_scheduler(self, now: float, batch: int) -> float:
        seconds = self.costs.scheduler_batch / 2 + self.costs.scheduler_row / 2 * self.tasks[batch]
        return self.scheduler.serve(now, seconds * self.stretch)

    def _place(self, now: float, _worker: int, batch: int, _life: int) -> None:
        """The scheduler gives a batch to the worker that has the fewest."""
        while True:
            sent, at = heapq.heappop(self.least)
            if self.workers[at].is_up and self.workers[at].sent == sent:
                break
            if not self.least:
                # Every worker is dead: a moment later one may be back.
                self._refill_least()
                self._at(now + POLL_SECONDS, "place", -1, batch)
                return
        worker = self.workers[at]
        worker.sent += 1
        heapq.heappush(self.least, (worker.sent, at))
        self._at(self._serve_scheduler(now, batch) + self.costs.latency, "arrive", at, batch, worker.life)

    def _refill_least(self) -> None:
        self.least = [(worker.sent, at) for at, worker in enumerate(self.workers) if worker.is_up]
        heapq.heapify(self.least)
        if not self.least:
            self.least = [(-1, 0)]

    def _arrive(self, now: float, at: int, batch: int, life: int) -> None:
        worker = self.workers[at]
        if life != worker.life:
            self._again(batch)
            return
        worker.queue.append(batch)
        if worker.batch < 0:
            self._begin(now, at)

    def _begin(self, now: float, at: int) -> None:
        worker = self.workers[at]
        if not worker.queue:
            worker.batch = -1
            if self.dry is None and not self.waiting:
                self.dry = now
            return
        worker.batch = batch = worker.queue.popleft()
        worker.began = now
        overhead = self.costs.worker_batch + self.costs.worker_row * self.tasks[batch]
        self._at(now + self.seconds[batch] + overhead, "end", at, batch, worker.life)

    # The way back.

    def _end(self, now: float, at: int, batch: int, life: int) -> None:
        worker = self.workers[at]
        if life != worker.life:
            return
        self.searched += self.seconds[batch]
        ready = now
        if self.policy.workers_write:
            seconds = self.costs.block + self.costs.block_row * self.tasks[batch]
            # Writers share what the store can take; each waits for its own block.
            turn = self.store.serve(now, 1 / self.costs.blocks_per_second)
            ready = max(turn, now + seconds)
        self._at(ready + self.costs.latency, "report", at, batch, life)
        if ready == now:
            self._begin(now, at)
        else:
            self._at(ready, "rise", at, -1, life)

    def _report(self, now: float, at: int, batch: int, life: int) -> None:
        """The scheduler hears of an end; a result outlives its worker once the client has it."""
        worker = self.workers[at]
        if life == worker.life:
            worker.sent -= 1
            heapq.heappush(self.least, (worker.sent, at))
        self._at(self._serve_scheduler(now, batch) + self.costs.latency, "take", at, batch, life)

    def _take(self, now: float, _worker: int, batch: int, _life: int) -> None:
        """The client takes a result and sends another batch."""
        seconds = self.costs.client_batch / 2 + self.costs.client_row * self.tasks[batch]
        done = self.client.serve(now, seconds)
        if not self.done[batch]:
            self.done[batch] = True
            self.left -= 1
            self.rows += self.tasks[batch]
        done = self._list_workers(done)
        self._send(done)
        self._write(done)

    def _list_workers(self, now: float) -> float:
        """The client asks for the list of workers and waits for it."""
        rate = self.policy.lists_workers
        if not rate or now < self.next_list:
            return now
        seconds = self.costs.scheduler_worker * self.policy.workers * self.stretch
        end = self.scheduler.serve(now, seconds)
        wait = 0.0 if rate == math.inf else max(1 / rate, LIST_WAIT * (end - now))
        self.next_list = end + wait
        if self.scheduler is not self.client:
            self.client.busy += end - now
            self.client.free = max(self.client.free, end)
        return end

    def _write(self, now: float, force: bool = False) -> float:
        """The client writes a block if it is time to."""
        if self.policy.workers_write or not self.rows or not (force or now - self.flushed >= FLUSH_SECONDS):
            return now
        seconds = self.costs.block + self.costs.block_row * self.rows
        self.rows, self.flushed = 0, now
        self.store.serve(now, seconds)
        return self.client.serve(now, seconds)

    # Deaths.

    def _plan_death(self, now: float, at: int) -> None:
        self._at(now + self.random.expovariate(self.policy.failures_per_hour / 3600), "die", at, -1)

    def _die(self, now: float, at: int, _batch: int, _life: int) -> None:
        worker = self.workers[at]
        self.deaths += 1
        self.lost += self.costs.restart
        if worker.batch >= 0:
            self.lost += now - worker.began
            self._again(worker.batch)
        for batch in worker.queue:
            self._again(batch)
        worker.queue.clear()
        worker.batch, worker.sent, worker.life, worker.is_up = -1, 0, worker.life + 1, False
        self._at(now + self.costs.restart, "rise", at, -1, worker.life)
        self._plan_death(now + self.costs.restart, at)
        self._resend(now)

    def _again(self, batch: int) -> None:
        """A batch is sent again."""
        if not self.done[batch]:
            self.waiting.appendleft(batch)

    def _resend(self, now: float) -> None:
        """The client hears of lost batches and sends them again."""
        for _ in range(min(len(self.waiting), self.policy.in_flight)):
            self._send(now + self.costs.latency)

    def _rise(self, now: float, at: int, _batch: int, life: int) -> None:
        """A worker goes on: it has written a block, or has been started again."""
        worker = self.workers[at]
        if life == worker.life:
            if not worker.is_up:
                worker.is_up = True
                heapq.heappush(self.least, (worker.sent, at))
            self._begin(now, at)


def heartbeat_interval(workers: int) -> float:
    """Returns the seconds between two heartbeats of a worker, as Dask sets them."""
    for most, seconds in ((10, 0.5), (49, 1.0), (199, 2.0)):
        if workers <= most:
            return seconds
    return workers / 200 + 1
