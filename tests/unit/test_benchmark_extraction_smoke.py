"""The benchmark of extraction runs, and extraction is ahead of chance; skipped without the corpora."""

from __future__ import annotations

from pathlib import Path

import pytest


def test_extraction_is_measured_on_two_documents(shared: Path) -> None:
    pytest.importorskip("rouge_score")
    pytest.importorskip("sumy")
    from benchmarks.extraction import SYSTEMS, measure, table

    rows = list(measure("osnotes", data=shared / "data", limit=2))
    assert [row.system for row in rows] == list(SYSTEMS)
    assert all(0 <= score <= 100 for row in rows for score in row.scores)
    assert table(rows).count("\n") == len(rows) + 1
