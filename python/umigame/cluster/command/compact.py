"""`compact`: merges small blocks of a store, while others may write and read."""

from __future__ import annotations

import argparse

from umigame.cluster.command.options import add_store, open_store
from umigame.cluster.store.compact import MERGED_ROWS, compact

NAME = "compact"
HELP = "Merge small blocks of a store, also while jobs write to it"
EXAMPLES = """\
example:
  python -m umigame.cluster compact --store results"""


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    add_store(parser)


def run(arguments: argparse.Namespace) -> int:
    """Merges blocks and says what was done."""
    store = open_store(arguments)
    done = compact(store, rows=MERGED_ROWS)
    print(f"{done.before} blocks: {done.merged} merged into {done.written}; "
          f"{done.repeated} repeated rows and {done.leftovers} unfinished files removed")
    for path, reason in store.damaged().items():
        print(f"{path}: damaged, left as it is: {reason}")
    return 1 if store.damaged() else 0
