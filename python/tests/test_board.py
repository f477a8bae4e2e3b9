"""Board and squares."""

import copy
import multiprocessing
import pickle
import random

import pytest
import umigame
from umigame import Board, Engine, Limit


def random_board(seed, plies=200):
    board, choice = Board(), random.Random(seed)
    while not board.is_game_over() and board.ply < plies:
        board.push(choice.choice(board.legal_moves))
    return board


def test_start():
    board = Board()
    assert (board.turn, board.ply, board.empties) == ("black", 0, 60)
    assert board.legal_moves == ["d3", "c4", "f5", "e6"]
    assert (board.count("black"), board.count("white")) == (2, 2)
    assert board.black == board.player == umigame.arrays.from_boards([board])[0, 0]
    assert board.white & board.black == 0
    assert board.disc_at("e4") == board.disc_at(28) == "black"
    assert board.disc_at("d4") == "white"
    assert board.disc_at("a1") is None
    assert board.flips("f5") == ["e5"]
    assert board.flips("a1") == board.flips("e4") == board.flips("pass") == []
    assert not board.is_game_over()
    assert board.result() is None


def test_push_and_pop_over_random_games():
    passes = 0
    for seed in range(200):
        board = random_board(seed)
        passes += board.move_stack.count("pass")
        assert board.is_game_over()
        assert board.legal_moves == []
        black, white = board.count("black"), board.count("white")
        lead = black - white
        empties = board.empties if lead > 0 else -board.empties if lead < 0 else 0
        assert board.result() == lead + empties
        assert board.disc_difference("black") == -board.disc_difference("white") == lead
        moves = board.move_stack
        for move in reversed(moves):
            assert board.pop() == move
            assert board.is_legal(move)
        assert board == Board()
    assert passes > 50


def test_passing():
    # No game passes before ply 9; here White passes at once.
    board = next(b for b in (random_board(seed, 58) for seed in range(500)) if "pass" in b.move_stack)
    while board.pop() != "pass":
        pass
    assert board.legal_moves == ["pass"]
    assert board.is_legal("pass") and board.is_legal(64) and not board.is_legal("a1")
    turn = board.turn
    board.push_pass()
    assert board.turn != turn
    assert board.pop() == "pass"
    for spelling in ("PA", "ps", "--", 64):
        board.push(spelling)
        board.pop()
    with pytest.raises(umigame.IllegalMove, match="pass: Black has a legal move"):
        Board().push_pass()


def test_moves_may_be_ints_and_upper_case():
    one, other = Board(), Board()
    one.push("F5")
    other.push(37)
    assert one == other
    assert umigame.square_index("f5") == 37
    assert [umigame.square_index(name) for name in umigame.SQUARES] == list(range(64))


@pytest.mark.parametrize(
    ("move", "error", "text"),
    [
        ("e4", umigame.IllegalMove, "e4: there is a disc already"),
        ("a1", umigame.IllegalMove, "a1: flips nothing for Black"),
        ("i9", umigame.ParseError, "`i9` is no move"),
        (65, umigame.Error, "65 is no move"),
        (-1, umigame.Error, "-1 is no move"),
        (10**30, umigame.Error, "1000000000000000000000000000000 is no move"),
        pytest.param(10**5000, umigame.Error, "is no move: expected 0", id="huge"),
        (1.5, TypeError, "not float"),
        (None, TypeError, "not NoneType"),
        (True, TypeError, "not bool"),
    ],
)
def test_wrong_moves(move, error, text):
    board = Board()
    with pytest.raises(error, match=text):
        board.push(move)
    assert board == Board() and board.move_stack == []


def test_texts():
    board = Board("f5d6c3")
    assert board.turn == "white"
    assert Board("F5 D6 C3") == board == Board(moves=["f5", "d6", "c3"]) == Board.from_obf(board.obf())
    assert board.transcript() == "f5d6c3"
    assert eval(repr(board), {"Board": Board}) == board
    assert Board(umigame.Game(board).ggf()).move_stack == board.move_stack
    assert str(Board()).splitlines()[0] == "  a b c d e f g h"
    for seed in range(50):
        drawn = random_board(seed, 2 * seed)
        assert Board(str(drawn)) == drawn
    with pytest.raises(umigame.ParseError, match="zz"):
        Board("zz")
    with pytest.raises(umigame.IllegalMove, match="move 2: f5"):
        Board(moves=["f5", "f5"])
    with pytest.raises(umigame.Error, match="share squares: a1"):
        Board.from_bits(1, 1)
    with pytest.raises(IndexError):
        Board().pop()


def test_equality_and_hash():
    assert Board("f5d6c3") == Board.from_obf(Board("f5d6c3").obf())
    assert hash(Board("f5d6c3")) == hash(Board.from_obf(Board("f5d6c3").obf()))
    assert Board() != Board("f5") and Board() != "start"
    start = Board()
    assert Board.from_bits(start.player, start.opponent, "white") != start
    assert len({Board("f5"), Board("f5"), Board("d3")}) == 2
    # A transposition: the same discs by another order of moves.
    one, other = Board("f5d6c3d3c4f4e3"), Board("f5d6c4d3c3f4e3")
    assert one == other and hash(one) == hash(other) and one.move_stack != other.move_stack


def test_copies_are_apart():
    board = Board("f5d6")
    for other in (board.copy(), copy.copy(board), copy.deepcopy(board)):
        assert other == board and other.move_stack == board.move_stack
        other.push("c3")
        assert other != board
    assert board.root() == Board() and board.root().ply == 0


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(protocol):
    for seed in range(20):
        board = random_board(seed, seed * 3)
        other = pickle.loads(pickle.dumps(board, protocol))
        assert other == board and other.move_stack == board.move_stack and hash(other) == hash(board)


def _pushed(board):
    board.push("d3")
    return board


def test_boards_go_to_other_processes():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(_pushed, [Board("f5d6c3")]) == [Board("f5d6c3d3")]


def test_symmetries():
    board = random_board(3, 20)
    images = board.symmetries()
    assert len(set(images)) == 8 and images[0] == board
    assert {image.canonical() for image in images} == {board.canonical()}
    assert board.transform(1).transform(1) == board
    assert board.transform(7).empties == board.empties
    with pytest.raises(umigame.Error, match="symmetry=8"):
        board.transform(8)
    with pytest.raises(umigame.Error, match="symmetry=-1: expected 0 to 7"):
        board.transform(-1)


def test_a_greedy_player_passes_where_it_must():
    for seed in range(100):
        board, choice = Board(), random.Random(seed)
        while not board.is_game_over():
            moves = board.legal_moves
            choice.shuffle(moves)
            board.push(max(moves, key=lambda move: len(board.flips(move))))
        assert board.result() is not None


def test_the_difference_of_discs_is_no_final_score():
    board = Board("f5")
    assert (board.disc_difference(), board.disc_difference("black")) == (-3, 3)
    assert board.result() is None


def test_svg():
    board = Board("f5d6c3")
    for svg in (board._repr_svg_(), board.svg(), board.svg(size=80, legal=False), board.svg(numbers=True)):
        assert svg.startswith("<svg ") and svg.endswith("</svg>")
    assert 'width="80"' in board.svg(size=80)


def test_svg_with_values():
    board = Board("f5d6c3")
    report = Engine(hash_mb=1).search(board, Limit(depth=3), multipv=4)
    svg = board.svg(values=report)
    assert svg.count("&#177;") == 4 and svg.isascii()
    assert board.svg(values={"d3": 4, "g5": -0.5}).count("</text>") == 16 + 2
    assert ">+4</text>" in board.svg(values={"d3": 4}) and ">&#8722;0.5</text>" in board.svg(values={"g5": -0.5})
    for wrong in ("d3", {"z9": 1}, {"d3": "high"}, {"d3": 65}, {"d3": float("nan")}, {"pass": 1}, [1]):
        with pytest.raises((TypeError, ValueError)):
            board.svg(values=wrong)


def test_openings():
    assert Board("f5d6c3d3c4").opening[0] == "Tiger"
    assert Board().opening == (None, None)
