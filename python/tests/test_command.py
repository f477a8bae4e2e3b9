"""`python -m umigame` is the command line of the binary."""

import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT
from umigame import Board


def command(*arguments, **options):
    words = [sys.executable, "-m", "umigame", *arguments]
    return subprocess.run(words, capture_output=True, text=True, timeout=300, **options)


def test_commands_and_exit_codes():
    assert command("perft", "6").stdout.splitlines()[-1].split()[:2] == ["6", "8200"]
    done = command("hint", "f5d6c3", "--depth", "4")
    assert done.returncode == 0
    assert done.stdout.splitlines()[1].split()[0] in Board("f5d6c3").legal_moves
    done = command("hint", "f5", "--depth", "x")
    assert done.returncode == 2 and "--depth" in done.stderr
    assert command("--version").stdout.startswith("umigame ")


def test_nboard():
    done = command("nboard", input="nboard 2\nping 7\nquit\n")
    assert "pong 7" in done.stdout


def test_signature():
    done = command("bench")
    expected = (ROOT / "bench.signature").read_text().strip()
    assert re.search(r"^signature (\d+)$", done.stdout, re.MULTILINE)[1] == expected


@pytest.mark.parametrize("build", ["base", "v3", "v4"])
def test_the_builds_of_the_wheel(build):
    environment = {**os.environ, "UMIGAME_BUILD": build}
    done = subprocess.run(
        [sys.executable, "-c", "import umigame; print(umigame.KERNELS)"],
        capture_output=True, text=True, env=environment,
    )
    if "No module named" in done.stderr:
        pytest.skip(f"SKIPPED: the package has no build {build}")
    if "built for a newer processor" in done.stderr:
        pytest.skip(f"SKIPPED: this processor is too old for {build}")
    assert done.returncode == 0, done.stderr
    print(f"\n{build}: {done.stdout.strip()}")
    done = command("bench", env=environment)
    assert (ROOT / "bench.signature").read_text().strip() in done.stdout


def test_an_unknown_build_is_refused():
    done = subprocess.run(
        [sys.executable, "-c", "import umigame"],
        capture_output=True, text=True, env={**os.environ, "UMIGAME_BUILD": "fast"},
    )
    assert "UMIGAME_BUILD='fast': expected 'base', 'v3' or 'v4'" in done.stderr
