"""Laws of tasks and of the store."""

import doctest
import random
import subprocess
import sys
import threading

import numpy as np
import pytest
from umigame import Board

pyarrow = pytest.importorskip("pyarrow", reason="SKIPPED: needs umigame[cluster]")
pytest.importorskip("distributed", reason="SKIPPED: needs umigame[cluster]")

import reference  # noqa: E402
from umigame.cluster import Store, StoreError, Task, Tasks  # noqa: E402
from umigame.cluster.keys import distinct, is_among, key_at, key_list, keys_of  # noqa: E402
from umigame.cluster.store import SCHEMAS, register  # noqa: E402
from umigame.cluster.store.compact import compact  # noqa: E402


@pytest.fixture(params=["memory", "folder"])
def url(request, tmp_path):
    """The address of an empty store."""
    return f"memory://{tmp_path}" if request.param == "memory" else str(tmp_path / "store")


def tasks_of(count, seed=1):
    """Tasks of random positions, each once."""
    positions = reference.random_positions(count * 2, seed=seed)
    tasks = Tasks.of_positions("solve", positions, "exact")
    first = np.unique(tasks.keys, return_index=True)[1]
    return tasks.take(np.sort(first)[:count])


def rows_of(tasks, score=0):
    """Rows of results, as columns."""
    count, (player, opponent) = len(tasks), tasks.subjects.T
    return {
        "key": tasks.keys, "player": player, "opponent": opponent,
        "score": np.full(count, score, dtype=np.int8), "bound": ["exact"] * count,
        "move": np.zeros(count, dtype=np.int8), "nodes": np.ones(count, dtype=np.uint64),
        "seconds": np.ones(count, dtype=np.float32), "limits": [tasks.limits] * count,
        "weights": np.full(count, 7, dtype=np.uint32), "version": ["0"] * count,
    }


def test_the_key_is_that_of_all_eight_images_and_of_nothing_else():
    boards = [Board("f5d6c3d3c4"), Board("f5f6e6f4e3")]
    keys = {Task.of_position("solve", image, "exact").key for image in boards[0].symmetries()}
    assert len(keys) == 1
    tasks = [
        Task.of_position("solve", boards[0], "exact"),
        Task.of_position("solve", boards[1], "exact"),
        Task.of_position("label", boards[0], "exact"),
        Task.of_position("solve", boards[0], "wld"),
        Task.of_position("solve", boards[0], "exact", weights=0),
        Task.of_position("solve", boards[0], "exact", weights=1),
    ]
    assert len({task.key for task in tasks}) == len(tasks)


def test_the_key_is_the_same_in_every_version():
    # A change of it makes every store empty: then FORMAT must change.
    assert Task.of_position("solve", "f5d6c3", "exact").key.hex() == "bd009226ec79b59814ae11fbc96e11ec"


def test_tasks_agree_with_single_ones():
    tasks = tasks_of(50)
    for row in range(len(tasks)):
        assert tasks.task(row).key == key_at(tasks.keys, row)
        board = Board.from_bits(*(int(word) for word in tasks.subjects[row]))
        assert Task.of_position("solve", board, "exact") == tasks.task(row)
    texts = Tasks.of_texts("selfplay", ["game 1", "game 2"], "depth 2", 5)
    assert texts.task(1) == Task("selfplay", "game 2", "depth 2", 5)
    assert key_at(texts.keys, 1) == texts.task(1).key


def test_keys_with_zeros_are_kept_whole():
    raw = [bytes(16), b"a" + bytes(15), bytes(15) + b"a", b"a" * 16, b"a\0" * 8, bytes(8) + b"b" * 8]
    keys = keys_of(raw)
    assert key_list(keys) == raw
    assert key_list(distinct(keys_of(raw + raw))) == sorted(raw)
    assert is_among(keys, distinct(keys)).all()
    for left in range(len(raw)):
        others = distinct(keys_of(raw[:left] + raw[left + 1 :]))
        assert not is_among(keys[left : left + 1], others).any()


def test_what_was_written_is_read_and_nothing_else_is_missing(url):
    store, tasks = Store(url), tasks_of(300)
    half = tasks.take(slice(0, 150))
    assert len(store.missing(tasks)) == 300 and store.kinds() == []
    assert store.write("solve", rows_of(half, 8)) == 150
    for seen in (store, Store(url)):
        assert key_list(seen.missing(tasks).keys) == key_list(tasks.keys[150:])
        assert len(seen.missing(half)) == 0
        table = seen.read("solve")
        assert key_list(distinct(half.keys)) == table.column("key").to_pylist()
        few = seen.read("solve", tasks.keys[140:160])
        assert len(few) == 10 and set(few.column("score").to_pylist()) == {8}
        assert seen.get(tasks.task(3))["player"] == tasks.subjects[3, 0]
        assert seen.get(tasks.task(299)) is None
    single = [tasks.task(row) for row in (0, 200, 200, 149, 299)]
    assert store.missing(single) == [tasks.task(200), tasks.task(299)]


def test_a_task_asked_for_twice_is_missing_once(url):
    tasks = tasks_of(20)
    twice = tasks.take(np.array([3, 5, 3, 1, 5]))
    assert key_list(Store(url).missing(twice).keys) == key_list(tasks.keys[[3, 5, 1]])


def test_a_result_written_twice_counts_once(url):
    store, tasks = Store(url), tasks_of(100)
    store.write("solve", rows_of(tasks.take(slice(0, 80)), 2))
    store.write("solve", rows_of(tasks.take(slice(20, 100)), 2))
    store.write("solve", rows_of(tasks.take(slice(20, 100)), 2))
    assert len(store.read("solve")) == len(store.keys("solve")) == 100
    assert sum(len(table) for table in store.tables("solve")) == 100
    assert len(list(store.files.names("blocks/solve"))) == 2


def test_compacting_keeps_every_row_and_can_be_repeated(url):
    store, tasks = Store(url), tasks_of(500)
    for start in range(0, 500, 20):
        store.write("solve", rows_of(tasks.take(slice(start, start + 30)), start % 50))
    before = store.read("solve")
    done = compact(store, rows=200)
    assert (done.before, done.merged) == (25, 25) and done.written < 5
    other = Store(url)
    assert key_list(other.keys("solve")) == before.column("key").to_pylist()
    assert len(other.missing(tasks)) == 0
    assert len(other.manifest()["blocks"]) == done.written
    compact(store, rows=10_000)
    assert len(store.files.names("blocks/solve")) == 1
    assert compact(store, rows=10_000).merged == 0
    assert len(store.read("solve")) == 500


def test_readers_and_writers_see_every_result_while_blocks_are_merged(url):
    tasks, stop, faults = tasks_of(600), threading.Event(), []
    Store(url).write("solve", rows_of(tasks.take(slice(0, 100))))

    def watch(act):
        try:
            act()
        except Exception as error:  # noqa: BLE001
            faults.append(error)

    def merge():
        store = Store(url)
        while not stop.is_set():
            compact(store, rows=1000)

    def read():
        while not stop.is_set():
            store = Store(url)
            known = len(store.keys("solve"))
            assert known >= 100
            assert len(store.read("solve")) >= known

    def write():
        store = Store(url)
        for start in range(100, 600, 10):
            store.write("solve", rows_of(tasks.take(slice(start, start + 10))))

    threads = [threading.Thread(target=watch, args=(act,)) for act in (merge, merge, read, read)]
    for thread in threads:
        thread.start()
    watch(write)
    stop.set()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(Store(url).missing(tasks)) == 0


@pytest.mark.parametrize("damage", ["cut", "change", "empty", "foreign"])
def test_a_damaged_block_is_named_and_its_results_are_missing(url, damage):
    store, tasks = Store(url), tasks_of(100)
    store.write("solve", rows_of(tasks.take(slice(0, 60))))
    sound = store.files.names("blocks/solve")
    store.write("solve", rows_of(tasks.take(slice(60, 100))))
    [name] = set(store.files.names("blocks/solve")) - set(sound)
    path = f"blocks/solve/{name}"
    content = store.files.read(path)
    place = random.Random(1).randrange(len(content))
    changed = content[:place] + bytes([content[place] ^ 64]) + content[place + 1 :]
    store.files.write(path, {
        "cut": content[: len(content) // 2], "change": changed, "empty": b"", "foreign": b"PAR1 no"
    }[damage])
    said = []
    other = Store(url, warn=said.append)
    assert key_list(other.missing(tasks).keys) == key_list(tasks.keys[60:])
    assert len(other.read("solve")) == 60
    assert len(said) == 1 and path in said[0] and list(other.damaged()) == [path]
    # A process that knew the block before finds out when it reads.
    assert len(store.read("solve")) == 60
    assert len(store.missing(tasks)) == 40
    # The same results written again mend it.
    other.write("solve", rows_of(tasks.take(slice(60, 100))))
    assert other.damaged() == {} and len(Store(url).missing(tasks)) == 0


def test_the_manifest_can_be_rebuilt(url):
    store, tasks = Store(url), tasks_of(60)
    for start in range(0, 60, 20):
        store.write("solve", rows_of(tasks.take(slice(start, start + 20))))
    manifest = store.rebuild_manifest()
    assert len(manifest["blocks"]) == 3
    store.files.remove("manifest.json")
    assert store.manifest()["blocks"] == {}
    assert Store(url).rebuild_manifest() == manifest == Store(url).manifest()
    store.files.write("manifest.json", b"{")
    assert Store(url).rebuild_manifest() == manifest


def test_another_format_is_refused(url):
    store = Store(url)
    store.write("solve", rows_of(tasks_of(1)))
    store.files.write_json("store.json", {"format": 99})
    with pytest.raises(StoreError, match="99"):
        Store(url)


def test_wrong_rows_and_kinds_are_named(url):
    store = Store(url)
    with pytest.raises(StoreError, match="`sove`"):
        store.write("sove", [])
    with pytest.raises(StoreError, match="`solve`"):
        store.write("solve", [{"key": bytes(16), "score": 1000}])
    with pytest.raises(StoreError, match="`solve`"):
        store.write("solve", [{"key": b"short"}])
    with pytest.raises(StoreError, match="worth"):
        store.write("solve", {**rows_of(tasks_of(1)), "worth": [1]})
    assert store.kinds() == []
    with pytest.raises(StoreError, match="nowhere"):
        Store("nowhere://x")


def test_own_kinds_have_their_columns(url):
    register("own-kind", [("text", pyarrow.string())])
    task = Task("own-kind", "a subject", "no limits")
    store = Store(url)
    assert store.write("own-kind", [{"key": task.key, "text": "answer"}]) == 1
    assert store.get(task) == {"key": task.key, "text": "answer"}
    with pytest.raises(StoreError, match="own kind"):
        register("own kind", [])
    # A program that does not know the kind merges its blocks all the same.
    store.write("own-kind", [{"key": bytes(16), "text": "other"}])
    del SCHEMAS["own-kind"]
    assert compact(Store(url)).written == 1
    assert len(Store(url).read("own-kind")) == 2


def test_the_package_needs_the_extra_for_the_cluster_alone():
    def run(code):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    names = "('distributed', 'fsspec', 'pyarrow', 'duckdb')"
    assert run(f"import umigame, sys; print([name for name in {names} if name in sys.modules])") == (0, "[]\n")
    code, text = run("import sys; sys.modules['pyarrow'] = None; import umigame.cluster")
    assert code == 1 and "umigame.cluster needs pyarrow: pip install 'umigame[cluster]'" in text


def test_examples_of_docstrings_run():
    import umigame
    from umigame.cluster import keys, task
    from umigame.cluster.store import store

    for module in (umigame.cluster, keys, task, store):
        done = doctest.testmod(module, extraglobs={"umigame": umigame})
        assert done.failed == 0 and done.attempted > 0, module


def test_unfinished_files_of_ended_processes_are_removed(tmp_path):
    import socket

    store = Store(str(tmp_path))
    store.write("solve", rows_of(tasks_of(1)))
    (tmp_path / "tmp" / f"{socket.gethostname()}-{2**22 + 1}-x").write_bytes(b"half")
    (tmp_path / "tmp" / "other.host-1-x").write_bytes(b"half")
    assert compact(store).leftovers == 1
    assert store.files.names("tmp") == ["other.host-1-x"]
