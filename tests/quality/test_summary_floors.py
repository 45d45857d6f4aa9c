"""What has been reached in summaries of the documents set aside is not lost again."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.corpora import REPOSITORY
from benchmarks.summaries.__main__ import FLOORS, METRICS, score, summarise, task_of, texts_of
from benchmarks.summaries.checks import (
    faults_of_form,
    not_the_courts,
    tells_what_was_decided,
    without_antecedent,
)

MOST_WITHOUT_ANTECEDENT = 0.01
LEAST_DECIDED = 0.9


@pytest.mark.parametrize("corpus", sorted(json.loads(FLOORS.read_text(encoding="utf-8"))))
def test_floors_hold(shared: Path, corpus: str):
    floor = json.loads(FLOORS.read_text(encoding="utf-8"))[corpus]
    records = summarise([task_of(corpus, data=shared / "data", limit=floor["documents"])], REPOSITORY)
    assert len(records) == floor["documents"]
    means = np.mean([score(record, texts_of(record)) for record in records], axis=0)
    assert {
        name: round(mean, 2)
        for name, mean in zip(METRICS.values(), means.tolist(), strict=True)
        if mean < floor[name]
    } == {}
    is_spoken = corpus == "qmsum"
    sentences = [record["sentences"] for record in records]
    assert [found for each in sentences for found in faults_of_form(each, is_spoken=is_spoken)] == []
    assert sum(len(list(without_antecedent(each))) for each in sentences) <= MOST_WITHOUT_ANTECEDENT * sum(
        map(len, sentences)
    )
    if corpus == "scotus":
        assert [text for each in sentences for text in not_the_courts(each)] == []
        assert np.mean([tells_what_was_decided(each) for each in sentences]) >= LEAST_DECIDED
