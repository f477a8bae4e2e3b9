"""`python -m umigame`: the command line of the binary."""

import signal
import sys

from umigame import _native


def main() -> int:
    """Runs the command line of the process and returns its exit code."""
    # Python's handler would wait for the end of the command.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _native.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
