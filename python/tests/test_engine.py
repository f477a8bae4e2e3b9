"""Engine, Limit, Report, RunningSearch, Explanation."""

import os
import pickle
import threading
import time

import numpy as np
import pytest
import reference
import umigame
from umigame import Board, Engine, Limit, arrays

BOARD = Board("f5d6c3d3c4")
# The first of the FFO test: X to move wins 18.
FFO_1 = Board.from_obf("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X")


def test_a_depth_finds_the_same_in_every_engine():
    reports = []
    for _ in range(2):
        with Engine(hash_mb=8) as engine:
            reports.append(engine.search(BOARD, Limit(depth=10)))
    one, other = reports
    assert (one.move, one.eval, one.nodes, one.pv) == (other.move, other.eval, other.nodes, other.pv)
    assert (one.depth, one.kind, one.confidence, one.is_proven) == (10, "10", 100, False)
    assert one.move == one.pv[0] == one.lines[0].move
    assert one.time > 0
    board = BOARD.copy()
    for move in one.pv:
        board.push(move)


def test_clear_forgets(engine):
    engine.clear()
    first = engine.search(BOARD, Limit(depth=8)).nodes
    assert engine.search(BOARD, Limit(depth=8)).nodes != first
    engine.clear()
    assert engine.search(BOARD, Limit(depth=8)).nodes == first


def test_several_lines(engine):
    report = engine.search(BOARD, Limit(depth=6), multipv=3)
    assert len(report.lines) == 3
    evals = [line.eval for line in report.lines]
    assert evals == sorted(evals, reverse=True)
    assert len({line.move for line in report.lines}) == 3
    assert {line.bound for line in report.lines} == {"exact"}


def test_an_estimate_says_how_sure_it_is(engine):
    report = engine.search(BOARD, Limit(depth=6), multipv=2)
    assert (report.std_dev, report.wdl) == (report.lines[0].std_dev, report.lines[0].wdl)
    for line in report.lines:
        assert 0 < line.std_dev < 20
        assert len(line.wdl) == 3 and all(0 <= share <= 1 for share in line.wdl)
        assert sum(line.wdl) == pytest.approx(1)
    assert report.seconds_to_exact > 0
    solved = engine.solve(FFO_1)
    assert (solved.std_dev, solved.wdl, solved.seconds_to_exact) == (0, (1, 0, 0), None)
    sign = engine.solve(FFO_1, wld=True)
    assert (sign.std_dev, sign.wdl) == (None, (1, 0, 0))
    low = engine.solve(FFO_1, window=(-2, 2))
    assert (low.lines[0].bound, low.std_dev, low.wdl) == ("lower", None, (1, 0, 0))
    below = engine.solve(FFO_1, window=(20, 22))
    assert (below.lines[0].bound, below.std_dev, below.wdl) == ("upper", None, None)


def test_callback_gets_every_iteration(engine):
    reports = []
    last = engine.search(BOARD, Limit(depth=7), callback=reports.append)
    assert [report.depth for report in reports] == list(range(1, 8))
    assert reports[-1].pv == last.pv

    def refuse(report):
        raise KeyError(report.depth)

    with pytest.raises(KeyError, match="1"):
        engine.search(BOARD, Limit(depth=12), callback=refuse)
    assert engine.search(BOARD, Limit(depth=5)).depth == 5


def test_limits_end_a_search(engine):
    assert engine.search(BOARD, Limit(nodes=20_000)).nodes < 40_000
    started = time.perf_counter()
    assert engine.play(BOARD, Limit(time=0.2)).time < 5
    assert time.perf_counter() - started >= 0.15
    assert engine.play(BOARD, Limit(clock=2.0, increment=0.1)).move in BOARD.legal_moves
    assert engine.play(BOARD, Limit(level=4)).kind == "4@73%"
    assert engine.search(BOARD, Limit(depth=6, confidence=73)).kind == "6@73%"
    assert engine.search(FFO_1, Limit(depth=8, exact_from=20)).is_proven


def test_a_level_with_a_name_errs_the_same_with_the_same_seed(engine):
    names = [level.level for level in umigame.levels() if not level.level.isdigit()]
    assert names and [level.level for level in umigame.levels()][len(names)] == "1"
    for level in names:
        board = Board()
        while not board.is_game_over():
            move = engine.play(board, level=level, seed=5).move
            assert move == engine.play(board, level=level, seed=5).move and move in board.legal_moves
            board.push(move)
    drawn = {engine.play(BOARD, level=names[0], seed=seed).move for seed in range(20)}
    assert len(drawn) > 1
    best = engine.play(BOARD, Limit(level=6))
    near = engine.play(BOARD, Limit(level=6), error=200, max_error=0, seed=1)
    assert best.eval - near.eval < 1e-9


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"level": "beginners"}, "level `beginners`: expected 1 to 30, or "),
        ({"level": "3"}, "expected a name, or Limit"),
        ({"level": "beginner", "error": 3}, "one of them"),
        ({"level": "beginner", "tolerance": 3}, "one of them"),
        ({"error": -1}, "error=-1: expected discs, 0 to 320"),
        ({"max_error": 4}, "max_error=4: expected an error"),
    ],
)
def test_wrong_errors(engine, arguments, text):
    with pytest.raises(ValueError, match=text):
        engine.play(BOARD, **arguments)


def test_limit_is_a_value():
    limit = Limit(depth=12, time=1.5)
    assert limit == Limit(depth=12, time=1.5) != Limit(depth=12)
    assert hash(limit) == hash(Limit(depth=12, time=1.5))
    assert pickle.loads(pickle.dumps(limit)) == limit
    assert repr(limit) == "Limit(depth=12, time=1.5)"
    assert (limit.depth, limit.time, limit.nodes, limit.increment) == (12, 1.5, None, 0.0)


def test_solve(engine):
    report = engine.solve(FFO_1)
    assert (report.eval, report.kind, report.is_proven) == (18.0, "100%", True)
    report = engine.solve(FFO_1, wld=True)
    assert report.eval > 0 and report.kind == "100%W"
    report = engine.solve(FFO_1, window=(-2, 2))
    assert report.lines[0].bound == "lower"
    report = engine.solve(FFO_1, multipv=64)
    assert len(report.lines) == len(FFO_1.legal_moves)


def test_the_end_of_the_game(engine):
    board = Board()
    while not board.is_game_over():
        board.push(board.legal_moves[0])
    report = engine.search(board, Limit(depth=4))
    assert (report.lines, report.pv, report.to_dict()["move"]) == ([], [], None)
    assert report.eval == (1 if board.turn == "black" else -1) * board.result()
    with pytest.raises(umigame.IllegalMove, match="over"):
        report.move
    with pytest.raises(umigame.IllegalMove, match="over"):
        engine.play(board)


def test_a_whole_game(engine):
    board = Board()
    while not board.is_game_over():
        board.push(engine.play(board, Limit(depth=3)).move)
    assert board.result() is not None


def test_evaluation(engine):
    value = engine.evaluate(BOARD)
    assert isinstance(value, float)
    assert {engine.evaluate(image) for image in BOARD.symmetries()} == {value}
    explanation = engine.explain(BOARD)
    assert explanation.eval == value
    total = explanation.baseline + sum(explanation.groups.values())
    assert total == pytest.approx(value)
    assert explanation.counts["discs"] == (BOARD.count("black"), BOARD.count("white"))
    assert "Black" in str(explanation)


def test_a_running_search_grows(engine):
    with engine.start(BOARD, Limit(depth=8), multipv=2) as running:
        reports = list(running)
    assert [report.depth for report in reports] == list(range(1, 9))
    assert running.wait().depth == 8
    assert list(running) == []


def test_a_running_search_stops(engine):
    for _ in range(20):
        with engine.start(Board()) as running:
            first = next(running)
            with pytest.raises(umigame.EngineError, match="a search runs"):
                engine.search(BOARD, Limit(depth=1))
            with pytest.raises(umigame.EngineError, match="a search runs"):
                engine.start(BOARD)
        assert first.depth == 1
        assert running.wait().depth >= 1
        running.stop()
        assert engine.search(BOARD, Limit(depth=1)).depth == 1


def test_a_dropped_search_frees_the_engine():
    engine = Engine(hash_mb=1)
    running = engine.start(Board())
    next(running)
    del running
    deadline = time.monotonic() + 10
    while True:
        try:
            engine.search(BOARD, Limit(depth=1))
            break
        except umigame.EngineError:
            assert time.monotonic() < deadline
            time.sleep(0.01)


def test_a_closed_engine_says_so():
    engine = Engine(hash_mb=1)
    running = engine.start(Board())
    engine.close()
    engine.close()
    assert list(running)[-1:] is not None
    for call in (engine.search, engine.solve, engine.play):
        with pytest.raises(umigame.EngineError, match="closed"):
            call(FFO_1)
    assert engine.evaluate(BOARD)


def test_many(engine, million):
    some = reference.random_positions(6000, seed=5)
    some = some[np.bitwise_count(some[:, 0] | some[:, 1]) >= 54][:200]
    done = []
    solved = engine.solve_many(some, callback=lambda count, total: done.append((count, total)))
    assert done == [(count, len(some)) for count in range(1, len(some) + 1)]
    assert len(solved) == len(some) and solved.proven.all()
    assert not solved.std_devs.any()
    assert np.array_equal(solved.wins, solved.evals > 0)
    assert np.array_equal(solved.losses, solved.evals < 0)
    for row, board in enumerate(arrays.to_boards(some[:40])):
        one = engine.solve(board)
        assert one.eval == solved.evals[row]
        if solved.moves[row] >= 0:
            moved = arrays.apply(some[row : row + 1], solved.moves[row : row + 1])
            assert -engine.solve(arrays.to_boards(moved)[0]).eval == one.eval
        else:
            assert board.is_game_over()
    found = engine.search_many(million[:50], Limit(depth=4))
    for row, board in enumerate(arrays.to_boards(million[:50])):
        engine.clear()
        report = engine.search(board, Limit(depth=4))
        assert np.float32(report.eval) == found.evals[row]
        assert np.float32(report.std_dev) == found.std_devs[row]
        assert np.float32(report.wdl[0]) == found.wins[row]
        assert np.float32(report.wdl[2]) == found.losses[row]
        assert report.nodes == found.nodes[row]


def test_evaluate_many_is_evaluate(engine, million):
    values = engine.evaluate_many(million)
    assert values.dtype == np.float32 and values.shape == (len(million),)
    for row in range(0, len(million), 5000):
        board = arrays.to_boards(million[row : row + 1])[0]
        assert np.float32(engine.evaluate(board)) == values[row]
    rows = []
    engine.evaluate_many(million[:10_000], callback=lambda count, total: rows.append((count, total)))
    assert rows[-1] == (10_000, 10_000) and sorted(rows) == rows


def test_evaluate_many_beside_one_call_each(engine, million):
    started = time.perf_counter()
    values = engine.evaluate_many(million)
    batch = len(million) / (time.perf_counter() - started)
    boards = arrays.to_boards(million[:50_000])
    started = time.perf_counter()
    each = [engine.evaluate(board) for board in boards]
    single = len(boards) / (time.perf_counter() - started)
    assert np.array_equal(np.array(each, dtype=np.float32), values[:50_000])
    print(f"\nevaluate: batch of {len(million):,} {batch:,.0f} positions/s, one call each {single:,.0f}/s")


def test_two_threads_on_one_engine_and_on_two(engine):
    expected = {depth: Engine().search(BOARD, Limit(depth=depth)).eval for depth in (5, 6, 7)}
    wrong = []

    def work(own):
        for _ in range(10):
            for depth, value in expected.items():
                if own.search(BOARD, Limit(depth=depth)).eval != value:
                    wrong.append(depth)
                if arrays.legal_moves(reference.random_positions(10_000)).size != 10_000:
                    wrong.append("arrays")

    for engines in ([engine, engine], [Engine(), Engine(threads=2)]):
        threads = [threading.Thread(target=work, args=(own,)) for own in engines]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []


def stopped_after(engine, seconds, call):
    """The seconds that a call took after the engine was stopped, and its result or exception."""
    stopped = None

    def stop():
        nonlocal stopped
        stopped = time.perf_counter()
        engine.stop()

    timer = threading.Timer(seconds, stop)
    timer.start()
    try:
        result = call()
    except umigame.EngineError as error:
        result = error
    took = time.perf_counter() - stopped
    timer.join()
    return took, result


def test_stop_ends_a_call_of_another_thread(engine):
    engine.stop()
    for call in (engine.search, engine.play):
        took, report = stopped_after(engine, 0.1, lambda: call(Board(), Limit(depth=60)))
        assert report.move in Board().legal_moves and took < 5
    took, report = stopped_after(engine, 0.1, lambda: engine.start(Board()).wait())
    assert report.move in Board().legal_moves and took < 5
    many = np.tile(arrays.from_boards([Board()]), (100, 1))
    for call in (
        lambda: engine.search_many(many, Limit(depth=30)),
        lambda: engine.solve_many(many),
        lambda: umigame.analyze_game("f5d6c3d3c4", Limit(depth=60), engine=engine),
    ):
        took, error = stopped_after(engine, 0.1, call)
        assert isinstance(error, umigame.EngineError) and "stopped" in str(error) and took < 5
    assert engine.search(BOARD, Limit(depth=3)).depth == 3


@pytest.mark.slow
def test_stop_ends_a_search_within_10_ms_1000_times():
    engine, times = Engine(hash_mb=16, threads=2), []
    for _ in range(1000):
        with engine.start(Board()) as running:
            next(running)
            times.append(stopped_after(engine, 0.005, running.wait)[0])
    print(f"\n{max(times) * 1000:.1f} ms at most, {sum(times):.3f} ms on average")
    assert max(times) < 0.01


def test_a_move_may_be_drawn_by_a_seed(engine):
    limit, start = Limit(depth=4), Board("f5d6c3d3c4")
    evals = {line.move: line.eval for line in engine.search(start, limit, multipv=64).lines}
    best = max(evals.values())
    drawn = [engine.play(start, limit, tolerance=6.0, seed=seed) for seed in range(40)]
    assert len({report.move for report in drawn}) > 1
    assert all(evals[report.move] >= best - 6.0 for report in drawn)
    again = engine.play(start, limit, tolerance=6.0, seed=7)
    assert (again.move, len(again.lines)) == (drawn[7].move, 1)
    assert engine.play(start, limit).eval == best


def test_other_threads_run_during_a_search(engine):
    count, over = 0, threading.Event()

    def counter():
        nonlocal count
        while not over.is_set():
            count += 1
            time.sleep(0.001)

    thread = threading.Thread(target=counter)
    thread.start()
    engine.search(Board(), Limit(time=0.5))
    over.set()
    thread.join()
    assert count > 20


def test_weights(tmp_path):
    path = tmp_path / "bad.weights"
    path.write_bytes(b"no weights")
    with pytest.raises(umigame.ParseError, match="bad.weights"):
        Engine(weights=path)
    with pytest.raises(umigame.ParseError, match="weights"):
        Engine(weights=b"no weights")
    with pytest.raises(FileNotFoundError, match="missing"):
        Engine(weights=tmp_path / "missing")
    with pytest.raises(TypeError, match="weights are a path or bytes"):
        Engine(weights=7)
    assert Engine().weights_checksum == Engine().weights_checksum != 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_named_pipe_has_no_weights(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="pipe: a pipe, expected a file"):
        Engine(weights=tmp_path / "pipe")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"threads": 0}, "threads=0"),
        ({"threads": 10_000}, "threads=10000"),
        ({"threads": -1}, "threads=-1: expected 1 to 256"),
        ({"hash_mb": 0}, "hash_mb=0: expected 1 to"),
        ({"hash_mb": -1}, "hash_mb=-1: expected 1 to"),
        ({"hash_mb": 1 << 70}, "hash_mb=1180591620717411303424: expected 1 to"),
        ({"hash_mb": 1 << 40}, "hash of"),
    ],
)
def test_wrong_engines(arguments, text):
    with pytest.raises(umigame.Error, match=text):
        Engine(**arguments)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"depth": 0}, "depth=0: expected 1 to 60"),
        ({"depth": 61}, "depth=61"),
        ({"level": 31}, "level=31"),
        ({"depth": 3, "level": 3}, "one of them"),
        ({"confidence": 50}, "confidence=50"),
        ({"exact_from": 61}, "exact_from=61"),
        ({"nodes": 0}, "nodes=0"),
        ({"nodes": -1}, "nodes=-1: expected 1 to 18446744073709551615"),
        ({"nodes": 1 << 64}, "nodes=18446744073709551616: expected 1 to"),
        ({"depth": -3}, "depth=-3: expected 1 to 60"),
        ({"level": 10**40}, "level=1000000000000000000000000000000000000000[.]{3}: expected 1 to 30"),
        ({"confidence": -73}, "confidence=-73: expected 73"),
        ({"time": 10**400}, "time=inf: expected seconds"),
        ({"time": -1}, "time=-1"),
        ({"time": float("nan")}, "time=NaN"),
        ({"time": float("inf")}, "time=inf"),
        ({"clock": 1e300}, "clock="),
        ({"increment": -1.0}, "increment=-1"),
    ],
)
def test_wrong_limits(arguments, text):
    with pytest.raises(umigame.Error, match=text):
        Limit(**arguments)


def test_wrong_arguments(engine):
    with pytest.raises(umigame.Error, match="multipv=0: expected 1 to 64"):
        engine.search(BOARD, multipv=0)
    with pytest.raises(umigame.Error, match="multipv=-1: expected 1 to 64"):
        engine.search(BOARD, multipv=-1)
    with pytest.raises(umigame.Error, match="tolerance=-1"):
        engine.play(BOARD, tolerance=-1)
    with pytest.raises(umigame.Error, match="seed=-1: expected 0 to"):
        engine.play(BOARD, seed=-1)
    with pytest.raises(TypeError, match="multipv"):
        engine.search(BOARD, multipv="2")
    with pytest.raises(umigame.Error, match="lower first"):
        engine.solve(BOARD, window=(3, 3))
    with pytest.raises(umigame.Error, match="one of them"):
        engine.solve(BOARD, wld=True, window=(0, 2))
    with pytest.raises(TypeError, match="Board or a str, not int"):
        engine.search(3)
    with pytest.raises(TypeError, match=r"uint64, not int64 of shape \(1, 2\)"):
        engine.evaluate_many(np.zeros((1, 2), dtype=np.int64))
    with pytest.raises(TypeError, match=r"uint64, not uint64 of shape \(2, 3\)"):
        engine.evaluate_many(np.zeros((2, 3), dtype=np.uint64))
    with pytest.raises(TypeError, match="uint64, not list"):
        engine.evaluate_many([[1, 2]])
    with pytest.raises(umigame.Error, match=r"positions\[1\]: player and opponent share squares: b1"):
        arrays.legal_moves(np.array([[1, 2], [2, 2]], dtype=np.uint64))
    start = arrays.from_boards([Board()])
    with pytest.raises(umigame.IllegalMove, match=r"moves\[0\]: a1 is illegal"):
        arrays.apply(start, np.array([0], dtype=np.int8))
    with pytest.raises(umigame.IllegalMove, match=r"moves\[0\]: no move"):
        arrays.apply(start, np.array([-1], dtype=np.int8))
    with pytest.raises(umigame.Error, match="1 positions and 2 moves"):
        arrays.apply(start, np.array([0, 1], dtype=np.int8))
