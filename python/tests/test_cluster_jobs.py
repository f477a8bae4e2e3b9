"""Jobs on real worker processes: what they compute, and what they survive."""

import os
import random
import shutil
import signal
import threading
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("distributed", reason="SKIPPED: needs umigame[cluster]")

import reference  # noqa: E402
from distributed import Client  # noqa: E402
from umigame import Engine  # noqa: E402
from umigame.cluster import ClusterError, Store, Tasks  # noqa: E402
from umigame.cluster.batches import BATCH_SECONDS, Planner  # noqa: E402
from umigame.cluster.cost import CostModel  # noqa: E402
from umigame.cluster.fingerprint import Fingerprint  # noqa: E402
from umigame.cluster.job import run_job  # noqa: E402
from umigame.cluster.keys import key_list  # noqa: E402
from umigame.cluster.kinds.kind import empties_of  # noqa: E402
from umigame.cluster.local import Cluster, connect  # noqa: E402
from umigame.cluster.worker import fingerprint  # noqa: E402
from workers import fault_in, workers_in  # noqa: E402


def positions_of(count, low, high, seed=1):
    """Different random positions of some numbers of empties."""
    found = reference.random_positions(200 * count + 2000, seed=seed)
    empties = empties_of(found)
    found = found[(empties >= low) & (empties <= high)]
    tasks = Tasks.of_positions("solve", found, "exact")
    first = np.random.default_rng(seed).permutation(np.unique(tasks.keys, return_index=True)[1])[:count]
    assert len(first) == count
    return found[first]


@pytest.fixture(scope="module")
def cluster():
    """Two local workers."""
    with connect(workers=2) as found:
        yield found


@pytest.fixture(scope="module")
def tasks():
    """Tasks of some milliseconds, three seconds in all."""
    return Tasks.of_positions("solve", positions_of(240, 13, 16), "exact")


@pytest.fixture(scope="module")
def expected(tasks):
    """The scores of these tasks by their keys."""
    with Engine(hash_mb=16) as engine:
        scores = engine.solve_many(tasks.subjects).evals
    return dict(zip(key_list(tasks.keys), scores.astype(int).tolist(), strict=True))


def scores_in(url):
    """The scores in a store by their keys."""
    rows = Store(url).read("solve")
    keys = rows.column("key").to_pylist()
    assert len(keys) == len(set(keys))
    return dict(zip(keys, rows.column("score").to_pylist(), strict=True))


def test_a_job_computes_what_is_missing_and_a_second_one_nothing(cluster, tasks, expected, tmp_path):
    store = Store(str(tmp_path))
    half = tasks.take(slice(0, 100))
    assert (run := run_job([half], store, cluster)).done == 100 and run.known == 0
    run = run_job([tasks, half], store, cluster)
    assert (run.done, run.known, run.failures, run.refused) == (140, 200, [], {})
    assert scores_in(str(tmp_path)) == expected
    run = run_job([tasks], Store(str(tmp_path)), cluster)
    assert (run.done, run.known) == (0, 240)


@pytest.mark.parametrize("limits", ["wld", "window -4 4"])
def test_other_limits_are_proven_too(cluster, tasks, expected, limits, tmp_path):
    store = Store(str(tmp_path))
    some = Tasks.of_positions("solve", tasks.subjects[:60], limits)
    run_job([some], store, cluster)
    exact = [expected[key] for key in key_list(tasks.keys[:60])]
    rows = {row["key"]: row for row in store.read("solve").to_pylist()}
    for key, score in zip(key_list(some.keys), exact, strict=True):
        row = rows[key]
        if limits == "wld":
            assert row["score"] == np.sign(score) and row["bound"] == "exact"
        elif row["bound"] == "exact":
            assert row["score"] == score and -4 < score < 4
        else:
            assert score >= row["score"] >= 4 if row["bound"] == "lower" else score <= row["score"] <= -4


def test_wrong_limits_are_refused_before_anything_is_computed(cluster, tasks, tmp_path):
    bad = Tasks.of_positions("solve", tasks.subjects[:2], "window 4 4")
    with pytest.raises(ClusterError, match="window 4 4"):
        run_job([bad], Store(str(tmp_path)), cluster)


@pytest.mark.slow
def test_killed_workers_lose_nothing(cluster, expected, tmp_path, tasks):
    stop, chance = threading.Event(), random.Random(1)

    def kill():
        while not stop.wait(1.0):
            found = list(cluster.client.scheduler_info(n_workers=-1)["workers"])
            if len(found) == 2 and len(killed) < 3:
                address = chance.choice(found)
                pids = cluster.client.run(os.getpid, workers=[address], on_error="ignore")
                for pid in (pids or {}).values():
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)

    killed = []
    thread = threading.Thread(target=kill)
    thread.start()
    more = Tasks.of_positions("solve", positions_of(60, 17, 18, seed=9), "exact")
    try:
        run = run_job([tasks, more], Store(str(tmp_path)), cluster)
    finally:
        stop.set()
        thread.join()
    assert run.failures == [] and run.done == 300
    found = scores_in(str(tmp_path))
    assert {key: found[key] for key in expected} == expected
    print(f"\n{len(killed)} workers killed, {run.deaths} batches lost and computed again")
    cluster.client.wait_for_workers(2)


def test_a_task_that_kills_its_worker_is_set_aside_and_the_rest_completes(
    cluster, tasks, expected, tmp_path
):
    poison = tuple(int(word) for word in tasks.subjects[77])

    def fault(worker):
        import os
        import signal

        from umigame.cluster.kinds.solve import Solve

        whole = Solve.run

        def run(self, engine, subjects, limits):
            if any((int(player), int(opponent)) == poison for player, opponent in subjects):
                os.kill(os.getpid(), signal.SIGKILL)
            return whole(self, engine, subjects, limits)

        Solve.run = run
        return lambda: setattr(Solve, "run", whole)

    some = tasks.take(slice(60, 100))
    with fault_in(cluster, fault):
        run = run_job([some], store := Store(str(tmp_path)), cluster)
    assert run.done == 39 and [failure.subject for failure in run.failures] == [tasks.task(77).subject]
    assert "died, 3 times" in run.failures[0].reason
    found = scores_in(str(tmp_path))
    assert found == {key: expected[key] for key in key_list(some.keys) if key != tasks.task(77).key}
    [row] = store.read("failed").to_pylist()
    assert (row["key"], row["kind"]) == (tasks.task(77).key, "solve")
    # The fault is gone: the same job computes the one task.
    run = run_job([some], Store(str(tmp_path)), cluster)
    assert (run.done, run.known, run.failures) == (1, 39, [])


def test_a_worker_with_wrong_answers_is_refused_and_the_other_does_the_work(
    cluster, tasks, expected, tmp_path
):
    victim = sorted(cluster.client.scheduler_info(n_workers=-1)["workers"])[0]

    def fault(worker):
        if worker.address == victim:
            import dataclasses

            import umigame.cluster.worker as module

            true = module.fingerprint()
            wrong = ((true.answers[0][0] + 2, *true.answers[0][1:]), *true.answers[1:])
            module._fingerprints[None] = dataclasses.replace(true, answers=wrong)
            return module._fingerprints.clear
        return None

    with fault_in(cluster, fault):
        run = run_job([tasks.take(slice(0, 30))], Store(str(tmp_path)), cluster)
        assert list(run.refused) == [victim] and "answers test position 0" in run.refused[victim]
        assert run.done == 30
    found = scores_in(str(tmp_path))
    assert found == {key: expected[key] for key in key_list(tasks.keys[:30])}


def test_a_worker_with_other_weights_is_refused_and_the_other_does_the_work(tasks, tmp_path, monkeypatch):
    weights = Path(__file__).parents[2] / "crates/eval/weights"
    for name, file in (("own", "small.weights"), ("other", "umigame.weights")):
        (tmp_path / name).mkdir()
        shutil.copy(weights / file, tmp_path / name / "some.weights")
    monkeypatch.chdir(tmp_path / "own")
    own = fingerprint("some.weights").weights
    labels = Tasks.of_positions("label", tasks.subjects[:20], "depth 2 exact 4", own)
    with (
        workers_in([tmp_path / "own", tmp_path / "other"], tmp_path) as file,
        Client(scheduler_file=str(file), set_as_default=False) as client,
    ):
        client.wait_for_workers(2, timeout=60)
        run = run_job([labels], store := Store(str(tmp_path / "store")), Cluster(client, 1), weights="some.weights")
        names = {worker["name"]: at for at, worker in client.scheduler_info(n_workers=-1)["workers"].items()}
    assert list(run.refused) == [names["other"]] and run.done == 20
    assert f"the client's {own}" in run.refused[names["other"]]
    assert set(store.read("label").column("weights").to_pylist()) == {own}


def test_without_an_accepted_worker_the_job_ends_with_the_reasons(cluster, tasks, tmp_path):
    def fault(worker):
        import dataclasses

        import umigame.cluster.worker as module

        module._fingerprints[None] = dataclasses.replace(module.fingerprint(), version="9.9.9")
        return module._fingerprints.clear

    with (
        fault_in(cluster, fault),
        pytest.raises(ClusterError, match=r"refused.*9\.9\.9"),
    ):
        run_job([tasks.take(slice(0, 3))], Store(str(tmp_path)), cluster)


def test_fingerprints_name_what_differs():
    own = fingerprint()
    assert own.difference(own) is None
    assert len(own.answers) == 7
    other = Fingerprint("0", own.weights, own.answers)
    assert "version is 0" in own.difference(other)
    other = Fingerprint(own.version, 5, own.answers)
    assert "checksum 5" in own.difference(other)
    other = Fingerprint(own.version, own.weights, (*own.answers[:3], (1.0, 2, 3), *own.answers[4:]))
    assert "test position 3" in own.difference(other)


def test_a_store_that_cannot_be_written_ends_the_job_with_the_reason(cluster, tasks, tmp_path, monkeypatch):
    store = Store(str(tmp_path))
    run_job([tasks.take(slice(0, 10))], store, cluster)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ClusterError, match="no space left; make room and run again"):
        run_job([tasks], store, cluster)
    monkeypatch.undo()
    assert len(Store(str(tmp_path)).read("solve")) == 10
    assert os.listdir(tmp_path / "tmp") == []
    assert run_job([tasks], store, cluster).done == 230


def test_batches_go_longest_first_and_hold_every_task_once():
    positions = positions_of(400, 10, 22, seed=4)
    tasks, cost = Tasks.of_positions("solve", positions, "exact"), CostModel()
    batches = list(Planner([tasks], cost, threads=2))
    keys = [key for batch in batches for key in key_list(batch.tasks.keys)]
    assert sorted(keys) == sorted(key_list(tasks.keys))
    seconds = [cost.seconds("solve", "exact", batch.tasks.subjects) for batch in batches]
    longest = [part.max() for part in seconds]
    assert longest == sorted(longest, reverse=True)
    for batch, part in zip(batches, seconds, strict=True):
        assert batch.seconds == pytest.approx(part.sum(), rel=1e-3)
        assert len(batch.tasks) == 1 or batch.seconds <= BATCH_SECONDS * 1.001
    # Small tasks go in thousands.
    small = Tasks.of_positions("solve", positions_of(3000, 2, 6, seed=5), "exact")
    assert len(list(Planner([small], cost, threads=2))) < 10
    # The first batches are short, those after them have five seconds.
    many = Tasks.of_positions("solve", positions_of(400, 21, 22, seed=4), "exact")
    planner = Planner([many], cost, threads=2)
    assert next(planner).seconds < 1.0
    cost.learn("solve", "exact", many.subjects, cost.seconds("solve", "exact", many.subjects).astype(np.float32))
    assert 2.0 < next(planner).seconds <= BATCH_SECONDS * 1.001


def test_the_cost_model_learns_and_remembers(tmp_path):
    positions = positions_of(600, 10, 20, seed=6)
    empties = empties_of(positions)
    true = (3e-6 * 1.9 ** empties.astype(float)).astype(np.float32)
    cost = CostModel()
    before = np.abs(np.log2(true / cost.seconds("solve", "exact", positions))).mean()
    for _ in range(5):
        cost.learn("solve", "exact", positions, true)
    after = np.abs(np.log2(true / cost.seconds("solve", "exact", positions))).mean()
    assert after < before / 4 and after < 0.3
    store = Store(str(tmp_path))
    cost.save(store)
    other = CostModel(store).seconds("solve", "exact", positions)
    np.testing.assert_allclose(other, cost.seconds("solve", "exact", positions), rtol=0.01)
    store.files.write("cost.json", b'{"solve exact": {"count": 3}}')
    CostModel(store).seconds("solve", "exact", positions)
