"""Weights trained on games and labels of a cluster equal those trained on one process."""

import os
import subprocess
import sys

import pytest

pytest.importorskip("distributed", reason="SKIPPED: needs umigame[cluster]")
LAB = os.environ.get("UMIGAME_LAB")
GAMES, SEED = 400, 7

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(LAB is None, reason="SKIPPED: UMIGAME_LAB does not name the binary umigame-lab"),
]


def learn(*words):
    """Runs `umigame-lab learn`."""
    return subprocess.run([LAB, "learn", *map(str, words)], capture_output=True, text=True, check=True).stdout


def cluster(*words):
    """Runs a command of the cluster with two workers, or without any."""
    subprocess.run([sys.executable, "-m", "umigame.cluster", *map(str, words)], check=True, capture_output=True)


def fit(data, weights):
    """Fits weights and returns their bytes."""
    learn("fit", data, "--out", weights, "--iterations", 5)
    return weights.read_bytes()


def test_weights_from_games_and_labels_are_those_of_one_process(tmp_path):
    store, path = tmp_path / "store", tmp_path.joinpath
    learn("play", "--out", path("games.umi"), "--games", GAMES, "--seed", SEED, "--depth", 2, "--exact-from", 12,
          "--mix", "100,0,0", "--threads", 1)
    cluster("selfplay", "--store", store, "--games", GAMES, "--seed", SEED, "--depth", 2, "--exact-from", 12,
            "--workers", 2)
    cluster("export", "--store", store, "selfplay", path("cluster-games.umi"))
    alone = fit(path("games.umi"), path("games.weights"))
    assert fit(path("cluster-games.umi"), path("cluster-games.weights")) == alone

    # Positions of at most 12 empties are exact already, and `umigame-lab learn label` skips them.
    learn("label", path("games.umi"), "--out", path("labels.umi"), "--empties", "13-30", "--depth", 4,
          "--exact-from", 14, "--threads", 1)
    cluster("label", path("games.umi"), "--store", store, "--empties", "13-30", "--depth", 4, "--exact-from", 14,
            "--workers", 2)
    cluster("export", "--store", store, "label", path("cluster-labels.umi"))
    alone = fit(path("labels.umi"), path("labels.weights"))
    assert fit(path("cluster-labels.umi"), path("cluster-labels.weights")) == alone
