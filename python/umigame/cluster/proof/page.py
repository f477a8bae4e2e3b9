"""A page that shows the tree of a proof: what is settled, and which leaves are open."""

from __future__ import annotations

from html import escape

from umigame.cluster.folded import move_name, squares
from umigame.cluster.proof.claim import Claim
from umigame.cluster.proof.tree import Node, State, Tree
from umigame.cluster.progress import duration

MAX_NODES = 3000
"""Nodes shown; of the rest only the number."""
OPEN_LEVELS = 3
"""Levels that are unfolded at first."""

_STYLE = """body{font:16px system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color-scheme:light dark}
details,.leaf{margin-left:1.2rem}summary{cursor:pointer}.holds{color:#2a8a4a}.fails{color:#c33}.open{font-weight:600}
small{opacity:.7}.board{font-family:monospace;white-space:pre;line-height:1.1}"""

__all__ = ["tree_page"]


def tree_page(claim: Claim, tree: Tree) -> str:
    """Returns a page of HTML, one file without scripts."""
    counts = {state: sum(node.state is state for node in tree.nodes.values()) for state in State}
    leaves = sum(_is_open_leaf(tree, node) for node in tree.nodes.values())
    body = _Body(tree)
    if tree.root is not None:
        body.add(tree.root, "", 0)
    hidden = f"<p>{body.hidden} more positions are not shown.</p>" if body.hidden else ""
    title = f"{claim.text()} for {claim.board.obf()}"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style><h1>{escape(claim.text())}</h1>'
        f'<p class="board">{escape(str(claim.board))}</p>'
        f"<p>{len(tree.nodes)} positions: the claim holds in {counts[State.TRUE]}, fails in {counts[State.FALSE]}, is "
        f"open in {counts[State.OPEN]}, of which {leaves} are leaves to solve. Squares "
        "are those of positions folded by symmetry; point at a line for its position.</p>"
        f"{''.join(body.parts)}{hidden}</html>\n"
    )


def _is_open_leaf(tree: Tree, node: Node) -> bool:
    return node.state is State.OPEN and tree.is_leaf(node)


class _Body:
    """The tree as nested lines: open positions with what lies below them, settled ones alone."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.parts: list[str] = []
        self.shown: set[int] = set()
        self.hidden = 0

    def add(self, node: Node, move: str, level: int) -> None:
        """Adds a position after a move."""
        if len(self.shown) >= MAX_NODES:
            self.hidden += 1
            return
        line = f'<span title="{squares(*node.pair)}">{escape(move)} {self._words(node)}</span>'
        is_new = id(node) not in self.shown
        self.shown.add(id(node))
        if node.state is not State.OPEN or not node.children or not is_new:
            again = " <small>(as above)</small>" if node.children and not is_new else ""
            self.parts.append(f'<div class="leaf">{line}{again}</div>')
            return
        unfolded = " open" if level < OPEN_LEVELS else ""
        self.parts.append(f"<details{unfolded}><summary>{line}</summary>")
        below = sorted(zip(node.children, node.moves, strict=True), key=lambda pair: pair[0].proof)
        for child, played in below:
            self.add(child, move_name(played), level + 1)
        self.parts.append("</details>")

    def _words(self, node: Node) -> str:
        side = "one move must hold" if node.is_prover else "every move must hold"
        if node.state is not State.OPEN:
            word = "holds" if node.state is State.TRUE else "fails"
            return f'<span class="{word}">{word}</span> <small>{node.empties} empties</small>'
        if self.tree.is_leaf(node):
            side = "being solved" if node.in_flight else "to solve"
        elif node.children is None:
            side = "to expand"
        return (
            f'<span class="open">open</span>, {side} <small>{node.empties} empties, {100 * node.chance:.0f} % likely, '
            f"about {duration(node.proof)} to prove, {duration(node.disproof)} to refute</small>"
        )
