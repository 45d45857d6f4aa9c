"""Summaries and references from files, and what is said where they do not fit together."""

from __future__ import annotations

import gzip
import json
import lzma

import pytest
from evaluation_examples import EXAMPLES

from lsum_cli.errors import DatasetError
from lsum_cli.evaluation.predictions import PREDICTION_COLUMNS, Text, match_texts, pair_texts, read_texts
from lsum_cli.evaluation.runs import score_texts


def read(path, columns=PREDICTION_COLUMNS):
    return [text.text for text in read_texts(path, columns, flag="--prediction-column")]


def texts(*values: str, ids=None):
    return [
        Text(text=value, id=ids[number] if ids else None, where=f"p.txt, line {number + 1}")
        for number, value in enumerate(values)
    ]


def test_a_text_a_line(tmp_path):
    (tmp_path / "p.txt").write_bytes(b"\xef\xbb\xbfOne.\r\n\n Three \n")
    assert read(tmp_path / "p.txt") == ["One.", "", " Three "]
    (tmp_path / "p.out.xz").write_bytes(lzma.compress(b"One.\nTwo."))
    assert read(tmp_path / "p.out.xz") == ["One.", "Two."]


def test_records_with_columns(tmp_path):
    lines = [
        {"id": 1, "summary": "One."},
        {"id": 2, "summary": ["Two.", "Three."]},
        {"id": 3, "summary": None},
    ]
    content = "\n".join(map(json.dumps, lines)).encode()
    (tmp_path / "p.jsonl.gz").write_bytes(gzip.compress(content))
    assert read(tmp_path / "p.jsonl.gz") == ["One.", "Two.\nThree.", ""]
    (tmp_path / "p.csv").write_text('name,mine\na,"One, two."\n', encoding="utf-8")
    assert read(tmp_path / "p.csv", ["mine"]) == ["One, two."]
    with pytest.raises(DatasetError, match=r"p.csv.*there are name, mine; name one with --prediction-column"):
        read(tmp_path / "p.csv")
    (tmp_path / "n.jsonl").write_text('{"summary": 3}', encoding="utf-8")
    with pytest.raises(DatasetError, match="contains no text"):
        read(tmp_path / "n.jsonl")


def test_another_encoding_is_named_with_its_line(tmp_path):
    (tmp_path / "p.txt").write_bytes("One.\nCafé.\n".encode("latin-1"))
    with pytest.raises(DatasetError, match=r"p.txt, line 2, byte 4: not UTF-8"):
        read(tmp_path / "p.txt")
    (tmp_path / "w.txt").write_bytes("One.\n".encode("utf-16"))
    with pytest.raises(DatasetError, match="not UTF-8"):
        read(tmp_path / "w.txt")
    with pytest.raises(DatasetError, match="does not exist"):
        read(tmp_path / "none.txt")


def test_unequal_numbers_say_which_and_where():
    with pytest.raises(DatasetError, match=r"3 predictions, but 2 references: .* p.txt, line 3"):
        pair_texts(texts("a", "b", "c"), texts("a", "b"))
    with pytest.raises(DatasetError, match=r"all references are empty, from .*line 1 on"):
        pair_texts(texts("a", "b"), texts("", " "))
    assert [example.reference for example in pair_texts(texts("a", "b"), texts("a", " "))] == ["a", " "]
    with pytest.raises(DatasetError, match=r"1 prediction, but 2 examples .* data.jsonl, line 2"):
        match_texts(texts("a"), EXAMPLES)
    with pytest.raises(DatasetError, match=r"3 predictions, but 2 examples .* p.txt, line 3"):
        match_texts(texts("a", "b", "c"), EXAMPLES)


def test_matched_by_id_where_all_have_one():
    assert match_texts(texts("second", "first", ids=["2", "1"]), EXAMPLES) == ["first", "second"]
    assert match_texts(texts("first", "second", ids=["x", "y"]), EXAMPLES) == ["first", "second"]
    with pytest.raises(DatasetError, match=r"p.txt, line 2: another prediction also has the id '1'"):
        match_texts(texts("first", "again", "second", ids=["1", "1", "2"]), EXAMPLES)
    three = texts("first", "second", "third", ids=["1", "2", "3"])
    with pytest.raises(DatasetError, match=r"p.txt, line 3: no example with a reference has the id '3'"):
        match_texts(three, EXAMPLES)
    assert match_texts(three, EXAMPLES, limit=2) == ["first", "second"]
    assert match_texts(texts("a", "b", "c"), EXAMPLES, limit=2) == ["a", "b"]
    with pytest.raises(DatasetError, match="no prediction has the id '2'"):
        match_texts(texts("first", "second", ids=["1", "y"]), EXAMPLES)


def test_files_with_the_same_ids_must_have_them_in_the_same_order():
    with pytest.raises(DatasetError, match=r"p.txt, line 1 has the id 'x', but p.txt, line 1 has 'y'"):
        pair_texts(texts("a", "b", ids=["x", "y"]), texts("a", "b", ids=["y", "x"]))
    assert len(pair_texts(texts("a", "b", ids=["1", "2"]), texts("a", "b", ids=["x", "y"]))) == 2


def test_references_become_examples():
    (example,) = pair_texts(texts("a"), texts("b", ids=["x"]))
    assert (example.id, example.reference, example.documents) == ("x", "b", ())


def test_all_parts_of_a_batch_are_read(tmp_path):
    folder = tmp_path / "summaries"
    folder.mkdir()
    for part, ids in (("part-00002-00003-ab.jsonl", "c"), ("part-00000-00002-cd.jsonl", "ab")):
        rows = [{"id": each, "summary": None if each == "b" else f"About {each}."} for each in ids]
        (folder / part).write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "batch.json").write_text("{}")
    found = read_texts(folder, PREDICTION_COLUMNS, flag="--prediction-column")
    assert [(each.id, each.text) for each in found] == [("a", "About a."), ("b", ""), ("c", "About c.")]
    with pytest.raises(DatasetError, match="without part-"):
        read_texts(tmp_path, PREDICTION_COLUMNS, flag="--prediction-column")


def test_half_a_character_is_replaced(tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_text('{"summary": "Mud \\ud800 grows. More \\ud83d\\ude00."}\n', encoding="ascii")
    (found,) = read_texts(path, PREDICTION_COLUMNS, flag="--prediction-column")
    assert found.text == "Mud \ufffd grows. More 😀."
    assert score_texts("p", [found.text], [EXAMPLES[0]]).rows[0].scores["rouge1"] > 0
