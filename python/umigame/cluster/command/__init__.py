"""The commands: one file each, with `add` for its arguments and `run`.

Exit codes: 0 done, 1 the work failed, 2 the command line or the input was wrong, 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence

from umigame._native import Error
from umigame.cluster.command import (
    analyze,
    check_proof,
    compact,
    export,
    grow,
    label,
    match,
    prove,
    selfplay,
    simulate,
    solve,
    status,
    verify,
)
from umigame.cluster.errors import InputError

COMMANDS = (
    solve, label, selfplay, match, analyze, grow, prove, check_proof, status, verify, compact, export, simulate,
)
DONE, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

__all__ = ["main"]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m umigame.cluster",
        description="Solve, label, play and analyse on all cores of this machine or on a Dask cluster. "
        "Results lie in a store; a job that was ended goes on where it was.",
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for module in COMMANDS:
        command = commands.add_parser(
            module.NAME, help=module.HELP, description=module.HELP + ".", epilog=module.EXAMPLES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add(command)
        command.set_defaults(run=module.run)
    return parser


def _interrupt(number: int, _frame: object) -> None:
    # A second signal ends the process at once.
    signal.signal(number, signal.SIG_DFL)
    raise KeyboardInterrupt


def main(words: Sequence[str]) -> int:
    """Runs a command and returns its exit code. SIGTERM, by which clusters end jobs, is Ctrl-C."""
    arguments = _parser().parse_args(words)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader has read enough. Python would complain at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        return INTERRUPTED
    except InputError as error:
        print(f"umigame.cluster: {error}", file=sys.stderr)
        return BAD_INPUT
    except (Error, OSError, TimeoutError) as error:
        print(f"umigame.cluster: {error}", file=sys.stderr)
        return FAILED
