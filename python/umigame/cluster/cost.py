"""What a task will cost: the engine's model, corrected by what finished tasks took.

The correction is a factor for each number of empties, and one for mobility: at equal empties a
position with more moves takes longer. Both are learnt as means of binary logarithms, in which errors
of a factor count alike upwards and downwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy
from numpy.typing import NDArray

from umigame import arrays
from umigame.cluster.kinds.kind import count_bits, empties_of, kind_of
from umigame.cluster.store import Store
from umigame.cluster.task import Subjects

PRIOR = 8.0
"""Finished tasks that count as much as the model's own prediction."""
MEMORY = 20_000.0
"""Finished tasks that a mean remembers; later ones count more."""
MIN_SECONDS = 2e-5
"""The least that a task costs: to be read, sent and stored."""
FILE = "cost.json"

__all__ = ["CostModel"]


@dataclass(slots=True)
class _Fit:
    """What was learnt of one kind with one set of limits."""

    count: NDArray[numpy.float64] = field(default_factory=lambda: numpy.zeros(65))
    bits: NDArray[numpy.float64] = field(default_factory=lambda: numpy.zeros(65))
    square: float = 0.0
    """Mean square of what the prediction missed, in bits."""
    weight: float = 0.0
    slope_xy: float = 0.0
    slope_xx: float = 0.0

    def slope(self) -> float:
        """Returns the bits of a doubled mobility."""
        return self.slope_xy / (self.slope_xx + PRIOR)


class CostModel:
    """Seconds of tasks, predicted and learnt."""

    def __init__(self, store: Store | None = None) -> None:
        """Begins with what a store has learnt."""
        self._fits: dict[str, _Fit] = {}
        found = store.files.read_json(FILE) if store else None
        if isinstance(found, dict):
            self._load(found)

    def _load(self, found: dict[str, Any]) -> None:
        for name, saved in found.items():
            try:
                fit = _Fit(
                    numpy.array(saved["count"], dtype=float), numpy.array(saved["bits"], dtype=float),
                    *(float(saved[key]) for key in ("square", "weight", "slope_xy", "slope_xx")),
                )
            except (KeyError, TypeError, ValueError):
                # A prediction, and no result: begin again.
                continue
            if fit.count.shape == fit.bits.shape == (65,):
                self._fits[name] = fit

    def save(self, store: Store) -> None:
        """Writes what was learnt to a store."""
        store.files.write_json(
            FILE,
            {
                name: {
                    "count": fit.count.round(3).tolist(), "bits": fit.bits.round(4).tolist(),
                    "square": fit.square, "weight": fit.weight,
                    "slope_xy": fit.slope_xy, "slope_xx": fit.slope_xx,
                }
                for name, fit in self._fits.items()
            },
        )

    def seconds(self, kind: str, limits: str, subjects: Subjects) -> NDArray[numpy.float64]:
        """Predicts the seconds of tasks on one thread."""
        plain = numpy.maximum(kind_of(kind).seconds(subjects, limits), MIN_SECONDS)
        fit = self._fits.get(f"{kind} {limits}")
        if fit is None:
            return plain
        empties = empties_of(subjects)
        predicted = plain * numpy.exp2(_filled(fit)[empties] + fit.slope() * _mobility(subjects))
        least: NDArray[numpy.float64] = numpy.maximum(predicted, MIN_SECONDS)
        return least

    def learn(
        self, kind: str, limits: str, subjects: Subjects, seconds: NDArray[numpy.float32]
    ) -> None:
        """Learns from finished tasks."""
        if len(subjects) == 0:
            return
        fit = self._fits.setdefault(f"{kind} {limits}", _Fit())
        predicted = self.seconds(kind, limits, subjects)
        plain = numpy.maximum(kind_of(kind).seconds(subjects, limits), MIN_SECONDS)
        actual = numpy.maximum(seconds.astype(numpy.float64), MIN_SECONDS)
        empties, mobility = empties_of(subjects), _mobility(subjects)
        missed = numpy.log2(actual / predicted)
        for number in numpy.unique(empties):
            rows = empties == number
            bits = numpy.log2(actual[rows] / plain[rows]) - fit.slope() * mobility[rows]
            total = fit.count[number] + rows.sum()
            fit.bits[number] += (bits.mean() - fit.bits[number]) * rows.sum() / total
            fit.count[number] = min(total, MEMORY)
            centred = mobility[rows] - mobility[rows].mean()
            fit.slope_xx += float((centred**2).sum())
            fit.slope_xy += float((centred * numpy.log2(actual[rows] / plain[rows])).sum())
        if fit.slope_xx > MEMORY:
            fit.slope_xy *= MEMORY / fit.slope_xx
            fit.slope_xx = MEMORY
        total = fit.weight + len(missed)
        fit.square += (float((missed**2).mean()) - fit.square) * len(missed) / total
        fit.weight = min(total, MEMORY)

    def error_bits(self, kind: str, limits: str) -> float | None:
        """Returns the root mean square error of predictions in bits; 1 is a factor of two."""
        fit = self._fits.get(f"{kind} {limits}")
        return None if fit is None or fit.weight == 0 else fit.square**0.5


def _filled(fit: _Fit) -> NDArray[numpy.float64]:
    """Returns the correction for every number of empties: learnt, or that of the nearest learnt ones."""
    known = numpy.flatnonzero(fit.count)
    if len(known) == 0:
        return fit.bits
    nearest = numpy.interp(numpy.arange(65), known, fit.bits[known])
    trust = fit.count / (fit.count + PRIOR)
    filled: NDArray[numpy.float64] = trust * fit.bits + (1 - trust) * nearest
    return filled


def _mobility(subjects: Subjects) -> NDArray[numpy.float64]:
    """Returns the bits of the mobility of both sides; 0 for other subjects than positions."""
    if subjects.ndim != 2:
        return numpy.zeros(len(subjects))
    both = arrays.legal_moves(subjects), arrays.legal_moves(subjects[:, ::-1])
    moves = count_bits(both[0]) + 0.5 * count_bits(both[1])
    bits: NDArray[numpy.float64] = numpy.log2(moves + 1.0) - 3.5
    return bits
