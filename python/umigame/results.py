"""What searches, analyses and books return: plain values, which pickle, copy and compare.

Every class has `to_dict`, which returns plain types that `json.dumps` takes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, final

import numpy
import numpy.typing

if TYPE_CHECKING:
    from umigame._native import Board, Game

__all__ = [
    "BookMove",
    "BookPosition",
    "BookReply",
    "ChosenMove",
    "Explanation",
    "Forfeit",
    "GameResults",
    "Hint",
    "Interval",
    "JudgedMove",
    "LevelInfo",
    "Line",
    "MatchGame",
    "MatchResult",
    "Report",
    "Results",
    "SideTotals",
    "Wdl",
]


def plain(value: Any) -> Any:
    """Returns a value in plain types: arrays become lists, NaN and infinity None."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, numpy.ndarray):
        return plain(value.tolist())
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


class _Value:
    """A value with fields."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Returns the fields as a dict of plain types."""
        return {field.name: plain(getattr(self, field.name)) for field in fields(self)}  # type: ignore[arg-type]


class _Played(_Value):
    """A value whose `pv` begins with its move."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def pv(self) -> list[str]: ...

    @property
    def move(self) -> str:
        """The move, "pass" where passing is forced.

        Raises IllegalMove if the game is over: then there is none.
        """
        if not self.pv:
            from umigame._native import IllegalMove

            raise IllegalMove("no move: the game is over")
        return self.pv[0]

    def to_dict(self) -> dict[str, Any]:
        """Returns the move (None if the game is over) and the fields as a dict of plain types."""
        return {"move": self.pv[0] if self.pv else None, **super().to_dict()}


class Wdl(NamedTuple):
    """Probabilities of win, draw and loss for the side to move; they add up to 1."""

    win: float
    """Probability of a win."""
    draw: float
    """Probability of a draw."""
    loss: float
    """Probability of a loss."""


@final
@dataclass(frozen=True, slots=True)
class Line(_Played):
    """A move with its eval and the play expected to follow."""

    pv: list[str]
    """The move and the play expected to follow, never empty."""
    eval: float
    """The estimate of the score under perfect play, in discs for the side to move."""
    std_dev: float | None
    """The standard deviation of the score around the eval, in discs: 0 if exact, None if unknown."""
    wdl: Wdl | None
    """The probabilities of win, draw and loss for the side to move; None if unknown."""
    bound: Literal["exact", "lower", "upper"]
    """How the eval bounds the value: "exact", "lower" (at least) or "upper" (at most)."""


@final
@dataclass(frozen=True, slots=True)
class LevelInfo(_Value):
    """A level of play."""

    level: str
    """"1" to "30", or the name of a weaker one."""
    text: str
    """A sentence on how it plays."""
    depth: int
    """The plies that it searches."""
    exact_from: int
    """The number of empties from which it solves positions."""
    rating: int | None
    """Its Elo rating, None where it was not measured; 0 is a player that moves at random."""


@final
@dataclass(frozen=True, slots=True)
class Report(_Played):
    """The result of a search, or of one of its iterations. Evals are in discs for the side to move.

    `str` gives one line: kind, eval and moves.
    """

    lines: list[Line]
    """The best moves, best first; empty only if the game is over."""
    eval: float
    """The eval of the best move; the final score if the game is over."""
    std_dev: float | None
    """The standard deviation of the score around the eval, in discs: 0 if exact, None if unknown."""
    wdl: Wdl | None
    """The probabilities of win, draw and loss; None if unknown."""
    kind: str
    """The kind of search behind the evals: "12" plies, "18@73%" plies at a confidence, "73%" to the
    end of the game at a confidence, "100%" exact, "100%W" exact in its sign alone."""
    depth: int
    """The plies searched; the number of empties if to the end of the game."""
    confidence: int
    """The confidence of the search's cuts in percent; 100 if nothing was cut."""
    is_proven: bool
    """Whether the evals are proven."""
    nodes: int
    """The positions visited by all threads."""
    time: float
    """The seconds since the search began."""
    seconds_to_exact: float | None = None
    """The predicted seconds from here until every eval is exact; None if they are, or unknown."""

    @property
    def pv(self) -> list[str]:
        """The best move and the play expected to follow; [] if the game is over."""
        return self.lines[0].pv if self.lines else []

    def __str__(self) -> str:
        if not self.lines:
            return f"over {self.eval:+.0f}"
        return f"{self.kind} {self.eval:+.2f} {' '.join(self.pv)}"


@final
@dataclass(frozen=True, slots=True, eq=False)
class Results(_Value):
    """The results of the searches of many positions: arrays in the order of the positions."""

    evals: numpy.typing.NDArray[numpy.float32]
    """Evals in discs for the side to move; the final score where the game is over."""
    moves: numpy.typing.NDArray[numpy.int8]
    """Best moves: 0 to 63, 64 for a pass, -1 where the game is over."""
    std_devs: numpy.typing.NDArray[numpy.float32]
    """Standard deviations of the scores around the evals, in discs: 0 where exact, NaN where unknown."""
    wins: numpy.typing.NDArray[numpy.float32]
    """Probabilities of a win for the side to move; NaN where unknown."""
    losses: numpy.typing.NDArray[numpy.float32]
    """Probabilities of a loss for the side to move; NaN where unknown."""
    proven: numpy.typing.NDArray[numpy.bool_]
    """Whether each eval is proven."""
    nodes: numpy.typing.NDArray[numpy.uint64]
    """Positions visited."""
    seconds: numpy.typing.NDArray[numpy.float32]
    """Seconds of each search."""
    depths: numpy.typing.NDArray[numpy.uint8]
    """Plies searched; the number of empties if to the end of the game."""
    confidences: numpy.typing.NDArray[numpy.uint8]
    """Confidences of the searches' cuts in percent; 100 if nothing was cut."""
    raws: numpy.typing.NDArray[numpy.float32]
    """Values of the searches in discs as the evaluation counts, before they are made estimates of the
    score: what training data has."""

    def __len__(self) -> int:
        return len(self.evals)

    def __repr__(self) -> str:
        return f"Results({len(self)} positions)"


@final
@dataclass(frozen=True, slots=True)
class Explanation(_Value):
    """An evaluation taken apart; `str` gives the text of `umigame explain`."""

    eval: float
    """The value in discs for the side to move."""
    baseline: float
    """The mean value of positions of the same phase, in discs."""
    counts: dict[str, tuple[int, int]]
    """Counts of both sides by the name of the feature: (Black, White)."""
    groups: dict[str, float]
    """Values of the groups of patterns beyond the baseline, in discs for the side to move."""
    patterns: list[tuple[str, list[str], float]]
    """All patterns, the largest value of either sign first: name, squares, discs."""
    text: str
    """The text of `umigame explain`."""

    def __str__(self) -> str:
        return self.text


class SideTotals(NamedTuple):
    """Totals of one side in a judged game."""

    moves: int
    """Moves, passes not included."""
    choices: int
    """Moves where there was a choice."""
    best: int
    """Choices that were the best move."""
    loss: float
    """Discs lost in all."""
    inaccuracies: int
    """Moves graded "inaccuracy"."""
    mistakes: int
    """Moves graded "mistake"."""
    blunders: int
    """Moves graded "blunder"."""
    mean_loss: float | None
    """Discs lost a choice; None without a choice."""
    accuracy: float | None
    """Share of the choices that were the best move; None without a choice."""


@final
@dataclass(frozen=True, slots=True)
class JudgedMove(_Value):
    """A move of a game with its loss against the best move."""

    ply: int
    """The plies before the move; passes count."""
    number: int
    """The number of the move, from 1; passes do not count."""
    color: Literal["black", "white"]
    """The side that moved."""
    board: Board
    """The board before the move, without its history."""
    move: str
    """The move played."""
    eval: float
    """The eval of the move played, in discs for the side that moved."""
    std_dev: float | None
    """The standard deviation around `eval`, in discs: 0 if it is exact, None if unknown."""
    wdl: Wdl | None
    """The probabilities of win, draw and loss after the move, for the side that moved."""
    best_line: list[str]
    """The best move and the best line after it."""
    best_eval: float
    """The eval of the best move, in discs for the side that moved."""
    loss: float
    """The loss in discs, 0 to 128."""
    is_proven: bool
    """Whether the loss is exact."""
    grade: Literal["forced", "best", "good", "inaccuracy", "mistake", "blunder"]
    """The grade of the move."""

    @property
    def best(self) -> str:
        """The best move; the one played where none is better."""
        return self.best_line[0]


class GameResults(NamedTuple):
    """Results of the games through a position of a book, for the side to move."""

    games: int
    """Games, with or without a result."""
    wins: int
    """Games won."""
    draws: int
    """Games drawn."""
    losses: int
    """Games lost."""
    mean: float | None
    """The mean result in discs; None without a result."""


Trust = Literal["played", "searched", "exact"]
"""How far a value of a book can be trusted."""


@final
@dataclass(frozen=True, slots=True)
class BookMove(_Played):
    """A move that a book would play."""

    pv: list[str]
    """The move; for the best move, followed by the best line."""
    eval: float
    """The value, or the mean result where games decide, in discs for the side that moves."""
    games: int
    """The games with a result that met the position after the move."""
    win_rate: float | None
    """The share of these games won by the side that moves, 0 to 1; None without games."""
    trust: Trust | None
    """How far the value can be trusted; None without a value."""


@final
@dataclass(frozen=True, slots=True)
class BookReply(_Value):
    """A move of a position in a book, with its games."""

    move: str
    """The move as people usually write it."""
    equivalent: list[str]
    """All moves that are equivalent by symmetry, this one included."""
    results: GameResults
    """The results for the side that moves."""
    eval: float | None
    """The value in discs for the side that moves, or None."""
    trust: Trust | None
    """How far the value can be trusted; None without a value."""


@final
@dataclass(frozen=True, slots=True)
class BookPosition(_Value):
    """A position as a book knows it."""

    results: GameResults
    """The results for the side to move."""
    eval: float | None
    """The value in discs for the side to move, or None."""
    trust: Trust | None
    """How far the value can be trusted; None without a value."""
    search: tuple[float, str] | None
    """The eval and the kind of the best search of the position itself, or None."""
    moves: list[BookReply]
    """The moves, those with most games first."""


@final
@dataclass(frozen=True, slots=True)
class ChosenMove(_Value):
    """A move that an engine in a process chose, with what it says of its search."""

    move: str
    """The move, "pass" where passing is forced."""
    eval: float | None
    """The engine's eval in discs for the side to move; None if it states none."""
    depth: str | None
    """The depth in the engine's own words."""
    nodes: int | None
    """The nodes that the engine states."""
    time: float
    """The seconds from the question to the answer."""


@final
@dataclass(frozen=True, slots=True)
class Hint(_Played):
    """A move that an engine in a process suggests."""

    pv: list[str]
    """The move and the play expected to follow, never empty."""
    eval: float | None
    """The engine's eval in discs for the side to move."""
    depth: str
    """The depth in the engine's own words."""


class Interval(NamedTuple):
    """An estimate with its 95 % interval."""

    value: float
    """The estimate."""
    low: float
    """The lower end."""
    high: float
    """The upper end."""


@final
@dataclass(frozen=True, slots=True)
class Forfeit(_Value):
    """The loss of a game that was not played to its end."""

    loser: Literal["black", "white"]
    """The side at fault."""
    kind: Literal["resigned", "clock", "hang", "crash", "illegal", "protocol"]
    """What it did."""
    why: str
    """Details."""


@final
@dataclass(frozen=True, slots=True)
class MatchGame(_Value):
    """A game of a match."""

    number: int
    """The number in the schedule, from 0: games 2n and 2n+1 have the same opening."""
    game: Game
    """The game, with players, evals and times."""
    score: int
    """Black's final score in discs; 64 against the side that forfeited."""
    opening_plies: int
    """The plies of the opening."""
    forfeit: Forfeit | None
    """Present if the game was not played to its end."""


@final
@dataclass(frozen=True, slots=True)
class MatchResult(_Value):
    """The result of a match from the view of the first engine."""

    names: list[str]
    """The names of both engines."""
    wins: int
    """Games won."""
    draws: int
    """Games drawn."""
    losses: int
    """Games lost."""
    elo: Interval | None
    """The difference in Elo by pairs of games, infinite where every pair was won; None without one."""
    discs: Interval | None
    """The mean disc difference by pairs of games; None with fewer than two pairs."""
    games: list[MatchGame]
    """The games, in the order in which they ended."""

    def __str__(self) -> str:
        first, second = self.names
        text = f"{first} - {second}: +{self.wins} ={self.draws} -{self.losses}"
        if self.elo is not None:
            text += f", Elo {self.elo.value:+.0f} [{self.elo.low:+.0f}, {self.elo.high:+.0f}]"
        return text
