"""Claims about the value of a position, and the questions that settle them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from umigame._native import Board
from umigame.cluster.errors import ClusterError

Kind = Literal["at least", "at most", "exactly"]
"""What a claim says of the value: a bound, or both."""

__all__ = ["Claim", "Kind", "ProofError", "Question"]


class ProofError(ClusterError):
    """A claim that cannot be proved, or a proof that cannot go on."""


@dataclass(frozen=True, slots=True)
class Question:
    """Whether a position is worth a score for the side that wants to prove it.

    `target` is that side's score, which it must reach. Values of Othello are even, so that an odd target
    is as good as the next even one.
    """

    target: int
    is_movers: bool
    """The side to move in the position of the claim is the side that proves."""

    def window(self, is_prover: bool) -> tuple[int, int]:
        """Returns the null window for a position in which the proving side, or the other one, moves."""
        return (self.target - 1, self.target) if is_prover else (-self.target, 1 - self.target)


@dataclass(frozen=True, slots=True)
class Claim:
    """A bound of the value of a position, for the side to move.

    >>> Claim(Board("f5"), "at least", -3).text()
    'at least -3'
    >>> [question.target for question in Claim(Board("f5"), "exactly", 0).questions()]
    [0, 0]
    """

    board: Board
    kind: Kind
    score: int

    def __post_init__(self) -> None:
        if not -64 <= self.score <= 64:
            raise ProofError(f"claim `{self.text()}`: expected a score from -64 to 64")
        if self.kind == "exactly" and self.score % 2:
            raise ProofError(f"claim `{self.text()}`: values are even, the winner taking the empties")

    def text(self) -> str:
        """Returns the claim without its position."""
        return f"{self.kind} {self.score:+d}"

    def questions(self) -> list[Question]:
        """Returns the one or two questions of the claim, without those that are true of any value."""
        found = []
        if self.kind != "at most" and self.score > -64:
            found.append(Question(2 * math.ceil(self.score / 2), True))
        if self.kind != "at least" and self.score < 64:
            found.append(Question(2 * math.ceil(-self.score / 2), False))
        return found

    def refuted_by(self, question: Question) -> Claim:
        """Returns what is proven when a question is answered by no."""
        if question.is_movers:
            return Claim(self.board, "at most", question.target - 2)
        return Claim(self.board, "at least", 2 - question.target)
