"""What a cluster computes: one file a kind of task."""

from umigame.cluster.kinds.kind import Kind, kind_of, register_kind
from umigame.cluster.kinds.solve import Solve

register_kind(Solve())

__all__ = ["Kind", "kind_of", "register_kind"]
