"""What the parts of a cluster cost, in seconds of one processor. `simulate --measure` finds them out."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields

from umigame.cluster.errors import InputError

__all__ = ["Costs"]


@dataclass(frozen=True, slots=True)
class Costs:
    """Costs of messages, rows and blocks. The defaults were measured by `simulate --measure`."""

    client_batch: float = 0.0037
    """The client sends a batch and takes its result."""
    client_row: float = 6.5e-6
    """The client takes a row: keys, what it teaches of costs, its part of a block."""
    scheduler_batch: float = 0.0030
    """The scheduler places a batch and hears of its end."""
    scheduler_row: float = 1.6e-6
    """The scheduler passes on a task and its result."""
    scheduler_worker: float = 4.2e-5
    """The scheduler lists a worker to the client, which reads it."""
    scheduler_heartbeat: float = 0.00042
    """The scheduler takes the heartbeat of a worker."""
    worker_batch: float = 0.0027
    """A worker unpacks a batch and packs its results."""
    worker_row: float = 1e-4
    """A worker goes on to the next task of a batch, with empty tables, and makes the columns of a row."""
    latency: float = 0.0002
    """A message is on its way."""
    block: float = 0.009
    """A block is written."""
    block_row: float = 1.8e-6
    """A row of a block is written."""
    blocks_per_second: float = 110.0
    """Blocks that the store takes from many writers at once."""
    restart: float = 1.0
    """A worker that died computes again: a process, its imports, an engine."""

    @staticmethod
    def load(path: str) -> Costs:
        """Reads costs from a file that `simulate --measure` wrote."""
        try:
            with open(path, encoding="utf-8") as file:
                found = json.load(file)
            names = {field.name for field in fields(Costs)}
            if not isinstance(found, dict) or set(found) - names:
                raise ValueError(f"expected an object with {', '.join(sorted(names))}")
            numbers = {name: float(value) for name, value in found.items()}
            if bad := [name for name, value in numbers.items() if not 0 <= value < 1e9]:
                raise ValueError(f"{bad[0]}: expected seconds, 0 or more")
        except (ValueError, TypeError) as error:
            raise InputError(f"{path}: {error}") from error
        return Costs(**numbers)

    def text(self) -> str:
        """Returns the costs as JSON."""
        return json.dumps(asdict(self), indent=2)
