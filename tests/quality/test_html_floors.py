"""Web pages keep their sentences whole, and bring little else."""

from __future__ import annotations

from pathlib import Path

from benchmarks.html_peers import lsum_text, measure, pages, summarise

LEAST_INTACT, MOST_EXTRA = 0.99, 0.05


def test_sentences_of_pages_are_intact(shared: Path):
    measures = [measure(path, expected, "lsum", lsum_text(path)) for path, expected in pages(shared)]
    assert len(measures) >= 5
    intact, extra = summarise(measures, "lsum")
    assert intact >= LEAST_INTACT
    assert extra <= MOST_EXTRA
