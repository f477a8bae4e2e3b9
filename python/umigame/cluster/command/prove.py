"""`prove`: proves a bound of a position's value, and writes the certificate."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import umigame
from umigame.cluster.command.options import add_cluster, add_store, count, open_store
from umigame.cluster.errors import InputError
from umigame.cluster.local import connect
from umigame.cluster.progress import duration
from umigame.cluster.proof.certificate import write_certificate
from umigame.cluster.proof.claim import Claim, ProofError
from umigame.cluster.proof.cluster_executor import ClusterExecutor
from umigame.cluster.proof.executor import Executor, LocalExecutor
from umigame.cluster.proof.page import tree_page
from umigame.cluster.proof.planner import Proof, prove
from umigame.cluster.proof.tree import Tree
from umigame.cluster.proof.watch import Progress
from umigame.cluster.store import Store

NAME = "prove"
HELP = "Prove that a position is worth at least, at most or exactly a score"
EXAMPLES = """\
examples:
  python -m umigame.cluster prove '-X-OOOO---XOOX----XXXXX--OXXOOOOXXXXXOO-XXXOXOO-X-XXOO----XXXO-- X' \\
      --exactly 0 --leaf-empties 14 --store results --certificate proof.jsonl.gz
  python -m umigame.cluster prove f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1 \\
      --at-least -4 --store s3://bucket/proof --scheduler tcp://host:8786"""
MAX_LEAF_EMPTIES = 40
CLIENT_HASH_MB = 64
"""The table of the engine that estimates."""

__all__ = ["EXAMPLES", "HELP", "NAME", "add", "run"]


def _empties(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= MAX_LEAF_EMPTIES:
        raise argparse.ArgumentTypeError(f"`{text}`: expected 1 to {MAX_LEAF_EMPTIES} empties")
    return int(text)


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    parser.add_argument("position", metavar="POSITION", help="moves (f5d6c3), or 64 squares and the side to move")
    claim = parser.add_mutually_exclusive_group(required=True)
    claim.add_argument("--at-least", type=int, metavar="N", help="the value is N or more for the side to move")
    claim.add_argument("--at-most", type=int, metavar="N", help="the value is N or less")
    claim.add_argument("--exactly", type=int, metavar="N", help="the value is N")
    add_store(parser)
    add_cluster(parser)
    parser.add_argument("--certificate", metavar="FILE", help="write the certificate to FILE, compressed if .gz")
    parser.add_argument(
        "--html", metavar="FILE", type=Path, help="write the tree with its open leaves as a page, every half minute"
    )
    parser.add_argument(
        "--leaf-empties", type=_empties, default=22, metavar="N",
        help="solve positions of at most N empties by one search each (22)",
    )
    parser.add_argument(
        "--here", type=count, metavar="THREADS",
        help="solve by an engine of this process instead of a cluster, with so many threads",
    )


def claim_of(arguments: argparse.Namespace) -> Claim:
    """Returns the claim asked for."""
    try:
        board = umigame.Board(arguments.position)
        if arguments.at_least is not None:
            return Claim(board, "at least", arguments.at_least)
        if arguments.at_most is not None:
            return Claim(board, "at most", arguments.at_most)
        return Claim(board, "exactly", arguments.exactly)
    except (umigame.ParseError, umigame.IllegalMove, ProofError) as error:
        raise InputError(str(error)) from error


class Reporter:
    """Writes a line of progress now and then, more rarely as time goes by."""

    def __init__(self) -> None:
        self._next = time.monotonic() + 1

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + min(30.0, max(2.0, progress.seconds / 10))
            print(f"# {progress.text()}", file=sys.stderr, flush=True)


class TreePages:
    """Writes the tree to a file, in one step."""

    def __init__(self, claim: Claim, path: Path) -> None:
        self._claim, self._path = claim, path

    def __call__(self, tree: Tree) -> None:
        beside = self._path.with_name(f"{self._path.name}.tmp")
        beside.write_text(tree_page(self._claim, tree), encoding="utf-8")
        beside.replace(self._path)


def answer_of(proof: Proof) -> str:
    """Returns the result in words."""
    found = "proven" if proof.holds else f"refuted: {proof.claim.text()} is false; proven"
    return f"{found}: {proof.proven.text()} for {proof.proven.board.obf()}"


@contextmanager
def executor_of(arguments: argparse.Namespace, engine: umigame.Engine, store: Store) -> Iterator[Executor]:
    """Returns what solves the endings: a cluster, or the engine."""
    if arguments.here is not None:
        yield LocalExecutor(engine, store)
        return
    with connect(arguments.scheduler, arguments.workers, arguments.threads) as cluster:
        executor = ClusterExecutor(cluster, store, arguments.weights, lambda text: print(text, file=sys.stderr))
        try:
            yield executor
        finally:
            executor.close()


def run(arguments: argparse.Namespace) -> int:
    """Proves the claim; returns 1 where it is refuted."""
    claim = claim_of(arguments)
    store = open_store(arguments)
    threads = arguments.here or 1
    with (
        umigame.Engine(threads=threads, hash_mb=CLIENT_HASH_MB, weights=arguments.weights) as engine,
        executor_of(arguments, engine, store) as executor,
    ):
        progress = None if arguments.quiet else Reporter()
        pages = None if arguments.html is None else TreePages(claim, arguments.html)
        try:
            proof = prove(
                claim, store, engine, executor=executor, leaf_empties=arguments.leaf_empties, progress=progress,
                on_tree=pages,
            )
        except KeyboardInterrupt:
            print(f"interrupted: the same command goes on from {store.url}", file=sys.stderr)
            raise
    print(answer_of(proof))
    nodes = sum(len(answer.tree.nodes) for answer in proof.answers)
    print(f"# {nodes} positions in the tree, {proof.solved} endings solved by this run, {duration(proof.seconds)}")
    if arguments.certificate is not None:
        lines = write_certificate(proof, arguments.certificate)
        print(f"# certificate: {arguments.certificate}, {lines} lines")
    return 0 if proof.holds else 1
