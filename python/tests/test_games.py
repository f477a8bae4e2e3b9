"""Games and their files."""

import pickle
import random
import subprocess
import sys

import numpy as np
import pytest
import umigame
from test_board import random_board
from umigame import Board, Game, arrays


def random_game(seed):
    choice = random.Random(seed)
    game = Game(
        random_board(seed, choice.choice([0, 5, 30, 60])),
        black=f"Anna {seed}",
        white="Ben",
        place="Paris",
        date="2026",
        result=float(choice.randrange(-64, 65, 2)),
    )
    game.evals = [choice.choice([None, 1.25, -3.5]) for _ in game.moves]
    game.times = [choice.choice([None, 0.5, 12.0]) for _ in game.moves]
    return game


def without_last_pass(moves):
    """The moves that a transcript keeps: it implies passes but for one at its end."""
    return moves[:-1] if moves[-1:] == ["pass"] else moves


def test_round_trips():
    for seed in range(100):
        game = random_game(seed)
        assert Game.from_ggf(game.ggf()) == game
        for other in (Game.from_sgf(game.sgf()), Game.from_pgn(game.pgn())):
            assert other.moves == game.moves and other.black == game.black
        assert Game.from_transcript(game.transcript()).moves == without_last_pass(game.moves)
        assert Game.from_obf(game.obf()).start() == game.board()
        assert pickle.loads(pickle.dumps(game)) == game
        assert Game(game.board()).moves == game.moves
        assert len(game) == len(game.moves) == game.board().ply


def test_names_with_brackets_are_pickled():
    game = Game(Board("f5"), black="[A] (x)", white="\u6d77\u4e80", place="a]b")
    other = pickle.loads(pickle.dumps(game))
    assert (other.black, other.white, other.place) == (game.black, game.white, game.place)


def test_files_of_every_format(tmp_path):
    games = [random_game(seed) for seed in range(50)]
    for extension in ("ggf", "sgf", "pgn", "txt", "obf"):
        path = tmp_path / f"games.{extension}"
        assert umigame.write_games(path, games) == 50
        read = list(umigame.read_games(path))
        if extension == "obf":
            assert [game.start() for game in read] == [game.board() for game in games]
        elif extension == "txt":
            # Games without moves have no line.
            kept = [without_last_pass(game.moves) for game in games if game.moves]
            assert [game.moves for game in read] == kept
        else:
            assert [game.moves for game in read] == [game.moves for game in games]
    with pytest.raises(umigame.Error, match="game [0-9]+: WTHOR holds only games with a result"):
        umigame.write_games(tmp_path / "games.wtb", ["f5d6"])
    assert umigame.write_games(tmp_path / "games.wtb", games) == 50
    read = list(umigame.read_games(tmp_path / "games.wtb"))
    for game, found in zip(games, read, strict=True):
        assert found.moves == without_last_pass(game.moves)
        named = ("black", "white", "place", "date", "result")
        assert [getattr(found, name) for name in named] == [getattr(game, name) for name in named]
    with pytest.raises(umigame.Error, match="format `xyz` is unknown"):
        umigame.write_games(tmp_path / "games.ggf", games, format="xyz")
    (tmp_path / "games").touch()
    with pytest.raises(umigame.Error, match="extension names no format"):
        umigame.read_games(tmp_path / "games")
    with pytest.raises(FileNotFoundError, match="missing.ggf"):
        umigame.read_games(tmp_path / "missing.ggf")
    with pytest.raises(TypeError, match="a game is a Game, a Board or a str, not int"):
        umigame.write_games(tmp_path / "games.ggf", [7])


def test_faulty_games_are_named_and_skipped(tmp_path):
    path = tmp_path / "games.txt"
    path.write_text("f5d6c3\nf5f5\n\nf5d6\n")
    reader = umigame.read_games(path)
    assert next(reader).moves == ["f5", "d6", "c3"]
    with pytest.raises(umigame.ParseError, match=r"games.txt, game 2, line 2: .*f5"):
        next(reader)
    assert next(reader).moves == ["f5", "d6"]
    assert list(reader) == []
    assert len(list(umigame.read_games(path, errors="skip"))) == 2
    batches = arrays.read_games(path)
    assert len(next(batches).moves) == 3
    with pytest.raises(umigame.ParseError, match="game 2"):
        next(batches)
    assert sum(len(batch.moves) for batch in arrays.read_games(path, errors="skip")) == 5


def test_positions_of_games(tmp_path):
    games = [random_game(seed) for seed in range(60)]
    path = tmp_path / "games.ggf"
    umigame.write_games(path, games)
    batches = list(arrays.read_games(path, rows=100))
    assert len(batches) > 5
    number = np.concatenate([batch.games for batch in batches])
    moves = np.concatenate([batch.moves for batch in batches])
    scores = np.concatenate([batch.scores for batch in batches])
    positions = np.concatenate([batch.positions for batch in batches])
    for index, game in enumerate(games):
        board, rows = Board(), iter(np.flatnonzero(number == index))
        for move in game.moves:
            if move != "pass":
                row = next(rows)
                assert (board.player, board.opponent) == tuple(positions[row].tolist())
                assert umigame.square_name(int(moves[row])) == move
                score = game.final_score()
                assert scores[row] == (score if board.turn == "black" else -score)
            board.push(move)
        assert len(list(rows)) == (0 if game.moves else 1)


def test_wthor(data):
    path = data / "wthor" / "WTH_2024.wtb"
    games = list(umigame.read_games(path))
    assert len(games) > 1000 and games[0].black and games[0].place and games[0].date == "2024"
    batches = list(arrays.read_games(path))
    assert sum(len(batch.moves) for batch in batches) == sum(
        len([move for move in game.moves if move != "pass"]) for game in games
    )
    last = batches[-1]
    assert last.games[-1] == len(games) - 1
    for game in games[:100]:
        assert game.final_score() == game.result


def test_reference_ggf(data):
    games = list(umigame.read_games(data / "ggf" / "TestGames.ggf"))
    assert len(games) == 12
    assert all(Game.from_ggf(game.ggf()) == game for game in games)


def test_samples(tmp_path):
    path = tmp_path / "round-1.umi"
    arguments = ["learn", "--out", str(tmp_path), "--positions", "600", "--iterations", "1"]
    arguments += ["--depth", "1", "--exact-from", "4", "-q"]
    subprocess.run([sys.executable, "-m", "umigame", *arguments], check=True)
    batches = list(arrays.read_samples(path))
    assert sum(len(batch.scores) for batch in batches) > 500
    for batch in batches:
        assert np.array_equal(arrays.canonical(batch.positions)[0], batch.positions)
        assert set(np.unique(batch.kinds)) <= {0, 1, 2}
        assert (batch.scores[batch.kinds == 2] == arrays.NO_SCORE).all()
        assert (np.isnan(batch.evals) == (batch.depths == 0)).all()
    path.write_bytes(b"nonsense")
    with pytest.raises(umigame.ParseError, match="round-1.umi"):
        arrays.read_samples(path).__next__()


def test_wrong_values():
    game = Game("f5d6")
    with pytest.raises(umigame.Error, match="result 65"):
        game.result = 65.0
    with pytest.raises(umigame.Error, match="1 evals for 2 moves"):
        game.evals = [1.0]
    with pytest.raises(umigame.Error, match="eval nan|eval NaN"):
        game.evals = [float("nan"), None]
    with pytest.raises(umigame.Error, match="time=-1"):
        game.times = [-1.0, None]
    with pytest.raises(umigame.ParseError, match="no game"):
        Game.from_ggf("nonsense")
    with pytest.raises(umigame.ParseError, match="blank"):
        Game.from_obf("")
