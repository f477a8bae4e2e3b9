"""Tells how a proof goes: to callers, and as files of the store that `status` shows."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from umigame.cluster.errors import StoreError
from umigame.cluster.progress import duration
from umigame.cluster.proof.claim import Claim
from umigame.cluster.proof.page import tree_page
from umigame.cluster.proof.tree import Tree
from umigame.cluster.store import Store

FOLDER = "proofs"
"""Where in a store the files are."""
PROGRESS_SECONDS = 1.0
"""Time between two reports, at least."""
TREE_SECONDS = 30.0
"""Time between two looks at the whole tree, at least."""
WAIT = 20.0
"""Both waits are at least so many times as long as the last report or look took."""

__all__ = ["Progress", "ProofRecord", "Watch", "proofs_in"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a proof is."""

    claim: str
    """The claim, "at least +4" for example."""
    goal: str
    """What is cheaper to show: the "claim" or its "opposite"."""
    solved: int
    """Endings solved so far, by this run."""
    open_leaves: int
    """Endings of the cheapest proof that are not solved, as far as it is expanded."""
    unexpanded: int
    """Positions of the cheapest proof that are not expanded."""
    nodes: int
    """Positions in the tree."""
    chance: float
    """Of the claim, by the estimate of the position."""
    seconds: float
    """Time since the start of this run."""
    seconds_left: float
    """Predicted time until the cheapest proof is complete, if it holds."""
    factor: float
    """The prediction is right within this factor, two times in three."""
    positions: int = 0
    """Positions visited by the solver, in this run."""

    def text(self) -> str:
        """Returns it as a sentence."""
        left = self.seconds_left
        between = f"{duration(left / self.factor)} to {duration(left * self.factor)}"
        return (
            f"{duration(self.seconds)}: {self.solved} endings solved, {self.open_leaves} open, "
            f"{self.unexpanded} positions above them to expand; {between} left if the {self.goal} holds"
        )


@dataclass(frozen=True, slots=True)
class ProofRecord:
    """What a store says of a proof."""

    position: str
    """The position of the claim, as 64 squares and the side to move."""
    claim: str
    """The claim, "at least +4" for example."""
    proven: str
    """The claim or what refutes it; empty while it is open."""
    time: float
    """When this was written: seconds since 1970."""
    progress: Progress | None
    """How far it was then."""
    page: str
    """The tree as a page of HTML."""

    def text(self) -> str:
        """Returns what is known of the claim."""
        if self.proven:
            how = "proven" if self.proven == self.claim else f"refuted: {self.proven}"
        else:
            how = "open" if self.progress is None else f"open after {self.progress.text()}"
        return f"{self.claim} for {self.position}: {how}"


class Watch:
    """Tells about one proof, now and then."""

    def __init__(
        self,
        claim: Claim,
        store: Store,
        progress: Callable[[Progress], object] | None = None,
        on_tree: Callable[[Tree], object] | None = None,
    ) -> None:
        """`progress` is called every second, `on_tree` every half minute and at the end."""
        self._claim, self._store = claim, store
        self._progress, self._on_tree = progress, on_tree
        self._next_progress = time.monotonic() + PROGRESS_SECONDS
        self._next_tree = time.monotonic()
        self._last: Progress | None = None

    def look(self, tree: Tree, progress: Callable[[], Progress]) -> None:
        """Tells what is due; `progress` is asked only then."""
        now = time.monotonic()
        is_tree_due = now >= self._next_tree
        if now >= self._next_progress or is_tree_due:
            self._last = progress()
            took = time.monotonic() - now
            self._next_progress = now + max(PROGRESS_SECONDS, WAIT * took)
            if self._progress is not None:
                self._progress(self._last)
        if is_tree_due:
            begun = time.monotonic()
            self._tell(tree, "")
            self._next_tree = begun + max(TREE_SECONDS, WAIT * (time.monotonic() - begun))

    def end(self, tree: Tree, proven: Claim | None) -> None:
        """Tells how it ended: with what is proven, or without a proof."""
        self._tell(tree, "" if proven is None else proven.text())

    def _tell(self, tree: Tree, proven: str) -> None:
        if self._on_tree is not None:
            self._on_tree(tree)
        position, claim = self._claim.board.obf(), self._claim.text()
        path = f"{FOLDER}/{hashlib.sha256(f'{position} {claim}'.encode()).hexdigest()[:16]}.json"
        record = ProofRecord(position, claim, proven, time.time(), self._last, tree_page(self._claim, tree))
        try:
            self._store.files.write_json(path, asdict(record))
        except StoreError:
            # The proof goes on without; where no result can be written either, that ends it.
            return


def proofs_in(store: Store) -> list[ProofRecord]:
    """Returns the proofs of a store, the last one first; files that are none are left out."""
    names = [name for name in store.files.names(FOLDER) if name.endswith(".json")]
    found = [_record(store.files.read_json(f"{FOLDER}/{name}")) for name in names]
    return sorted((record for record in found if record is not None), key=lambda record: -record.time)


def _record(saved: Any) -> ProofRecord | None:
    try:
        progress = saved["progress"]
        record = ProofRecord(**{**saved, "progress": None if progress is None else Progress(**progress)})
        record.text()
        return record if isinstance(record.time, float) and isinstance(record.page, str) else None
    except (KeyError, TypeError, ValueError, ArithmeticError):
        # Another version's, or damaged.
        return None
