"""Reference data that is not part of the project: tests that need it are skipped without it."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
import reference  # noqa: E402

import umigame  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]


def pytest_report_header():
    """Names the versions and kernels under test."""
    return f"umigame {umigame.__version__}, kernels {umigame.KERNELS}, numpy {np.__version__}"


@pytest.fixture(scope="session")
def data():
    """The folder of reference data."""
    folder = Path(os.environ.get("UMIGAME_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        if os.environ.get("UMIGAME_REQUIRE_DATA"):
            pytest.fail(f"{folder} is missing")
        pytest.skip(f"SKIPPED: reference data, {folder} is missing")
    return folder


@pytest.fixture(scope="session")
def million():
    """1,000,000 random positions."""
    return reference.random_positions(1_000_000)


@pytest.fixture(scope="session")
def engine():
    """An engine of one thread that the tests share."""
    return umigame.Engine(hash_mb=16)
