"""Wrong arguments and damaged files: exceptions, never a crash.

A crash would end the test run itself. A fault of the package is a RuntimeError or a PanicException,
which are not among the exceptions allowed here.
"""

import random
import string

import numpy as np
import pytest
import umigame
from test_board import random_board
from umigame import Board, Book, Engine, Game, Limit, analyze_game, arrays

# Error is a ValueError; numpy raises others of its own where it converts a value.
# No OverflowError: numbers out of range are a ValueError, too.
ALLOWED = (ValueError, TypeError, OSError, IndexError)
COUNT = 10_000


def wrong_value(choice, depth=0):
    """A value of any type, mostly not the one expected."""
    kinds = [
        lambda: None,
        lambda: choice.choice([True, False]),
        lambda: choice.randrange(-3, 70),
        lambda: choice.choice([-(1 << 63), 1 << 63, 1 << 64, 10**40, -1]),
        lambda: choice.choice([0.0, -1.5, 1e308, float("nan"), float("inf")]),
        lambda: "".join(choice.choices(string.printable, k=choice.randrange(8))),
        lambda: choice.choice(["f5", "pass", "black", "r", "a", "ggf", "value", "start", "\ud800", "\0", "\u6d77"]),
        lambda: choice.choice([b"", b"umigame", bytes(20)]),
        lambda: choice.choice([Board(), Game(), Limit(depth=2)]),
        lambda: object(),
        lambda: wrong_array(choice),
        lambda: int,
    ]
    if depth < 2:
        kinds += [
            lambda: [wrong_value(choice, depth + 1) for _ in range(choice.randrange(4))],
            lambda: tuple(wrong_value(choice, depth + 1) for _ in range(2)),
            lambda: {wrong_value_key(choice): 1},
        ]
    return choice.choice(kinds)()


def wrong_value_key(choice):
    return choice.choice(["a", 1, None])


def wrong_array(choice):
    dtype = choice.choice(["u8", "u8", "u8", "i1", "i1", ">u8", "f4", "O", "S3", "?", "i8"])
    shape = choice.choice([(0, 2), (1, 2), (3, 2), (2,), (2, 3), (), (1, 2, 2), (0,), (3,)])
    array = np.zeros(shape, dtype=dtype)
    if choice.random() < 0.5 and array.dtype.kind in "ui":
        array[...] = choice.choice([1, 7, 65, 100])
    return array


def calls(engine, book, path):
    """Every call that takes arguments, and whether it is quick with any."""
    board, game = Board("f5d6c3"), Game("f5d6c3")
    limit = Limit(depth=2)
    return [
        Board, Board.from_bits, Board.from_obf, board.copy().push, board.is_legal, board.flips,
        board.disc_at, board.count, board.disc_difference, board.transform, board.svg, board.__eq__,
        Game, Game.from_ggf, Game.from_sgf, Game.from_pgn, Game.from_transcript, Game.from_obf,
        game.__eq__, lambda value: setattr(game, "result", value),
        lambda value: setattr(game, "evals", value), lambda value: setattr(game, "times", value),
        lambda value: setattr(game, "black", value), lambda value: setattr(game, "date", value),
        Limit, lambda value: Limit(depth=value), lambda value: Limit(time=value),
        lambda value: Limit(nodes=value), lambda value: Limit(confidence=value),
        lambda value: Limit(level=value), lambda value: Limit(clock=value, increment=value),
        lambda value: Engine(threads=value) if not isinstance(value, int) or not 3 <= value < 257 else None,
        lambda value: Engine(hash_mb=value) if not isinstance(value, int) or not 70 <= value < 1 << 40 else None,
        lambda value: Engine(weights=value, hash_mb=1),
        lambda value: engine.search(value, limit), lambda value: engine.play(value, limit),
        lambda value: engine.search(board, value) if not isinstance(value, type(None)) else None,
        lambda value: engine.search(board, limit, multipv=value),
        lambda value: engine.search(board, limit, callback=value),
        lambda value: engine.start(value, limit).stop(),
        lambda value: engine.play(board, limit, tolerance=value), lambda value: engine.play(board, limit, seed=value),
        lambda value: engine.solve(board, window=value) if not isinstance(value, type(None)) else None,
        engine.evaluate, engine.explain, engine.evaluate_many,
        lambda value: engine.search_many(value, limit),
        lambda value: engine.solve_many(value, window=(63, 64)) if getattr(value, 'size', 0) == 0 else None,
        lambda value: analyze_game(value, limit, engine=engine), lambda value: analyze_game(game, limit, engine=value),
        book.view, book.moves, lambda value: book.moves(board, by=value), book.add, book.learn,
        lambda value: book.learn(game, value), lambda value: book.choose(board, tolerance=value),
        lambda value: book.choose(board, seed=value),
        lambda value: Book(path, value), lambda value: Book(path, max_ply=value),
        lambda value: Book(path, "a", max_ply=value).close(),
        lambda value: umigame.read_games(path, format=value), lambda value: umigame.read_games(path, errors=value),
        lambda value: umigame.write_games(path.parent / "out.ggf", value),
        lambda value: next(arrays.read_games(path, format="txt", rows=value)),
        umigame.square_index, umigame.square_name,
        arrays.legal_moves, arrays.symmetries, arrays.canonical, arrays.final_scores, arrays.game_over,
        arrays.features, arrays.from_boards, arrays.to_boards,
        lambda value: arrays.flips(value, np.zeros(1, dtype=np.int8)),
        lambda value: arrays.apply(arrays.from_boards([board]), value),
        lambda value: arrays.legal_moves(arrays.from_boards([board]), threads=value),
    ]


def test_wrong_arguments(tmp_path):
    choice = random.Random(11)
    path = tmp_path / "book.sqlite"
    refused = 0
    with Book(path, "a") as book, Engine(hash_mb=1) as engine:
        book.add([Game("f5d6c3")])
        targets = calls(engine, book, path)
        for number in range(COUNT):
            call = targets[number % len(targets)]
            value = wrong_value(choice)
            try:
                call(value)
            except (*ALLOWED, StopIteration) as error:
                refused += 1
                assert str(error) or isinstance(error, StopIteration)
            except AttributeError as error:
                # Deleting is not offered, and Python itself says so.
                raise AssertionError(f"call {number}, {value!r}") from error
        assert engine.search(Board(), Limit(depth=2)).depth == 2
    print(f"\n{COUNT:,} calls, {refused:,} refused")
    assert refused > COUNT / 2


def damaged(choice, content):
    """The bytes with some faults."""
    content = bytearray(content)
    for _ in range(choice.randrange(1, 6)):
        if not content:
            break
        at, kind = choice.randrange(len(content)), choice.randrange(5)
        if kind == 0:
            content[at] = choice.randrange(256)
        elif kind == 1:
            del content[at:]
        elif kind == 2:
            del content[at : at + choice.randrange(1, 20)]
        elif kind == 3:
            content[at:at] = content[: choice.randrange(1, 40)]
        else:
            content[at:at] = bytes(choice.choices(b"()[];:/*XO-f5 \n\0\xff", k=choice.randrange(1, 9)))
    return bytes(content)


def wthor_file():
    """A WTHOR file of two games."""
    moves = [umigame.square_index(m) for m in random_board(1).move_stack if m != "pass"][:60]
    octets = bytes(10 * (m // 8 + 1) + m % 8 + 1 for m in moves).ljust(60, b"\0")
    header = bytes([20, 24, 1, 1]) + (2).to_bytes(4, "little") + bytes(2) + (2024).to_bytes(2, "little")
    header += bytes([8, 0, 22, 0])
    return header + 2 * (bytes(6) + bytes([32, 32]) + octets)


@pytest.mark.parametrize("extension", ["ggf", "sgf", "pgn", "txt", "obf", "wtb"])
def test_damaged_files_of_games(tmp_path, extension):
    choice = random.Random(extension)
    path = tmp_path / f"games.{extension}"
    if extension == "wtb":
        path.write_bytes(wthor_file())
        assert len(list(umigame.read_games(path))) == 2
    else:
        umigame.write_games(path, [Game(random_board(seed), black="Anna") for seed in range(3)])
    content, faults = path.read_bytes(), 0
    for number in range(COUNT // 10):
        path.write_bytes(damaged(choice, content))
        reader = umigame.read_games(path) if number % 2 else arrays.read_games(path)
        try:
            for _ in reader:
                pass
        except umigame.ParseError as error:
            faults += 1
            assert path.name in str(error)
    print(f"\n{COUNT // 10:,} files, {faults:,} refused")
    # A letter of a transcript is often another legal move.
    assert faults > COUNT // 50


def test_damaged_books_and_weights(tmp_path):
    choice = random.Random(5)
    path = tmp_path / "book.sqlite"
    with Book(path, "a", max_ply=8) as book:
        book.add([Game(random_board(seed)) for seed in range(20)])
    content = path.read_bytes()
    refused = 0
    for number in range(500):
        path.write_bytes(damaged(choice, content))
        try:
            with Book(path, choice.choice("ra")) as book:
                book.view(Board())
                book.counts()
                book.moves(Board(), by="win-rate")
                for _ in book.layers():
                    pass
        except (umigame.BookError, OSError):
            refused += 1
        for beside in (path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
            beside.unlink(missing_ok=True)
    for number in range(200):
        with pytest.raises(umigame.ParseError):
            Engine(weights=damaged(choice, bytes(choice.randrange(200))), hash_mb=1)
        (tmp_path / "samples").write_bytes(damaged(choice, b"UMIGDATA" + bytes(choice.randrange(100))))
        with pytest.raises(umigame.ParseError):
            list(arrays.read_samples(tmp_path / "samples"))
            raise umigame.ParseError("an empty file has no samples")
    print(f"\n500 books, {refused} refused")
    assert refused > 50
