"""Certificates of small endings made by brute force, for the tests of the checker."""

import hashlib
import json
import random

from umigame import Board

VALUES = {}


def value(board):
    """The value of a position by plain minimax."""
    key = (board.player, board.opponent)
    if key not in VALUES:
        if board.is_game_over():
            difference = board.disc_difference()
            VALUES[key] = difference + (difference > 0) * board.empties - (difference < 0) * board.empties
        else:
            VALUES[key] = max(-value(after) for _, after in replies(board))
    return VALUES[key]


def replies(board):
    """Every move, or the pass, with the position after it."""
    found = []
    for move in board.legal_moves or ["pass"]:
        after = board.copy()
        after.push(move)
        found.append((move, after))
    return found


def random_ending(empties, seed):
    """A position of a random game that is not over."""
    chance = random.Random(seed)
    while True:
        board = Board()
        while board.empties > empties and not board.is_game_over():
            board.push(chance.choice(board.legal_moves or ["pass"]))
        if not board.is_game_over():
            return board


def squares(board):
    """The squares, X for the side to move."""
    player, opponent = board.player, board.opponent
    return "".join("X" if player >> at & 1 else "O" if opponent >> at & 1 else "-" for at in range(64))


def lines_of(board, claim, score, leaf_empties, chance):
    """The lines that prove a true claim, with the header and without the end."""
    lines = [{"format": "umigame proof 1", "position": board.obf(), "claim": claim, "score": score}]
    done = set()

    def need(board, side, score):
        # Any of the eight images will do.
        board = board.transform(chance.randrange(8))
        key = (board.canonical(), side, score)
        if key in done or board.is_game_over():
            return
        done.add(key)
        line = {"board": squares(board), side: score}
        if board.empties <= leaf_empties:
            exact = chance.random() < 0.3
            bound = "exact" if exact else "lower" if side == "at_least" else "upper"
            lines.append({**line, "score": value(board) if exact else score, "bound": bound})
        elif side == "at_least":
            move, after = chance.choice([pair for pair in replies(board) if -value(pair[1]) >= score])
            need(after, "at_most", -score)
            lines.append({**line, "move": move})
        else:
            for _, after in replies(board):
                need(after, "at_least", -score)
            lines.append(line)

    if claim != "at most":
        need(board, "at_least", score)
    if claim != "at least":
        need(board, "at_most", score)
    return lines


def seal(lines):
    """The bytes of a certificate, with its last line."""
    data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    end = {"lines": len(lines) - 1, "sha256": hashlib.sha256(data).hexdigest()}
    return data + json.dumps(end).encode() + b"\n"


def is_true(header):
    """Whether the claim of a header is true, by brute force."""
    text = header["position"]
    board = Board(text)
    found, claim, score = value(board), header["claim"], header["score"]
    return (found >= score or claim == "at most") and (found <= score or claim == "at least")


def some_proofs(count, sizes=(6, 6, 7, 8), seed=0):
    """Lines of proofs of random endings with true claims of all kinds."""
    chance = random.Random(seed)
    for number in range(count):
        board = random_ending(sizes[number % len(sizes)], number + seed)
        found = value(board)
        claim = ("at least", "at most", "exactly")[number % 3]
        score = found + {"at least": -2, "at most": 2, "exactly": 0}[claim] * chance.randrange(3)
        if -64 <= score <= 64:
            yield lines_of(board, claim, score, chance.randrange(6), chance)
