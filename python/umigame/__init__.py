"""Othello: boards, games, a strong engine, books, and arrays for machine learning.

>>> import umigame
>>> board = umigame.Board()
>>> board.push("f5")
>>> board.legal_moves
['f4', 'd6', 'f6']
>>> with umigame.Engine() as engine:
...     report = engine.analyse(board, umigame.Limit(depth=10))
>>> report.move in board.legal_moves
True

A move is a str, "f5" or "pass"; ints are accepted too, 0 (a1) to 63 (h8) and 64 for a pass. Evals
and scores are in discs for the side to move unless said otherwise; a1 is the top-left corner.
`umigame.arrays` works on many positions at once.
"""

from umigame import arrays
from umigame._native import (
    KERNELS,
    Analysis,
    Board,
    Book,
    BookError,
    BookMove,
    BookPosition,
    BookReply,
    Engine,
    EngineError,
    Error,
    Evaluation,
    Explanation,
    Game,
    GameAnalysis,
    GameReader,
    IllegalMove,
    JudgedMove,
    Limit,
    Line,
    ParseError,
    Report,
    Results,
    __version__,
    analyze,
    read_games,
    square_index,
    square_name,
    write_games,
)

BLACK = "black"
"""The side that moves first."""
WHITE = "white"
"""The other side."""
PASS = "pass"
"""The move where no disc can be placed."""
SQUARES = tuple(square_name(index) for index in range(64))
"""The names of the squares, "a1" to "h8"."""

__all__ = [
    "BLACK",
    "KERNELS",
    "PASS",
    "SQUARES",
    "WHITE",
    "Analysis",
    "Board",
    "Book",
    "BookError",
    "BookMove",
    "BookPosition",
    "BookReply",
    "Engine",
    "EngineError",
    "Error",
    "Evaluation",
    "Explanation",
    "Game",
    "GameAnalysis",
    "GameReader",
    "IllegalMove",
    "JudgedMove",
    "Limit",
    "Line",
    "ParseError",
    "Report",
    "Results",
    "__version__",
    "analyze",
    "arrays",
    "read_games",
    "square_index",
    "square_name",
    "write_games",
]
