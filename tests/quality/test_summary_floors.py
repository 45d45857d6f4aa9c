"""What readers objected to in summaries does not come back, on a sample of the documents set aside."""

from __future__ import annotations

import json
import statistics
from pathlib import Path

import pytest

from benchmarks.corpora import REPOSITORY, corpus_path
from benchmarks.summaries.__main__ import SET_ASIDE, summarise
from benchmarks.summaries.checks import debris, leaning, not_the_courts, tells_what_was_decided

# Documents of the sample and words of a summary.
SAMPLE = {"scotus": (4, 264), "pmc": (4, 221), "designdocs": (10, 70), "osnotes": (3, 78)}


@pytest.fixture(scope="module")
def summaries(shared: Path) -> dict[str, list[dict]]:
    ids = json.loads(SET_ASIDE.read_text(encoding="utf-8"))
    tasks = [
        {
            "corpus": str(corpus_path(corpus, "valid", shared / "data")),
            "ids": ids[corpus][:count],
            "words": words,
        }
        for corpus, (count, words) in SAMPLE.items()
    ]
    records = summarise(tasks, REPOSITORY)
    return {corpus: [record for record in records if record["id"].startswith(corpus)] for corpus in SAMPLE}


@pytest.mark.parametrize("corpus", SAMPLE)
def test_no_sentence_is_debris_or_leans_on_nothing(summaries, corpus):
    assert len(summaries[corpus]) == SAMPLE[corpus][0]
    for record in summaries[corpus]:
        assert list(debris(record["sentences"])) == []
        assert list(leaning(record["sentences"])) == []


def test_decisions_are_told_by_the_court(summaries):
    decisions = summaries["scotus"]
    assert [not_the_courts(record["sentences"]) for record in decisions] == [[]] * len(decisions)
    assert statistics.fmean(tells_what_was_decided(record["sentences"]) for record in decisions) >= 0.75


def test_the_set_aside_half_lists_half_of_every_valid_split(shared: Path):
    from lsum_cli.datasets.files import label_files
    from lsum_cli.datasets.formats import read_json_lines

    for corpus in ("osnotes", "scotus"):
        (file,) = label_files([corpus_path(corpus, "valid", shared / "data")])
        known = {str(record.values["id"]) for record in read_json_lines(file)}
        aside = json.loads(SET_ASIDE.read_text(encoding="utf-8"))[corpus]
        assert set(aside) < known
        assert len(aside) == len(known) // 2
