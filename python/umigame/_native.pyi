"""Types of the compiled module."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from types import TracebackType
from typing import Any, Literal, SupportsIndex, TypeAlias, final

import numpy
from numpy.typing import NDArray

from umigame.results import (
    BookMove,
    BookPosition,
    ChosenMove,
    Explanation,
    Hint,
    JudgedMove,
    LevelInfo,
    MatchGame,
    MatchResult,
    Report,
    Results,
    SideTotals,
)

_Color: TypeAlias = Literal["black", "white"]
_MoveLike: TypeAlias = str | SupportsIndex
_BoardLike: TypeAlias = Board | str
_GameLike: TypeAlias = Game | Board | str
_Command: TypeAlias = str | Sequence[str] | EngineProcess
_Path: TypeAlias = str | PathLike[str]
_Progress: TypeAlias = Callable[[int, int], object]
_Positions: TypeAlias = NDArray[numpy.uint64]
_Moves: TypeAlias = NDArray[numpy.int8]

KERNELS: str
__version__: str

class Error(ValueError):
    """Base of the exceptions of this package; a ValueError."""
class IllegalMove(Error):
    """A move that the rules forbid."""
class ParseError(Error):
    """Text or a file that cannot be read."""
class EngineError(Error):
    """An engine that cannot be made, serves a running search, was stopped or closed."""
class BookError(Error):
    """A book that cannot be read or written."""

@final
class Board:
    """A game in progress: discs, side to move, and the moves that led here.

    Without text it is the start of a game. The text may be "start", a transcript ("f5d6c3"), 64
    squares of X, O and - with the side to move, a board as `str` draws it, or a game in GGF. `moves`
    are played afterwards.

    Two boards are equal if their discs and side to move are; the moves that led there do not count.
    A board in a set or a dict must not be changed.

    >>> board = umigame.Board("f5d6c3")
    >>> board.legal_moves
    ['d3', 'f3', 'f4', 'g5']
    >>> board.push("d3")
    >>> print(board)
      a b c d e f g h
    1 - - - - - - - -
    2 - - - - - - - -
    3 - - X O - - - -
    4 - - - O X - - -
    5 - - - O X X - -
    6 - - - O - - - -
    7 - - - - - - - -
    8 - - - - - - - -
    Black (X) to move
    >>> board == umigame.Board(str(board))
    True
    >>> board.pop()
    'd3'
    """
    def __new__(cls, text: str = "start", moves: Sequence[_MoveLike] | None = None) -> Board: ...
    @staticmethod
    def from_bits(player: int, opponent: int, turn: _Color = "black") -> Board:
        """Makes a board of two sets of squares: bit 0 is a1, bit 7 h1, bit 63 h8.

        >>> umigame.Board.from_bits(0x0000000810000000, 0x0000001008000000) == umigame.Board()
        True
        """
    @staticmethod
    def from_obf(line: str) -> Board:
        """Makes a board of a line of OBF: 64 squares and the side to move. Scores are ignored."""
    @property
    def turn(self) -> _Color:
        """The side to move, "black" or "white"."""
    @property
    def player(self) -> int:
        """The discs of the side to move as an int; bit 0 is a1, bit 63 h8."""
    @property
    def opponent(self) -> int:
        """The discs of the other side as an int."""
    @property
    def black(self) -> int:
        """The discs of Black as an int."""
    @property
    def white(self) -> int:
        """The discs of White as an int."""
    @property
    def empties(self) -> int:
        """The number of empty squares."""
    @property
    def ply(self) -> int:
        """The number of plies played, passes included."""
    @property
    def key(self) -> int:
        """A 64-bit Zobrist key of discs and side to move, the same in every process."""
    @property
    def legal_moves(self) -> list[str]:
        """The legal moves, from a1 to h8; ["pass"] where passing is forced, [] at the end of the game."""
    @property
    def legal_bits(self) -> int:
        """The legal squares as an int."""
    @property
    def move_stack(self) -> list[str]:
        """The moves played, oldest first."""
    @property
    def opening(self) -> tuple[str | None, str | None]:
        """The names of the opening in English and in Japanese; None where there is none."""
    def push(self, move: _MoveLike) -> None:
        """Plays a move: a square such as "f5" or 37, or "pass".

        >>> umigame.Board().push("a1")
        Traceback (most recent call last):
            ...
        umigame.IllegalMove: a1: flips nothing for Black
        """
    def push_pass(self) -> None:
        """Passes; allowed only where no disc can be placed."""
    def pop(self) -> str:
        """Takes the last move back and returns it."""
    def is_legal(self, move: _MoveLike) -> bool:
        """Returns whether a move is legal."""
    def flips(self, move: _MoveLike) -> list[str]:
        """Returns the squares that a move would flip; [] for a pass and where the move is illegal."""
    def disc_at(self, square: _MoveLike) -> _Color | None:
        """Returns "black", "white", or None for an empty square."""
    def count(self, color: _Color) -> int:
        """Returns the number of discs of "black" or "white"."""
    def is_game_over(self) -> bool:
        """Returns whether neither side can move."""
    def result(self) -> int | None:
        """Returns Black's final score in discs, the winner taking the empties; None while the game
        goes on.
        """
    def disc_difference(self, color: _Color | None = None) -> int:
        """Returns the discs of "black" or "white", the side to move by default, minus those of the
        other side.

        >>> umigame.Board("f5").disc_difference("black")
        3
        """
    def copy(self) -> Board:
        """Returns a copy with its moves."""
    def root(self) -> Board:
        """Returns the board before the first move."""
    def transform(self, symmetry: int) -> Board:
        """Returns one of the eight images of the position, 0 to 7, without moves: bit 0 mirrors the
        columns, bit 1 the rows, bit 2 reflects about the diagonal a1-h8, in this order.
        """
    def symmetries(self) -> list[Board]:
        """Returns the eight images of the position."""
    def canonical(self) -> Board:
        """Returns the image with the smallest words, which all eight images share."""
    def obf(self) -> str:
        """Returns 64 squares of X, O and -, and the side to move: the position in OBF.

        >>> umigame.Board().obf()
        '---------------------------OX------XO--------------------------- X'
        """
    def transcript(self) -> str:
        """Returns the moves as a transcript, without passes.

        >>> umigame.Board("f5 d6 c3").transcript()
        'f5d6c3'
        """
    def svg(
        self,
        *,
        size: int | None = None,
        legal: bool = True,
        last_move: bool = True,
        numbers: bool = False,
        values: Report | Mapping[str, float] | None = None,
    ) -> str:
        """Draws the board as SVG; `size` in pixels. `values` stand on their squares, the best on white: a
        Report, or discs by square.
        """
    def _repr_svg_(self) -> str: ...
    def to_dict(self) -> dict[str, Any]:
        """Returns position, side to move, start and moves as a dict of plain types."""
    def __hash__(self) -> int: ...
    def __copy__(self) -> Board: ...
    def __deepcopy__(self, _memo: object, /) -> Board: ...

@final
class Game:
    """A game with players, place, date and result, from any position.

    `board` is a `Board`, whose moves are those of the game, or its text; "start" by default.

    >>> game = umigame.Game(umigame.Board("f5d6c3"), black="Anna", white="Ben")
    >>> game.ggf()
    '(;GM[Othello]PC[]PB[Anna]PW[Ben]RE[?]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6]B[C3];)'
    >>> umigame.Game.from_ggf(game.ggf()) == game
    True
    """
    def __new__(
        cls,
        board: _BoardLike | None = None,
        *,
        black: str = "",
        white: str = "",
        place: str = "",
        date: str = "",
        result: float | None = None,
    ) -> Game: ...
    @staticmethod
    def from_ggf(text: str) -> Game:
        """Reads the first game of a text in GGF."""
    @staticmethod
    def from_sgf(text: str) -> Game:
        """Reads the first game of a text in SGF."""
    @staticmethod
    def from_pgn(text: str) -> Game:
        """Reads the first game of a text in PGN."""
    @staticmethod
    def from_transcript(text: str) -> Game:
        """Reads a transcript: moves, maybe after 64 squares and the side to move.

        >>> umigame.Game.from_transcript("f5d6c3").moves
        ['f5', 'd6', 'c3']
        """
    @staticmethod
    def from_obf(line: str) -> Game:
        """Reads a line of OBF: a game without moves from its position."""
    def ggf(self) -> str:
        """Returns the game as a line of GGF, with all that is known of it."""
    def sgf(self) -> str:
        """Returns the game in SGF, without times."""
    def pgn(self) -> str:
        """Returns the game in PGN, without times and evals."""
    def transcript(self) -> str:
        """Returns the moves, without passes."""
    def obf(self) -> str:
        """Returns the last position as a line of OBF."""
    @property
    def moves(self) -> list[str]:
        """The moves, passes included."""
    @property
    def evals(self) -> list[float | None]:
        """The evals that the movers gave, in discs for the mover; None where there is none."""
    @evals.setter
    def evals(self, evals: Sequence[float | None]) -> None: ...
    @property
    def times(self) -> list[float | None]:
        """The seconds that the moves took; None where they are unknown."""
    @times.setter
    def times(self, times: Sequence[float | None]) -> None: ...
    @property
    def black(self) -> str:
        """The name of Black; "" if unknown."""
    @black.setter
    def black(self, name: str) -> None: ...
    @property
    def white(self) -> str:
        """The name of White; "" if unknown."""
    @white.setter
    def white(self, name: str) -> None: ...
    @property
    def place(self) -> str:
        """The server, city or tournament; "" if unknown."""
    @place.setter
    def place(self, place: str) -> None: ...
    @property
    def date(self) -> str:
        """The date as the file spells it; "" if unknown."""
    @date.setter
    def date(self, date: str) -> None: ...
    @property
    def result(self) -> float | None:
        """Black's score in discs as the file states it; None if it does not."""
    @result.setter
    def result(self, result: float | None) -> None: ...
    def board(self) -> Board:
        """Returns the board after the last move, with all moves in its history."""
    def start(self) -> Board:
        """Returns the board before the first move."""
    def final_score(self) -> int | None:
        """Returns Black's final score in discs: that of the board if the game was played to its end,
        else the stated one if it is whole, else None.
        """
    def to_dict(self) -> dict[str, Any]:
        """Returns players, place, date, result, start and moves with evals and times as a dict of plain
        types.
        """
    def _repr_svg_(self) -> str: ...
    def __len__(self) -> int: ...

@final
class Limit:
    """The bounds of a search; the first one reached ends it.

    `depth` in plies, 1 to 60, searches every move unless `confidence` is below 100. `level`, 1 to
    30, is a depth at 73 % confidence with an exact ending, as on the command line. `time` in
    seconds and `nodes` bound any search; alone, they let it go as deep as it gets. `clock` and
    `increment`, in seconds, are a clock for the rest of the game, of which the engine decides how
    much to spend. `confidence`, one of 73, 87, 95, 98, 99 and 100 percent, is that of cuts that
    would very probably not have mattered. Positions of at most `exact_from` empties are solved;
    with a depth, that is the depth unless given.

    Without any bound it is level 16.

    >>> umigame.Limit(depth=12, nodes=1_000_000)
    Limit(depth=12, nodes=1000000)
    """
    def __new__(
        cls,
        *,
        depth: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
        level: int | None = None,
        confidence: int | None = None,
        exact_from: int | None = None,
        clock: float | None = None,
        increment: float = 0.0,
    ) -> Limit: ...
    @property
    def depth(self) -> int | None:
        """Plies, or None."""
    @property
    def time(self) -> float | None:
        """Seconds, or None."""
    @property
    def nodes(self) -> int | None:
        """Positions to visit, or None."""
    @property
    def level(self) -> int | None:
        """Level of strength, or None."""
    @property
    def confidence(self) -> int | None:
        """Percent, or None for the default."""
    @property
    def exact_from(self) -> int | None:
        """Empties from which positions are solved, or None for the default."""
    @property
    def clock(self) -> float | None:
        """Seconds left for the rest of the game, or None."""
    @property
    def increment(self) -> float:
        """Seconds added after each move."""
    def to_dict(self) -> dict[str, Any]:
        """Returns the arguments that make the limit as a dict."""
    def __hash__(self) -> int: ...

@final
class RunningSearch:
    """A search in the background: an iterator of reports, each deeper than the one before.

    `stop` ends the search; so does leaving a `with` block, or the last reference to it.
    """
    def stop(self) -> None:
        """Ends the search and waits for its end, some milliseconds."""
    def wait(self) -> Report:
        """Waits for the end of the search and returns its result: the last report, with the nodes and
        the time of the whole search.
        """
    def __iter__(self) -> RunningSearch: ...
    def __next__(self) -> Report: ...
    def __enter__(self) -> RunningSearch: ...
    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None: ...

@final
class Engine:
    """An engine: evaluation, transposition table and threads.

    `threads` search one position together; those beyond the machine's processors are not started.
    `hash_mb` is the size of the transposition table. `weights` is the path or the content of a
    weights file; without it the weights in the package are used. Several engines can live side by
    side, and several Python threads can use one engine in turns.

    Ctrl-C ends every call within a tenth of a second. Calls release the interpreter's lock.

    >>> with umigame.Engine() as engine:
    ...     report = engine.search(umigame.Board("f5d6c3d3c4"), umigame.Limit(depth=12))
    >>> report.move, report.kind
    ('f4', '12')
    >>> 0 < report.std_dev < 10, round(sum(report.wdl), 6)
    (True, 1.0)
    """
    def __new__(
        cls, *, threads: int = 1, hash_mb: int = 64, weights: _Path | bytes | None = None
    ) -> Engine: ...
    @property
    def threads(self) -> int:
        """The threads asked for."""
    @property
    def hash_mb(self) -> int:
        """The size of the transposition table in megabytes."""
    @property
    def weights_checksum(self) -> int:
        """The checksum of the weights: equal for equal weights."""
    def search(
        self,
        board: _BoardLike,
        limit: Limit | None = None,
        *,
        multipv: int = 1,
        callback: Callable[[Report], object] | None = None,
    ) -> Report:
        """Searches a position and returns the report of the last finished iteration, or of a better
        move that the unfinished one after it has found.

        `multipv` is the number of moves that get a line. `callback` is called with each finished
        iteration; an exception from it ends the search.
        """
    def play(
        self,
        board: _BoardLike,
        limit: Limit | None = None,
        *,
        tolerance: float = 0.0,
        seed: int | None = None,
        level: str | None = None,
        error: float | None = None,
        max_error: float | None = None,
    ) -> Report:
        """Chooses a move: the report of a search whose `move` is the one to play, "pass" where passing
        is forced. Raises IllegalMove if the game is over.

        With `tolerance`, the move is drawn at random among those at most so many discs worse than
        the best, and the report has its line alone; the same `seed` draws the same.

        For an opponent that a person can beat, `level` is the name of a level below 1 (see `levels`),
        or `error` the discs to lose in a game, about: then it errs as people do, losing at most
        `max_error` discs in a move. The same position and `seed` err the same.

        >>> report = umigame.Engine().play("f5d6", level="beginner", seed=7)
        >>> report.move in umigame.Board("f5d6").legal_moves
        True
        """
    def start(
        self, board: _BoardLike, limit: Limit | None = None, *, multipv: int = 1
    ) -> RunningSearch:
        """Begins a search in the background: an iterator of reports, each deeper than the one before.

        Without a limit it goes on until the position is solved or it is stopped. Until then, other
        calls of the engine raise EngineError.

        >>> engine = umigame.Engine()
        >>> with engine.start(umigame.Board("f5d6c3"), multipv=2) as running:
        ...     for report in running:
        ...         if report.depth >= 8:
        ...             break
        >>> report.kind
        '8@73%'
        """
    def stop(self) -> None:
        """Stops what the engine is doing; from any thread. Does nothing if that is nothing.

        A search of one position returns what it has found. `search_many`, `solve_many`,
        `analyze_game` and calls that wait for the engine raise EngineError.
        """
    def solve(
        self,
        board: _BoardLike,
        *,
        wld: bool = False,
        window: tuple[int, int] | None = None,
        multipv: int = 1,
        callback: Callable[[Report], object] | None = None,
    ) -> Report:
        """Solves a position: its exact score, however long it takes.

        With `wld` only the sign of the score counts: win, draw or loss. With `window=(low, high)`
        the score is exact between the two, and a bound outside.

        >>> board = umigame.Board.from_obf("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X")
        >>> report = umigame.Engine().solve(board)
        >>> report.move, report.eval, report.kind
        ('a2', 38.0, '100%')
        """
    def evaluate(self, board: _BoardLike) -> float:
        """Evaluates a position without search, in discs for the side to move.

        >>> umigame.Engine().evaluate("f5d6c3d3c4")
        -1.31
        """
    def explain(self, board: _BoardLike) -> Explanation:
        """Takes the evaluation of a position apart: counts of both sides, groups of patterns."""
    def evaluate_many(
        self, positions: _Positions, *, callback: _Progress | None = None
    ) -> NDArray[numpy.float32]:
        """Evaluates many positions without search: discs for the side to move, float32.

        `positions` have shape (n, 2) and type uint64. `callback` is called with the numbers of
        positions done and in total.
        """
    def search_many(
        self, positions: _Positions, limit: Limit | None = None, *, callback: _Progress | None = None
    ) -> Results:
        """Searches many positions, one a thread, each from an empty transposition table.

        `callback` is called with the numbers of positions done and in total.
        """
    def solve_many(
        self,
        positions: _Positions,
        *,
        wld: bool = False,
        window: tuple[int, int] | None = None,
        callback: _Progress | None = None,
    ) -> Results:
        """Solves many positions, one a thread, with the same results as `umigame solve`.

        `wld` and `window` are as in `solve`. `callback` is called with the numbers of positions done
        and in total.
        """
    def self_play(
        self,
        first: int,
        games: int,
        *,
        seed: int = 1,
        depth: int = 4,
        exact_from: int = 14,
        explore: float = 0.02,
        random_plies: tuple[int, int] = (6, 44),
    ) -> tuple[
        tuple[
            _Positions, NDArray[numpy.uint8], NDArray[numpy.int8], NDArray[numpy.float32], NDArray[numpy.uint8]
        ],
        NDArray[numpy.uint64],
    ]:
        """Plays games `first` to `first + games` with itself, as `umigame-lab learn play` does, and
        returns their samples: positions, kinds, scores, evals and depths as in
        `umigame.arrays.Samples`, and the number of each one's game.

        A game begins with random moves, at least and at most `random_plies` of them, follows searches
        to `depth` plies at 73 %, with a share `explore` of moves at random, and is solved from
        `exact_from` empties on. It depends on the arguments, its number and the weights alone.

        >>> (positions, *_), numbers = umigame.Engine().self_play(0, 2, depth=1, exact_from=8)
        >>> len(positions) == len(numbers), sorted(set(numbers.tolist()))
        (True, [0, 1])
        """
    def clear(self) -> None:
        """Empties the transposition table: the next search visits the same nodes as a new engine's."""
    def close(self) -> None:
        """Stops the engine and frees its memory and threads. Later calls raise EngineError."""
    def __enter__(self) -> Engine: ...
    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None: ...

@final
class EngineProcess:
    """An engine in a process of its own, which speaks NBoard or GTP.

    `command` is a command line, or its words; settings may stand before it in brackets, as for
    `umigame match`: "[name=old depth=6] ./engine nboard". `protocol` is "nboard", "gtp", or "auto",
    which finds out. `limit` is passed on to the engine: depth, level, nodes, time or clock.
    `options` are sent as settings. `timeout` is the wait for an answer of an engine without a clock,
    in seconds, `start_timeout` that for its first answer.

    A fault (a crash, a hang, an illegal move) ends the process and raises EngineError; so do Ctrl-C
    and `close`, with all that the process has started.
    """
    def __new__(
        cls,
        command: _Command,
        *,
        name: str | None = None,
        protocol: Literal["auto", "nboard", "gtp"] = "auto",
        limit: Limit | None = None,
        options: dict[str, str] | None = None,
        folder: _Path | None = None,
        timeout: float = 60.0,
        start_timeout: float = 60.0,
    ) -> EngineProcess: ...
    @property
    def name(self) -> str:
        """The name."""
    @property
    def protocol(self) -> Literal["nboard", "gtp"]:
        """The protocol, "nboard" or "gtp"."""
    def set_position(self, board: _BoardLike) -> None:
        """Sets the position of the next questions: the start of a game at first."""
    def go(self) -> ChosenMove:
        """Asks for a move in the position. A forced pass is answered without the engine; a game that
        is over raises IllegalMove.
        """
    def hint(self, count: int = 1, *, seconds: float = 1.0) -> list[Hint]:
        """Asks for the best `count` moves of the position, and ends the search after `seconds`. GTP has
        no hints.
        """
    def close(self) -> None:
        """Asks the engine to quit, and ends it. Later calls raise EngineError."""
    def __enter__(self) -> EngineProcess: ...
    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None: ...

def play_match(
    a: _Command,
    b: _Command,
    *,
    openings: Sequence[_GameLike] | None = None,
    games: int = 100,
    limit: Limit | None = None,
    threads: int = 1,
    seed: int = 0,
    margin: float = 0.05,
    timeout: float = 60.0,
    start_timeout: float = 60.0,
    callback: Callable[[MatchGame], object] | None = None,
) -> MatchResult:
    """Plays games between two engines, every opening twice with colours swapped, and returns the
    result from the view of `a`.

    `a` and `b` are commands as for `EngineProcess`, or such engines, of which others are started.
    `openings` are boards, games or texts; without any, `random_openings` makes them by `seed`, so
    that games differ. `games` is even. `limit` bounds engines without limits of their own. `threads`
    games are played at once. `margin` is the tolerance beyond a clock, in seconds. `callback` is
    called with each game as it ends; an exception from it ends the match, and so does Ctrl-C, with
    all engines.
    """
def random_openings(count: int, *, plies: int = 8, seed: int = 0) -> list[Board]:
    """Returns different boards after `plies` random moves. The same `seed` makes the same boards.

    >>> from umigame.arena import random_openings
    >>> boards = random_openings(10, plies=6, seed=1)
    >>> len(set(boards)), boards == random_openings(10, plies=6, seed=1)
    (10, True)
    """

@final
class GameReader:
    """The games of a file, one by one."""
    def __iter__(self) -> GameReader: ...
    def __next__(self) -> Game: ...

@final
class Batches:
    """An iterator of tuples of arrays. Prefer the functions of `umigame.arrays`."""
    def __iter__(self) -> Batches: ...
    def __next__(self) -> tuple[NDArray[Any], ...]: ...

@final
class Book:
    """A database of positions, games and searches in one file.

    `mode` is "r" to read, also a compact book, or "a" to read and write; "a" makes a missing file.
    `max_ply`, 1 to 60, is the last ply whose positions are kept, fixed when the file is made.

    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> with umigame.Book(pathlib.Path(folder.name, "book.sqlite"), "a") as book:
    ...     book.add([umigame.Game(umigame.Board("f5d6c3d3c4"))])
    ...     [(reply.move, reply.results.games) for reply in book.view(umigame.Board()).moves]
    (1, 0)
    [('f5', 1)]
    """
    def __new__(
        cls, path: _Path, mode: Literal["r", "a"] = "r", *, max_ply: int | None = None
    ) -> Book: ...
    @property
    def path(self) -> PathLike[str]:
        """The file."""
    @property
    def max_ply(self) -> int:
        """The last ply whose positions are kept."""
    def counts(self) -> dict[str, int]:
        """Counts the rows: games, positions, searched and proven positions."""
    def view(self, board: _BoardLike) -> BookPosition:
        """Returns the book's entry for a position."""
    def moves(
        self, board: _BoardLike, *, by: Literal["value", "win-rate"] = "value"
    ) -> list[BookMove]:
        """Returns the moves to play in a position, best first; [] where the best is unknown.

        `by` is "value", or "win-rate" for the results of games.
        """
    def choose(
        self,
        board: _BoardLike,
        *,
        by: Literal["value", "win-rate"] = "value",
        tolerance: float = 0.0,
        seed: int | None = None,
    ) -> BookMove | None:
        """Chooses a move at random among those at most `tolerance` discs worse than the best; None
        where the best is unknown. The same `seed` makes the same choice.
        """
    def add(
        self, games: Iterable[_GameLike], *, callback: _Progress | None = None
    ) -> tuple[int, int]:
        """Adds games and backs their results up; returns the numbers of games that were new and known.

        At most 40,000 games are one commit. An interrupt undoes the commit in progress; those before
        it stay. `callback` is called with the numbers of games done and in total.
        """
    def learn(self, game: _GameLike, report: Report | None = None) -> bool:
        """Adds a game and, where it is unfinished, the report of a search of its last position.
        Returns whether the game was new.
        """
    def grow(
        self,
        seconds: float,
        *,
        root: _BoardLike | None = None,
        limit: Limit | None = None,
        threads: int = 1,
        hash_mb: int = 64,
        callback: Callable[[int], object] | None = None,
    ) -> tuple[int, int, int]:
        """Searches the positions that matter most for the value of a position, `root`, for some
        seconds; returns the numbers of rounds, of positions expanded, and of positions searched.

        Each round is one commit. `limit` bounds each search, level 16 by default. `callback` is
        called after each round with the number of positions searched.
        """
    def positions_to_search(self, expand: int = 1, *, root: _BoardLike | None = None) -> _Positions:
        """Returns the positions whose searches matter most for the value of a position, `root`: the moves
        of about `expand` positions, shape (n, 2); none where nothing is left. With `add_searches` it
        grows a book by searches made elsewhere.
        """
    def add_searches(
        self,
        positions: _Positions,
        evals: Sequence[float],
        moves: _Moves,
        depths: Sequence[int],
        confidences: Sequence[int],
    ) -> int:
        """Adds searches of positions in one commit: evals in discs, best moves (-1 where the game is
        over), plies and confidences in percent, as `Results` has them. Returns the number of
        positions whose value changed.
        """
    def layers(
        self,
    ) -> Iterator[
        tuple[
            _Positions,
            NDArray[numpy.uint32],
            NDArray[numpy.float32],
            NDArray[numpy.float32],
            NDArray[numpy.uint8],
            NDArray[numpy.float32],
            _Moves,
        ]
    ]:
        """Returns an iterator over all positions as arrays, first ply first. Prefer
        `umigame.arrays.read_book`.
        """
    def close(self) -> None:
        """Closes the file. Later calls raise BookError."""
    def __enter__(self) -> Book: ...
    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
        /,
    ) -> None: ...

@final
class GameAnalysis:
    """A game judged move by move; `str` gives a table."""
    @property
    def game(self) -> Game:
        """The game."""
    @property
    def limit(self) -> Limit:
        """The bounds of the search of each position."""
    @property
    def moves(self) -> list[JudgedMove]:
        """The moves in order, passes included."""
    @property
    def losses(self) -> list[float]:
        """The loss of each move in discs, passes included."""
    @property
    def evals(self) -> list[float]:
        """Black's eval of every position in discs, the last included."""
    @property
    def turning_points(self) -> list[int]:
        """The plies at which the game turned, at most six."""
    def totals(self, color: _Color) -> SideTotals:
        """Returns the totals of "black" or "white"."""
    def html(self) -> str:
        """Returns a page with the graph of the game and a board that replays it: one file."""
    def json(self) -> str:
        """Returns the line of `umigame analyze --jsonl`."""
    def to_dict(self) -> dict[str, Any]:
        """Returns game, limit, moves, evals, turning points and totals as a dict of plain types."""

def analyze_game(
    game: _GameLike,
    limit: Limit | None = None,
    *,
    engine: Engine | None = None,
    callback: _Progress | None = None,
) -> GameAnalysis:
    """Judges every move of a game: its loss against the best move.

    `game` is a `Game`, a `Board` with moves, or text. `limit` bounds the search of each position,
    level 16 by default. `engine` does the searches; without one, an engine of one thread is made.
    `callback` is called with the numbers of positions done and in total.

    >>> analysis = umigame.analyze_game("f5d6c3d3c4f4f6", umigame.Limit(depth=6))
    >>> [move.move for move in analysis.moves]
    ['f5', 'd6', 'c3', 'd3', 'c4', 'f4', 'f6']
    >>> analysis.losses[0]
    0.0
    """
def read_games(
    path: _Path, *, format: str | None = None, errors: Literal["raise", "skip"] | str = "raise"
) -> GameReader:
    """Reads the games of a file one by one, in the format of its extension: ggf, sgf, pgn, txt
    (transcripts), obf or wtb (WTHOR, with names from .jou and .trn files beside it).

    `path` may be a folder: then all files of games in it and in its subfolders are read, by name.
    `format` overrides the extension; of a folder it chooses files. A faulty game raises ParseError, after which the iterator goes
    on with the next game; with errors="skip" it is left out.
    """
def read_positions(
    path: _Path,
    *,
    format: str | None = None,
    errors: Literal["raise", "skip"] | str = "raise",
    rows: int = 65536,
) -> Iterator[tuple[_Positions, _Moves, NDArray[numpy.int8], NDArray[numpy.uint32]]]:
    """Reads the positions of a file of games in batches of at least `rows`, whole games."""
def read_samples(
    path: _Path,
) -> Iterator[
    tuple[
        _Positions, NDArray[numpy.uint8], NDArray[numpy.int8], NDArray[numpy.float32], NDArray[numpy.uint8]
    ]
]:
    """Reads a file of training data block by block, as `umigame learn` writes it."""
def write_games(path: _Path, games: Iterable[_GameLike], *, format: str | None = None) -> int:
    """Writes games to a file, in the format of its extension: ggf, sgf, pgn, txt, obf or wtb.

    `format` overrides the extension. Of a game in OBF only the last position is kept; WTHOR (wtb)
    takes finished games, and their names go into .jou and .trn files beside it. Returns the number
    of games.
    """
def square_index(square: _MoveLike) -> int:
    """Returns the number of a square: 0 for "a1" to 63 for "h8".

    >>> umigame.square_index("f5")
    37
    """
def square_name(square: _MoveLike) -> str:
    """Returns the name of a square: "a1" for 0 to "h8" for 63.

    >>> umigame.square_name(37)
    'f5'
    """
def main(arguments: Sequence[str]) -> int:
    """Runs a command line of the binary, without the program's name, and returns its exit code.

    Output goes to the standard output of the process, not to `sys.stdout`.
    It is for `python -m umigame`: commands install handlers of signals that stay.
    """
def faster_level() -> Literal["v3", "v4"] | None:
    """Returns the level of x86-64, "v3" or "v4", whose build would run here and be faster than this one."""
def levels() -> list[LevelInfo]:
    """Returns the levels, the weakest first.

    >>> [level.level for level in umigame.levels()][-1]
    '30'
    """
def legal_moves(positions: _Positions, *, threads: int | None = None) -> _Positions:
    """Returns the legal squares of each position as a uint64."""
def flips(positions: _Positions, moves: _Moves, *, threads: int | None = None) -> _Positions:
    """Returns the discs that each move flips as a uint64; 0 for a pass."""
def apply(positions: _Positions, moves: _Moves, *, threads: int | None = None) -> _Positions:
    """Returns the positions after the moves, the other side to move."""
def symmetries(positions: _Positions, *, threads: int | None = None) -> _Positions:
    """Returns the eight images of each position, shape (n, 8, 2); the first is the position itself."""
def canonical(
    positions: _Positions, *, threads: int | None = None
) -> tuple[_Positions, NDArray[numpy.uint8]]:
    """Returns the smallest of the eight images of each position, and the number of the symmetry that
    leads to it.
    """
def move_images() -> _Moves:
    """Returns the image of each move number, 0 to 64, under each symmetry: shape (8, 65)."""
def final_scores(
    positions: _Positions, *, threads: int | None = None
) -> NDArray[numpy.int8]:
    """Returns each position's score in discs for the side to move if the game ended there."""
def game_over(positions: _Positions, *, threads: int | None = None) -> NDArray[numpy.bool_]:
    """Returns whether the game is over in each position."""
def features(
    positions: _Positions, *, folded: bool = False, threads: int | None = None
) -> NDArray[numpy.int32]:
    """Returns the numbers of the features of each position, shape (n, 66): one for each pattern where
    it lies on the board, then mobility, two of potential mobility, and parity. All are places in one
    table of `feature_count` weights; with `folded`, mirror images share a place.
    """
def solve_seconds(
    positions: _Positions, *, threads: int | None = None
) -> NDArray[numpy.float32]:
    """Predicts the seconds in which one thread of an average machine solves each position exactly, from
    its number of empties: right to a factor of about two for most.

    >>> seconds = umigame.arrays.solve_seconds(umigame.arrays.from_boards(["start", "f5d6c3"]))
    >>> bool(seconds[0] > seconds[1] > 0)
    True
    """
def feature_count(*, folded: bool = False) -> int:
    """Returns the number of distinct features: the length of a table of weights."""
def from_boards(boards: Sequence[_BoardLike]) -> _Positions:
    """Makes an array of the positions of boards, or of texts of positions."""
def to_boards(positions: _Positions, turn: _Color = "black") -> list[Board]:
    """Makes a board of each position, all with the same side to move."""
