"""Othello: boards, games, a strong engine, books, and arrays for machine learning.

>>> import umigame
>>> board = umigame.Board()
>>> board.push("f5")
>>> board.legal_moves
['f4', 'd6', 'f6']
>>> with umigame.Engine() as engine:
...     report = engine.search(board, umigame.Limit(depth=10))
>>> report.move in board.legal_moves
True

A move is a str, "f5" or "pass"; ints are accepted too, 0 (a1) to 63 (h8) and 64 for a pass. Evals
and scores are in discs for the side to move unless said otherwise; a1 is the top-left corner.
`umigame.arrays` works on many positions at once.
"""

from typing import Final, Literal

from umigame import arena, arrays, results
from umigame._native import (
    KERNELS,
    Board,
    Book,
    BookError,
    Engine,
    EngineError,
    Error,
    Game,
    GameAnalysis,
    GameReader,
    IllegalMove,
    Limit,
    ParseError,
    RunningSearch,
    __version__,
    analyze_game,
    levels,
    read_games,
    square_index,
    square_name,
    write_games,
)
from umigame.results import (
    BookMove,
    BookPosition,
    BookReply,
    Explanation,
    GameResults,
    JudgedMove,
    LevelInfo,
    Line,
    Report,
    Results,
    SideTotals,
    Wdl,
)

BLACK: Final[Literal["black"]] = "black"
"""The side that moves first."""
WHITE: Final[Literal["white"]] = "white"
"""The other side."""
PASS: Final[Literal["pass"]] = "pass"
"""The move where no disc can be placed."""
SQUARES: Final[tuple[str, ...]] = tuple(square_name(index) for index in range(64))
"""The names of the squares, "a1" to "h8"."""

__all__ = [
    "BLACK",
    "KERNELS",
    "PASS",
    "SQUARES",
    "WHITE",
    "Board",
    "Book",
    "BookError",
    "BookMove",
    "BookPosition",
    "BookReply",
    "Engine",
    "EngineError",
    "Error",
    "Explanation",
    "Game",
    "GameAnalysis",
    "GameReader",
    "GameResults",
    "IllegalMove",
    "JudgedMove",
    "LevelInfo",
    "Limit",
    "Line",
    "ParseError",
    "Report",
    "Results",
    "RunningSearch",
    "SideTotals",
    "Wdl",
    "__version__",
    "analyze_game",
    "arena",
    "arrays",
    "levels",
    "read_games",
    "results",
    "square_index",
    "square_name",
    "write_games",
]
