"""Engine, Limit, Report, Analysis, Evaluation, Explanation."""

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
            reports.append(engine.analyse(BOARD, Limit(depth=10)))
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
    first = engine.analyse(BOARD, Limit(depth=8)).nodes
    assert engine.analyse(BOARD, Limit(depth=8)).nodes != first
    engine.clear()
    assert engine.analyse(BOARD, Limit(depth=8)).nodes == first


def test_several_lines(engine):
    report = engine.analyse(BOARD, Limit(depth=6), multipv=3)
    assert len(report.lines) == 3
    evals = [line.eval for line in report.lines]
    assert evals == sorted(evals, reverse=True)
    assert len({line.move for line in report.lines}) == 3
    assert {line.bound for line in report.lines} == {"exact"}


def test_an_estimate_says_how_sure_it_is(engine):
    report = engine.analyse(BOARD, Limit(depth=6), multipv=2)
    assert (report.sigma, report.odds) == (report.lines[0].sigma, report.lines[0].odds)
    for line in report.lines:
        assert 0 < line.sigma < 20
        assert len(line.odds) == 3 and all(0 <= share <= 1 for share in line.odds)
        assert sum(line.odds) == pytest.approx(1)
    solved = engine.solve(FFO_1)
    assert (solved.sigma, solved.odds) == (0, (1, 0, 0))
    sign = engine.solve(FFO_1, wld=True)
    assert (sign.sigma, sign.odds) == (None, (1, 0, 0))
    low = engine.solve(FFO_1, window=(-2, 2))
    assert (low.lines[0].bound, low.sigma, low.odds) == ("lower", None, (1, 0, 0))
    below = engine.solve(FFO_1, window=(20, 22))
    assert (below.lines[0].bound, below.sigma, below.odds) == ("upper", None, None)


def test_callback_gets_every_iteration(engine):
    reports = []
    last = engine.analyse(BOARD, Limit(depth=7), callback=reports.append)
    assert [report.depth for report in reports] == list(range(1, 8))
    assert reports[-1].pv == last.pv

    def refuse(report):
        raise KeyError(report.depth)

    with pytest.raises(KeyError, match="1"):
        engine.analyse(BOARD, Limit(depth=12), callback=refuse)
    assert engine.analyse(BOARD, Limit(depth=5)).depth == 5


def test_limits_end_a_search(engine):
    assert engine.analyse(BOARD, Limit(nodes=20_000)).nodes < 40_000
    started = time.perf_counter()
    assert engine.play(BOARD, Limit(time=0.2)).time < 5
    assert time.perf_counter() - started >= 0.15
    assert engine.play(BOARD, Limit(clock=2.0, increment=0.1)).move in BOARD.legal_moves
    assert engine.play(BOARD, Limit(level=4)).kind == "4@73%"
    assert engine.analyse(BOARD, Limit(depth=6, confidence=73)).kind == "6@73%"
    assert engine.analyse(FFO_1, Limit(depth=8, exact_from=20)).is_proven


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
    report = engine.analyse(board, Limit(depth=4))
    assert (report.move, report.lines, report.pv) == (None, [], [])
    assert report.eval == board.score()
    with pytest.raises(umigame.IllegalMove, match="over"):
        engine.play(board)


def test_a_whole_game(engine):
    board = Board()
    while not board.is_game_over():
        board.push(engine.play(board, Limit(depth=3)).move)
    assert board.result() is not None


def test_evaluation(engine):
    value = engine.evaluate(BOARD)
    assert float(value) == value.eval
    assert {float(engine.evaluate(image)) for image in BOARD.symmetries()} == {value.eval}
    assert value == engine.evaluate(BOARD.copy()) and hash(value) == hash(engine.evaluate(BOARD))
    explanation = engine.explain(BOARD)
    assert explanation.eval == value.eval
    total = explanation.baseline + sum(explanation.groups.values())
    assert total == pytest.approx(value.eval)
    assert explanation.counts["discs"] == (BOARD.count("black"), BOARD.count("white"))
    assert "Black" in str(explanation)


def test_an_analysis_grows(engine):
    with engine.analysis(BOARD, Limit(depth=8), multipv=2) as analysis:
        reports = list(analysis)
    assert [report.depth for report in reports] == list(range(1, 9))
    assert analysis.wait().depth == 8
    assert list(analysis) == []


def test_an_analysis_stops(engine):
    for _ in range(20):
        with engine.analysis(Board()) as analysis:
            first = next(analysis)
            with pytest.raises(umigame.EngineError, match="analysis"):
                engine.analyse(BOARD, Limit(depth=1))
            with pytest.raises(umigame.EngineError, match="analysis"):
                engine.analysis(BOARD)
        assert first.depth == 1
        assert analysis.wait().depth >= 1
        analysis.stop()
        assert engine.analyse(BOARD, Limit(depth=1)).depth == 1


def test_a_dropped_analysis_frees_the_engine():
    engine = Engine(hash_mb=1)
    analysis = engine.analysis(Board())
    next(analysis)
    del analysis
    deadline = time.monotonic() + 10
    while True:
        try:
            engine.analyse(BOARD, Limit(depth=1))
            break
        except umigame.EngineError:
            assert time.monotonic() < deadline
            time.sleep(0.01)


def test_a_closed_engine_says_so():
    engine = Engine(hash_mb=1)
    analysis = engine.analysis(Board())
    engine.close()
    engine.close()
    assert list(analysis)[-1:] is not None
    for call in (engine.analyse, engine.solve, engine.play):
        with pytest.raises(umigame.EngineError, match="closed"):
            call(FFO_1)
    assert float(engine.evaluate(BOARD))


def test_many(engine, million):
    some = reference.random_positions(6000, seed=5)
    some = some[np.bitwise_count(some[:, 0] | some[:, 1]) >= 54][:200]
    done = []
    solved = engine.solve_many(some, callback=lambda count, total: done.append((count, total)))
    assert done == [(count, len(some)) for count in range(1, len(some) + 1)]
    assert len(solved) == len(some) and solved.proven.all()
    assert not solved.sigmas.any()
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
    found = engine.analyse_many(million[:50], Limit(depth=4))
    for row, board in enumerate(arrays.to_boards(million[:50])):
        engine.clear()
        report = engine.analyse(board, Limit(depth=4))
        assert np.float32(report.eval) == found.evals[row]
        assert np.float32(report.sigma) == found.sigmas[row]
        assert np.float32(report.odds[0]) == found.wins[row]
        assert np.float32(report.odds[2]) == found.losses[row]
        assert report.nodes == found.nodes[row]


def test_evaluate_many_is_evaluate(engine, million):
    values = engine.evaluate_many(million)
    assert values.dtype == np.float32 and values.shape == (len(million),)
    for row in range(0, len(million), 5000):
        board = arrays.to_boards(million[row : row + 1])[0]
        assert np.float32(float(engine.evaluate(board))) == values[row]
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
    assert np.array_equal(np.array([float(one) for one in each], dtype=np.float32), values[:50_000])
    print(f"\nevaluate: batch of {len(million):,} {batch:,.0f} positions/s, one call each {single:,.0f}/s")


def test_two_threads_on_one_engine_and_on_two(engine):
    expected = {depth: Engine().analyse(BOARD, Limit(depth=depth)).eval for depth in (5, 6, 7)}
    wrong = []

    def work(own):
        for _ in range(10):
            for depth, value in expected.items():
                if own.analyse(BOARD, Limit(depth=depth)).eval != value:
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


def test_other_threads_run_during_a_search(engine):
    count, over = 0, threading.Event()

    def counter():
        nonlocal count
        while not over.is_set():
            count += 1
            time.sleep(0.001)

    thread = threading.Thread(target=counter)
    thread.start()
    engine.analyse(Board(), Limit(time=0.5))
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


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"threads": 0}, "threads=0"),
        ({"threads": 10_000}, "threads=10000"),
        ({"hash_mb": 0}, "hash of 0 MB"),
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
    with pytest.raises(umigame.Error, match="multipv=0"):
        engine.analyse(BOARD, multipv=0)
    with pytest.raises(umigame.Error, match="lower first"):
        engine.solve(BOARD, window=(3, 3))
    with pytest.raises(umigame.Error, match="one of them"):
        engine.solve(BOARD, wld=True, window=(0, 2))
    with pytest.raises(TypeError, match="Board or a str, not int"):
        engine.analyse(3)
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
