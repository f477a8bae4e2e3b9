"""`export`: writes results as OBF, JSON Lines, training data or into a book."""

from __future__ import annotations

import argparse
from pathlib import Path

from umigame.cluster.command.options import add_store, open_store
from umigame.cluster.store.export import FORMATS, export
from umigame.cluster.store.schema import SCHEMAS

NAME = "export"
HELP = "Write results of a store as OBF, JSON Lines, training data, or into a book"
EXAMPLES = """\
examples:
  python -m umigame.cluster export --store results solve scores.obf
  python -m umigame.cluster export --store results label labels.umi
  python -m umigame.cluster export --store results search book.sqlite"""


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    add_store(parser)
    parser.add_argument("kind", metavar="KIND", choices=sorted(SCHEMAS), help="what was computed")
    parser.add_argument("file", metavar="FILE", type=Path, help=f"the file: {', '.join(FORMATS)}")
    parser.add_argument("--format", choices=list(FORMATS), help="instead of the file's extension")


def run(arguments: argparse.Namespace) -> int:
    """Writes the file."""
    store = open_store(arguments)
    written = export(store, arguments.kind, arguments.file, arguments.format)
    print(f"{arguments.file}: {written} results of `{arguments.kind}`")
    return 1 if store.damaged() else 0
