"""Writes what was proven as a certificate, which `check_proof` replays. docs/proofs.md has the format."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

from umigame.cluster.folded import move_name, squares
from umigame.cluster.proof.check_proof import FORMAT
from umigame.cluster.proof.facts import Facts
from umigame.cluster.proof.planner import Answer, Proof
from umigame.cluster.proof.tree import Node, State

__all__ = ["write_certificate"]


def write_certificate(proof: Proof, path: str | os.PathLike[str]) -> int:
    """Writes the certificate of what is proven and returns its number of lines.

    It is compressed where the name ends in .gz. The file appears in one step.
    """
    name = os.fspath(path)
    temporary = f"{name}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as raw:
            if name.endswith(".gz"):
                # Without a time and a name, equal proofs give equal files.
                with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
                    lines = _write(proof, cast(BinaryIO, packed))
            else:
                lines = _write(proof, raw)
        os.replace(temporary, name)
    except BaseException:
        if os.path.exists(temporary):
            os.remove(temporary)
        raise
    return lines


def _write(proof: Proof, file: BinaryIO) -> int:
    digest = hashlib.sha256()
    lines = -1

    def put(line: dict[str, Any]) -> None:
        nonlocal lines
        data = json.dumps(line, separators=(",", ":")).encode() + b"\n"
        digest.update(data)
        file.write(data)
        lines += 1

    proven = proof.proven
    put({"format": FORMAT, "position": proven.board.obf(), "claim": proven.kind, "score": proven.score})
    for answer in proof.answers:
        for line in lines_of(answer, proof.facts):
            put(line)
    file.write(json.dumps({"lines": lines, "sha256": digest.hexdigest()}).encode() + b"\n")
    return lines


def lines_of(answer: Answer, facts: Facts) -> Iterator[dict[str, Any]]:
    """Yields a line for each node that the proof needs, after those that it follows from."""
    root = answer.tree.root
    if root is None:
        return
    chosen = _choose(root, root.state)
    for node in sorted(chosen, key=lambda node: node.order):
        line = _line(node, root.state, chosen, answer, facts)
        if line is not None:
            yield line


def _needs_one(node: Node, state: State) -> bool:
    """Returns whether one child suffices to settle a node."""
    return node.is_prover is (state is State.TRUE)


def _choose(root: Node, state: State) -> dict[Node, Node | None]:
    """Returns the nodes that the proof needs, with the child that suffices where one does."""
    sizes: dict[Node, int] = {}
    best: dict[Node, Node | None] = {}
    for node in sorted(_settled(root, state), key=lambda node: node.order):
        children = [child for child in node.children or () if child.state is state]
        best[node] = min(children, key=lambda child: sizes[child]) if children and _needs_one(node, state) else None
        used = [best[node]] if best[node] is not None else children
        sizes[node] = 1 + sum(sizes[child] for child in used if child is not None)
    needed: dict[Node, Node | None] = {}
    stack = [root]
    while stack:
        node = stack.pop()
        if node in needed:
            continue
        needed[node] = best[node]
        child = best[node]
        stack += [child] if child is not None else node.children or ()
    return needed


def _settled(root: Node, state: State) -> list[Node]:
    """Returns all nodes below the root that have its state."""
    stack, seen = [root], {root}
    while stack:
        for child in stack.pop().children or ():
            if child.state is state and child not in seen:
                seen.add(child)
                stack.append(child)
    return list(seen)


def _line(
    node: Node, state: State, chosen: dict[Node, Node | None], answer: Answer, facts: Facts
) -> dict[str, Any] | None:
    """Returns the line of a node; None for a game that is over, which the rules settle."""
    reached = answer.question.window(node.is_prover)[1]
    is_lower = _needs_one(node, state)
    key, score = ("at_least", reached) if is_lower else ("at_most", reached - 1)
    line: dict[str, Any] = {"board": squares(*node.pair), key: score}
    child = chosen[node]
    if child is not None and node.children is not None:
        move = node.moves[node.children.index(child)]
        return {**line, "move": move_name(move)}
    if node.children is not None:
        return line
    found = facts.deciding(node.pair, reached)
    return None if found is None else {**line, "score": found.score, "bound": found.bound}
