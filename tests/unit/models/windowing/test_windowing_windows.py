"""Windows, weights and rules, by numbers worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lsum_cli.errors import OptionError
from lsum_cli.models.windowing.settings import WINDOW_WEIGHTS, WindowingSettings
from lsum_cli.models.windowing.windows import (
    WindowLayout,
    WindowRules,
    WindowState,
    expected_length,
    static_quotas,
    static_weights,
    windows_by_quota,
)


def layout(num_tokens: int) -> WindowLayout:
    return WindowLayout(num_tokens=num_tokens, window_len=400, stride=380)


def test_the_papers_sizes():
    assert len(layout(780)) == 2
    assert len(layout(1160)) == 3
    assert len(WindowLayout(num_tokens=740, window_len=200, stride=180)) == 4
    assert len(layout(13607)) == 36
    assert [len(layout(n)) for n in (0, 1, 400, 401)] == [1, 1, 1, 2]
    assert layout(401).span(1) == (380, 401)


def test_static_weights_are_the_papers():
    k, d = 0.8, 1.2
    plain = [math.exp(-k * (1 + i * d**i)) for i in range(3)]
    assert static_weights(layout(1160), k=k, d=d).tolist() == pytest.approx([w / sum(plain) for w in plain])
    plain[2] *= 100 / 400
    assert static_weights(layout(860), k=k, d=d).tolist() == pytest.approx([w / sum(plain) for w in plain])
    assert static_weights(layout(1160), k=k, d=0).tolist() == pytest.approx([1 / 3] * 3)
    # So many windows that the exponents overflow.
    many = static_weights(layout(2_000_000), k=k, d=d)
    assert np.isfinite(many).all()
    assert many.sum() == pytest.approx(1)
    with pytest.raises(OptionError, match="must not be negative"):
        static_weights(layout(10), k=-1, d=0)


def test_both_forms_of_the_static_weights_have_the_published_shares():
    shares = {form: static_weights(layout(1160), k=0.8, d=1.2, form=form) for form in WINDOW_WEIGHTS}
    assert np.round(shares["softmax"], 2).tolist() == [0.41, 0.31, 0.28]
    assert np.round(shares["normalised"], 2).tolist() == [0.67, 0.26, 0.07]
    # The paper's form does not look at how full the last window is.
    assert static_weights(layout(860), k=0.8, d=1.2, form="softmax").tolist() == shares["softmax"].tolist()
    many = static_weights(layout(2_000_000), k=0.8, d=1.2, form="softmax")
    assert many.sum() == pytest.approx(1)
    schedules = [
        WindowRules(windowing="static", summary_tokens=100).schedule(
            1160, WindowingSettings(weight_d=1.2, window_weights=form)
        )
        for form in WINDOW_WEIGHTS
    ]
    assert schedules[0].ends != schedules[1].ends


def test_the_expected_length_is_equation_3():
    assert expected_length(1000, summary_len=90, source_len=750) == 120
    assert expected_length(1, summary_len=1, source_len=1000) == 1


def test_quotas_give_what_is_left_to_the_greatest_remainders():
    assert static_quotas(10, np.array([0.55, 0.25, 0.2])).tolist() == [6, 2, 2]
    assert static_quotas(1, np.array([0.2, 0.3, 0.5])).tolist() == [0, 0, 1]
    assert windows_by_quota(np.array([2, 0, 1]), 5).tolist() == [0, 0, 2, 2, 2]


def test_sizes_that_read_nothing_or_skip_text():
    with pytest.raises(OptionError, match="skip text"):
        WindowLayout(num_tokens=9, window_len=3, stride=4)
    with pytest.raises(OptionError, match="reads nothing"):
        WindowLayout(num_tokens=9, window_len=0, stride=0)
    for wrong in (
        {"windowing": "sideways"},
        {"summary_tokens": 0},
        {"max_window_tokens": 0},
        {"coverage_penalty": -1.0},
        {"max_words": 0},
        {"min_words": 3, "max_words": 2},
    ):
        with pytest.raises(OptionError):
            WindowRules(**wrong)
    with pytest.raises(OptionError, match="skip text"):
        WindowRules(stride=401).schedule(1000, WindowingSettings())


def test_rules_over_the_checkpoints_own():
    checkpoint = WindowingSettings(summary_len=90.0, source_len=750.0)
    static = WindowRules(windowing="static").schedule(1000, checkpoint)
    assert static.ends is not None
    assert static.ends[-1] == 120
    shorter = WindowRules(windowing="static", summary_tokens=30).schedule(1000, checkpoint)
    assert shorter.ends is not None
    assert shorter.ends[-1] == 30
    assert WindowRules(window_len=100).schedule(1000, checkpoint).layout.stride == 100
    fixed = WindowRules(windowing="none").schedule(1000, checkpoint)
    assert (len(fixed.layout), fixed.layout.num_tokens) == (1, 400)


def test_a_window_without_a_share_is_not_visited():
    checkpoint = WindowingSettings(window_len=10, stride=10, weight_k=5.0, weight_d=3.0)
    schedule = WindowRules(windowing="static", summary_tokens=4).schedule(30, checkpoint)
    assert schedule.begin() == WindowState(0, 0, 0)
    assert schedule.windows([9] * 6) == (0, 0, 0, 0, 2, 2)


def test_lengths_count_words_and_no_window_shifts():
    checkpoint = WindowingSettings(window_len=10, stride=10, max_window_tokens=3)
    schedule = WindowRules(min_words=2, max_words=4).schedule(30, checkpoint)
    state = schedule.begin()
    seen = []
    for token_id in (9, checkpoint.shift_token_id, 9, 9, checkpoint.shift_token_id, 9):
        seen.append((schedule.allows_end(state), schedule.is_complete(state)))
        state = schedule.advance(state, token_id)
    assert [allowed for allowed, _ in seen] == [False, False, False, True, True, True]
    assert not any(complete for _, complete in seen)
    assert schedule.is_complete(state)
    # Four words, two shifts, the end.
    assert schedule.max_tokens == 7


def test_the_maximum_of_a_window_gives_way_to_the_minimum_of_a_summary():
    checkpoint = WindowingSettings(window_len=10, stride=10, max_window_tokens=3)
    for windowing, words in (("dynamic", 9), ("none", 3)):
        schedule = WindowRules(windowing=windowing, min_words=20).schedule(30, checkpoint)
        first, last = WindowState(0, 3, 3), WindowState(schedule.last, 3, words)
        # Where there is a window to move to, the maximum holds.
        assert schedule.is_exhausted(first) == (windowing == "dynamic")
        assert not schedule.is_exhausted(last)
        assert schedule.is_exhausted(WindowState(schedule.last, 14, 20))
        assert schedule.max_tokens == 21 + schedule.last


@pytest.mark.parametrize("windowing", ["dynamic", "static", "none"])
@pytest.mark.parametrize(
    "settings", [{"max_window_tokens": 10**9}, {"summary_len": 1e9}, {"window_len": 1, "stride": 1}]
)
def test_no_summary_is_longer_than_its_text(windowing, settings):
    """Whatever a checkpoint says: it would be written for ever."""
    schedule = WindowRules(windowing=windowing).schedule(3000, WindowingSettings(**settings))
    assert schedule.max_tokens <= 3000 + len(schedule.layout)
    assert (
        WindowRules(windowing=windowing, min_words=5000)
        .schedule(3000, WindowingSettings(**settings))
        .max_tokens
        >= 5000
    )  # a user may want it
