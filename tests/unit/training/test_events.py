from __future__ import annotations

import signal
import threading

import pytest

from lsum_cli.training import events as interruption
from lsum_cli.training.events import Interruption


def test_the_second_signal_stops_at_once():
    said: list[str] = []
    with Interruption(said.append) as noted:
        assert not noted.requested
        signal.raise_signal(signal.SIGINT)
        assert noted.requested
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert len(said) == 1


def test_a_signal_in_the_middle_of_a_write_is_answered_after_it():
    said: list[str] = []
    writing = threading.Lock()

    def say(text: str) -> None:
        with writing:
            said.append(text)

    with Interruption(say) as noted:
        with writing:
            signal.raise_signal(signal.SIGINT)
            assert noted.requested
            assert said == []
        assert noted.requested
    assert len(said) == 1


def test_a_launcher_repeats_the_signal_that_all_have_heard(monkeypatch):
    now = 100.0
    monkeypatch.setattr(interruption.time, "monotonic", lambda: now)
    before = signal.getsignal(signal.SIGTERM)
    with Interruption(lambda text: None, launched=True) as noted:
        signal.raise_signal(signal.SIGINT)
        now = 101.0
        signal.raise_signal(signal.SIGTERM)
        assert noted.requested
        now = 110.0
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_signal_that_is_ignored_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Interruption(lambda text: None) as noted:
            signal.raise_signal(signal.SIGINT)
            assert not noted.requested
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
