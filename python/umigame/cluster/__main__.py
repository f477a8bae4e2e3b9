"""`python -m umigame.cluster`: work on many machines from the command line."""

import sys

from umigame.cluster.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
