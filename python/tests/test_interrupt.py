"""Ctrl-C in every long call.

Each call runs in a process of its own, which sends itself SIGINT from another thread and reports how
long the call went on.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROLOGUE = """
import os, signal, sys, threading, time
# A shell's background jobs ignore SIGINT, and so do the programs that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
import numpy as np
sys.path.insert(0, {tests!r})
import reference, umigame
from umigame import Board, Book, Engine, Game, Limit, arrays, analyze_game
from test_board import random_board
engine = Engine(threads={threads}, hash_mb=16)
engine.evaluate(Board())
start = arrays.from_boards([Board()] * 1000)
sent = None
def interrupt():
    global sent
    sent = time.perf_counter()
    os.kill(os.getpid(), signal.SIGINT)
{prepare}
timer = threading.Timer(0.4, interrupt)
timer.start()
try:
    {call}
except KeyboardInterrupt:
    took = time.perf_counter() - sent
    # The engine and the interpreter serve on.
    assert engine.search(Board(), Limit(depth=2)).depth == 2
    print("interrupted", took)
else:
    print("ended by itself")
"""

CALLS = {
    "search": ("", "engine.search(Board(), Limit(depth=40))"),
    "play": ("", "engine.play(Board(), Limit(time=60))"),
    "solve": ("", "engine.solve(Board())"),
    "callback": ("", "engine.search(Board(), Limit(depth=40), callback=lambda report: None)"),
    "start": ("", "list(engine.start(Board()))"),
    "with start": ("", "\n    with engine.start(Board()) as a:\n        a.wait()"),
    "wait": ("running = engine.start(Board())", "\n    try: running.wait()\n    finally: running.stop()"),
    "evaluate_many": ("many = np.tile(reference.random_positions(100_000), (100, 1))", "engine.evaluate_many(many)"),
    "search_many": ("", "engine.search_many(start, Limit(depth=20))"),
    "search_many of shallow searches": ("", "engine.search_many(np.tile(start, (1000, 1)), Limit(depth=3))"),
    "solve_many": ("", "engine.solve_many(start)"),
    "analyze_game": ("game = random_board(1)", "analyze_game(game, Limit(depth=20), engine=engine)"),
    "analyze_game alone": ("game = random_board(1)", "analyze_game(game, Limit(depth=20))"),
    "book.add": (
        "import tempfile; f = tempfile.TemporaryDirectory(); book = Book(f.name + '/b', 'a')\n"
        "games = [Game(random_board(seed), black=str(n)) for seed in range(100) for n in range(200)]",
        # Known games from the second time on.
        "\n    while True: book.add(games)",
    ),
    "book.grow": (
        "import tempfile; f = tempfile.TemporaryDirectory(); book = Book(f.name + '/b', 'a')",
        "book.grow(60, limit=Limit(depth=18))",
    ),
    "waiting for an engine": (
        "threading.Thread(target=lambda: engine.search(Board(), Limit(time=1.5)), daemon=True).start(); time.sleep(0.2)",
        "engine.search(Board(), Limit(depth=1))",
    ),
    "features": (
        "many = np.tile(reference.random_positions(100_000), (80, 1))",
        "\n    while True: arrays.features(many)",
    ),
    "read_games": (
        "import tempfile; f = tempfile.TemporaryDirectory(); path = f.name + '/g.ggf'\n"
        "umigame.write_games(path, [Game(random_board(seed)) for seed in range(50)] * 400)",
        "\n    while True: sum(1 for game in umigame.read_games(path))",
    ),
}


def run(name, threads):
    prepare, call = CALLS[name]
    code = PROLOGUE.format(
        tests=str(Path(__file__).parent), threads=threads, prepare=prepare, call=call
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    word, _, seconds = done.stdout.strip().rpartition(" ")
    assert word == "interrupted", done.stdout
    return float(seconds)


@pytest.mark.skipif(os.name == "nt", reason="SKIPPED: needs SIGINT")
@pytest.mark.parametrize("name", CALLS)
def test_interrupts_end_a_call(name):
    seconds = run(name, 2)
    print(f"\n{name}: {seconds * 1000:.0f} ms")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="SKIPPED: needs SIGINT")
@pytest.mark.parametrize("name", CALLS)
def test_interrupts_end_a_call_within_a_tenth_of_a_second(name):
    times = [run(name, threads) for threads in (1, 2, 1, 2)]
    print(f"\n{name}: {max(times) * 1000:.0f} ms at most of {len(times)}")
    assert max(times) < 0.1
