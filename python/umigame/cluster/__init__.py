"""Work on many machines: positions solved and labelled, games played and analysed, by a Dask cluster.

Results lie in a store, a folder or an object store that survives anything; what is missing follows
from the store, so a job that was ended in whatever way goes on where it was.

>>> from umigame.cluster import Store, Tasks
>>> store = Store("memory://tour")
>>> tasks = Tasks.of_positions("solve", umigame.arrays.from_boards(["f5d6c3"]), "exact")
>>> len(store.missing(tasks))
1

`python -m umigame.cluster --help` lists the commands; docs/cluster.md begins with a first tour.
"""

import sys as _sys

try:
    import distributed as _distributed  # noqa: F401
    import fsspec as _fsspec  # noqa: F401
    import pyarrow as _pyarrow  # noqa: F401
except ModuleNotFoundError as error:
    _message = f"umigame.cluster needs {error.name}: pip install 'umigame[cluster]'"
    if _sys.argv[:1] == ["-m"]:
        # The command line: a sentence without a traceback.
        print(_message, file=_sys.stderr)
        raise SystemExit(2) from None
    raise ModuleNotFoundError(_message, name=error.name) from error

from umigame.cluster.errors import ClusterError, StoreError
from umigame.cluster.store import Store
from umigame.cluster.task import Task, Tasks

__all__ = ["ClusterError", "Store", "StoreError", "Task", "Tasks"]
