"""Memory stays flat over many engines and calls."""

import gc

import numpy as np
import pytest
import umigame
from umigame import Board, Engine, Game, Limit, arrays

resource = pytest.importorskip("resource", reason="SKIPPED: needs /proc")


def resident_mb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6


def one_round(board, positions):
    with Engine(hash_mb=1) as engine:
        report = engine.search(board, Limit(depth=2), multipv=2, callback=lambda report: None)
        engine.evaluate_many(positions)
        with engine.start(board, Limit(depth=2)) as running:
            next(running)
    engine = Engine(hash_mb=1, threads=2)
    report.lines[0].pv
    board.copy().push(report.move)
    Game.from_ggf(Game(board).ggf()).board()
    arrays.symmetries(positions)
    try:
        board.push("a1")
    except umigame.IllegalMove:
        pass


def test_memory_is_flat_over_10000_engines():
    board = Board("f5d6c3")
    positions = np.tile(arrays.from_boards([board]), (100, 1))
    for _ in range(500):
        one_round(board, positions)
    gc.collect()
    before = resident_mb()
    for _ in range(5_000):
        one_round(board, positions)
    gc.collect()
    grown = resident_mb() - before
    print(f"\n10,000 engines: {before:.1f} MB, {grown:+.1f} MB")
    assert grown < 5
