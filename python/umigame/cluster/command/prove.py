"""`prove`: proves a bound of a position's value, and writes the certificate."""

from __future__ import annotations

import argparse
import sys
import time

import umigame
from umigame.cluster.proof.certificate import write_certificate
from umigame.cluster.proof.claim import Claim
from umigame.cluster.proof.planner import Progress, Proof, prove
from umigame.cluster.store import Store

NAME = "prove"
HELP = "Prove that a position is worth at least, at most or exactly a score"
MAX_LEAF_EMPTIES = 40

__all__ = ["HELP", "NAME", "add_arguments", "run"]


def _empties(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= MAX_LEAF_EMPTIES:
        raise argparse.ArgumentTypeError(f"`{text}`: expected 1 to {MAX_LEAF_EMPTIES} empties")
    return int(text)


def _count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"`{text}`: expected a number from 1")
    return int(text)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.add_argument("position", metavar="POSITION", help="a transcript (f5d6c3), or 64 squares and the side to move")
    claim = parser.add_mutually_exclusive_group(required=True)
    claim.add_argument("--at-least", type=int, metavar="N", help="the value is N or more for the side to move")
    claim.add_argument("--at-most", type=int, metavar="N", help="the value is N or less")
    claim.add_argument("--exactly", type=int, metavar="N", help="the value is N")
    parser.add_argument("--store", required=True, metavar="S", help="folder or URL of the results; goes on from there")
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate to FILE, compressed if .gz")
    parser.add_argument(
        "--leaf-empties", type=_empties, default=22, metavar="N", help="solve endings of N empties or fewer [default: 22]"
    )
    parser.add_argument("--threads", type=_count, default=1, metavar="N", help="threads of the engine [default: 1]")
    parser.add_argument("--hash", type=_count, default=64, metavar="MB", help="memory of the engine [default: 64]")
    parser.add_argument("--quiet", "-q", action="store_true", help="report no progress")


def claim_of(args: argparse.Namespace) -> Claim:
    """Returns the claim asked for."""
    board = umigame.Board(args.position)
    if args.at_least is not None:
        return Claim(board, "at least", args.at_least)
    if args.at_most is not None:
        return Claim(board, "at most", args.at_most)
    return Claim(board, "exactly", args.exactly)


def duration(seconds: float) -> str:
    """Returns a time in words: 41 s, 3 min 5 s, 2 h 7 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def line_of(progress: Progress) -> str:
    """Returns progress as a line."""
    left = progress.seconds_left
    between = f"{duration(left / progress.factor)} to {duration(left * progress.factor)}"
    return (
        f"# {duration(progress.seconds)}: {progress.solved} endings solved, {progress.open_leaves} open, "
        f"{progress.unexpanded} positions above them to expand; {between} left if the claim holds"
    )


class Reporter:
    """Writes a line of progress now and then, more rarely as time goes by."""

    def __init__(self) -> None:
        self._next = time.monotonic() + 1

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + min(30.0, max(2.0, progress.seconds / 10))
            print(line_of(progress), file=sys.stderr, flush=True)


def answer_of(proof: Proof) -> str:
    """Returns the result in words."""
    found = "proven" if proof.holds else f"refuted: {proof.claim.text()} is false; proven"
    return f"{found}: {proof.proven.text()} for {proof.proven.board.obf()}"


def run(args: argparse.Namespace) -> int:
    """Runs the command and returns its exit code: 1 where the claim is refuted."""
    claim = claim_of(args)
    store = Store(args.store)
    with umigame.Engine(threads=args.threads, hash_mb=args.hash) as engine:
        progress = None if args.quiet else Reporter()
        proof = prove(claim, store, engine, leaf_empties=args.leaf_empties, progress=progress)
    print(answer_of(proof))
    nodes = sum(len(answer.tree.nodes) for answer in proof.answers)
    print(f"# {nodes} positions in the tree, {proof.solved} endings solved by this run, {duration(proof.seconds)}")
    if args.certificate is not None:
        lines = write_certificate(proof, args.certificate)
        print(f"# certificate: {args.certificate}, {lines} lines")
    return 0 if proof.holds else 1
