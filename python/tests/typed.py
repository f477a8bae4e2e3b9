"""Typical use, for the type checker alone."""

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from typing_extensions import assert_type

import numpy as np
import umigame
from numpy.typing import NDArray
from umigame import Board, Engine, Game, Limit, arrays

assert_type(umigame.BLACK, Literal["black"])


def best(board: Board, seconds: float) -> str:
    """Returns the best move."""
    with Engine(threads=2, hash_mb=128) as engine:
        move = engine.search(board, Limit(time=seconds)).move
        assert_type(move, str)
        board.push(engine.play(board).move)
    return move


def discs(board: Board) -> tuple[int, int]:
    """Returns the discs of both sides."""
    return board.count(umigame.BLACK), board.count(umigame.WHITE)


def losses(path: str) -> dict[str, float]:
    """Returns the losses of both sides over a file of games."""
    lost: dict[str, float] = {}
    for game in umigame.read_games(path, errors="skip"):
        for move in umigame.analyze_game(game, Limit(depth=4)).moves:
            lost[move.color] = lost.get(move.color, 0.0) + move.loss
    return lost


def winning(board: Board) -> float:
    """Returns the probability of a win."""
    wdl = Engine().search(board).wdl
    return wdl.win if wdl else 0.0


def dataset(path: str) -> NDArray[np.float32]:
    """Returns evals of the positions of a file."""
    engine = Engine()
    evals = [engine.evaluate_many(batch.positions) for batch in arrays.read_games(path)]
    return np.concatenate(evals)


def deepest(game: Game) -> int:
    """Returns the depth that a search reaches in three reports."""
    depth = 0
    with Engine().start(game.board(), multipv=2) as running:
        for count, report in enumerate(running):
            depth = report.depth
            if count == 2:
                running.stop()
    return depth
