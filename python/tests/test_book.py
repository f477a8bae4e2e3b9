"""Book and analyze."""

import numpy as np
import pytest
import umigame
from test_board import random_board
from umigame import Board, Book, Game, Limit, analyze_game, arrays


def games(count):
    return [Game(random_board(seed), black=str(seed)) for seed in range(count)]


def test_a_book_counts_games(tmp_path):
    path, done = tmp_path / "book.sqlite", []
    with Book(path, "a", max_ply=20) as book:
        assert book.max_ply == 20
        added = book.add(games(200), callback=lambda count, total: done.append((count, total)))
        assert added == (200, 0) and done == [(200, 200)]
        assert book.add(games(210)) == (10, 200)
        counts = book.counts()
        assert counts["games"] == 210 and counts["positions"] > 1000
        view = book.view(Board())
        assert view.results.games == 210 == view.moves[0].results.games
        assert sorted(view.moves[0].equivalent) == ["c4", "d3", "e6", "f5"]
    with pytest.raises(umigame.BookError, match="closed"):
        book.counts()
    with Book(path) as book:
        assert book.counts() == counts
        assert book.moves(Board()) == []
        assert [move.move for move in book.moves(Board(), by="win-rate")] == ["f5"]
        assert book.choose(Board(), by="win-rate", seed=1).move == "f5"
        with pytest.raises(umigame.BookError, match="read-only"):
            book.add(games(1))
    layers = list(arrays.read_book(path))
    assert sum(len(layer.games) for layer in layers) == counts["positions"]
    assert layers[0].games.tolist() == [210]
    assert np.array_equal(layers[0].positions, arrays.canonical(arrays.from_boards([Board()]))[0])


def test_a_book_grows_and_learns(tmp_path, engine):
    with Book(tmp_path / "book.sqlite", "a") as book:
        rounds, expanded, searched = book.grow(0.5, limit=Limit(depth=2))
        assert rounds > 0 and expanded > 0 and searched > 0
        best = book.moves(Board())[0]
        assert best.move == "f5" and best.trust == "searched" and len(best.pv) > 1
        assert book.view(Board()).trust == "searched"
        report = engine.search("f5d6", Limit(depth=6))
        assert book.learn(Board("f5d6"), report)
        assert not book.learn(Board("f5d6"))
        assert book.view(Board("f5d6")).search == (report.eval, "6")


def test_wrong_books(tmp_path):
    with pytest.raises(FileNotFoundError, match="missing"):
        Book(tmp_path / "missing")
    (tmp_path / "text").write_text("no book" * 100)
    with pytest.raises(umigame.BookError, match="not a book"):
        Book(tmp_path / "text")
    with pytest.raises(umigame.Error, match="mode=`w`"):
        Book(tmp_path / "new", "w")
    with pytest.raises(umigame.Error, match="max_ply=61"):
        Book(tmp_path / "new", "a", max_ply=61)
    with Book(tmp_path / "book", "a", max_ply=10) as book:
        book.add(games(1))
        with pytest.raises(umigame.Error, match="by=`x`"):
            book.moves(Board(), by="x")
        with pytest.raises(umigame.Error, match="tolerance=-1"):
            book.choose(Board(), tolerance=-1.0)
    with pytest.raises(umigame.BookError, match="up to ply 10, not 20"):
        Book(tmp_path / "book", "a", max_ply=20)


def test_analyze(engine):
    board, done = random_board(7), []
    game = Game(board, black="Anna", white="Ben")
    limit = Limit(depth=2, exact_from=8)
    analysis = analyze_game(game, limit, engine=engine, callback=lambda count, total: done.append(count))
    assert done == list(range(1, board.ply + 2))
    assert [move.move for move in analysis.moves] == board.move_stack
    assert len(analysis.evals) == board.ply + 1
    assert analysis.evals[-1] == board.result()
    assert all(loss >= 0 for loss in analysis.losses)
    for move in analysis.moves:
        assert move.board.is_legal(move.move) and move.board.is_legal(move.best)
        assert move.loss == pytest.approx(max(0.0, move.best_eval - move.eval))
        assert (move.grade == "forced") == (len(move.board.legal_moves) == 1)
        assert move.color == move.board.turn and move.best == move.best_line[0]
    black = analysis.totals("black")
    total = sum(move.loss for move in analysis.moves if move.color == "black" and move.grade != "forced")
    assert black.loss == pytest.approx(total)
    assert "Anna" in str(analysis)
    page = analysis.html()
    assert page.startswith("<!DOCTYPE html>") and "Anna" in page and "Limit(depth=2" in page
    assert analysis.json().startswith("{")
    assert all(0 <= ply < board.ply for ply in analysis.turning_points)
    assert analysis.game == game
    assert len(analyze_game(board, limit).losses) == board.ply
