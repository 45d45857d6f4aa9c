"""Comparing summaries that were computed in other groups."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from lsum_cli.summaries import SummarySentence


def assert_alike(ours: Sequence[SummarySentence], alone: Sequence[SummarySentence]) -> None:
    """Equal up to rounding, attribution and flags included."""
    assert [each.text for each in ours] == [each.text for each in alone]
    assert [each.log_prob for each in ours] == pytest.approx([each.log_prob for each in alone], abs=1e-4)
    assert [each.flags for each in ours] == [each.flags for each in alone]
    for own, other in zip(ours, alone, strict=True):
        assert own.attribution is not None
        assert other.attribution is not None
        assert own.attribution.kind == other.attribution.kind
        weights = {each.page: each.weight for each in other.attribution.pages}
        assert {each.page: each.weight for each in own.attribution.pages} == pytest.approx(weights, abs=1e-4)
        texts = [each.text for each in other.attribution.evidence]
        assert [each.text for each in own.attribution.evidence] == texts
