"""A store on an S3 server that is killed, refuses, and answers late, while a cluster writes to it.

They need the program s3s-fs: `cargo install s3s-fs --features binary`, in the PATH or named by `S3S_FS`.
"""

import os
import random
import subprocess
import sys
import time

import pytest
import reference
import s3_server
from s3_server import BUCKET, KEYS, FaultyProxy, Faults, S3Server

from umigame import Board

pytest.importorskip("distributed", reason="SKIPPED: umigame[cluster] is not installed")
pytest.importorskip("s3fs", reason="SKIPPED: s3fs is not installed")
if s3_server.program() is None:
    pytest.skip("SKIPPED: there is no s3s-fs", allow_module_level=True)

from umigame.cluster import Store  # noqa: E402

COLUMNS = ["key", "player", "opponent", "score", "bound", "limits"]


def problems(path, count, seed):
    """Writes positions of 10 to 13 empties, one a line."""
    boards = (Board.from_bits(*map(int, row)) for row in reference.random_positions(30 * count, seed))
    found = [board.obf() for board in boards if 10 <= board.empties <= 13 and not board.is_game_over()]
    path.write_text("\n".join(found[:count]) + "\n")
    return path


def solve(path, store, url):
    """Starts the command; the store is at `url` where it is on S3."""
    environment = os.environ | KEYS | {"FSSPEC_S3_ENDPOINT_URL": url or ""}
    command = [sys.executable, "-m", "umigame.cluster", "solve", str(path), "--store", store, "--workers", "2"]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def rows(store):
    """Returns what a run without faults must equal."""
    return store.read("solve").select(COLUMNS).to_pylist()


@pytest.fixture
def server(tmp_path):
    """An S3 server with an empty bucket."""
    server = S3Server(tmp_path / "s3")
    yield server
    server.kill()


def open_store(url, name):
    """Opens a store of the bucket."""
    client = {"endpoint_url": url, "region_name": KEYS["AWS_DEFAULT_REGION"]}
    return Store(f"s3://{BUCKET}/{name}", options={
        "key": KEYS["AWS_ACCESS_KEY_ID"], "secret": KEYS["AWS_SECRET_ACCESS_KEY"], "client_kwargs": client,
        "skip_instance_cache": True,
    })


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(int(os.environ.get("UMIGAME_SEEDS", "3"))))
def test_faults_of_the_server_and_of_the_client_lose_nothing(tmp_path, server, seed):
    chance = random.Random(seed)
    path = problems(tmp_path / "positions.obf", 600, seed)
    plain = solve(path, str(tmp_path / "plain"), None)
    assert plain.wait() == 0, plain.stderr.read()
    wanted = rows(Store(str(tmp_path / "plain")))

    proxy = FaultyProxy(server.port, Faults(refused=0.05, unavailable=0.1, slow=0.1, seconds=0.5), seed)
    did = []
    for attempt in range(30):
        running = solve(path, f"s3://{BUCKET}/results", proxy.url)
        end = time.monotonic() + chance.uniform(4, 9) if attempt < 4 else float("inf")
        while running.poll() is None and time.monotonic() < end:
            if chance.random() < 0.05:
                server.kill()
                time.sleep(chance.uniform(0.1, 1.0))
                server.start()
                did.append("server killed")
            time.sleep(0.2)
        if running.poll() is None:
            running.kill()
            did.append("client killed")
        running.communicate()
        if running.returncode == 0:
            break
    print(f"seed {seed}: {', '.join(did)}; done in run {attempt + 1}")
    assert running.returncode == 0
    assert rows(open_store(f"http://127.0.0.1:{server.port}", "results")) == wanted
    again = solve(path, f"s3://{BUCKET}/results", proxy.url)
    output, _ = again.communicate()
    assert again.returncode == 0 and "600 positions were answered before" in output
    proxy.shutdown()


def test_a_bucket_is_a_store(server):
    store = open_store(f"http://127.0.0.1:{server.port}", "one")
    from umigame.cluster import Task

    task = Task.of_position("solve", "f5d6c3", "exact")
    assert store.missing([task]) == [task]
    store.write("solve", [{"key": task.key, "score": 4}])
    again = open_store(f"http://127.0.0.1:{server.port}", "one")
    assert again.get(task)["score"] == 4 and again.missing([task]) == []


def test_a_damaged_object_is_named(server):
    from umigame.cluster import Task

    tasks = [Task.of_position("solve", moves, "exact") for moves in ("f5", "f5d6", "f5d6c3")]
    url = f"http://127.0.0.1:{server.port}"
    store = open_store(url, "two")
    for task in tasks:
        store.write("solve", [{"key": task.key, "score": 4}])
    blocks = sorted((server.folder / BUCKET / "two" / "blocks" / "solve").iterdir())
    content = bytearray(blocks[0].read_bytes())
    content[len(content) // 2] ^= 1
    blocks[0].write_bytes(content)
    said = []
    again = Store(f"s3://{BUCKET}/two", warn=said.append, options=store.files.system.storage_options)
    assert len(again.missing(tasks)) == 1
    assert blocks[0].name in said[0]
