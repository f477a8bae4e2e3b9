"""`python -m umigame.cluster COMMAND`."""

from __future__ import annotations

import argparse
import sys

import umigame
from umigame.cluster.command import check_proof, prove

COMMANDS = (prove, check_proof)


def main(arguments: list[str] | None = None) -> int:
    """Runs a command and returns its exit code: 0 done, 1 failed, 2 wrong input, 130 interrupted."""
    parser = argparse.ArgumentParser(prog="python -m umigame.cluster", description="Othello on a cluster")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        added = commands.add_parser(command.NAME, help=command.HELP, description=command.HELP)
        command.add_arguments(added)
        added.set_defaults(run=command.run)
    args = parser.parse_args(arguments)
    try:
        return int(args.run(args))
    except umigame.Error as error:
        print(f"{args.command}: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{args.command}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
