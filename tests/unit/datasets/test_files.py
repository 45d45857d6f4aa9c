"""Data sets of the hub by name."""

from __future__ import annotations

import sys
import types

import pytest

from lsum_cli.datasets.dataset import open_dataset
from lsum_cli.errors import DatasetError, ExitCode, MissingDependency

pyarrow = pytest.importorskip("pyarrow")


@pytest.fixture
def library(monkeypatch):
    """In place of the library, which would ask the hub: one data set."""
    import pyarrow.parquet

    asked = []

    class Rows:
        def to_parquet(self, path: str) -> None:
            rows = [{"article": f"Text {number}.", "highlights": "It."} for number in range(3)]
            pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)

    def load_dataset(repo, configuration, *, split, revision):
        asked.append((repo, configuration, split, revision))
        if split != "train":
            raise ValueError(f"Unknown split {split!r}.")
        return Rows()

    module = types.ModuleType("datasets")
    module.load_dataset, module.disable_progress_bars = load_dataset, lambda: None
    monkeypatch.setitem(sys.modules, "datasets", module)
    return asked


def test_a_data_set_is_fetched_once_and_read_as_any(library, monkeypatch):
    name = "hub:abisee/cnn_dailymail@v2/3.0.0:train"
    dataset = open_dataset(name)
    assert [example.reference for example in dataset] == ["It."] * 3
    assert library == [("abisee/cnn_dailymail", "3.0.0", "train", "v2")]
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert open_dataset(name).fingerprint == dataset.fingerprint
    assert len(library) == 1
    with pytest.raises(DatasetError, match="nothing is fetched offline"):
        open_dataset("hub:abisee/cnn_dailymail:train")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("hub:cnn_dailymail", "does not name a data set of the hub; write it as hub:OWNER/NAME"),
        ("hub:a/b", "does not name a data set"),
        ("hub:a/../b:train", "does not name a data set"),
        ("hub:a/b:vlaid", "cannot be read: Unknown split 'vlaid'."),
    ],
)
def test_what_cannot_be_fetched_is_said_in_a_line(library, name, said):
    with pytest.raises(DatasetError, match=said) as caught:
        open_dataset(name)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == ExitCode.DATASET


def test_without_the_library_its_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(MissingDependency, match=r"pip install 'lsum-cli\[datasets\]'"):
        open_dataset("hub:a/b:train")
