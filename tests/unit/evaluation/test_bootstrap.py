"""Intervals and comparisons: reproducible, indifferent to order, right on cases known beforehand."""

from __future__ import annotations

import numpy as np
import pytest

from lsum_cli.evaluation.bootstrap import Interval, compare_means, mean_interval

SCORES = np.random.default_rng(1).normal(0.4, 0.1, 200)


def test_the_interval_is_that_of_the_normal_distribution():
    interval = mean_interval(SCORES, resamples=4000)
    half = 1.96 * SCORES.std() / np.sqrt(200)
    assert interval.mean == pytest.approx(SCORES.mean())
    assert interval.low == pytest.approx(SCORES.mean() - half, abs=0.002)
    assert interval.high == pytest.approx(SCORES.mean() + half, abs=0.002)


def test_the_same_seed_gives_the_same_and_another_another():
    assert mean_interval(SCORES) == mean_interval(SCORES)
    assert mean_interval(SCORES, seed=1) != mean_interval(SCORES)


def test_order_does_not_matter():
    order = np.random.default_rng(2).permutation(200)
    other = SCORES + np.random.default_rng(3).normal(0, 0.1, 200)
    assert mean_interval(SCORES[order]) == mean_interval(SCORES)
    assert compare_means(SCORES[order], other[order]) == compare_means(SCORES, other)


def test_what_is_no_number_does_not_count():
    with_gaps = np.concatenate([SCORES, [np.nan, np.nan]])
    assert mean_interval(with_gaps) == mean_interval(SCORES)
    assert mean_interval(with_gaps).count == 200
    assert mean_interval(np.array([np.nan])) == Interval(mean=None, low=None, high=None, count=0)
    assert compare_means(np.array([np.nan]), np.array([1.0])).p_value is None


def test_many_examples_are_drawn_in_parts():
    values = np.arange(9000.0)
    assert mean_interval(values, resamples=600).mean == values.mean()


def test_equal_systems_do_not_differ():
    difference = compare_means(SCORES, SCORES)
    assert (difference.difference, difference.p_value) == (0, 1)


def test_a_clear_difference_is_seen_and_a_slight_one_is_not():
    noise = np.random.default_rng(4).normal(0, 0.1, 200)
    clear = compare_means(SCORES + 0.05 + noise, SCORES)
    assert clear.p_value < 0.005
    assert clear.low > 0
    slight = compare_means(SCORES + 0.1 * (noise - noise.mean()) + 0.0005, SCORES)
    assert slight.p_value > 0.2
    assert slight.low < 0 < slight.high


def test_p_values_of_equal_systems_are_spread_evenly():
    generator = np.random.default_rng(5)
    values = [
        compare_means(*generator.normal(0, 1, (2, 60)), resamples=200, seed=seed).p_value
        for seed in range(200)
    ]
    assert 0.02 < np.mean(np.array(values) < 0.1) < 0.2
