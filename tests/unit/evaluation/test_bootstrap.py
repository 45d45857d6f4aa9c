"""Intervals and comparisons: reproducible, indifferent to order, right on cases known beforehand."""

from __future__ import annotations

import numpy as np
import pytest

from lsum_cli.evaluation.bootstrap import Interval, adjust_holm, compare_means, mean_interval

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


def runs_of(seed, *, runs=4, examples=50, spread=0.0):
    """Scores of several runs: examples differ, and runs by a standard deviation of their means."""
    generator = np.random.default_rng(seed)
    difficulty = generator.normal(0.4, 0.1, examples)
    return difficulty + generator.normal(0, spread, (runs, 1)) + generator.normal(0, 0.02, (runs, examples))


def test_one_run_is_the_plain_bootstrap():
    assert mean_interval(SCORES[None]) == mean_interval(SCORES)
    assert compare_means(SCORES[None], (SCORES + 0.1)[None]) == compare_means(SCORES, SCORES + 0.1)


def test_runs_that_differ_widen_the_interval_by_as_much():
    runs = runs_of(7, spread=0.1)
    interval = mean_interval(runs, resamples=4000)
    per_run, per_example = runs.mean(axis=1), runs.mean(axis=0)
    # The variance of the mean of four drawn runs, and that of as many drawn examples.
    half = 1.96 * np.sqrt(per_run.var() / len(per_run) + per_example.var() / len(per_example))
    assert interval.mean == pytest.approx(runs.mean())
    assert interval.count == 50
    assert interval.high - interval.low == pytest.approx(2 * half, rel=0.1)
    pooled = mean_interval(runs.mean(axis=0))
    assert interval.high - interval.low > 2 * (pooled.high - pooled.low)


def test_lucky_runs_are_no_better_recipe():
    """Of equally good recipes few are called different; by one run of each, most."""
    alone, both = [], []
    for seed in range(60):
        first, second = runs_of(seed, runs=5, spread=0.05), runs_of(seed + 1000, runs=5, spread=0.05)
        second += (
            first.mean(axis=0) - second.mean(axis=0) - (first.mean() - second.mean())
        )  # the same examples
        alone.append(compare_means(first[0], second[0], resamples=200).p_value)
        both.append(compare_means(first, second, resamples=200).p_value)
    assert np.mean(np.array(alone) < 0.05) > 0.6
    assert np.mean(np.array(both) < 0.05) < 0.25


def test_order_of_examples_does_not_matter_to_runs():
    first, second = runs_of(1, spread=0.1), runs_of(2, runs=3, spread=0.1)
    order = np.random.default_rng(2).permutation(50)
    assert mean_interval(first[:, order]) == mean_interval(first)
    assert compare_means(first[:, order], second[:, order]) == compare_means(first, second)


def test_examples_that_a_run_lacks_do_not_count():
    first, second = runs_of(1), runs_of(2)
    first[2, 5] = np.nan
    second[0, 7] = np.nan
    found = compare_means(first, second)
    assert found.count == 48
    kept = np.delete(first, [5, 7], axis=1).mean() - np.delete(second, [5, 7], axis=1).mean()
    assert found.difference == pytest.approx(kept)


def test_effect_sizes():
    found = compare_means(np.array([0.5, 0.6, 0.7, 0.2]), np.array([0.4, 0.4, 0.7, 0.3]))
    gains = np.array([0.1, 0.2, 0, -0.1])
    assert found.effect_size == pytest.approx(gains.mean() / gains.std(ddof=1))
    assert found.wins == 2.5 / 4
    assert compare_means(SCORES, SCORES).effect_size is None  # nothing varies
    assert compare_means(SCORES + 1, SCORES).effect_size is None
    assert compare_means(SCORES, SCORES).wins == 0.5


def test_holm():
    assert adjust_holm([0.01, 0.04, None, 0.03, 0.005]) == [
        pytest.approx(p) if p else None for p in (0.03, 0.06, None, 0.06, 0.02)
    ]
    assert adjust_holm([0.5, 0.9]) == [1, 1]
    assert adjust_holm([0.02]) == [0.02]
    assert adjust_holm([None]) == [None]
