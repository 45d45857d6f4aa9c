"""What is told of a data set agrees with what is in it."""

from __future__ import annotations

import numpy as np
import pytest

from lsum_cli.datasets.dataset import open_dataset
from lsum_cli.datasets.features import cached_features
from lsum_cli.datasets.statistics import Cut, Spread, count_shared, describe_store


def records(*sizes):
    return [
        {"id": str(n), "text": " ".join([f"word{n % 9}"] * size), "summary": "One two three."}
        for n, size in enumerate(sizes)
    ]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([5], (5, 5, 5, 5)),
        (list(range(1, 11)), (5, 9, 10, 55)),
        ([1, 1, 1, 100], (1, 100, 100, 103)),
    ],
)
def test_spread(values, expected):
    spread = Spread.of(np.array(values))
    assert (spread.median, spread.ninety_percent, spread.maximum, spread.total) == expected


def test_of_a_data_set(write_lines, tmp_path):
    path = write_lines(*records(10, 20, 30), {"id": "e", "text": "A.", "summary": ""})
    store = cached_features(open_dataset(path), lambda _: {"a": np.zeros(1)}, "e", tmp_path / "cache")
    statistics = describe_store(store)
    assert (statistics.name, statistics.num_examples) == ("data", 3)
    assert statistics.document_words == Spread(median=20, ninety_percent=30, maximum=30, total=60)
    assert statistics.reference_words.maximum == 3
    assert statistics.num_documents.maximum == 1
    assert statistics.excluded.empty_references == 1
    assert (statistics.duplicates, statistics.not_encoded) == (0, 0)
    assert statistics.document_tokens is None
    assert statistics.document_cut is None


def test_of_a_store_with_what_its_settings_cut(write_lines, tmp_path):
    def encode(example):
        total = len(example.documents[0].text.split())
        return {"tokens_total": np.array(total), "tokens_dropped": np.array(max(0, total - 15))}

    path = write_lines(*records(10, 20, 30))
    store = cached_features(open_dataset(path), encode, "e", tmp_path / "cache")
    statistics = describe_store(store)
    assert statistics.document_tokens == Spread(median=20, ninety_percent=30, maximum=30, total=60)
    assert statistics.document_cut == Cut(examples=2, tokens=20, share=20 / 60)
    assert statistics.reference_cut is None


def test_equal_texts_are_counted_in_a_set_and_between_two(write_lines, tmp_path):
    def encode(example):
        return {"a": np.zeros(1)}

    twice = records(4) + [{**record, "id": "again"} for record in records(4)] + records(5, 6)[1:]
    train = cached_features(open_dataset(write_lines(*twice, name="t.jsonl")), encode, "e", tmp_path / "c")
    held = cached_features(
        open_dataset(write_lines(*records(4, 7), name="v.jsonl")), encode, "e", tmp_path / "c"
    )
    assert describe_store(train).duplicates == 1
    assert count_shared(train, held) == 1
