"""What is allowed is decided before the hub's library is imported, and holds after it was."""

from __future__ import annotations

import pytest

from lsum_cli.machine.network import OFFLINE_VARIABLES, configure_network, is_offline


@pytest.fixture(autouse=True)
def online(monkeypatch):
    from huggingface_hub import constants

    for name in (*OFFLINE_VARIABLES, "HF_HUB_DISABLE_TELEMETRY"):
        monkeypatch.setenv(name, "")  # restored afterwards, whatever is set meanwhile
        monkeypatch.delenv(name)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)


@pytest.mark.parametrize("name", OFFLINE_VARIABLES)
@pytest.mark.parametrize(
    ("value", "offline"), [("1", True), ("true", True), ("ON", True), ("0", False), ("", False)]
)
def test_variables(monkeypatch, name, value, offline):
    monkeypatch.setenv(name, value)
    assert is_offline() is offline
    assert is_offline(True)


def test_the_library_hears_of_it_even_when_imported_already():
    import os

    from huggingface_hub import constants, is_offline_mode

    assert configure_network(offline=False) is False
    assert not is_offline_mode()
    assert os.environ["HF_HUB_DISABLE_TELEMETRY"] == "1"
    assert configure_network(offline=True) is True
    assert is_offline_mode()
    assert os.environ["HF_HUB_OFFLINE"] == "1"
    assert constants.HF_HUB_OFFLINE
