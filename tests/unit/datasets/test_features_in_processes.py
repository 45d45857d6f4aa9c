"""Several processes encode to the very same as one, and what goes wrong in one of them is said."""

from __future__ import annotations

import multiprocessing
import os
import sys

import numpy as np
import pytest

from lsum_cli.datasets.dataset import hold_out, open_dataset
from lsum_cli.datasets.features import cached_features, encode_examples
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.errors import DatasetError

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are not forked here")


def encode(example):
    words = example.documents[0].text.split()
    return None if words[0] == "Nothing" else {"lengths": np.array([len(word) for word in words])}


@pytest.fixture
def path(write_lines):
    texts = ["Nothing here.", "", *(" ".join(["word"] * (n + 1)) for n in range(9)), " "]
    return write_lines(
        *({"id": str(n), "text": text, "summary": "S." if n != 5 else ""} for n, text in enumerate(texts))
    )


def contents(store):
    lengths = [features["lengths"].tolist() for features in store]
    return store.ids, lengths, store.excluded, store.not_encoded, store.sizes.document_words.tolist()


@pytest.mark.parametrize("processes", [2, 3, 20])
@pytest.mark.parametrize("limit", [None, 4])
def test_the_same_from_any_number(processes, limit, path, tmp_path):
    options = DatasetOptions(limit=limit)
    one = cached_features(open_dataset(path, options), encode, "e", tmp_path / "one")
    several = cached_features(
        open_dataset(path, options), encode, "e", tmp_path / "several", processes=processes
    )
    assert contents(several) == contents(one)
    assert not multiprocessing.active_children()


def test_of_a_part_too(path, tmp_path):
    for part, again in zip(hold_out(open_dataset(path), 0.3), hold_out(open_dataset(path), 0.3), strict=True):
        one = cached_features(part, encode, "e", tmp_path / "one")
        assert contents(cached_features(again, encode, "e", tmp_path / "two", processes=2)) == contents(one)


def test_a_broken_line_is_named_after_what_comes_before_it(path):
    path.write_text(path.read_text() + "broken\n")
    encoded = encode_examples(open_dataset(path), encode, 3)
    found = [next(encoded).standing.id for _ in range(9)]
    assert found == ["0", "2", "3", "4", "6", "7", "8", "9", "10"]
    with pytest.raises(DatasetError, match=r"line 13: not valid JSON.*; correct or remove the line"):
        next(encoded)
    assert not multiprocessing.active_children()


def test_equal_ids_are_refused(path):
    path.write_text(path.read_text() + path.read_text().splitlines()[3] + "\n")
    with pytest.raises(DatasetError, match=r"line 13: the id '3' is also that of \S+, line 4"):
        list(encode_examples(open_dataset(path), encode, 2))


def test_a_mistake_of_the_encoder_is_raised_as_it_is(path):
    def fail(example):
        raise ZeroDivisionError(example.id)

    with pytest.raises(ZeroDivisionError, match="0"):
        list(encode_examples(open_dataset(path), fail, 2))


def test_a_process_that_dies_is_said(path):
    def die(example):
        os._exit(9)

    with pytest.raises(DatasetError, match="ended unexpectedly; try fewer processes"):
        list(encode_examples(open_dataset(path), die, 2))
    assert not multiprocessing.active_children()
