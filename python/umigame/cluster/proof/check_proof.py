"""Checks the certificate of a proof: `python check_proof.py FILE`, or `python -m umigame.cluster check-proof FILE`.

Written apart from the planner and from the engine: the rules of Othello, symmetry and a small solver are
its own, and it needs nothing but Python. docs/proofs.md has the format. A line of a certificate follows
from lines above it or is a solved leaf, so that circles cannot occur.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import itertools
import json
import random
import shlex
import subprocess
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, NoReturn, cast

FORMAT = "umigame proof 1"
MAX_LINE_BYTES = 1000
# Endings of at most this many empties are solved again here, in about a second.
OWN_SOLVER_MAX_EMPTIES = 12
# The bounds of any value.
UNKNOWN = (-64, 64)

FULL = 0xFFFF_FFFF_FFFF_FFFF
NOT_A = 0xFEFE_FEFE_FEFE_FEFE
NOT_H = 0x7F7F_7F7F_7F7F_7F7F
# The eight steps: bits to the left, to the right, and the squares that a step may reach. Bit 0 is a1, bit 7 h1.
STEPS = [(left, 0, mask) for left, mask in ((1, NOT_A), (7, NOT_H), (8, FULL), (9, NOT_A))]
STEPS += [(0, right, mask) for right, mask in ((1, NOT_H), (7, NOT_A), (8, FULL), (9, NOT_H))]

Pair = tuple[int, int]
"""A position: the discs of the side to move, then those of the other side."""


class Refused(Exception):
    """A certificate that does not prove its claim."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")


def legal_moves(player: int, opponent: int) -> int:
    """Returns the set of squares on which the side to move may place a disc."""
    found = 0
    for left, right, mask in STEPS:
        run = (player << left >> right) & mask & opponent
        while run:
            run = (run << left >> right) & mask
            found |= run & ~opponent
            run &= opponent
    return found & ~player


def flips(player: int, opponent: int, disc: int) -> int:
    """Returns the discs that a disc placed by the side to move flips."""
    flipped = 0
    for left, right, mask in STEPS:
        run, step = 0, (disc << left >> right) & mask
        while step & opponent:
            run |= step
            step = (step << left >> right) & mask
        if step & player:
            flipped |= run
    return flipped


def play(player: int, opponent: int, disc: int) -> Pair:
    """Returns the position after a legal move."""
    flipped = flips(player, opponent, disc)
    return opponent & ~flipped, player | flipped | disc


def children_of(player: int, opponent: int) -> list[tuple[str, Pair]] | None:
    """Returns every legal move with the position after it, the pass where none is; None if the game is over."""
    legal = legal_moves(player, opponent)
    if legal:
        squares = (index for index in range(64) if legal >> index & 1)
        return [("abcdefgh"[at % 8] + str(at // 8 + 1), play(player, opponent, 1 << at)) for at in squares]
    return [("pass", (opponent, player))] if legal_moves(opponent, player) else None


def final_score(player: int, opponent: int) -> int:
    """Returns the score of a game that is over: the difference, the empties counted for the winner."""
    own, other = player.bit_count(), opponent.bit_count()
    if own == other:
        return 0
    return 64 - 2 * other if own > other else 2 * own - 64


def turned(bits: int) -> int:
    """Reflects a set of squares at the diagonal a1-h8."""
    swap = (bits ^ (bits >> 7)) & 0x00AA_00AA_00AA_00AA
    bits ^= swap ^ (swap << 7)
    swap = (bits ^ (bits >> 14)) & 0x0000_CCCC_0000_CCCC
    bits ^= swap ^ (swap << 14)
    swap = (bits ^ (bits >> 28)) & 0x0000_0000_F0F0_F0F0
    return bits ^ swap ^ (swap << 28)


def mirrored(bits: int) -> int:
    """Reflects a set of squares: column a becomes h."""
    bits = (bits & 0x5555_5555_5555_5555) << 1 | (bits >> 1) & 0x5555_5555_5555_5555
    bits = (bits & 0x3333_3333_3333_3333) << 2 | (bits >> 2) & 0x3333_3333_3333_3333
    return (bits & 0x0F0F_0F0F_0F0F_0F0F) << 4 | (bits >> 4) & 0x0F0F_0F0F_0F0F_0F0F


def upended(bits: int) -> int:
    """Reflects a set of squares: row 1 becomes 8."""
    return int.from_bytes(bits.to_bytes(8, "little"), "big")


def folded(player: int, opponent: int) -> Pair:
    """Returns the least of the eight images of a position."""
    best = (player, opponent)
    for own, other in ((player, opponent), (turned(player), turned(opponent))):
        side, across = mirrored(own), mirrored(other)
        best = min(best, (own, other), (side, across))
        best = min(best, (upended(own), upended(other)), (upended(side), upended(across)))
    return best


class Solver:
    """Alpha-beta with a null window, for endings of few empties."""

    def __init__(self) -> None:
        self.known: dict[tuple[int, int, int], bool] = {}

    def is_at_least(self, player: int, opponent: int, score: int) -> bool:
        """Returns whether the value of a position is at least a score."""
        key = (player, opponent, score)
        if key not in self.known:
            self.known[key] = self._search(player, opponent, score)
        return self.known[key]

    def _search(self, player: int, opponent: int, score: int) -> bool:
        children = children_of(player, opponent)
        if children is None:
            return final_score(player, opponent) >= score
        after = [pair for _, pair in children]
        # The fewer moves the opponent has, the sooner a cutoff.
        after.sort(key=lambda pair: legal_moves(*pair).bit_count())
        return any(not self.is_at_least(own, other, 1 - score) for own, other in after)


@dataclass(frozen=True)
class Leaf:
    """A solved leaf: its score is exact, a lower or an upper bound."""

    line: int
    board: str
    pair: Pair
    score: int
    bound: str

    @property
    def empties(self) -> int:
        return 64 - (self.pair[0] | self.pair[1]).bit_count()

    @property
    def window(self) -> tuple[int, int]:
        """The window in which a search confirms the leaf."""
        low, high = self.score - (self.bound != "upper"), self.score + (self.bound != "lower")
        return max(min(low, 63), -64), min(max(high, -63), 64)


@dataclass
class Proof:
    """What a certificate claims, and what has been read of it."""

    position: str
    root: Pair
    claim: str
    score: int
    bounds: dict[Pair, tuple[int, int]] = field(default_factory=dict)
    """The lower and the upper bound proven of folded positions."""
    lines: int = 0
    leaves: int = 0
    fewest_empties: int = 64
    most_empties: int = 0
    sample: list[Leaf] = field(default_factory=list)
    again: int = 0


def parse_object(line: int, data: bytes) -> dict[str, Any]:
    """Returns the JSON object of a line."""
    try:
        pairs = json.loads(data.decode("ascii"), object_pairs_hook=list)
        found = dict(pairs)
    except (ValueError, TypeError, RecursionError) as error:
        raise Refused(line, f"not a line of JSON with keys and values: {error}") from None
    if len(found) != len(pairs) or not data.startswith(b"{"):
        raise Refused(line, f"expected an object without repeated keys, found {data[:40]!r}")
    return found


def parse_board(line: int, text: object) -> Pair:
    """Returns the position of 64 squares of X (side to move), O and -."""
    if not isinstance(text, str) or len(text) != 64 or set(text) - set("XO-"):
        raise Refused(line, f"expected a board of 64 squares of X, O and -, found {str(text)[:80]!r}")
    player = sum(1 << index for index, square in enumerate(text) if square == "X")
    opponent = sum(1 << index for index, square in enumerate(text) if square == "O")
    return player, opponent


def parse_score(line: int, key: str, value: object) -> int:
    """Returns a score in discs."""
    if type(value) is not int or not -64 <= value <= 64:
        raise Refused(line, f"expected {key!r} from -64 to 64, found {value!r:.40}")
    return value


def parse_header(data: bytes) -> Proof:
    """Returns the claim in the first line."""
    found = parse_object(1, data)
    if found.get("format") != FORMAT or set(found) != {"format", "position", "claim", "score"}:
        raise Refused(1, f"expected position, claim, score and the format {FORMAT!r}, found {data[:80]!r}")
    position, claim = found["position"], found["claim"]
    if not isinstance(position, str) or position[64:] not in (" X", " O"):
        raise Refused(1, f"expected 64 squares and the side to move, X or O, found {position!r:.90}")
    if claim not in ("at least", "at most", "exactly"):
        raise Refused(1, f"expected 'claim' at least, at most or exactly, found {claim!r:.40}")
    pair = parse_board(1, position[:64])
    root = pair if position[65] == "X" else (pair[1], pair[0])
    return Proof(position, root, claim, parse_score(1, "score", found["score"]))


class Checker:
    """Reads a certificate line by line."""

    def __init__(self, proof: Proof, sample: int, seed: int | None) -> None:
        self.proof = proof
        self.size = sample
        self.chance = random.Random(seed)

    def add(self, line: int, found: dict[str, Any]) -> None:
        """Takes a line, which must follow from those above or be a solved leaf."""
        keys = set(found)
        side = "at_least" if "at_least" in keys else "at_most"
        pair = parse_board(line, found.get("board"))
        score = parse_score(line, side, found.get(side))
        if keys == {"board", side, "score", "bound"}:
            self._add_leaf(line, found, pair, side, score)
        elif keys == {"board", "at_least", "move"}:
            self._check_move(line, pair, score, found["move"])
            self._accept(line, pair, lower=score)
        elif keys == {"board", "at_most"}:
            self._check_replies(line, pair, score)
            self._accept(line, pair, upper=score)
        else:
            raise Refused(line, f"unknown kind of line, with {', '.join(sorted(keys))[:80]}")
        self.proof.lines += 1

    def _add_leaf(self, line: int, found: dict[str, Any], pair: Pair, side: str, needed: int) -> None:
        score, bound = parse_score(line, "score", found["score"]), found["bound"]
        if bound not in ("exact", "lower", "upper"):
            raise Refused(line, f"expected 'bound' exact, lower or upper, found {bound!r:.40}")
        if bound == "exact" and score % 2:
            raise Refused(line, f"an exact score is even, found {score:+d}")
        holds = score >= needed if side == "at_least" else score <= needed
        if not holds or bound == ("upper" if side == "at_least" else "lower"):
            raise Refused(line, f"{bound} {score:+d} does not show {side.replace('_', ' ')} {needed:+d}")
        self._accept(line, pair, -64 if bound == "upper" else score, 64 if bound == "lower" else score)
        self._draw(Leaf(line, found["board"], pair, score, bound))

    def _draw(self, leaf: Leaf) -> None:
        """Counts a leaf, and keeps it for the sample with the same chance as each."""
        proof = self.proof
        proof.leaves += 1
        proof.fewest_empties = min(proof.fewest_empties, leaf.empties)
        proof.most_empties = max(proof.most_empties, leaf.empties)
        place = self.chance.randrange(proof.leaves)
        if len(proof.sample) < self.size:
            proof.sample.append(leaf)
        elif place < self.size:
            proof.sample[place] = leaf

    def _check_move(self, line: int, pair: Pair, score: int, move: object) -> None:
        children = dict(children_of(*pair) or [])
        if not isinstance(move, str) or move not in children:
            raise Refused(line, f"{move!r:.40} is not legal here")
        if self.bounds_of(children[move])[1] > -score:
            raise Refused(line, f"no line above shows at most {-score:+d} for the other side after {move}")

    def _check_replies(self, line: int, pair: Pair, score: int) -> None:
        children = children_of(*pair)
        if children is None and final_score(*pair) > score:
            raise Refused(line, f"the game is over here with {final_score(*pair):+d}")
        for move, child in children or []:
            if self.bounds_of(child)[0] < -score:
                raise Refused(line, f"no line above shows at least {-score:+d} for the other side after {move}")

    def bounds_of(self, pair: Pair) -> tuple[int, int]:
        """Returns what is proven of a position: the score itself if the game is over."""
        known = self.proof.bounds.get(folded(*pair), UNKNOWN)
        if known == UNKNOWN and not legal_moves(*pair) and not legal_moves(pair[1], pair[0]):
            return final_score(*pair), final_score(*pair)
        return known

    def _accept(self, line: int, pair: Pair, lower: int = UNKNOWN[0], upper: int = UNKNOWN[1]) -> None:
        known = self.bounds_of(pair)
        # Every final score is even (see `final_score`), and so is every value.
        lower, upper = max(lower + lower % 2, known[0]), min(upper - upper % 2, known[1])
        if lower > upper:
            raise Refused(line, f"at least {lower:+d} and at most {upper:+d}: a line above contradicts this one")
        self.proof.bounds[folded(*pair)] = lower, upper

    def conclude(self, line: int) -> None:
        """Checks that the lines prove the claim."""
        claim, score = self.proof.claim, self.proof.score
        lower, upper = self.bounds_of(self.proof.root)
        if (claim != "at most" and lower < score) or (claim != "at least" and upper > score):
            raise Refused(line, f"the lines do not show that the position of the claim has {claim} {score:+d}")


def open_certificate(path: str) -> BinaryIO:
    """Opens a certificate, compressed by gzip or not."""
    file: BinaryIO = io.BytesIO(sys.stdin.buffer.read()) if path == "-" else open(path, "rb")
    compressed = file.read(2) == b"\x1f\x8b"
    file.seek(0)
    return cast(BinaryIO, gzip.open(file)) if compressed else file


def read_lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yields the lines with their numbers."""
    for number in itertools.count(1):
        try:
            data = file.readline(MAX_LINE_BYTES + 1)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise Refused(number, f"the compressed file is damaged or cut: {error}") from None
        if not data:
            return
        if len(data) > MAX_LINE_BYTES:
            raise Refused(number, f"longer than {MAX_LINE_BYTES} bytes")
        if not data.endswith(b"\n"):
            raise Refused(number, "the file ends in the middle of this line")
        yield number, data


def check(file: BinaryIO, sample: int = 0, seed: int | None = None) -> Proof:
    """Replays a certificate and returns what it proves; raises Refused if it does not."""
    lines = read_lines(file)
    digest = hashlib.sha256()
    first = next(lines, None)
    if first is None:
        raise Refused(1, "the file is empty")
    proof = parse_header(first[1])
    digest.update(first[1])
    checker = Checker(proof, sample, seed)
    for number, data in lines:
        found = parse_object(number, data)
        if "sha256" in found:
            if found != {"lines": proof.lines, "sha256": digest.hexdigest()}:
                raise Refused(number, f"the lines above are not those written; their sum is {digest.hexdigest()}")
            if next(lines, None) is not None:
                raise Refused(number + 1, "a line behind the last")
            checker.conclude(number)
            return proof
        checker.add(number, found)
        digest.update(data)
    raise Refused(proof.lines + 2, "the file was cut: its last line, with the sum of all others, is missing")


def refuse_leaf(leaf: Leaf, found: str) -> NoReturn:
    """Reports a leaf that was solved again with another result."""
    raise Refused(leaf.line, f"{leaf.bound} {leaf.score:+d} is wrong: solved again, {found}")


def solve_here(leaf: Leaf, solver: Solver) -> None:
    """Solves a leaf again by the solver of this file."""
    if leaf.bound != "upper" and not solver.is_at_least(*leaf.pair, leaf.score):
        refuse_leaf(leaf, f"the value is less than {leaf.score:+d}")
    if leaf.bound != "lower" and solver.is_at_least(*leaf.pair, leaf.score + 1):
        refuse_leaf(leaf, f"the value is more than {leaf.score:+d}")


class SolveError(Exception):
    """A command that does not solve leaves."""


def answers_of(command: str, leaves: list[Leaf], window: tuple[int, int]) -> list[tuple[float, str]]:
    """Returns the scores and bounds that a command finds for leaves."""
    text = "".join(f"{leaf.board} X\n" for leaf in leaves)
    low, high = map(str, window)
    try:
        words = [word.replace("{low}", low).replace("{high}", high) for word in shlex.split(command)]
        done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
        answers = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        found = [(float(answer["score"]), str(answer["bound"])) for answer in answers]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise SolveError(f"{command!r} gives no scores: {error}") from None
    if len(found) != len(leaves) or any(bound not in ("exact", "lower", "upper") for _, bound in found):
        said = (done.stderr.strip() or done.stdout.strip())[-200:]
        raise SolveError(f"{command!r} has not solved {len(leaves)} leaves (exit code {done.returncode}): {said}")
    return found


def solve_by(command: str, leaves: list[Leaf]) -> None:
    """Solves leaves again by a command, those of one window together."""
    windows: dict[tuple[int, int], list[Leaf]] = {}
    for leaf in leaves:
        windows.setdefault(leaf.window if "{low}" in command else UNKNOWN, []).append(leaf)
    for window, some in windows.items():
        for leaf, (score, bound) in zip(some, answers_of(command, some, window), strict=True):
            lower, upper = score if bound != "upper" else -64, score if bound != "lower" else 64
            if (leaf.bound != "upper" and lower < leaf.score) or (leaf.bound != "lower" and upper > leaf.score):
                refuse_leaf(leaf, f"{bound} {score:+g}")


def solve_sample(proof: Proof, command: str | None) -> None:
    """Solves the sample of leaves again: by the command, small ones without it by this file."""
    chosen = [leaf for leaf in proof.sample if command is not None or leaf.empties <= OWN_SOLVER_MAX_EMPTIES]
    if command is not None:
        solve_by(command, chosen)
    else:
        solver = Solver()
        for leaf in chosen:
            solve_here(leaf, solver)
    proof.again = len(chosen)


def summary(proof: Proof) -> str:
    """Returns what was checked, and what it rests on."""
    claim = f"the value of {proof.position} is {proof.claim} {proof.score:+d}"
    text = f"proven: {claim} for the side to move\n# {proof.lines} lines replayed"
    if not proof.leaves:
        return f"{text}; no solved leaves"
    empties = f"{proof.fewest_empties} to {proof.most_empties}"
    text = f"{text}; {proof.leaves} solved leaves of {empties} empties, of which {proof.again} solved again"
    return text + "\n# larger leaves are solved again with --solve COMMAND" * (proof.again < len(proof.sample))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.add_argument("file", metavar="FILE", help="the certificate, compressed or not; - is standard input")
    parser.add_argument("--sample", type=int, default=100, metavar="N", help="leaves to solve again [default: 100]")
    parser.add_argument("--seed", type=int, metavar="N", help="draw the same sample again")
    parser.add_argument(
        "--solve",
        metavar="COMMAND",
        help="reads positions in OBF and answers each with a line of JSON with score and bound; {low} and {high} "
        "are the window: 'umigame solve - --jsonl --window {low} {high}'. Without it, leaves of at most "
        f"{OWN_SOLVER_MAX_EMPTIES} empties are solved here",
    )


def run(args: argparse.Namespace) -> int:
    """Runs the command and returns its exit code."""
    try:
        with open_certificate(args.file) as file:
            proof = check(file, max(args.sample, 0), args.seed)
        solve_sample(proof, args.solve)
    except Refused as error:
        print(f"{args.file}: refused: {error}", file=sys.stderr)
        return 1
    except (SolveError, OSError) as error:
        print(f"{args.file}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    print(summary(proof))
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Runs the file as a script."""
    parser = argparse.ArgumentParser(prog="check_proof.py", description=(__doc__ or "").split("\n")[0])
    add_arguments(parser)
    return run(parser.parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main())
