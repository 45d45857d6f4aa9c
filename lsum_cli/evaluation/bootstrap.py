"""The bootstrap: confidence intervals of means, and tests whether one system is better than another.

Where a system was trained several times, with different seeds, both its runs and the examples are drawn
anew (the hierarchical bootstrap): what is said then holds for the recipe, not for one lucky run. With
one run this is the paired bootstrap over examples.

Every computation has its own random generator. Scores are sorted before resampling, so that the same
scores give the same interval whatever the order of the examples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lsum_cli.evaluation.options import DEFAULT_RESAMPLES
from lsum_cli.text.terms import FloatArray

LEVEL = 0.95
_DRAWN_AT_ONCE = 1 << 22
# Smaller differences are those of rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True, slots=True)
class Interval:
    """A mean with its 95 % percentile bootstrap interval.

    Attributes:
        mean: ``None`` where no example has a value.
        count: Number of examples with a value.
    """

    mean: float | None
    low: float | None
    high: float | None
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """The mean difference of two systems on the same examples, the first minus the second.

    Attributes:
        p_value: Probability of a difference at least as large if the systems were equally good.
        count: Number of examples for which both have a value.
        p_holm: The p-value corrected for all comparisons of the same score; see :func:`adjust_holm`.
        effect_size: Cohen's d of the paired differences: their mean over their standard deviation.
        wins: Share of the examples on which the first is better; equal ones count half.
    """

    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None
    count: int
    p_holm: float | None = None
    effect_size: float | None = None
    wins: float | None = None


def mean_interval(values: FloatArray, *, resamples: int = DEFAULT_RESAMPLES, seed: int = 0) -> Interval:
    """The mean of scores with its percentile bootstrap interval.

    Args:
        values: One per example, (examples,), or one per run and example, (runs, examples); NaN where there
            is none. An example counts where every run has a value.
        resamples: Number of resamples, each of as many runs and examples, drawn with replacement.
        seed: Seed of the resampling.
    """
    runs = _known(np.atleast_2d(values))
    if not runs.size:
        return Interval(mean=None, low=None, high=None, count=0)
    low, high = _limits(_resampled_means(runs, resamples, seed))
    return Interval(mean=float(runs.mean()), low=low, high=high, count=runs.shape[1])


def compare_means(
    first: FloatArray, second: FloatArray, *, resamples: int = DEFAULT_RESAMPLES, seed: int = 0
) -> Difference:
    """The difference of two means by the paired bootstrap, hierarchical where a system has several runs.

    Every resample draws examples, the same for both systems, and runs of each system on its own. The
    p-value is two-sided: the share of resamples whose difference lies at least as far from the
    observed difference as that lies from 0 (Riezler and Maxwell 2005), with one added to numerator and
    denominator, so that it is never 0.

    Args:
        first: Scores of one system, (examples,) or (runs, examples); NaN where an example has none.
        second: Scores of the other on the same examples, in the same order; it may have other runs.
        resamples: Number of resamples.
        seed: Seed of the resampling.
    """
    ours, theirs = np.atleast_2d(first), np.atleast_2d(second)
    both = _known(ours - theirs if len(ours) == len(theirs) == 1 else np.vstack([ours, theirs]))
    parts = [part for part in (both[: len(ours)], both[len(ours) :]) if len(part)]
    if not both.size:
        return Difference(difference=None, low=None, high=None, p_value=None, count=0)
    per_example: FloatArray = parts[0].mean(axis=0) - (parts[1].mean(axis=0) if len(parts) > 1 else 0)
    observed = float(per_example.mean())
    means = _resampled_means(parts[0], resamples, seed)
    if len(parts) > 1:
        means = means - _resampled_means(parts[1], resamples, seed, draw_runs=1)
    as_far = np.abs(means - observed) >= abs(observed) - _ROUNDING
    low, high = _limits(means)
    spread = float(per_example.std(ddof=1)) if len(per_example) > 1 else 0.0
    return Difference(
        difference=observed,
        low=low,
        high=high,
        p_value=(float(as_far.sum()) + 1) / (resamples + 1),
        count=len(per_example),
        effect_size=observed / spread if spread > _ROUNDING else None,
        wins=float((per_example > 0).mean() + (per_example == 0).mean() / 2),
    )


def adjust_holm(p_values: Sequence[float | None]) -> list[float | None]:
    """P-values corrected for being several, by Holm's step-down method (1979).

    The smallest of n is multiplied by n, the next by n - 1, and so on; none becomes smaller than the one
    before it, or greater than 1. The chance of any false discovery stays below the level, however the
    comparisons depend on one another.

    Args:
        p_values: ``None`` where there is none; it stays so and does not count.
    """
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    least = 0.0
    for rank, (p_value, place) in enumerate(known):
        least = max(least, min(1.0, p_value * (len(known) - rank)))
        adjusted[place] = least
    return adjusted


def _known(runs: FloatArray) -> FloatArray:
    """The examples for which every run has a value, (runs, examples), in an order of their values alone."""
    known = runs[:, ~np.isnan(runs).any(axis=0)]
    return known[:, np.lexsort(known)]


def _resampled_means(runs: FloatArray, resamples: int, seed: int, *, draw_runs: int = 0) -> FloatArray:
    """The mean of each resample of runs and examples, (resamples,).

    Args:
        runs: (runs, examples).
        seed: With the same seed the same examples are drawn.
        draw_runs: Tells apart the draws of runs of two systems.
    """
    generator = np.random.default_rng(seed)
    num_runs, size = runs.shape
    means = np.empty((num_runs, resamples))
    step = max(1, _DRAWN_AT_ONCE // size)
    for start in range(0, resamples, step):
        stop = min(resamples, start + step)
        drawn = generator.integers(size, size=(stop - start, size))
        for number, values in enumerate(runs):
            means[number, start:stop] = values[drawn].mean(axis=1)
    picks = np.random.default_rng((seed, draw_runs, 1)).integers(num_runs, size=(num_runs, resamples))
    chosen: FloatArray = means[picks, np.arange(resamples)].mean(axis=0)
    return chosen


def _limits(means: FloatArray) -> tuple[float, float]:
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)
