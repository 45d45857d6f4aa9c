"""The input of a batch: shards that depend on the content alone, faults in their place, little memory."""

from __future__ import annotations

import gzip
import json
import os
import pickle
import sys
import time
from pathlib import Path

import pytest

from lsum_cli.batch.inputs import SHARD_BYTES, Item, RecordContent, open_input
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.errors import DatasetError, OptionError, SourceError

COLUMNS = DatasetOptions()


def write(path: Path, texts: list[str]) -> Path:
    path.write_text("".join(json.dumps({"id": f"r{n}", "text": text}) + "\n" for n, text in enumerate(texts)))
    return path


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def items_of(*given: Path | str, options: DatasetOptions = COLUMNS) -> list[Item]:
    shards = open_input([str(each) for each in given], options).shards(3)
    return [item for shard in shards for item in shard.items]


def test_shards_hold_every_document_once_in_order(tmp_path):
    path = write(tmp_path / "a.jsonl", [f"Text {n}." for n in range(10)])
    shards = list(open_input([str(path)], COLUMNS).shards(4))
    assert [len(shard.items) for shard in shards] == [4, 4, 2]
    assert [item.id for shard in shards for item in shard.items] == [f"r{n}" for n in range(10)]
    assert [shard.place for shard in shards] == ["00000-00000", "00000-00001", "00000-00002"]
    assert len({shard.name for shard in shards}) == 3


def test_a_shard_is_named_after_what_it_holds_however_it_is_packed(tmp_path):
    texts = [f"Text {n}." for n in range(7)]
    plain = write(tmp_path / "a.jsonl", texts)
    packed = tmp_path / "b.jsonl.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes().replace(b", ", b",   ")))
    names = [[shard.name for shard in open_input([str(path)], COLUMNS).shards(3)] for path in (plain, packed)]
    assert names[0] == names[1]
    changed = write(tmp_path / "c.jsonl", [*texts[:5], "Another.", *texts[6:]])
    other = [shard.name for shard in open_input([str(changed)], COLUMNS).shards(3)]
    assert [name == before for name, before in zip(other, names[0], strict=True)] == [True, False, True]


def test_a_shard_of_long_documents_ends_early(tmp_path):
    path = write(tmp_path / "a.jsonl", ["word " * (SHARD_BYTES // 12)] * 5)
    assert [len(shard.items) for shard in open_input([str(path)], COLUMNS).shards(100)] == [2, 2, 1]


def test_documents_of_a_record_are_made_where_they_are_summarised(tmp_path):
    [item] = items_of(write(tmp_path / "a.jsonl", ["One sentence. Another one."]))
    content = pickle.loads(pickle.dumps(item)).content
    assert isinstance(content, RecordContent)
    [document] = content.documents()
    assert [sentence.text for sentence in document.sentences] == ["One sentence.", "Another one."]


def test_columns_are_named_as_in_training(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"key": 7, "body": ["One. Two.", "Three."], "title": "T"}) + "\n")
    options = DatasetOptions(text_column="body", id_column="key")
    [item] = items_of(path, options=options)
    assert item.id == "7"
    assert [each.text for each in item.content.documents()[0].sentences] == ["One.", "Two.", "Three."]
    [numbered] = items_of(path, options=DatasetOptions(text_column="body", id_column="-"))
    assert numbered.id == "a-1"


def test_a_damaged_file_gives_what_was_read_and_says_where_it_ends(tmp_path):
    whole = write(tmp_path / "a.jsonl", [f"Text {n} of {n * n}." for n in range(2000)])
    packed = tmp_path / "a.jsonl.gz"
    packed.write_bytes(gzip.compress(whole.read_bytes())[:-2000])
    *read, last = items_of(packed)
    assert 100 < len(read) < 2000
    assert isinstance(last.content, DatasetError)
    assert f"nothing after record {len(read):,} was read" in str(last.content)


def test_a_later_record_with_other_columns_is_a_fault_of_its_own(tmp_path):
    path = write(tmp_path / "a.jsonl", ["One.", "Two."])
    path.write_text(path.read_text() + '{"id": "odd", "verse": "Three."}\n')
    *_, odd = items_of(path)
    assert isinstance(odd.content, DatasetError)
    assert "line 3" in str(odd.content)
    first = tmp_path / "b.jsonl"
    first.write_text('{"id": "odd", "verse": "Three."}\n')
    with pytest.raises(DatasetError, match="no known columns"):
        open_input([str(first)], COLUMNS)


@pytest.mark.skipif(sys.platform != "linux", reason="asks the system for the memory of the process")
def test_a_hundred_thousand_lines_are_read_in_little_memory(tmp_path):
    path = tmp_path / "long.jsonl"
    with path.open("w") as file:
        for number in range(100_000):
            file.write(f'{{"id": {number}, "text": "The lamp of station {number} was lit at dusk."}}\n')
    before = resident_bytes()
    began = time.process_time()
    shards = open_input([str(path)], COLUMNS).shards(100)
    assert len(next(shards).items) == 100
    assert time.process_time() - began < 0.5
    most, number = 0, 100
    for shard in shards:
        number += len(shard.items)
        most = max(most, resident_bytes())
    assert number == 100_000
    assert most < before + (24 << 20)


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        (["missing.jsonl"], DatasetError, "missing.jsonl does not exist"),
        (["@missing.txt"], DatasetError, "the list missing.txt does not exist"),
        (["none-*.jsonl"], DatasetError, "nothing matches none-"),
        (["https://example.org/x.jsonl"], OptionError, "is a web address; put such addresses into a file"),
        ([" "], OptionError, "an input is empty"),
        (["mixed"], DatasetError, "mixed holds both data files .d.jsonl. and documents .a.md."),
        (["a.jsonl", "a.jsonl"], DatasetError, "a.jsonl is given twice"),
        (["empty"], SourceError, "empty contains no supported file"),
    ],
)
def test_wrong_input_is_named(tmp_path, monkeypatch, given, error, said):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "a.jsonl", ["One."])
    for folder in ("mixed", "empty"):
        (tmp_path / folder).mkdir()
    (tmp_path / "mixed" / "a.md").write_text("A text.")
    write(tmp_path / "mixed" / "d.jsonl", ["One."])
    with pytest.raises(error, match=said):
        open_input(given, COLUMNS)
