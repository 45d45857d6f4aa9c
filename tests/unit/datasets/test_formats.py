"""Every format gives the same records; what is broken is named with file and line."""

from __future__ import annotations

import bz2
import csv
import gzip
import json
import lzma
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lsum_cli.datasets.dataset import open_dataset
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.errors import DatasetError, MissingDependency

RECORDS = [
    {"id": "a", "text": 'Cats, "big" ones, sleep.\nDogs bark.', "summary": "Cäts."},
    {"id": "b", "text": "Third; line.", "summary": "S\ttab."},
]
EXPECTED = [("a", 'Cats, "big" ones, sleep.\n\nDogs bark.', "Cäts."), ("b", "Third; line.", "S tab.")]


def lines(records):
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def table(records, path, delimiter):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["id", "text", "summary"], delimiter=delimiter)
        writer.writeheader()
        writer.writerows(records)


def read(path, **options):
    return [
        (example.id, example.documents[0].text, example.reference)
        for example in open_dataset(path, DatasetOptions(**options))
    ]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("d.jsonl", lines(RECORDS)),
        ("d.ndjson", lines(RECORDS)),
        ("d.json", lines(RECORDS)),
        ("d.txt", lines(RECORDS)),
        ("d.jsonl", b"\xef\xbb\xbf" + lines(RECORDS)),
        ("d.jsonl", lines(RECORDS).replace(b"\n", b"\r\n\n \n")),
        ("d.json", json.dumps(RECORDS, indent=2).encode()),
        ("d.json", json.dumps({record["id"]: record for record in RECORDS}).encode()),
        ("d.jsonl.gz", gzip.compress(lines(RECORDS), mtime=0)),
        ("d.jsonl.xz", lzma.compress(lines(RECORDS))),
        ("d.JSON.BZ2", bz2.compress(lines(RECORDS))),
    ],
)
def test_json_in_all_its_forms(name, content, tmp_path):
    (tmp_path / name).write_bytes(content)
    assert read(tmp_path / name) == EXPECTED


@pytest.mark.parametrize(("name", "delimiter"), [("d.csv", ","), ("d.csv", ";"), ("d.tsv", "\t")])
def test_tables_of_text(name, delimiter, tmp_path):
    table(RECORDS, tmp_path / name, delimiter)
    assert read(tmp_path / name) == EXPECTED


def test_parquet_with_sections_as_structures(tmp_path):
    import pyarrow
    import pyarrow.parquet

    rows = [*RECORDS, {"id": "c", "text": None, "summary": "Empty."}]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "d.parquet")
    assert read(tmp_path / "d.parquet") == EXPECTED
    nested = [{"sections": [{"title": "A", "text": "One."}], "summary": "S."}] * 200
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(nested), tmp_path / "n.parquet", row_group_size=50)
    assert read(tmp_path / "n.parquet")[-1] == ("n-200", "A\n\nOne.", "S.")


def test_parquet_without_its_library_names_the_extra(tmp_path, monkeypatch):
    (tmp_path / "d.parquet").write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingDependency, match=r"pip install 'lsum-cli\[parquet\]'"):
        read(tmp_path / "d.parquet")


def test_line_files(tmp_path):
    (tmp_path / "train.source").write_text("One. NEWLINE_CHAR Two. ||||| Three.\nFour.\n")
    (tmp_path / "train.target").write_text("S.\nT.\n")
    dataset = open_dataset(tmp_path / "train.source")
    first, second = dataset
    assert [document.text for document in first.documents] == ["One.\n\nTwo.", "Three."]
    assert (second.id, second.reference) == ("train-2", "T.")
    assert sorted(file.path.name for file in dataset.files) == ["train.source", "train.target"]
    (tmp_path / "train.target").write_text("S.\n")
    with pytest.raises(DatasetError, match=r"train.target ends after line 1, but \S*train.source goes on"):
        list(dataset)


def test_packed_line_files(tmp_path):
    (tmp_path / "val.src.gz").write_bytes(gzip.compress(b"One.\n"))
    (tmp_path / "val.tgt.gz").write_bytes(gzip.compress(b"S.\n"))
    assert read(tmp_path / "val.src.gz") == [("val-1", "One.", "S.")]


def test_a_cell_longer_than_the_limit_of_the_library(tmp_path):
    text = "word " * 100_000
    table([{"id": "a", "text": text, "summary": "S."}], tmp_path / "d.csv", ",")
    ((_, read_text, _),) = read(tmp_path / "d.csv")
    assert len(read_text.split()) == 100_000


GOOD = b'{"text": "A.", "summary": "S."}\n'


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("d.jsonl", GOOD + b'{"text": "A.", \n', r"d.jsonl, line 2: not valid JSON: .* at character 1"),
        ("d.jsonl", GOOD + b"[1]\n", "line 2: not a JSON object; give one object per line"),
        (
            "d.jsonl",
            GOOD + b'{"text": "\xe4", "summary": "S."}\n',
            "line 2, byte 11: not UTF-8; save the fil",
        ),
        ("d.jsonl", "{}".encode("utf-16"), "d.jsonl: not UTF-8"),
        ("d.jsonl", b"[" * 100_000 + b"\n", "line 1: unreadable JSON: too deeply nested"),
        (
            "d.jsonl",
            b'{"a": ' + b"9" * 5000 + b"}\n",
            "line 1: unreadable JSON: a number with too many",
        ),
        ("d.jsonl", b"", "d.jsonl contains no examples; give a file with records"),
        ("d.json", b'[{"text": "A."},\n {"text" "B."}]', r"line 2, column \d+: not valid JSON"),
        ("d.json", b"[1, 2]", "record 1: not a JSON object"),
        ("d.json", b'"text"', "contains no records"),
        ("d.json", b'[{"text": "\xe4"}]', "line 1: not UTF-8"),
        ("d.csv", b"", "has no header"),
        ("d.csv", b"text,summary\nA.,S.\nB.\n", "line 3: 1 cells, but the header names 2 columns"),
        ("d.csv", b'text,summary\nA.,S.\n"B.,S.\nC.,D.\n', "line 3: malformed row: unexpected end"),
        ("d.csv", b'text,summary\n"A" b,S.\n', "line 2: malformed row"),
        ("d.csv", b"text,text\nA.,S.\n", "line 1: two columns have the same name"),
        ("d.csv", b"text,summary\nA.,\xff\n", "line 2, byte 4: not UTF-8"),
        ("d.parquet", b"PAR1 and no more", "d.parquet: unreadable Parquet"),
        (
            "d.jsonl.gz",
            gzip.compress(GOOD, mtime=0)[:-9],
            "damaged: it cannot be decompressed; download it again",
        ),
        ("d.jsonl.gz", GOOD, "damaged: it cannot be decompressed"),
        ("d.jsonl.xz", lzma.compress(GOOD)[:-9], "damaged: it cannot be decompressed"),
        ("d.jsonl.bz2", GOOD, "damaged: it cannot be decompressed"),
        ("d.jsonl.zst", b"x", "damaged: it cannot be decompressed"),
        ("d.jsonl.zip", b"x", r"compressed as .zip, which is not supported; decompress it \(unzip\)"),
        ("d.target", b"S.\n", "contains summaries only; give the file with the documents"),
        ("d.source", b"A.\n", r"d.target does not exist"),
        ("d.pdf", b"%PDF-1.4", r"a document, not a data set; give the folder with d.pdf and d.summary.txt"),
        ("d.xlsx", b"PK", "has an unsupported format; supported are JSON Lines"),
    ],
)
def test_what_is_broken_is_named(name, content, message, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DatasetError, match=message):
        read(tmp_path / name)


def test_records_before_a_broken_line_are_given(tmp_path):
    (tmp_path / "d.jsonl").write_bytes(GOOD * 3 + b"{\n")
    found = []
    with pytest.raises(DatasetError, match="line 4"):
        found.extend(iter(open_dataset(tmp_path / "d.jsonl")))
    assert len(found) == 3


word = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=8)
cell = st.lists(word, min_size=1, max_size=12).map(" ".join) | st.text(
    st.characters(codec="utf-8", exclude_characters="\r\x00", exclude_categories=("Cs", "Cc")), max_size=30
)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(cell, cell), min_size=1, max_size=4))
def test_all_formats_hold_the_same_examples(tmp_path, pairs):
    import pyarrow
    import pyarrow.parquet

    records = [
        {"id": str(number), "text": f"Word. {text}", "summary": f"Word. {summary}"}
        for number, (text, summary) in enumerate(pairs)
    ]
    (tmp_path / "d.jsonl").write_bytes(lines(records))
    (tmp_path / "d.json").write_text(json.dumps(records))
    table(records, tmp_path / "d.csv", ",")
    table(records, tmp_path / "d.tsv", "\t")
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(records), tmp_path / "d.parquet")
    expected = read(tmp_path / "d.jsonl")
    assert len(expected) == len(records)
    for name in ("d.json", "d.csv", "d.tsv", "d.parquet"):
        assert read(tmp_path / name) == expected
