"""The bootstrap: confidence intervals of means, and tests whether one system is better than another.

Every computation has its own random generator. Scores are sorted before resampling, so that the same
scores give the same interval whatever the order of the examples.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lsum_cli.evaluation.options import DEFAULT_RESAMPLES
from lsum_cli.text.terms import FloatArray

LEVEL = 0.95
_DRAWN_AT_ONCE = 1 << 22


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
    """

    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None
    count: int


def mean_interval(values: FloatArray, *, resamples: int = DEFAULT_RESAMPLES, seed: int = 0) -> Interval:
    """The mean of scores with its percentile bootstrap interval.

    Args:
        values: One per example, (examples,); NaN where an example has none.
        resamples: Number of resamples, each of as many examples, drawn with replacement.
        seed: Seed of the resampling.
    """
    values = np.sort(values[~np.isnan(values)])
    if not len(values):
        return Interval(mean=None, low=None, high=None, count=0)
    low, high = _limits(_resampled_means(values, resamples, seed))
    return Interval(mean=float(values.mean()), low=low, high=high, count=len(values))


def compare_means(
    first: FloatArray, second: FloatArray, *, resamples: int = DEFAULT_RESAMPLES, seed: int = 0
) -> Difference:
    """The difference of two means by the paired bootstrap.

    The p-value is two-sided: the share of resamples whose difference lies at least as far from the
    observed difference as that lies from 0 (Riezler and Maxwell 2005), with one added to numerator and
    denominator, so that it is never 0.

    Args:
        first: Scores of one system, (examples,); NaN where an example has none.
        second: Scores of the other on the same examples, in the same order.
        resamples: Number of resamples.
        seed: Seed of the resampling.
    """
    differences = first - second
    differences = np.sort(differences[~np.isnan(differences)])
    if not len(differences):
        return Difference(difference=None, low=None, high=None, p_value=None, count=0)
    observed = float(differences.mean())
    means = _resampled_means(differences, resamples, seed)
    # Differences by rounding alone do not count as further away.
    as_far = np.abs(means - observed) >= abs(observed) - 1e-12
    low, high = _limits(means)
    return Difference(
        difference=observed,
        low=low,
        high=high,
        p_value=(float(as_far.sum()) + 1) / (resamples + 1),
        count=len(differences),
    )


def _resampled_means(values: FloatArray, resamples: int, seed: int) -> FloatArray:
    """The mean of each resample, (resamples,)."""
    generator = np.random.default_rng(seed)
    size = len(values)
    means = np.empty(resamples)
    step = max(1, _DRAWN_AT_ONCE // size)
    for start in range(0, resamples, step):
        stop = min(resamples, start + step)
        means[start:stop] = values[generator.integers(size, size=(stop - start, size))].mean(axis=1)
    return means


def _limits(means: FloatArray) -> tuple[float, float]:
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)
