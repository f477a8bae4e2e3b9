"""The model of a cluster against what can be computed by hand, and its laws."""

import dataclasses
import json

import numpy as np
import pytest

pytest.importorskip("distributed", reason="SKIPPED: needs umigame[cluster]")
from umigame.cluster import Store  # noqa: E402
from umigame.cluster.batches import LAST_SECONDS, MAX_TASKS  # noqa: E402
from umigame.cluster.command import main  # noqa: E402
from umigame.cluster.simulation import Costs, Policy, Work, batches_of, lognormal_work, simulate, store_work  # noqa: E402

FREE = Costs(**{field.name: 0.0 for field in dataclasses.fields(Costs)} | {"blocks_per_second": 1e9})


def equal_work(count, seconds=1.0):
    return Work(np.full(count, seconds), np.full(count, seconds))


def test_without_costs_all_time_is_searching():
    for workers in (1, 2, 7):
        outcome = simulate(batches_of(equal_work(workers * 100), workers, 1.0), FREE, Policy(workers))
        assert outcome.seconds == pytest.approx(100) and outcome.searching == pytest.approx(1)


def test_batches_hold_all_tasks_and_shrink_at_the_end():
    work = lognormal_work(2000, 0.05, 1.5, 1.0, 1)
    batches = batches_of(work, 8)
    assert batches.tasks.sum() == len(work.seconds) and batches.tasks.max() <= MAX_TASKS
    assert batches.seconds.sum() == pytest.approx(work.seconds.sum())
    assert batches.seconds[-1] < 4 * LAST_SECONDS < batches.seconds[5]
    assert batches_of(work, 2000).seconds[:-1].min() > 3
    assert work.seconds.mean() == pytest.approx(0.05, rel=0.1) == pytest.approx(work.predicted.mean(), rel=0.1)


def test_a_busy_client_bounds_the_throughput():
    """A client that needs 10 ms for a batch serves 100 a second, whatever the workers."""
    costs = dataclasses.replace(FREE, client_batch=0.01)
    outcome = simulate(batches_of(equal_work(20_000), 1000, 1.0, seconds_a_thread=0), costs, Policy(1000))
    assert outcome.seconds == pytest.approx(200, rel=0.02) and outcome.bottleneck() == "client"
    assert outcome.searching == pytest.approx(0.1, rel=0.03)
    half = simulate(batches_of(equal_work(20_000), 1000, 1.0, seconds_a_thread=0), dataclasses.replace(costs, scheduler_batch=0.01),
                    Policy(1000, one_processor=True))
    assert half.seconds == pytest.approx(400, rel=0.02)


def test_a_busy_store_bounds_workers_that_write():
    costs = dataclasses.replace(FREE, blocks_per_second=50.0)
    outcome = simulate(batches_of(equal_work(10_000), 500, 1.0, seconds_a_thread=0), costs, Policy(500, workers_write=True))
    assert outcome.bottleneck() == "store" and outcome.seconds == pytest.approx(200, rel=0.05)


def test_waiting_batches_hide_latency():
    costs = dataclasses.replace(FREE, latency=0.1)
    batches = batches_of(equal_work(1000), 10, 1.0)
    one, two = (simulate(batches, costs, Policy(10, in_flight=number)) for number in (1, 2))
    assert two.searching > 0.98 > 0.8 > one.searching


def test_the_longest_first_shorten_the_end():
    work = lognormal_work(4000, 4.0, 2.0, 0.3, 3)
    sorted_, unsorted = (
        simulate(batches_of(work, 40, 5.0, longest_first=first), FREE, Policy(40)) for first in (True, False)
    )
    assert sorted_.seconds <= unsorted.seconds


def test_deaths_lose_work_and_nothing_is_forgotten():
    work = lognormal_work(50 * 600, 1.0, 1.0, 0.5, 1)
    batches = batches_of(work, 50)
    calm, stormy = (simulate(batches, Costs(), Policy(50, failures_per_hour=rate)) for rate in (0.0, 20.0))
    assert calm.deaths == 0 and stormy.deaths > 100 and stormy.lost > 0.005
    assert stormy.seconds > calm.seconds
    assert stormy.searching * stormy.seconds * 50 == pytest.approx(work.seconds.sum(), rel=0.01)


def test_equal_seeds_give_equal_outcomes():
    batches = batches_of(lognormal_work(3000, 1.0, 1.0, 0.5, 1), 20)
    policy = Policy(20, failures_per_hour=10.0, seed=4)
    assert simulate(batches, Costs(), policy) == simulate(batches, Costs(), policy)


def test_tasks_of_a_store():
    store = Store("memory://simulated")
    store.write("solve", [{"key": bytes([at] * 16), "seconds": 0.5 + at} for at in range(10)])
    assert sorted(store_work(store, None, 1.0, 1).seconds) == [0.5 + at for at in range(10)]
    assert store_work(store, 1000.0, 1.0, 1).seconds.sum() == pytest.approx(1000, rel=0.2)


def test_command_prints_a_table(tmp_path, capsys):
    path = tmp_path / "costs.json"
    path.write_text(Costs().text())
    assert main(["simulate", "--costs", str(path), "--workers", "2,20", "--seconds", "50"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3 and lines[1].split()[0] == "2" and lines[2].split()[0] == "20"
    for content in ('{"latency": -1}', '{"unknown": 1}', "[]", "nonsense", '{"latency": "x"}'):
        path.write_text(content)
        assert main(["simulate", "--costs", str(path), "--workers", "2"]) == 2
        assert "costs.json" in capsys.readouterr().err
    assert main(["simulate", "--workers", "2", "--store", str(tmp_path / "none")]) == 2
    for wrong in (["--workers", "0"], ["--task", "-1"], ["--lists", "x"]):
        with pytest.raises(SystemExit) as end:
            main(["simulate", *wrong])
        assert end.value.code == 2


@pytest.mark.slow
def test_costs_are_measured():
    from umigame.cluster.simulation.measure import measure

    found = json.loads(measure().text())
    assert all(value >= 0 for value in found.values())
    assert 1e-4 < found["client_batch"] < 0.1 and 1e-4 < found["scheduler_batch"] < 0.1


@pytest.mark.slow
def test_the_model_agrees_with_a_real_job(capsys):
    assert main(["simulate", "--check", "--workers", "1,2", "--seconds", "20"]) == 0
    for line in capsys.readouterr().out.splitlines():
        assert abs(float(line.split("(")[1].split(" %")[0])) < 10, line
