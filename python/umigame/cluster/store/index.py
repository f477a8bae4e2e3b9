"""What a process knows of a kind's blocks: their keys, and which of them are damaged."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy

from umigame.cluster.keys import KEY_BYTES, Keys, distinct

MAX_LOOSE = 1 << 16
"""Keys of new blocks that are kept apart until they are merged into the sorted ones."""

__all__ = ["Index"]


def _empty() -> Keys:
    return numpy.empty(0, dtype=f"S{KEY_BYTES}")


@dataclass(slots=True)
class Index:
    """The keys of a kind, 16 bytes each."""

    rows: dict[str, int] = field(default_factory=dict)
    """Rows of each sound block."""
    sizes: dict[str, int] = field(default_factory=dict)
    """Bytes of each sound block."""
    damaged: dict[str, str] = field(default_factory=dict)
    """Damaged blocks with the reason."""
    _sorted: Keys = field(default_factory=_empty)
    _loose: list[Keys] = field(default_factory=list)

    def add(self, name: str, keys: Keys, size: int) -> None:
        """Adds a sound block."""
        self.rows[name] = len(keys)
        self.sizes[name] = size
        self.damaged.pop(name, None)
        self._loose.append(keys.copy())
        if sum(map(len, self._loose)) > MAX_LOOSE:
            self.keys()

    def forget(self, names: set[str]) -> None:
        """Forgets blocks that are gone. Their keys stay: a merged block has them."""
        for name in names:
            self.rows.pop(name, None)
            self.sizes.pop(name, None)
            self.damaged.pop(name, None)

    def keys(self) -> Keys:
        """Returns all keys, sorted, each once."""
        if self._loose:
            self._sorted = distinct(numpy.concatenate([self._sorted, *self._loose]))
            self._loose.clear()
        return self._sorted
