from __future__ import annotations

import os
import time

from lsum_cli.machine.memory import Memory
from lsum_cli.machine.storage import cache_path, is_first_time_today
from lsum_cli.methods import recommendation
from lsum_cli.methods.recommendation import recommend


def on_a_machine(monkeypatch, *, flops: float, total: int | None = 64 << 30) -> str:
    rates = (flops, flops / 20)
    monkeypatch.setattr(recommendation, "measure_rates_roughly", lambda: rates)
    monkeypatch.setattr(recommendation, "measure_memory", lambda: Memory(total=total, available=total))
    return str(recommend(roughly=True))


def test_a_fast_machine_is_told_the_best_and_a_slow_one_what_it_can_bear(monkeypatch):
    fast = on_a_machine(monkeypatch, flops=1e13)
    assert fast.startswith("lsum models pull pagesum-arxiv-discourse (")
    assert fast.endswith(" s for a 10-page paper on this machine)")
    slow = on_a_machine(monkeypatch, flops=1e9)
    assert slow.endswith(" min for a 10-page paper on this machine)")


def test_a_machine_with_little_memory_is_told_a_smaller_one(monkeypatch):
    large, small = (recommend_on(monkeypatch, total) for total in (64 << 30, 3 << 30))
    assert small.entry.size < large.entry.size
    assert small.cost.memory_bytes < large.cost.memory_bytes


def recommend_on(monkeypatch, total: int) -> recommendation.Recommendation:
    on_a_machine(monkeypatch, flops=1e13, total=total)
    return recommend(roughly=True)


def test_the_size_of_the_download_is_said(monkeypatch):
    assert "1.6 GB, about " in on_a_machine(monkeypatch, flops=1e13, total=None)


def test_the_estimate_with_torch_is_of_the_same_kind():
    assert recommend().cost.seconds > 0


def test_what_happens_for_the_first_time_on_a_day_is_remembered(tmp_path, monkeypatch):
    monkeypatch.setenv("LSUM_HOME", str(tmp_path / "home"))
    times = [is_first_time_today(what) for what in ("summary", "summary", "other")]
    assert times == [True, False, True]
    yesterday = time.time() - 24 * 3600
    os.utime(cache_path("happened") / "summary", (yesterday, yesterday))
    assert [is_first_time_today("summary"), is_first_time_today("summary")] == [True, False]


def test_where_nothing_can_be_remembered_it_is_not_the_first_time(tmp_path, monkeypatch):
    (tmp_path / "home").write_text("a file where the folder should be", encoding="utf-8")
    monkeypatch.setenv("LSUM_HOME", str(tmp_path / "home"))
    assert is_first_time_today("summary") is False
