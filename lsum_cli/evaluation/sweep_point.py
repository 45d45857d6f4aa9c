"""One value of a sweep and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lsum_cli.evaluation.bootstrap import Interval


@dataclass(frozen=True, kw_only=True)
class SweepPoint:
    """What came of one value of a setting.

    Attributes:
        value: As the user gave it.
        scores: ROUGE by measure, from 0 to 1, with its interval.
        means: Every other column's mean.
        num_examples: How many summaries that is of.
        failed: How many examples no summary could be written of.
    """

    value: str
    scores: Mapping[str, Interval]
    means: Mapping[str, float | None]
    num_examples: int
    failed: int
