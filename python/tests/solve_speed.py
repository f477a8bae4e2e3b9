"""Times a batch solve beside `umigame solve` on the same file, alternately: wall and processor time.

    python solve_speed.py FILE.obf [--binary BINARY] [--threads N] [--rounds N] [--positions N]

Without a binary it is `python -m umigame solve`, whose start takes some tenths of a second more.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from umigame import Board, Engine, arrays


class Stopwatch:
    """Wall and processor time of a block, in seconds."""

    def __init__(self, who: int) -> None:
        """Measures this process or its children."""
        self.who, self.wall, self.processor = who, 0.0, 0.0

    def _processor(self) -> float:
        usage = resource.getrusage(self.who)
        return usage.ru_utime + usage.ru_stime

    def __enter__(self) -> "Stopwatch":
        self.wall, self.processor = -time.perf_counter(), -self._processor()
        return self

    def __exit__(self, *error: object) -> None:
        self.wall += time.perf_counter()
        self.processor += self._processor()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--binary", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--positions", type=int, default=1 << 30)
    words = parser.parse_args()
    lines = [line for line in words.file.read_text().splitlines() if line.strip()][: words.positions]
    positions = arrays.from_boards([Board.from_obf(line) for line in lines])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "positions.obf")
        path.write_text("\n".join(lines) + "\n")
        program = [words.binary] if words.binary else [sys.executable, "-m", "umigame"]
        command = [*program, "solve", path, "--threads", str(words.threads)]
        binary, package = [], []
        for _ in range(words.rounds):
            with Stopwatch(resource.RUSAGE_CHILDREN) as watch:
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            binary.append(watch)
            with Stopwatch(resource.RUSAGE_SELF) as watch, Engine(threads=words.threads) as engine:
                results = engine.solve_many(positions)
            package.append(watch)
    print(f"{len(lines)} positions, {words.threads} threads, {results.nodes.sum():,} nodes")
    for clock in ("wall", "processor"):
        for name, watches in (("umigame solve", binary), ("solve_many", package)):
            times = [getattr(watch, clock) for watch in watches]
            spread = f"{min(times):.2f} to {max(times):.2f}"
            print(f"{clock:9} {name:14} {statistics.median(times):.2f} s ({spread}, {len(times)} rounds)")
        pairs = zip(package, binary, strict=True)
        ratio = statistics.median(getattr(one, clock) / getattr(other, clock) for one, other in pairs)
        print(f"{clock:9} solve_many / umigame solve: {ratio:.3f}, median of pairs")


if __name__ == "__main__":
    main()
