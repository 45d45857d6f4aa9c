"""Records of the known corpora become documents with the sections, titles and references they tell."""

from __future__ import annotations

import json
import lzma
import re
from pathlib import Path

import pytest

from lsum_cli.datasets.dataset import open_dataset
from lsum_cli.datasets.layouts import LAYOUTS
from lsum_cli.datasets.options import Items
from lsum_cli.documents import SectionRole
from lsum_cli.errors import DatasetError


def outline(document):
    return [
        (section.heading, [sentence.text for sentence in section.sentences]) for section in document.sections
    ]


TEXT = "Cats sleep. Dogs bark."
SENTENCES = ["Cats sleep.", "Dogs bark."]

# columns -> (outline of the first document, reference, id); where the id is None the records are numbered
PLAIN = {
    "arxiv": ({"article": TEXT, "abstract": "<S> Short . </S> <S> And so . </S>"}, "Short . And so .", None),
    "cnn": ({"article": TEXT, "highlights": "A .\nB .", "id": "c1"}, "A .\nB .", "c1"),
    "xsum": ({"document": TEXT, "summary": "S.", "id": 7}, "S.", "7"),
    "govreport": ({"report": TEXT, "summary": "S."}, "S.", None),
    "crs": ({"reports": TEXT, "summary": "S.", "id": "R1"}, "S.", "R1"),
    "gao": ({"report": TEXT, "highlight": "S.", "fastfact": "F."}, "S.", None),
    "summscreen": ({"transcript": TEXT, "recap": "S.", "show_title": "T"}, "S.", None),
    "booksum": (
        {"chapter": TEXT, "summary_text": "S.", "bid": 3, "summary": '{"a": 1}', "source": "x"},
        "S.",
        None,
    ),
    "booksum book": ({"book": TEXT, "summary_text": "S."}, "S.", None),
    "wikihow": ({"text": TEXT, "headline": "\nDo.\nGo.", "title": "How"}, "Do.\nGo.", None),
    "scrolls": ({"input": TEXT, "output": "S.", "id": "same", "pid": "same_0"}, "S.", "same_0"),
    "plain": ({"text": TEXT, "summary": "S.", "id": "p"}, "S.", "p"),
    "samsum": ({"dialogue": TEXT, "summary": "S.", "id": "p"}, "S.", "p"),
}


@pytest.mark.parametrize("corpus", PLAIN)
def test_flat_columns(corpus, write_lines, examples):
    record, reference, name = PLAIN[corpus]
    (example,) = examples(write_lines(record))
    assert [outline(document) for document in example.documents] == [[(None, SENTENCES)]]
    assert example.reference == reference
    assert example.id == (name or "data-1")


def test_sections_of_the_record_become_sections(write_lines, examples):
    record = {
        "id": "r",
        "source": "somewhere",
        "title": "On cats",
        "sections": [
            {"title": "Sleep", "text": "Cats sleep. Long.\nOften."},
            {"title": "References", "text": "A book."},
        ],
        "summary": "S.",
    }
    (example,) = examples(write_lines(record))
    (document,) = example.documents
    assert (document.title, document.source) == ("On cats", "somewhere")
    assert outline(document) == [
        ("Sleep", ["Cats sleep.", "Long.", "Often."]),
        ("References", ["A book."]),
    ]
    assert document.text == "Sleep\n\nCats sleep. Long.\n\nOften.\n\nReferences\n\nA book."
    assert document.sections[1].role is SectionRole.REFERENCES


def test_sections_with_their_paragraphs_as_lists_and_keys_as_columns(write_lines, examples):
    as_table = {"sections": {"heading": ["A", "B"], "text": ["One.", "Two."]}, "summary": "S."}
    (example,) = examples(write_lines(as_table))
    assert outline(example.documents[0]) == [("A", ["One."]), ("B", ["Two."])]


def test_documents_of_the_record_become_documents(write_lines, examples):
    record = {
        "title": "All",
        "documents": [{"title": "One", "text": "First."}, {"title": "None", "text": ""}, "Third."],
        "summary": "S.",
    }
    (example,) = examples(write_lines(record))
    assert [(d.id, d.title, d.text) for d in example.documents] == [
        ("d0", "One", "First."),
        ("d1", None, "Third."),
    ]


def test_first_release_of_arxiv(tmp_path, examples):
    record = {
        "article_id": "0704.0001",
        "article_text": ["a cat . ", "a dog ."],
        "abstract_text": ["<S> short . </S>", "<S> done . </S>"],
        "section_names": ["introduction", None],
        "sections": [["a cat . ", "it sleeps ."], ["a dog ."]],
    }
    path = tmp_path / "train.txt"
    path.write_text(json.dumps(record) + "\n")
    (example,) = examples(path)
    assert example.id == "0704.0001"
    assert outline(example.documents[0]) == [
        ("introduction", ["a cat .", "it sleeps ."]),
        (None, ["a dog ."]),
    ]
    assert example.reference == "short .\ndone ."


def test_section_names_that_do_not_fit_their_sections_are_refused(write_lines, examples):
    path = write_lines({"abstract_text": ["a"], "section_names": ["x"], "sections": [["a"], ["b"]]})
    with pytest.raises(
        DatasetError, match=r"line 1: 'section_names' and 'sections' are not lists of the same"
    ):
        examples(path)


def test_nested_sections_of_govreport(write_lines, examples):
    section = {
        "section_title": "Background",
        "paragraphs": ["First. Second.", "Third."],
        "subsections": [{"section_title": "History", "paragraphs": ["Old."], "subsections": []}],
    }
    record = {
        "report": [section, {"section_title": "End", "paragraphs": [], "subsections": []}],
        "highlight": [{"section_title": "What GAO found", "paragraphs": ["Much."], "subsections": []}],
    }
    (example,) = examples(write_lines(record))
    (document,) = example.documents
    assert outline(document) == [
        ("Background", ["First.", "Second.", "Third."]),
        ("History", ["Old."]),
        ("End", []),
    ]
    assert [section.level for section in document.sections] == [1, 2, 1]
    assert example.reference == "Much."


@pytest.mark.parametrize("separator", ["|||||", "<doc-sep>", " story_separator_special_tag "])
def test_separators_between_documents(separator, write_lines, examples):
    record = {"document": f"One.{separator}Two.{separator} ", "summary": "S."}
    (example,) = examples(write_lines(record))
    assert [document.text for document in example.documents] == ["One.", "Two."]


@pytest.mark.parametrize("text", ["One. |||||", "||||| One. <doc-sep> |||||"])
def test_separators_around_one_document_are_no_text(text, write_lines, examples):
    (example,) = examples(write_lines({"document": text, "summary": "S."}))
    assert [document.text for document in example.documents] == ["One."]


def test_separators_alone_are_an_empty_document(write_lines):
    path = write_lines({"document": " ||||| ", "summary": "S."}, {"document": "One.", "summary": "S."})
    dataset = open_dataset(path)
    assert len(list(dataset)) == dataset.excluded.empty_documents == 1


def test_a_separator_of_ones_own_or_none(write_lines, examples):
    path = write_lines({"document": "One. ### Two. ||||| Three.", "summary": "S."})
    (example,) = examples(path, separator="###")
    assert [document.text for document in example.documents] == ["One.", "Two. ||||| Three."]
    (example,) = examples(path, separator="")
    assert len(example.documents) == 1


def test_pagesum_layout_of_one_file_an_example(tmp_path, examples):
    for number in (0, 1, 2, 10):
        record = {"article": ["A cat sleeps.", "A dog barks."], "abstract": [f"Number {number}.", "End."]}
        (tmp_path / f"{number}.json").write_text(json.dumps(record))
    found = examples(tmp_path)
    assert [example.id for example in found] == ["0", "1", "2", "10"]
    assert outline(found[3].documents[0]) == [(None, ["A cat sleeps.", "A dog barks."])]
    assert found[3].reference == "Number 10.\nEnd."
    by_document = examples(tmp_path, items=Items.DOCUMENTS)
    assert [document.text for document in by_document[0].documents] == ["A cat sleeps.", "A dog barks."]


def test_lists_of_lists_are_sections_or_documents(write_lines, examples):
    path = write_lines({"article": [["A.", "B."], ["C."]], "abstract": ["S."]})
    (example,) = examples(path)
    assert [len(section.sentences) for section in example.documents[0].sections] == [2, 1]
    (example,) = examples(path, items=Items.DOCUMENTS)
    assert [document.text for document in example.documents] == ["A.\n\nB.", "C."]


def test_pieces_of_words_of_summscreen_are_joined(write_lines, examples):
    record = {
        "Transcript": ["Ann : I am walk@@ ing .", "[ exit ]"],
        "Recap": ["Ann wal@@ ks ."],
        "filename": "e",
    }
    (example,) = examples(write_lines(record))
    assert outline(example.documents[0]) == [(None, ["Ann : I am walking .", "[ exit ]"])]
    assert (example.reference, example.id) == ("Ann walks .", "e")


def test_several_summaries_of_booksum_are_several_examples(write_lines, examples):
    record = {
        "bid": 1,
        "text": TEXT,
        "summary": [{"source": "a", "text": "S."}, {"source": "b", "text": "T."}],
    }
    found = examples(write_lines(record))
    assert [(example.id, example.reference) for example in found] == [("data-1-1", "S."), ("data-1-2", "T.")]


def test_books_by_chapter(write_lines, examples):
    chapters = [{"title": "I", "text": "Dawn.\nNoon."}, {"title": "II", "text": "Dusk."}]
    (example,) = examples(write_lines({"title": "Day", "chapters": chapters, "summary": "S."}))
    assert outline(example.documents[0]) == [("I", ["Dawn.", "Noon."]), ("II", ["Dusk."])]


def test_wrapped_text_is_read_as_a_text_file_is(write_lines, examples):
    text = "CHAPTER I\n\nIt was a dark and\nstormy night. The rain\nfell.\n\nA shot rang out.\n"
    (example,) = examples(write_lines({"chapter": text, "summary_text": "S."}))
    assert outline(example.documents[0]) == [
        ("CHAPTER I", ["It was a dark and stormy night.", "The rain fell.", "A shot rang out."])
    ]


def test_lines_that_are_whole_stay_paragraphs(write_lines, examples):
    (example,) = examples(write_lines({"dialogue": "Ann: Hi\nBob: Hello\nAnn: Bye", "summary": "S."}))
    assert example.documents[0].text == "Ann: Hi\n\nBob: Hello\n\nAnn: Bye"


def test_columns_by_name_go_before_what_is_recognised(write_lines, examples):
    path = write_lines({"text": "No.", "summary": "No.", "body": TEXT, "gist": "S.", "key": "k"})
    (example,) = examples(path, text_column="body", summary_column="gist", id_column="key")
    assert (example.documents[0].text, example.reference, example.id) == (TEXT, "S.", "k")


def test_one_column_by_name_leaves_the_other_recognised(write_lines, examples):
    path = write_lines({"article": TEXT, "highlights": "S.", "gist": "G."})
    (example,) = examples(path, summary_column="gist")
    assert (example.documents[0].text, example.reference) == (TEXT, "G.")


def test_a_list_in_a_column_by_name_is_no_list_of_documents(write_lines, examples):
    path = write_lines({"body": ["A.", "B."], "documents": ["No."], "summary": "S."})
    (example,) = examples(path, text_column="body")
    assert [document.text for document in example.documents] == ["A.\n\nB."]


def test_records_may_be_numbered_instead(write_lines, examples):
    record = {"text": TEXT, "summary": "S.", "id": "same"}
    found = examples(write_lines(record, record), id_column="-")
    assert [example.id for example in found] == ["data-1", "data-2"]


@pytest.mark.parametrize(
    ("record", "options", "message"),
    [
        ({"a": 1, "b": 2}, {}, r"line 1: no known columns; it has a, b; name them with --text-column"),
        ({}, {}, "line 1: no known columns; it has no columns"),
        ({"article": "A."}, {}, "no summary column found; it has article; name it with --summary-column"),
        ({"article": "A."}, {"summary_column": "gist"}, "no column 'gist'; it has article; check its name"),
        (
            {"text": "A.", "summary": "S."},
            {"text_column": "body", "summary_column": "gist"},
            "no column 'body'; it has text, summary",
        ),
        ({"text": "A.", "summary": "S."}, {"id_column": "key"}, "no column 'key'"),
        ({"text": 3, "summary": "S."}, {}, "'text' contains a number instead of text"),
        ({"text": "A.", "summary": ["S.", True]}, {}, "'summary' contains true or false"),
        (
            {"sections": [{"titel": "A", "inhalt": "B"}], "summary": "S."},
            {},
            "an object without text or parag",
        ),
        ({"sections": {"title": ["A", "B"], "text": ["C"]}, "summary": "S."}, {}, "differ in length"),
        ({"a" * 100_000: 1}, {}, "it has a{59}…; name them"),
    ],
)
def test_what_is_wrong_with_a_record_is_said(record, options, message, write_lines, examples):
    with pytest.raises(DatasetError, match=message):
        examples(write_lines(record), **options)


def test_a_column_that_ends_is_named_with_its_line(write_lines, examples):
    path = write_lines({"text": "A.", "summary": "S."}, {"text": "B."})
    with pytest.raises(DatasetError, match=r"data.jsonl, line 2: no summary column found; it has text"):
        examples(path)


def test_nesting_without_end_is_refused(write_lines, examples):
    value: object = "A."
    for _ in range(40):
        value = [value]
    with pytest.raises(DatasetError, match="nested more than 32 levels deep"):
        examples(write_lines({"text": value, "summary": "S."}))


def test_layouts_with_the_same_columns_are_told_apart():
    keys = [(layout.text, layout.summary, layout.requires) for layout in LAYOUTS]
    assert len(set(keys)) == len(keys)


def test_the_shared_corpora_are_read(shared):
    corpora = shared / "data" / "corpora"
    dataset = open_dataset(corpora / "sample.jsonl")
    found = list(dataset)
    assert len(found) == 18
    assert dataset.excluded.total == 0
    assert sum(len(example.documents) > 1 for example in found) == 3
    with lzma.open(corpora / "osnotes.valid.jsonl.xz", "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    packed = list(open_dataset(corpora / "osnotes.valid.jsonl.xz"))
    assert [example.id for example in packed] == [record["id"] for record in records]
    assert [document.title for document in packed[0].documents] == [
        document["title"] for document in records[0]["documents"]
    ]


def test_the_records_of_the_documentation_are_read(tmp_path, examples):
    page = (Path(__file__).parents[3] / "docs" / "datasets.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```json\n(.*?)```", page, flags=re.S)
    assert len(blocks) == 6
    path = tmp_path / "documented.jsonl"
    path.write_text("".join(blocks), encoding="utf-8")
    found = examples(path)
    assert [len(example.documents) for example in found] == [1, 2, 2, 1, 1, 1, 1, 1, 1, 1]
    assert all(example.reference for example in found)
    assert [len(example.documents[0].sections) for example in found] == [1, 1, 1, 1, 1, 2, 1, 1, 1, 1]
