"""What all tests share: where the corpora and real files are."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# The models of the tests are tiny, and several workers share the processors: threads that wait for one
# another would cost five times the work. Set before anything imports torch.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A background job of a script is started with SIGINT ignored, and so would be every program that a test
# starts; those that are interrupted by a test must hear of it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Property tests take the same examples in every run, so that a failure is one of the change at hand.
# scripts/properties looks for new ones; what it finds becomes a fixed example of the test.
settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
settings.register_profile("random", derandomize=False, deadline=None, database=None)
settings.load_profile("fixed")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with corpora and real files; tests that need it are skipped where it is absent."""
    path = Path(os.environ.get("LSUM_SHARED", ROOT.parent / "shared"))
    if not path.is_dir():
        pytest.skip("no LSUM_SHARED folder with corpora and real files here")
    return path


@pytest.fixture(autouse=True)
def _settings_of_nobody(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings of the machine's user reach a test."""
    for name in list(os.environ):
        if name.startswith("LSUM_") and name not in ("LSUM_SHARED", "LSUM_TEST_PROCESSES", "LSUM_TEST_CPU"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("LSUM_HOME", str(tmp_path_factory.mktemp("home")))
    # A command that a test runs in this process and offline tells the hub's library so; undone afterwards.
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.delenv("HF_HUB_OFFLINE")


@pytest.fixture(autouse=True)
def packaged(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of checkpoints that come with the program; empty, whatever the program comes with."""
    folder = tmp_path_factory.mktemp("packaged")
    monkeypatch.setattr("lsum_cli.checkpoints.store.PACKAGED", folder)
    return folder
