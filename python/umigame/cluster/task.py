"""Tasks: pieces of work, each named by what it computes.

The key of a task follows from its kind, its subject, its limits, the checksum of the weights and the
version of the format, and from nothing else: two machines that are asked for the same give it the
same name. An exact result does not depend on weights, so its key leaves them out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, TypeAlias

import numpy
from numpy.typing import NDArray

from umigame import arrays
from umigame._native import Board
from umigame.cluster.keys import KEY_BYTES, Keys

FORMAT = 1
"""Version of keys and rows. Results of another version are other results."""

Subjects: TypeAlias = NDArray[Any]
"""What tasks are about: positions of shape (n, 2), or texts of shape (n,)."""

__all__ = ["FORMAT", "Task", "Tasks"]


def _text(player: int, opponent: int) -> str:
    return f"{player:016x}{opponent:016x}"


@dataclass(frozen=True, slots=True)
class Task:
    """One piece of work.

    >>> task = Task.of_position("solve", Board("f5d6c3"), "exact")
    >>> task == Task.of_position("solve", Board("f5d6c3").transform(3), "exact")
    True
    >>> len(task.key)
    16
    """

    kind: str
    """What is done, such as "solve": the folder of the results."""
    subject: str
    """What it is done to: the two words of a folded position in hexadecimal, or another text."""
    limits: str
    """How far it is done, such as "exact"."""
    weights: int | None = None
    """The checksum of the weights, None where the result does not depend on them."""

    @staticmethod
    def of_position(kind: str, board: Board | str, limits: str, weights: int | None = None) -> Task:
        """Makes the task of a position, which is folded by symmetry."""
        folded = (board if isinstance(board, Board) else Board(board)).canonical()
        return Task(kind, _text(folded.player, folded.opponent), limits, weights)

    @property
    def key(self) -> bytes:
        """The name of the task: 16 bytes."""
        return blake2b(
            (_head(self.kind, self.limits, self.weights) + self.subject).encode(), digest_size=KEY_BYTES
        ).digest()


def _head(kind: str, limits: str, weights: int | None) -> str:
    """Returns the part of a key's text that tasks of one kind share."""
    checksum = "-" if weights is None else f"{weights:08x}"
    return f"umigame {FORMAT}\n{kind}\n{limits}\n{checksum}\n"


@dataclass(frozen=True, slots=True, eq=False)
class Tasks:
    """Many tasks that differ in their subjects alone, in 48 bytes each.

    >>> tasks = Tasks.of_positions("solve", arrays.from_boards(["f5d6c3", "f5f6e6f4"]), "exact")
    >>> len(tasks), tasks.task(0) == Task.of_position("solve", "f5d6c3", "exact")
    (2, True)
    """

    kind: str
    """What is done."""
    limits: str
    """How far it is done."""
    weights: int | None
    """The checksum of the weights, None where results do not depend on them."""
    subjects: Subjects
    """Folded positions of shape (n, 2), type uint64, or texts of shape (n,), type object."""
    keys: Keys = field(repr=False)
    """The keys, type S16."""

    @staticmethod
    def of_positions(
        kind: str, positions: arrays.Bits, limits: str, weights: int | None = None
    ) -> Tasks:
        """Makes the tasks of positions, which are folded by symmetry."""
        folded = arrays.canonical(positions)[0]
        texts = (_text(player, opponent) for player, opponent in folded.tolist())
        return Tasks(kind, limits, weights, folded, _keys(kind, limits, weights, texts))

    @staticmethod
    def of_texts(
        kind: str, texts: Sequence[str], limits: str, weights: int | None = None
    ) -> Tasks:
        """Makes the tasks of other subjects."""
        subjects = numpy.array(texts, dtype=object).reshape(len(texts))
        return Tasks(kind, limits, weights, subjects, _keys(kind, limits, weights, texts))

    def __len__(self) -> int:
        return len(self.keys)

    def take(self, rows: NDArray[Any] | slice) -> Tasks:
        """Returns the tasks of some rows: numbers, a mask or a slice."""
        return Tasks(self.kind, self.limits, self.weights, self.subjects[rows], self.keys[rows])

    def task(self, row: int) -> Task:
        """Returns one of the tasks."""
        subject = self.subjects[row]
        text = subject if isinstance(subject, str) else _text(*(int(word) for word in subject))
        return Task(self.kind, text, self.limits, self.weights)


def _keys(kind: str, limits: str, weights: int | None, texts: Any) -> Keys:
    """Returns the keys of subjects."""
    head = blake2b(_head(kind, limits, weights).encode(), digest_size=KEY_BYTES)
    digests = bytearray()
    for text in texts:
        one = head.copy()
        one.update(text.encode())
        digests += one.digest()
    return numpy.frombuffer(bytes(digests), dtype=f"S{KEY_BYTES}")
