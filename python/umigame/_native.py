"""The compiled module: the fastest build in the package that this processor runs.

A wheel for x86-64 has two builds, for any processor (`_base`) and for those with AVX2 (`_v3`); a
build from source has one. UMIGAME_BUILD=base or v3 chooses by hand.
"""

import importlib
import os
import sys
from types import ModuleType


def _choose() -> ModuleType:
    asked = os.environ.get("UMIGAME_BUILD", "")
    if asked not in ("", "base", "v3"):
        raise ImportError(f"UMIGAME_BUILD={asked!r}: expected 'base' or 'v3'")
    if asked == "v3":
        return importlib.import_module("umigame._v3._umigame")
    base = importlib.import_module("umigame._base._umigame")
    if asked == "base" or not base.has_v3():
        return base
    try:
        return importlib.import_module("umigame._v3._umigame")
    except ModuleNotFoundError:
        return base


sys.modules[__name__] = _choose()
