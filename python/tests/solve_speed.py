"""Times a batch solve beside `umigame solve` on the same file, alternately.

    python solve_speed.py BINARY FILE.obf [--threads N] [--rounds N] [--positions N]
"""

import argparse
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from umigame import Board, Engine, arrays


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--positions", type=int, default=1 << 30)
    words = parser.parse_args()
    lines = [line for line in words.file.read_text().splitlines() if line.strip()][: words.positions]
    positions = arrays.from_boards([Board.from_obf(line) for line in lines])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "positions.obf")
        path.write_text("\n".join(lines) + "\n")
        command = [words.binary, "solve", path, "--threads", str(words.threads)]
        binary, package = [], []
        for _ in range(words.rounds):
            started = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            binary.append(time.perf_counter() - started)
            started = time.perf_counter()
            with Engine(threads=words.threads) as engine:
                results = engine.solve_many(positions)
            package.append(time.perf_counter() - started)
    print(f"{len(lines)} positions, {words.threads} threads, {results.nodes.sum():,} nodes")
    for name, times in (("umigame solve", binary), ("solve_many", package)):
        low, high = min(times), max(times)
        print(f"{name:14} {statistics.median(times):.2f} s (median of {words.rounds}, {low:.2f} to {high:.2f})")
    ratio = statistics.median(one / other for one, other in zip(package, binary, strict=True))
    print(f"solve_many / umigame solve: {ratio:.3f} (median of pairs)")


if __name__ == "__main__":
    main()
