"""Some records of many: as many as asked, from all over the data."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsum_cli.datasets.dataset import open_dataset, sample, sample_evenly
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.errors import DatasetError


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two files, which follow one another."""
    path = tmp_path_factory.mktemp("data")
    for name, count in (("a", 30), ("b", 10)):
        lines = (
            json.dumps({"id": f"{name}{number}", "text": f"Text {number}.", "summary": "It."})
            for number in range(count)
        )
        (path / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return path


@given(most=st.integers(1, 60), limit=st.none() | st.integers(1, 60))
def test_as_many_as_asked_evenly(folder, most, limit) -> None:
    dataset = open_dataset(folder, DatasetOptions(limit=limit))
    ids = [example.id for example in dataset]
    chosen = [example.id for example in sample_evenly(dataset, most)]
    assert len(chosen) == min(most, len(ids))
    places = [ids.index(each) for each in chosen]
    assert places == sorted(set(places))
    gaps = [after - before for before, after in pairwise(places)]
    assert not gaps or max(gaps) - min(gaps) <= 1
    assert [example.id for example in sample(dataset, most)] == chosen


def test_all_files_have_a_part_in_it_and_the_others_are_not_made(folder, monkeypatch) -> None:
    dataset = open_dataset(folder)
    made = []
    monkeypatch.setattr(
        dataset,
        "read",
        lambda read=dataset.read: (
            replace(load, load=lambda load=load, index=index: made.append(index) or load())
            for index, load in enumerate(read())
        ),
    )
    assert [example.id[0] for example in sample_evenly(dataset, 4)] == ["a", "a", "a", "b"]
    assert len(made) == 4
    assert (
        sample_evenly(dataset, 4).fingerprint != sample_evenly(dataset, 5).fingerprint != dataset.fingerprint
    )


def test_of_other_examples_the_first() -> None:
    assert list(sample(iter("abc"), 2)) == ["a", "b"]


def test_nothing_in_it_is_told(tmp_path) -> None:
    path = tmp_path / "none.jsonl"
    path.write_text(json.dumps({"text": "Text.", "summary": ""}), encoding="utf-8")
    with pytest.raises(DatasetError, match="contains no examples"):
        list(sample_evenly(open_dataset(path), 1))
