"""Seeded runs with faults: a job is disturbed, asked again, and must end equal to one without faults.

    python cluster_faults.py [--seeds FIRST-LAST] [--positions N] [--folder FOLDER]

Each seed chooses one disturbance, its moments and its victims. Real processes get real signals:

| fault | |
|---|---|
| `workers` | SIGKILL of workers at random moments |
| `client` | SIGKILL of the client, several times |
| `scheduler` | SIGKILL of a scheduler of its own process |
| `blocks` | blocks cut, changed and removed between runs |
| `two clients` | two clients on one store, one of them killed |
| `full disk` | a file system without room, by a limit on the size of files or a small tmpfs |
| `clock` | a client whose clock jumps back an hour |

It prints a line for each seed; the exit code is 1 if one of them failed.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy

from umigame import arrays
from umigame._native import Engine
from umigame.cluster.kinds.kind import empties_of
from umigame.cluster.store import Store
from umigame.cluster.task import Tasks

MAX_RUNS = 12
"""Runs of a job until it must be complete."""
RUN_SECONDS = 600
"""Time that a run may take."""

__all__ = ["main"]


@dataclass(slots=True)
class Trial:
    """A job with its store, and the rows that it must end with."""

    folder: Path
    file: Path
    expected: dict[bytes, int]
    chance: random.Random
    notes: list[str]

    @property
    def store(self) -> Path:
        """The folder of the store."""
        return self.folder / "store"

    def command(self, *words: str) -> list[str]:
        """Returns the command line of the job."""
        job = [sys.executable, "-m", "umigame.cluster", "solve", str(self.file), "--store", str(self.store)]
        return [*job, "--no-answers", "--quiet", *(words or ("--workers", "2"))]

    def start(self, *words: str, code: str | None = None) -> subprocess.Popen[str]:
        """Starts the job in a session of its own; `code` runs in its process first."""
        command = self.command(*words)
        if code is not None:
            text = f"{code}\nimport sys\nfrom umigame.cluster.command import main\nsys.exit(main(sys.argv[1:]))"
            script = self.folder / "client.py"
            indented = text.replace("\n", "\n    ")
            script.write_text(f"if __name__ == '__main__':\n    {indented}\n")
            command[1:3] = [str(script)]
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )

    def finish(self, running: subprocess.Popen[str]) -> tuple[int, str]:
        """Waits for a job, and returns its exit code and output."""
        try:
            out, _ = running.communicate(timeout=RUN_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            raise
        return running.returncode, out

    def complete(self) -> None:
        """Asks again until the job is done."""
        for number in range(1, MAX_RUNS + 1):
            code, out = self.finish(self.start())
            if "Traceback" in out:
                raise AssertionError(f"a traceback: {out}")
            if code == 0:
                self.notes.append(f"complete after {number} more runs" if number > 1 else "complete")
                return
        raise AssertionError(f"not complete after {MAX_RUNS} runs: {out}")

    def check(self) -> None:
        """Compares the store with a run without faults."""
        rows = Store(str(self.store), warn=lambda _: None).read("solve")
        keys, scores = rows.column("key").to_pylist(), rows.column("score").to_pylist()
        if len(keys) != len(set(keys)):
            raise AssertionError("a result counts twice")
        found = dict(zip(keys, scores, strict=True))
        if found != self.expected:
            wrong = [key.hex() for key, score in self.expected.items() if found.get(key) != score]
            raise AssertionError(f"{len(wrong)} results are wrong or missing, {len(found)} in all")


def children(process: int) -> list[int]:
    """Returns the processes that a process began, and theirs."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError, ValueError):
                continue
            parents.setdefault(parent, []).append(int(entry.name))
    found: list[int] = []
    todo = [process]
    while todo:
        new = parents.get(todo.pop(), [])
        found += new
        todo += new
    return found


def _is_worker(process: int) -> bool:
    """Returns whether a process is a worker: begun by multiprocessing, and no tracker of it."""
    try:
        line = Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False
    return b"spawn_main" in line


def workers(trial: Trial) -> None:
    """Kills workers at random moments."""
    running, killed = trial.start(), 0
    end = time.monotonic() + RUN_SECONDS
    most = trial.chance.randint(2, 5)
    while running.poll() is None and time.monotonic() < end:
        time.sleep(trial.chance.uniform(1.0, 5.0))
        victims = [child for child in children(running.pid) if _is_worker(child)]
        if victims and killed < most:
            _kill(trial.chance.choice(victims))
            killed += 1
    code, out = trial.finish(running)
    said = f": {out.strip().splitlines()[-1][:200]}" if code else ""
    trial.notes.append(f"{killed} workers killed, exit code {code}{said}")
    if "Traceback" in out or "set aside" in out:
        raise AssertionError(f"a traceback, or a sound task was set aside: {out}")


def client(trial: Trial) -> None:
    """Kills the client several times."""
    killed = 0
    for _ in range(trial.chance.randint(1, 3)):
        running = trial.start()
        try:
            running.wait(timeout=trial.chance.uniform(4.0, 14.0))
            break
        except subprocess.TimeoutExpired:
            _kill(running.pid)
            killed += 1
            running.communicate()
    time.sleep(3)
    left = [process for process in children(1) if _is_worker(process) and _is_of(process, trial)]
    trial.notes.append(f"client killed {killed} times, {len(left)} workers left")


def _is_of(process: int, trial: Trial) -> bool:
    try:
        return str(trial.folder).encode() in Path(f"/proc/{process}/environ").read_bytes()
    except OSError:
        return False


def scheduler(trial: Trial) -> None:
    """Kills a scheduler of its own process while a job runs on it."""
    file = trial.folder / "scheduler.json"
    begin = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    first = subprocess.Popen([*begin, "--scheduler-file", str(file)], **quiet)  # type: ignore[call-overload]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(file)]
    second = subprocess.Popen(  # type: ignore[call-overload]
        [*worker, "--nworkers", "2", "--nthreads", "1", "--no-dashboard", "--death-timeout", "60"], **quiet
    )
    try:
        while not file.exists():
            time.sleep(0.2)
        import json

        address = json.loads(file.read_text())["address"]
        running = trial.start("--scheduler", address)
        time.sleep(trial.chance.uniform(6.0, 15.0))
        _kill(first.pid)
        code, out = trial.finish(running)
        if code not in (0, 1) or "Traceback" in out:
            raise AssertionError(f"exit code {code}: {out}")
        trial.notes.append(f"scheduler killed, exit code {code}: {out.strip().splitlines()[-1][:90]}")
    finally:
        for process in (first, second):
            for child in [*children(process.pid), process.pid]:
                _kill(child)
            process.wait()


def blocks(trial: Trial) -> None:
    """Cuts, changes and removes blocks between runs."""
    trial.complete()
    damaged = []
    for path in sorted((trial.store / "blocks" / "solve").iterdir()):
        content, act = path.read_bytes(), trial.chance.choice(["cut", "change", "remove", "none"])
        if act == "remove":
            path.unlink()
        elif act != "none":
            place = trial.chance.randrange(len(content))
            flipped = bytes([content[place] ^ 1 << trial.chance.randrange(8)])
            path.write_bytes(content[:place] + (b"" if act == "cut" else flipped + content[place + 1 :]))
            damaged.append(path.name)
    (trial.store / "manifest.json").unlink(missing_ok=True)
    said: list[str] = []
    Store(str(trial.store), warn=said.append).read("solve")
    if sorted(name for name in damaged if any(name in line for line in said)) != sorted(damaged):
        raise AssertionError(f"damaged {damaged}, named {said}")
    trial.notes.append(f"{len(damaged)} blocks damaged, all named")


def two_clients(trial: Trial) -> None:
    """Runs two clients on one store, and kills one of them."""
    one, other = trial.start("--workers", "1"), trial.start("--workers", "1")
    if trial.chance.random() < 0.5:
        try:
            one.wait(timeout=trial.chance.uniform(5.0, 20.0))
        except subprocess.TimeoutExpired:
            _kill(one.pid)
    codes = [trial.finish(running)[0] for running in (one, other)]
    merged = subprocess.run(
        [sys.executable, "-m", "umigame.cluster", "compact", "--store", str(trial.store)],
        capture_output=True, text=True, check=True,
    )
    trial.notes.append(f"exit codes {codes}; {merged.stdout.strip()}")


def full_disk(trial: Trial) -> None:
    """Runs a job whose store has no room: the smallest tmpfs, or where that is not allowed a limit."""
    trial.store.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={trial.chance.choice([8, 12, 16])}k", "none", str(trial.store)],
        capture_output=True, check=False,
    ).returncode == 0
    try:
        limit = "" if mounted else (
            "import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (3000, resource.RLIM_INFINITY))"
        )
        code, out = trial.finish(trial.start(code=limit))
        if code not in (0, 1) or "Traceback" in out:
            raise AssertionError(f"exit code {code}: {out}")
        trial.notes.append(
            f"{'tmpfs' if mounted else 'limit'}: exit code {code}: {out.strip().splitlines()[-1][-60:]}"
        )
        if mounted:
            grown = ["mount", "-o", "remount,size=64m", str(trial.store)]
            subprocess.run(grown, check=True, capture_output=True)
        trial.complete()
        trial.check()
    finally:
        if mounted:
            subprocess.run(["umount", str(trial.store)], check=True)
            trial.notes.append("checked on it")


def clock(trial: Trial) -> None:
    """Runs a client whose clock jumps back an hour, and then another."""
    moment = trial.chance.uniform(2.0, 10.0)
    code = (
        "import time\ntrue, begun = time.time, time.monotonic()\n"
        f"time.time = lambda: true() - (3600 if time.monotonic() - begun > {moment} else 0)"
    )
    ended, out = trial.finish(trial.start(code=code))
    if ended not in (0, 1) or "Traceback" in out:
        raise AssertionError(f"exit code {ended}: {out}")
    trial.notes.append(f"clock back an hour after {moment:.1f} s, exit code {ended}")


FAULTS: dict[str, Callable[[Trial], None]] = {
    "workers": workers, "client": client, "scheduler": scheduler, "blocks": blocks,
    "two clients": two_clients, "full disk": full_disk, "clock": clock,
}


def _kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _positions(count: int) -> arrays.Bits:
    """Returns positions of 12 to 18 empties from games of random moves."""
    random_ = numpy.random.default_rng(1)
    found: list[arrays.Bits] = []
    while sum(map(len, found)) < count:
        position = numpy.repeat(arrays.from_boards(["start"]), 2000, axis=0)
        while len(position):
            legal = arrays.legal_moves(position)
            position, legal = position[legal != 0], legal[legal != 0]
            bits = (legal[:, None] >> numpy.arange(64, dtype=numpy.uint64)) & numpy.uint64(1)
            chosen = (bits * random_.random(bits.shape)).argmax(axis=1).astype(numpy.int8)
            position = arrays.apply(position, chosen)
            empties = empties_of(position)
            some = (empties >= 12) & (empties <= 18) & (random_.random(len(position)) < 0.02)
            found.append(position[some])
    return numpy.concatenate(found)[:count]


def main(words: list[str] | None = None) -> int:
    """Runs the seeds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="1-10", help="first and last seed (1-10)")
    parser.add_argument("--positions", type=int, default=600, help="positions of a job (600)")
    parser.add_argument("--folder", type=Path, help="where the stores lie; a temporary folder otherwise")
    arguments = parser.parse_args(words)
    first, _, last = arguments.seeds.partition("-")
    positions = _positions(arguments.positions)
    tasks = Tasks.of_positions("solve", positions, "exact")
    with Engine(threads=2, hash_mb=64) as engine:
        scores = engine.solve_many(tasks.subjects).evals.astype(int).tolist()
    from umigame.cluster.keys import key_list

    expected = dict(zip(key_list(tasks.keys), scores, strict=True))
    failed = 0
    for seed in range(int(first), int(last or first) + 1):
        with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
            file = Path(folder, "positions.obf")
            file.write_text("".join(f"{board.obf()}\n" for board in arrays.to_boards(positions)))
            failed += not _run(seed, Trial(Path(folder), file, expected, random.Random(seed), []))
    print(f"{failed} seeds failed")
    return 1 if failed else 0


def _run(seed: int, trial: Trial) -> bool:
    """Runs one seed, and returns whether all is well."""
    name = list(FAULTS)[seed % len(FAULTS)]
    begun = time.monotonic()
    try:
        FAULTS[name](trial)
        if name != "full disk":
            trial.complete()
            trial.check()
        verdict = "ok"
    except (AssertionError, subprocess.SubprocessError, OSError) as error:
        verdict = f"FAILED: {error}"
    seconds = time.monotonic() - begun
    print(f"seed {seed}: {name}: {'; '.join(trial.notes)}: {verdict} ({seconds:.0f} s)", flush=True)
    return verdict == "ok"


if __name__ == "__main__":
    sys.exit(main())
