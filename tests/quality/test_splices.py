"""Splices are found among labelled sentences of real documents; see splices/README.md."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from pathlib import Path

import pytest

from lsum_cli.attribution.provenance import SourceIndex
from lsum_cli.attribution.splices import find_splices
from lsum_cli.documents import Sentence
from lsum_cli.locality import Locality, Page

LABELLED = Path(__file__).with_name("splices")


def pages_of(document: dict[str, object]) -> list[Page]:
    texts = document["source_sentences"]
    return [
        Page(
            index=index,
            locality=Locality.SPATIAL,
            label="",
            document_id="d0",
            num_tokens=1,
            sentences=tuple(
                Sentence(text=texts[place], index=place, section_index=0, start=0, end=0) for place in places
            ),
        )
        for index, places in enumerate(document["pages"])
    ]


def judge(name: str) -> Iterator[tuple[bool, bool]]:
    """For each labelled sentence whether it is a splice, and whether one is found."""
    with lzma.open(LABELLED / name, "rt", encoding="utf-8") as lines:
        for line in lines:
            document = json.loads(line)
            index = SourceIndex(pages_of(document))
            for sentence in document["sentences"]:
                trace = index.trace(sentence["text"], sentence["cited"])
                yield sentence["splice"], any(find_splices(trace, index))


@pytest.mark.parametrize(("name", "count"), [("fitting.jsonl.xz", 400), ("unseen.jsonl.xz", 200)])
def test_splices_are_found_and_little_else(name, count):
    judged = list(judge(name))
    assert len(judged) == count
    right = sum(is_splice and found for is_splice, found in judged)
    splices, flagged = (sum(column) for column in zip(*judged, strict=True))
    print(f"{name}: {splices} splices, {right} found, {flagged - right} wrongly flagged")
    assert right / flagged >= 0.95  # precision
    assert right / splices >= 0.9  # recall
