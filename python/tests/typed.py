"""Typical use, for the type checker alone."""

import numpy as np
import umigame
from numpy.typing import NDArray
from umigame import Board, Engine, Game, Limit, arrays


def best(board: Board, seconds: float) -> str | None:
    """Returns the best move."""
    with Engine(threads=2, hash_mb=128) as engine:
        return engine.analyse(board, Limit(time=seconds)).move


def losses(path: str) -> dict[str, float]:
    """Returns the losses of both sides over a file of games."""
    lost: dict[str, float] = {}
    for game in umigame.read_games(path, errors="skip"):
        for move in umigame.analyze(game, Limit(depth=4)).moves:
            lost[move.color] = lost.get(move.color, 0.0) + move.loss
    return lost


def dataset(path: str) -> NDArray[np.float32]:
    """Returns evals of the positions of a file."""
    engine = Engine()
    evals = [engine.evaluate_many(batch.positions) for batch in arrays.read_games(path)]
    return np.concatenate(evals)


def deepest(game: Game) -> int:
    """Returns the depth that an analysis reaches in three reports."""
    depth = 0
    with Engine().analysis(game.board(), multipv=2) as analysis:
        for count, report in enumerate(analysis):
            depth = report.depth
            if count == 2:
                analysis.stop()
    return depth
