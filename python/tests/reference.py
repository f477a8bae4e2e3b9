"""The rules of Othello in plain numpy, for the tests: sets of squares as uint64, one shift a step."""

import numpy as np

FULL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
NOT_A = np.uint64(0xFEFE_FEFE_FEFE_FEFE)
NOT_H = np.uint64(0x7F7F_7F7F_7F7F_7F7F)
# Steps to higher bits, with the squares that a step to the right or left may reach.
STEPS = [(np.uint64(1), NOT_A), (np.uint64(7), NOT_H), (np.uint64(8), FULL), (np.uint64(9), NOT_A)]
BACK = [(np.uint64(1), NOT_H), (np.uint64(7), NOT_A), (np.uint64(8), FULL), (np.uint64(9), NOT_H)]
ONE = np.uint64(1)
START = np.array([0x0000_0008_1000_0000, 0x0000_0010_0800_0000], dtype=np.uint64)


def directions():
    """The eight steps over arrays of sets of squares."""
    for shift, mask in STEPS:
        yield lambda bits, shift=shift, mask=mask: (bits << shift) & mask
    for shift, mask in BACK:
        yield lambda bits, shift=shift, mask=mask: (bits >> shift) & mask


def legal_moves(positions):
    """The legal squares of each position."""
    player, opponent = positions[:, 0], positions[:, 1]
    empty = ~(player | opponent)
    legal = np.zeros(len(positions), dtype=np.uint64)
    for step in directions():
        run = step(player) & opponent
        for _ in range(5):
            run |= step(run) & opponent
        legal |= step(run) & empty
    return legal


def flips(positions, moves):
    """The discs that each move flips."""
    player, opponent = positions[:, 0], positions[:, 1]
    disc = ONE << moves.astype(np.uint64)
    flipped = np.zeros(len(positions), dtype=np.uint64)
    for step in directions():
        run = step(disc) & opponent
        for _ in range(5):
            run |= step(run) & opponent
        closed = (step(run) & player) != 0
        flipped |= np.where(closed, run, np.uint64(0))
    return flipped


def apply(positions, moves):
    """The positions after legal moves; -1 is a pass."""
    passes = moves < 0
    squares = np.where(passes, 0, moves)
    flipped = np.where(passes, np.uint64(0), flips(positions, squares))
    disc = np.where(passes, np.uint64(0), ONE << squares.astype(np.uint64))
    player = positions[:, 0] | flipped | disc
    return np.stack([positions[:, 1] & ~flipped, player], axis=1)


def random_moves(legal, random):
    """A random square of each set; -1 for an empty set."""
    bits = np.unpackbits(legal.astype("<u8").view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    score = random.random(bits.shape, dtype=np.float32) * bits
    return np.where(legal == 0, -1, score.argmax(axis=1)).astype(np.int8)


def random_positions(count, seed=0):
    """Positions of random games with at least one legal move, and sets of random bits."""
    random = np.random.default_rng(seed)
    games = max(1, count // 60)
    board, found, total = np.tile(START, (games, 1)), [], 0
    for _ in range(70):
        legal = legal_moves(board)
        found.append(board[legal != 0])
        total += len(found[-1])
        board = apply(board, random_moves(legal, random))
    rest = max(0, count - total)
    words = random.integers(0, 1 << 64, (rest, 3), dtype=np.uint64)
    # Boards from sparse to full.
    words[::3, 2] &= random.integers(0, 1 << 64, len(words[::3]), dtype=np.uint64)
    words[1::3, 2] = FULL
    player = words[:, 0] & words[:, 2]
    opponent = words[:, 1] & words[:, 2] & ~player
    found.append(np.stack([player, opponent], axis=1))
    return np.ascontiguousarray(np.concatenate(found)[:count])
