"""The compiled module: the fastest build in the package that this processor runs.

A wheel for x86-64 has three builds: for any processor (`_base`), for those with AVX2 (`_v3`) and for
those with AVX-512 (`_v4`). A build from source has one. UMIGAME_BUILD=base, v3 or v4 chooses by hand.
"""

import importlib
import os
import sys
from types import ModuleType


def _build(name: str) -> ModuleType:
    return importlib.import_module(f"umigame._{name}._umigame")


def _choose() -> ModuleType:
    asked = os.environ.get("UMIGAME_BUILD", "")
    if asked not in ("", "base", "v3", "v4"):
        raise ImportError(f"UMIGAME_BUILD={asked!r}: expected 'base', 'v3' or 'v4'")
    if asked:
        return _build(asked)
    base = _build("base")
    faster = base.faster_level()
    try:
        return _build(faster) if faster else base
    except ModuleNotFoundError:
        return base


sys.modules[__name__] = _choose()
