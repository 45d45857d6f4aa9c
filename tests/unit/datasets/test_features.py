"""Examples are encoded once, kept whole or not at all, and encoded anew where the cache is damaged."""

from __future__ import annotations

import multiprocessing
import pickle
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from lsum_cli.datasets.dataset import open_dataset
from lsum_cli.datasets.features import FeatureStore, cached_features, default_folder
from lsum_cli.errors import DatasetError, OutputError


class Encoder:
    """Lengths of words as features; counts how often it is called."""

    def __init__(self):
        self.calls = 0

    def __call__(self, example):
        self.calls += 1
        words = example.documents[0].text.split()
        if words[0] == "Nothing":
            return None
        lengths = np.array([len(word) for word in words], np.int32)
        return {"lengths": lengths, "pairs": np.stack([lengths, lengths]), "total": np.array(len(words))}


@pytest.fixture
def dataset(write_lines):
    texts = ["Cats sleep.", "Nothing here.", "", "Dogs bark at night.", "Cats sleep."]
    return open_dataset(
        write_lines(*({"id": str(n), "text": text, "summary": "S s."} for n, text in enumerate(texts)))
    )


def test_features_come_back_as_they_were(dataset, tmp_path):
    store = cached_features(dataset, Encoder(), "e", tmp_path / "cache")
    assert store.ids == ("0", "3", "4")
    assert len(store) == 3
    assert store.features == ("lengths", "pairs", "total")
    features = store[1]
    assert features["lengths"].dtype == np.int32
    assert features["lengths"].tolist() == [4, 4, 2, 6]
    assert features["pairs"].shape == (2, 4)
    assert features["total"].shape == ()
    assert store[-1]["lengths"].tolist() == [4, 6]
    assert [one["total"].item() for one in store] == [2, 4, 2]
    with pytest.raises(IndexError):
        store[3]


def test_features_may_be_changed_without_harm(dataset, tmp_path):
    store = cached_features(dataset, Encoder(), "e", tmp_path / "cache")
    store[0]["lengths"][:] = 0
    assert store[0]["lengths"].tolist() == [4, 6]


def test_what_is_known_of_the_examples(dataset, tmp_path):
    store = cached_features(dataset, Encoder(), "e", tmp_path / "cache")
    assert store.name == "data"
    assert (store.excluded.empty_documents, store.excluded.empty_references) == (1, 0)
    assert store.not_encoded == 1
    assert store.sizes.document_words.tolist() == [2, 4, 2]
    assert store.sizes.reference_words.tolist() == [2, 2, 2]
    assert store.sizes.text_hashes[0] == store.sizes.text_hashes[2] != store.sizes.text_hashes[1]
    assert store.column("total").tolist() == [2, 4, 2]
    assert store.lengths("pairs").tolist() == [4, 8, 4]
    with pytest.raises(ValueError, match="not one number per example"):
        store.column("lengths")


def test_a_second_time_nothing_is_encoded(dataset, tmp_path):
    encoder = Encoder()
    first = cached_features(dataset, encoder, "e", tmp_path / "cache")
    calls = encoder.calls
    second = cached_features(dataset, encoder, "e", tmp_path / "cache")
    assert encoder.calls == calls == 4
    assert second.path == first.path
    assert (second.ids, second.excluded, second.not_encoded) == (first.ids, first.excluded, 1)
    assert second.rebuilt is None


def test_another_encoder_or_content_is_another_store(dataset, tmp_path):
    encoder = Encoder()
    first = cached_features(dataset, encoder, "e", tmp_path / "cache")
    assert cached_features(dataset, encoder, "f", tmp_path / "cache").path != first.path
    (file,) = dataset.files
    file.path.write_text(file.path.read_text().replace("Dogs", "Dog"))
    changed = cached_features(open_dataset(file.path), encoder, "e", tmp_path / "cache")
    assert changed[1]["lengths"].tolist() == [3, 4, 2, 6]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("lengths.bin", b"\x00", "lengths.bin was changed"),
        ("ids.json", b"[]", "ids.json was changed"),
        ("total.shapes.npy", None, "total.shapes.npy cannot be read"),
        ("store.json", b"{", "store.json is damaged"),
        ("store.json", b"[]", "store.json is damaged"),
        ("store.json", None, "store.json cannot be read"),
    ],
)
def test_a_damaged_store_is_made_anew_and_says_so(name, content, message, dataset, tmp_path):
    store = cached_features(dataset, Encoder(), "e", tmp_path / "cache")
    if content is None:
        (store.path / name).unlink()
    else:
        (store.path / name).write_bytes(content)
    encoder = Encoder()
    again = cached_features(dataset, encoder, "e", tmp_path / "cache")
    assert again.rebuilt == message
    assert encoder.calls == 4
    assert again[1]["lengths"].tolist() == [4, 4, 2, 6]
    assert cached_features(dataset, encoder, "e", tmp_path / "cache").rebuilt is None


def test_a_broken_record_leaves_nothing_behind(write_lines, tmp_path):
    path = write_lines({"text": "Cats.", "summary": "S."})
    path.write_text(path.read_text() + "broken\n")
    with pytest.raises(DatasetError, match="line 2"):
        cached_features(open_dataset(path), Encoder(), "e", tmp_path / "cache")
    assert [file.suffix for file in (tmp_path / "cache").iterdir()] == [".lock"]


def test_an_interruption_leaves_nothing_behind(dataset, tmp_path):
    def interrupt(example):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cached_features(dataset, interrupt, "e", tmp_path / "cache")
    assert len(cached_features(dataset, Encoder(), "e", tmp_path / "cache")) == 3


def test_what_a_killed_process_left_is_cleared_away(dataset, tmp_path):
    store = cached_features(dataset, Encoder(), "e", tmp_path / "cache")
    store.path.rename(store.path.with_name(f".{store.path.name}.partial"))
    assert len(cached_features(dataset, Encoder(), "e", tmp_path / "cache")) == 3
    assert sorted(path.suffix for path in (tmp_path / "cache").iterdir()) == ["", ".lock"]


def test_nothing_to_learn_from_is_an_error(dataset, tmp_path):
    with pytest.raises(DatasetError, match="none of its 4 examples can be used for training"):
        cached_features(dataset, lambda example: None, "e", tmp_path / "cache")


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ({"a": np.zeros(2, np.int64)}, "another dtype"),
        ({"a": np.zeros((2, 2), np.int32)}, "number of dimensions"),
        ({"b": np.zeros(2, np.int32)}, r"features \['b'\], not \['a'\]"),
    ],
)
def test_features_that_change_their_kind_are_a_mistake(second, message, dataset, tmp_path):
    answers = iter([{"a": np.zeros(2, np.int32)}, second])
    with pytest.raises(ValueError, match=message):
        cached_features(dataset, lambda example: next(answers), "e", tmp_path / "cache")


def test_a_folder_that_cannot_be_written(dataset, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match=r"cannot be cached in .*; make room or make it writable"):
        cached_features(dataset, Encoder(), "e", tmp_path / "file" / "cache")


def test_a_full_disk_is_said(dataset, tmp_path, monkeypatch):
    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "save", full)
    with pytest.raises(OutputError, match="No space left on device; make room"):
        cached_features(dataset, Encoder(), "e", tmp_path / "cache")


def test_it_lies_below_the_home_of_lsum(dataset, monkeypatch, tmp_path):
    monkeypatch.setenv("LSUM_HOME", str(tmp_path / "home"))
    assert default_folder() == tmp_path / "home" / "features"
    assert cached_features(dataset, Encoder(), "e").path.parent == default_folder()


def test_it_is_pickled_as_its_place(dataset, tmp_path):
    store = cached_features(dataset, Encoder(), "e", tmp_path / "cache")
    pickled = pickle.dumps(store)
    assert len(pickled) < 500
    assert pickle.loads(pickled)[1]["lengths"].tolist() == [4, 4, 2, 6]


def test_progress_is_told(dataset, tmp_path):
    events = []
    cached_features(dataset, Encoder(), "e", tmp_path / "cache", progress=events.append)
    assert [(event.stage, event.done) for event in events] == [("encoding", n) for n in (1, 2, 3, 4)]


def _encode_slowly(example):
    time.sleep(0.05)
    return {"a": np.zeros(3, np.int32)}


def _open_in_process(path, folder, queue):
    calls = []

    def encode(example):
        calls.append(example.id)
        return _encode_slowly(example)

    store = cached_features(open_dataset(path), encode, "e", folder)
    queue.put((len(calls), len(store)))


def test_of_several_processes_one_encodes(dataset, tmp_path):
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    path = dataset.files[0].path
    processes = [
        context.Process(target=_open_in_process, args=(path, tmp_path / "cache", queue)) for _ in range(2)
    ]
    for process in processes:
        process.start()
    results = sorted(queue.get(timeout=60) for _ in processes)
    for process in processes:
        process.join()
    assert results == [(0, 4), (4, 4)]


arrays = npst.arrays(
    st.sampled_from([np.dtype(np.int32), np.dtype(np.float32), np.dtype(np.bool_)]),
    npst.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(arrays, min_size=1, max_size=3), st.integers())
def test_any_arrays_survive(dataset, tmp_path, values, salt):
    features = {f"f{number}": value for number, value in enumerate(values)}
    store = cached_features(dataset, lambda example: features, str((values, salt)), tmp_path / "cache")
    reopened = FeatureStore(store.path)
    for index in range(len(store)):
        for name, value in features.items():
            assert reopened[index][name].dtype == value.dtype
            np.testing.assert_array_equal(reopened[index][name], value)
