"""Where a batch is kept: files that are whole or not there, in folders and at addresses."""

from __future__ import annotations

import errno
import os
import pickle
from pathlib import Path

import pytest

from lsum_cli.batch import storage
from lsum_cli.batch.storage import (
    WORKING_NAME,
    LocalStorage,
    RemoteStorage,
    Storage,
    find_files,
    open_storage,
)
from lsum_cli.errors import DatasetError, OutputError


@pytest.fixture(params=["folder", "address"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    if request.param == "address":
        pytest.importorskip("pyarrow")
        return open_storage(f"file://{tmp_path}/out/")
    return open_storage(str(tmp_path / "out"))


def test_files_are_written_replaced_listed_and_removed(place, tmp_path):
    place.make()
    assert place.read("a") is None
    place.write("a", b"one")
    place.write("b", b"other")
    place.write("a", b"two")
    other = pickle.loads(pickle.dumps(place))  # as on another machine
    assert (other.read("a"), other.names()) == (b"two", ["a", "b"])
    other.remove("b")
    assert place.names() == ["a"]
    assert not list((tmp_path / "out" / WORKING_NAME).glob("*"))


def test_a_write_that_fails_leaves_the_old_file_and_no_draft(tmp_path, monkeypatch):
    place = LocalStorage(tmp_path)
    place.write("a", b"old")

    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OutputError, match="No space left on device; what is done is kept"):
        place.write("a", b"new")
    assert (tmp_path / "a").read_bytes() == b"old"
    assert not list((tmp_path / WORKING_NAME).iterdir())


def test_an_object_is_put_at_once_and_never_moved(tmp_path, monkeypatch):
    """Moving an object means to copy it; it is not there before it is complete anyway."""
    fs = pytest.importorskip("pyarrow.fs")

    class Objects:
        type_name = "s3"

        def __getattr__(self, name: str) -> object:
            assert name != "move"
            return getattr(fs.LocalFileSystem(), name)

    monkeypatch.setattr(storage, "open_address", lambda _: (Objects(), str(tmp_path)))
    place = RemoteStorage("s3://bucket/out")
    place.write("a", b"one")
    assert place.read("a") == b"one"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_files_at_an_address_are_found(tmp_path):
    pytest.importorskip("pyarrow")
    for name in ("a.jsonl", "b/c.jsonl", "b/d.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")
    base = f"file://{tmp_path}"
    assert find_files(base) == [f"{base}/a.jsonl", f"{base}/b/c.jsonl", f"{base}/b/d.txt"]
    assert find_files(f"{base}/a.jsonl") == [f"{base}/a.jsonl"]
    assert find_files(f"{base}/*/*.jsonl") == [f"{base}/b/c.jsonl"]
    for wrong in (f"{base}/nothing", f"{base}/*.parquet"):
        with pytest.raises(DatasetError, match="nothing is at"):
            find_files(wrong)
