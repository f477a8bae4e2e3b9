"""What a cluster computes: one file a kind of task."""

from umigame.cluster.kinds.analyze import Analyze
from umigame.cluster.kinds.kind import Kind, kind_of, register_kind
from umigame.cluster.kinds.label import Label
from umigame.cluster.kinds.match import Match
from umigame.cluster.kinds.search import Search
from umigame.cluster.kinds.selfplay import SelfPlay
from umigame.cluster.kinds.solve import Solve

for _kind in (Solve(), Label(), Search(), SelfPlay(), Match(), Analyze()):
    register_kind(_kind)

__all__ = ["Kind", "kind_of", "register_kind"]
