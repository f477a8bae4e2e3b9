"""Everything that the package returns pickles, copies, compares and has `to_dict`."""

import copy
import json
import pickle

import pytest
import umigame
from test_board import random_board
from umigame import Board, Book, Engine, Game, Limit, analyze_game, arrays


def values(folder):
    """A value of every class, by its name."""
    engine = Engine(hash_mb=1)
    board = random_board(3, 40)
    report = engine.search(board, Limit(depth=4), multipv=3)
    game = Game(board, black="[Anna]", white="Ben", date="2026", result=4)
    game.evals = [1.25 if index % 3 else None for index in range(len(game))]
    analysis = analyze_game(game, Limit(depth=2, exact_from=10), engine=engine)
    with Book(folder / "book.sqlite", "a") as book:
        book.add([Game(random_board(seed), black=str(seed)) for seed in range(30)])
        position = book.view(Board())
        book.grow(0.2, limit=Limit(depth=2))
        move = book.moves(Board())[0]
    positions = arrays.from_boards([board, Board()])
    some = [
        board, game, Limit(depth=3, time=1.5, confidence=73), report, report.lines[0], report.wdl,
        engine.solve(random_board(1, 56), wld=True), engine.search(random_board(1)),
        engine.explain(board), engine.search_many(positions, Limit(depth=2)),
        engine.solve_many(positions[:1], window=(62, 64)),
        analysis, analysis.moves[0], analysis.totals("white"),
        position, position.moves[0], position.results, move, umigame.levels()[0],
    ]
    return {f"{type(value).__name__} {number}": value for number, value in enumerate(some)}


def dict_of(value):
    return value.to_dict() if hasattr(value, "to_dict") else value._asdict()


def test_values_pickle_copy_and_compare(tmp_path):
    found = values(tmp_path)
    classes = {type(value) for value in found.values()}
    public = [getattr(umigame, name) for name in umigame.__all__]
    # Those that hold a thread, a file or a table.
    working = {umigame.Engine, umigame.Book, umigame.GameReader, umigame.RunningSearch}
    results = {cls for cls in public if isinstance(cls, type) and not issubclass(cls, Exception)}
    assert results - working == classes
    for name, value in found.items():
        copies = [copy.copy(value), copy.deepcopy(value)]
        copies += [pickle.loads(pickle.dumps(value, protocol)) for protocol in range(2, 6)]
        for other in copies:
            assert type(other) is type(value), name
            assert dict_of(other) == dict_of(value), name
            assert str(other) == str(value), name
            if not isinstance(value, umigame.Results):
                assert other == value, name


def test_dicts_are_plain(tmp_path):
    for name, value in values(tmp_path).items():
        text = json.dumps(dict_of(value), allow_nan=False)
        assert json.loads(text) == json.loads(json.dumps(dict_of(value))), name
        assert len(text) > 10


def test_dicts_have_what_the_values_have(engine):
    report = engine.search("f5d6c3", Limit(depth=4), multipv=2)
    found = report.to_dict()
    assert found["move"] == report.move and found["eval"] == report.eval
    assert found["wdl"] == {"win": report.wdl.win, "draw": report.wdl.draw, "loss": report.wdl.loss}
    assert [line["pv"] for line in found["lines"]] == [line.pv for line in report.lines]
    assert Limit(depth=4).to_dict()["depth"] == 4
    assert Limit(**Limit(depth=4, time=2).to_dict()) == Limit(depth=4, time=2)
    board = Board("f5d6")
    assert Board(board.to_dict()["position"]) == board
    assert Board(board.to_dict()["start"], board.to_dict()["moves"]).move_stack == ["f5", "d6"]
    assert board.to_dict()["turn"] == board.turn


def test_a_pickled_analysis_draws_the_same_page(engine):
    analysis = analyze_game(random_board(5), Limit(depth=2, exact_from=8), engine=engine)
    other = pickle.loads(pickle.dumps(analysis))
    assert other == analysis and other.html() == analysis.html() and other.json() == analysis.json()
    with pytest.raises(umigame.Error, match="0 judgements of 1 positions"):
        umigame.GameAnalysis._restore(Game(), Limit(), [])


def test_values_are_constant(engine):
    report = engine.search("f5d6c3", Limit(depth=2))
    with pytest.raises(AttributeError):
        report.eval = 3.0


def test_a_folder_of_games(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    umigame.write_games(tmp_path / "a" / "2.ggf", ["f5d6", "f5f6"])
    umigame.write_games(tmp_path / "a" / "b" / "1.txt", ["f5f4"])
    umigame.write_games(tmp_path / "0.pgn", ["f5d6c3"])
    (tmp_path / "notes.md").write_text("no games")
    moves = [game.moves[-1] for game in umigame.read_games(tmp_path)]
    assert moves == ["c3", "d6", "f6", "f4"]
    assert [game.moves[-1] for game in umigame.read_games(tmp_path, format="ggf")] == ["d6", "f6"]
    batch = next(arrays.read_games(tmp_path))
    assert len(batch.moves) == 9 and batch.games[-1] == 3
    (tmp_path / "a" / "bad.txt").write_text("f5f5\n")
    reader = umigame.read_games(tmp_path)
    with pytest.raises(umigame.ParseError, match="bad.txt, game 1"):
        list(reader)
    assert [game.moves[-1] for game in reader] == []
    assert len(list(umigame.read_games(tmp_path, errors="skip"))) == 4
    (tmp_path / "empty").mkdir()
    with pytest.raises(umigame.ParseError, match="empty: no file of games in it"):
        umigame.read_games(tmp_path / "empty")
