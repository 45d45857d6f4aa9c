"""A data set streams, counts what it leaves out, and is known by its content."""

from __future__ import annotations

import csv
import json
import tracemalloc

import pytest

from lsum_cli.datasets.dataset import hold_out, open_dataset
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.errors import DatasetError, OptionError


def record(number, text="Cats sleep.", summary="Cats."):
    return {"id": f"r{number}", "text": text, "summary": summary}


def ids(dataset):
    return [example.id for example in dataset]


def test_it_is_gone_through_again_and_again(write_lines):
    dataset = open_dataset(write_lines(*map(record, range(3))))
    assert ids(dataset) == ids(dataset) == ["r0", "r1", "r2"]


def test_it_tells_how_many_records_it_has_come_to(write_lines):
    events = []
    plain = open_dataset(write_lines(*map(record, range(3))))
    telling = plain.telling(events.append, "reading")
    assert ids(telling) == ids(plain)
    assert [(event.stage, event.done, event.unit) for event in events] == [
        ("reading", number, "records") for number in (1, 2, 3)
    ]
    assert telling.fingerprint == plain.fingerprint


def test_empty_texts_and_summaries_are_left_out_and_counted(write_lines):
    path = write_lines(
        record(0), record(1, text=" \n"), record(2, summary=None), record(3, summary=[" "]), record(4)
    )
    dataset = open_dataset(path)
    for _ in range(2):
        assert ids(dataset) == ["r0", "r4"]
        assert (dataset.excluded.empty_documents, dataset.excluded.empty_references) == (1, 2)
        assert dataset.excluded.total == 3


def test_records_without_reference_are_kept_where_none_is_needed(write_lines):
    path = write_lines(record(0, summary=""), {"id": "r1", "text": "Dogs."})
    dataset = open_dataset(path, DatasetOptions(needs_reference=False))
    assert [example.reference for example in dataset] == [None, None]
    assert dataset.excluded.total == 0


def test_nothing_but_empty_records_is_an_error(write_lines):
    dataset = open_dataset(write_lines(record(0, text=""), record(1, summary="")))
    with pytest.raises(DatasetError, match="were left out: 1 empty documents, 1 empty references"):
        ids(dataset)


def test_a_limit_takes_examples_from_the_beginning(write_lines):
    path = write_lines(record(0, text=""), *map(record, range(1, 9)))
    assert ids(open_dataset(path, DatasetOptions(limit=2))) == ["r1", "r2"]


def test_a_limit_reads_no_further(write_lines):
    path = write_lines(record(0))
    path.write_text(path.read_text() + "broken\n")
    assert ids(open_dataset(path, DatasetOptions(limit=1))) == ["r0"]


def test_equal_ids_are_refused_with_both_places(write_lines):
    path = write_lines(record(0), record(1), record(0))
    with pytest.raises(
        DatasetError, match=r"line 3: the id 'r0' is also that of \S*data.jsonl, line 1; make ids"
    ):
        ids(open_dataset(path))


def test_several_files_are_one_data_set(write_lines, tmp_path):
    for number in (10, 2, 1):
        write_lines({"text": "A.", "summary": "S."}, name=f"part-{number}.jsonl")
    assert ids(open_dataset(str(tmp_path / "part-*.jsonl"))) == ["part-1-1", "part-2-1", "part-10-1"]
    assert ids(open_dataset(tmp_path)) == ["part-1-1", "part-2-1", "part-10-1"]
    both = open_dataset([tmp_path / "part-10.jsonl", tmp_path / "part-1.jsonl"])
    assert ids(both) == ["part-10-1", "part-1-1"]
    assert both.name == "part-10 and 1 more"


@pytest.mark.parametrize("again", ["a.jsonl", "*.jsonl", "", "link.jsonl"])
def test_files_given_twice_are_refused(again, write_lines, tmp_path):
    path = write_lines({"text": "A.", "summary": "S."}, name="a.jsonl")
    if again == "link.jsonl":
        (tmp_path / again).symlink_to(path)
    with pytest.raises(DatasetError, match=r"jsonl is given twice; give every file once"):
        open_dataset([path, tmp_path / again])


def test_files_of_the_same_name_give_different_ids(write_lines, tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        write_lines({"text": "A.", "summary": "S."}, name=f"{folder}/data.jsonl")
    found = ids(open_dataset([tmp_path / "a", tmp_path / "b"]))
    assert found == [f"{tmp_path}/a/data.jsonl-1", f"{tmp_path}/b/data.jsonl-1"]


def test_a_folder_of_several_splits_is_refused(write_lines, tmp_path):
    for name in ("corpus.train.jsonl", "corpus.valid.jsonl"):
        write_lines(record(0), name=name)
    with pytest.raises(DatasetError, match="contains several splits: train, valid; give the files of one"):
        open_dataset(tmp_path)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("gone.jsonl", "gone.jsonl does not exist; check the path"),
        ("gone-*.jsonl", "nothing matches .*gone-"),
    ],
)
def test_what_is_not_there_is_named(path, message, tmp_path):
    with pytest.raises(DatasetError, match=message):
        open_dataset(tmp_path / path)


def test_an_empty_folder_is_named(tmp_path):
    with pytest.raises(DatasetError, match="contains no data files"):
        open_dataset(tmp_path)


def test_the_fingerprint_follows_content_and_options(write_lines, tmp_path):
    path = write_lines(record(0), record(1))
    dataset = open_dataset(path)
    assert dataset.fingerprint == open_dataset(path).fingerprint
    moved = tmp_path / "elsewhere" / path.name
    moved.parent.mkdir()
    moved.write_bytes(path.read_bytes())
    assert open_dataset(moved).fingerprint == dataset.fingerprint
    others = [
        open_dataset(path, DatasetOptions(limit=1)),
        open_dataset(path, DatasetOptions(id_column="-")),
        open_dataset([path, moved]),
        *hold_out(dataset, 0.5),
    ]
    path.write_text(path.read_text().replace("Cats.", "Cat."))
    others.append(open_dataset(path))
    assert len({dataset.fingerprint, *(other.fingerprint for other in others)}) == len(others) + 1
    assert list(dataset.hashes) == [str(path)]


def test_fingerprints_hold_no_password():
    from lsum_cli.reading.registry import ReadOptions

    options = DatasetOptions(reading=ReadOptions(password="secret", pdf_pages="1-2"))
    assert "secret" not in json.dumps(options.fingerprint_parts())
    assert "1-2" in json.dumps(options.fingerprint_parts())


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.9])
def test_holding_out_parts_the_records(share, write_lines):
    dataset = open_dataset(write_lines(*map(record, range(40))))
    rest, held = hold_out(dataset, share)
    assert sorted(ids(rest) + ids(held), key=lambda name: int(name[1:])) == ids(dataset)
    assert len(ids(held)) == round(40 * share)
    assert ids(held) == ids(hold_out(dataset, share)[1])


def test_too_little_to_hold_anything_out_is_said(write_lines):
    rest, _ = hold_out(open_dataset(write_lines({"text": "A.", "summary": "S."})), 0.1)
    with pytest.raises(DatasetError, match="contains no examples for one of its parts; give more records"):
        list(rest)


def test_an_empty_name_is_not_this_folder():
    with pytest.raises(DatasetError, match="the name of a data file is empty"):
        open_dataset("")


def test_a_data_set_larger_than_memory_streams(tmp_path):
    path = tmp_path / "big.jsonl"
    with path.open("w") as file:
        for number in range(400):
            file.write(json.dumps(record(number, text="Cats sleep all day long. " * 200)) + "\n")
    assert path.stat().st_size > 2_000_000
    list(open_dataset(path, DatasetOptions(limit=1)))  # what the first text loads, such as languages, stays
    tracemalloc.start()
    count = sum(1 for _ in open_dataset(path, DatasetOptions(limit=100)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 100
    assert peak < 800_000


def test_a_document_of_a_million_words(write_lines):
    sentence = "The cat of the house " + "and the dog of the yard " * 3 + "sleep on the mat all day."
    text = "\n".join([sentence] * 36_000)
    assert len(text.split()) > 1_000_000
    (example,) = open_dataset(write_lines(record(0, text=text)))
    assert len(example.documents[0].sentences) == 36_000


@pytest.mark.parametrize(
    "options", [{"limit": 0}, {"limit": -1}, {"text_column": "a", "summary_column": "a"}]
)
def test_options_that_make_no_sense_are_refused(options):
    with pytest.raises(OptionError):
        DatasetOptions(**options)


def test_empty_records_go_before_the_data_are_split(write_lines):
    # The records that splitting by number alone would hold out lack a summary.
    records = [
        {"text": f"Text {number}.", "summary": "" if number % 5 == 0 else "It."} for number in range(20)
    ]
    rest, held = hold_out(open_dataset(write_lines(*records)), 0.2)
    kept, validated = list(rest), list(held)
    assert (len(kept), len(validated)) == (12, 4)
    assert rest.excluded.empty_references == 4
    assert held.excluded.total == 0
    assert not {example.id for example in kept} & {example.id for example in validated}


@pytest.mark.parametrize("suffix", ["jsonl", "json", "csv", "tsv", "parquet"])
def test_records_are_numbered_alike_in_every_format(tmp_path, suffix):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [{"text": f"Text {number}.\nOn two lines.", "summary": "It."} for number in range(3)]
    path = tmp_path / f"d.{suffix}"
    if suffix == "parquet":
        parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    elif suffix == "json":
        path.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    elif suffix == "jsonl":
        path.write_text("\n\n".join(map(json.dumps, rows)), encoding="utf-8")
    else:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, ["text", "summary"], delimiter="," if suffix == "csv" else "\t")
            writer.writeheader()
            writer.writerows(rows)
    assert [example.id for example in open_dataset(path)] == ["d-1", "d-2", "d-3"]


def test_wrong_columns_are_found_without_reading_on(write_lines):
    dataset = open_dataset(write_lines({"body": "Text."}, {"text": "Text.", "summary": "It."}))
    with pytest.raises(DatasetError, match="body"):
        dataset.check()
