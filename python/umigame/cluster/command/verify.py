"""`verify`: checks a store and computes a sample of it again."""

from __future__ import annotations

import argparse

from umigame.cluster.command.options import add_store, count, open_store
from umigame.cluster.store.verify import set_apart, verify

NAME = "verify"
HELP = "Check every block of a store, and compute a sample of its results again"
EXAMPLES = """\
example:
  python -m umigame.cluster verify --store results --sample 1000"""


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    add_store(parser)
    parser.add_argument("--sample", type=int, default=100, metavar="N", help="results computed again (100)")
    parser.add_argument(
        "--seconds", type=float, default=60.0, metavar="S",
        help="leave out results that took longer than this (60)",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another seed takes another sample")
    parser.add_argument("--threads", type=count, default=1, metavar="N", help="threads of the engine (1)")
    parser.add_argument("--weights", metavar="FILE", help="weights of the results")
    parser.add_argument(
        "--set-apart", action="store_true", help="move damaged blocks to damaged/, so that they are quiet"
    )


def run(arguments: argparse.Namespace) -> int:
    """Prints what is wrong, and the counts."""
    store = open_store(arguments)
    found = verify(
        store, sample=arguments.sample, seconds=arguments.seconds, seed=arguments.seed,
        threads=arguments.threads, weights=arguments.weights,
    )
    for path, reason in found.damaged.items():
        print(f"damaged: {path}: {reason}")
    for title, lines in (("lost", found.lost), ("foreign", found.foreign),
                         ("conflict", found.conflicts), ("wrong", found.wrong)):
        for line in lines:
            print(f"{title}: {line}")
    if arguments.set_apart:
        for path in set_apart(store):
            print(f"moved: {path}")
    print(f"{found.blocks} sound blocks with {found.rows} rows, {len(found.damaged)} damaged, "
          f"{len(found.lost)} lost; {found.repeated} results computed again, {len(found.wrong)} differ")
    if found.is_sound():
        store.rebuild_manifest()
    return 0 if found.is_sound() else 1
