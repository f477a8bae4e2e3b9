"""Engines as processes, and matches: this package's own engine, and faulty ones."""

import json
import os
import pickle
import subprocess
import sys
import textwrap
import time

import pytest
import umigame
from test_board import random_board
from umigame import Board, Limit, arena

OWN = arena.own_command()
BOARD = Board("f5d6c3d3c4")


def program(tmp_path, text):
    """The command of a program in Python."""
    path = tmp_path / "engine.py"
    path.write_text(textwrap.dedent(text))
    return [sys.executable, str(path)]


@pytest.mark.parametrize("protocol", ["nboard", "gtp"])
def test_an_engine_chooses_moves(protocol):
    command = arena.own_command(protocol=protocol)
    with arena.EngineProcess(command, limit=Limit(depth=4), name="own") as engine:
        assert (engine.name, engine.protocol) == ("own", protocol)
        assert repr(engine) == f"EngineProcess(own, {protocol})"
        assert engine.go().move in Board().legal_moves
        board = BOARD.copy()
        for _ in range(6):
            engine.set_position(board)
            answer = engine.go()
            assert answer.time >= 0 and abs(answer.eval) <= 64
            board.push(answer.move)
    with pytest.raises(umigame.EngineError, match="closed"):
        engine.go()
    engine.close()


def test_a_position_that_must_pass_and_one_that_is_over():
    board = Board()
    over = random_board(1)
    passing = next(b for b in (random_board(seed, 58) for seed in range(500)) if "pass" in b.move_stack)
    while passing.pop() != "pass":
        pass
    with arena.EngineProcess(OWN, protocol="nboard", limit=Limit(depth=2)) as engine:
        engine.set_position(passing)
        assert engine.go().move == "pass"
        engine.set_position(over)
        with pytest.raises(umigame.IllegalMove, match="over"):
            engine.go()
        assert engine.hint(3) == []
        engine.set_position(board)
        assert engine.go().move in board.legal_moves


def test_hints():
    with arena.EngineProcess(OWN, protocol="nboard", limit=Limit(depth=6)) as engine:
        engine.set_position(BOARD)
        hints = engine.hint(3, seconds=10)
        assert len(hints) == 3 and len({hint.move for hint in hints}) == 3
        assert [hint.eval for hint in hints] == sorted((hint.eval for hint in hints), reverse=True)
        for hint in hints:
            board = BOARD.copy()
            for move in hint.pv:
                board.push(move)
        assert hints[0].to_dict()["move"] == hints[0].move
    with arena.EngineProcess(OWN, protocol="nboard", limit=Limit(depth=60)) as engine:
        started = time.perf_counter()
        assert engine.hint(1, seconds=0.3)[0].move in Board().legal_moves
        assert time.perf_counter() - started < 20
    with arena.EngineProcess(arena.own_command(protocol="gtp"), protocol="gtp") as engine:
        with pytest.raises(umigame.EngineError, match="GTP has no hints"):
            engine.hint()
        assert engine.go().move in Board().legal_moves


def test_faulty_engines(tmp_path):
    with pytest.raises(umigame.EngineError, match="no-such-engine"):
        arena.EngineProcess("./no-such-engine")
    with pytest.raises(umigame.EngineError, match="exit status: 3"):
        arena.EngineProcess(program(tmp_path, "import sys; sys.exit(3)"))
    silent = program(tmp_path, "import time; time.sleep(600)")
    started = time.perf_counter()
    with pytest.raises(umigame.EngineError, match="no answer"):
        arena.EngineProcess(silent, start_timeout=0.5)
    assert time.perf_counter() - started < 30
    illegal = program(
        tmp_path,
        """
        import sys
        for line in sys.stdin:
            if line.startswith("ping"):
                print("pong", line.split()[1], flush=True)
            elif line.startswith("go"):
                print("=== A1", flush=True)
            elif line.startswith("quit"):
                break
        """,
    )
    with arena.EngineProcess(illegal, protocol="nboard") as engine:
        with pytest.raises(umigame.EngineError, match="illegally: `a1`"):
            engine.go()
        with pytest.raises(umigame.EngineError, match="ended after a fault"):
            engine.go()
    result = arena.play_match(illegal, OWN, games=2, limit=Limit(depth=1))
    assert (result.wins, result.losses) == (0, 2)
    assert {game.forfeit.kind for game in result.games} == {"illegal"}
    assert {abs(game.score) for game in result.games} == {64}


def test_wrong_arguments():
    with pytest.raises(umigame.Error, match="expected 'auto', 'nboard' or 'gtp'"):
        arena.EngineProcess(OWN, protocol="uci")
    with pytest.raises(TypeError, match="an engine is a command"):
        arena.EngineProcess(7)
    with pytest.raises(umigame.Error, match="without a command"):
        arena.EngineProcess("")
    with pytest.raises(umigame.Error, match="confidence and exact_from"):
        arena.EngineProcess(OWN, limit=Limit(depth=3, confidence=73))
    with pytest.raises(umigame.Error, match="games=3: expected an even number"):
        arena.play_match(OWN, OWN, games=3)
    with pytest.raises(umigame.Error, match="games=-2: expected 2 to"):
        arena.play_match(OWN, OWN, games=-2)
    with pytest.raises(umigame.Error, match="random moves do not make"):
        arena.random_openings(100, plies=1)


def test_a_match():
    arrived = []
    result = arena.play_match(
        arena.EngineProcess(OWN, name="strong", protocol="nboard", limit=Limit(depth=5)),
        f"[name=weak depth=1] '{sys.executable}' -m umigame nboard",
        games=8, threads=2, seed=5, callback=arrived.append,
    )
    assert result.names == ["strong", "weak"]
    assert result.wins + result.draws + result.losses == 8 == len(result.games)
    assert result.games == arrived
    assert result.wins > result.losses and result.elo.low <= result.elo.value <= result.elo.high
    assert str(result).startswith(f"strong - weak: +{result.wins} ")
    openings = {}
    for game in result.games:
        board = game.game.board()
        assert game.forfeit is None and board.is_game_over() and board.result() == game.score
        assert {game.game.black, game.game.white} == {"strong", "weak"}
        assert game.opening_plies >= 8
        openings.setdefault(game.number // 2, set()).add(tuple(game.game.moves[:8]))
        assert any(eval is not None for eval in game.game.evals)
    # The games of a pair have one opening; pairs differ.
    assert {len(moves) for moves in openings.values()} == {1}
    assert len(set.union(*openings.values())) == 4
    assert pickle.loads(pickle.dumps(result)) == result
    json.dumps(result.to_dict(), allow_nan=False)


def test_openings_of_a_match():
    openings = [Board("f5d6c3"), "f5f6e6", umigame.Game("f5f4")]
    result = arena.play_match(OWN, OWN, openings=openings, games=6, limit=Limit(depth=1))
    starts = {game.game.transcript()[: 2 * game.opening_plies] for game in result.games}
    assert starts == {"f5d6c3", "f5f6e6", "f5f4"}
    assert result.names == ["python3", "python3-2"] or result.names[1] == result.names[0] + "-2"


def test_a_callback_ends_a_match():
    def refuse(game):
        raise KeyError(game.number)

    with pytest.raises(KeyError, match="0"):
        arena.play_match(OWN, OWN, games=100, limit=Limit(depth=1), callback=refuse)


@pytest.mark.skipif(os.name == "nt", reason="SKIPPED: needs SIGINT")
@pytest.mark.parametrize(
    "call",
    [
        "arena.play_match(own, own, games=1000, limit=Limit(depth=1))",
        "arena.EngineProcess(own, protocol='nboard', limit=Limit(depth=60)).go()",
    ],
)
def test_an_interrupt_ends_engines_too(call):
    code = f"""
import os, signal, threading
signal.signal(signal.SIGINT, signal.default_int_handler)
from umigame import Limit, arena
own = arena.own_command()
threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    {call}
except KeyboardInterrupt:
    children = open(f"/proc/self/task/{{os.getpid()}}/children").read().split()
    print("interrupted", len(children))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["interrupted", "0"], done.stdout + done.stderr
