"""Worker processes for tests: with faults in them, or started by hand."""

import subprocess
import sys
from contextlib import contextmanager


@contextmanager
def fault_in(cluster, fault):
    """Runs `fault` in every worker process, those started later included; it returns what undoes it."""
    from distributed import WorkerPlugin

    class Plugin(WorkerPlugin):
        name = "fault"

        def setup(self, worker):
            self.undo = fault(worker)

        def teardown(self, worker):
            if self.undo:
                self.undo()

    cluster.client.register_plugin(Plugin(), name="fault")
    try:
        yield
    finally:
        cluster.client.unregister_worker_plugin("fault")


@contextmanager
def workers_in(folders, beside):
    """Starts a scheduler and one worker in each folder, and returns the scheduler's file."""
    file = beside / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    dask = [sys.executable, "-m"]
    scheduler = [*dask, "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", file]
    worker = [*dask, "distributed.cli.dask_worker", "--scheduler-file", file, "--nthreads", "1", "--no-nanny",
              "--no-dashboard", "--local-directory", beside]
    started = [subprocess.Popen(scheduler, **quiet)]
    try:
        for folder in folders:
            started.append(subprocess.Popen([*worker, "--name", folder.name], cwd=folder, **quiet))
        yield file
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()
