"""Folders of documents with their summaries are read as one summarises them."""

from __future__ import annotations

import multiprocessing

import numpy as np
import pytest
from reportlab.pdfgen.canvas import Canvas

from lsum_cli.datasets.dataset import open_dataset
from lsum_cli.datasets.features import encode_examples
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.errors import DatasetError
from lsum_cli.reading import sources
from lsum_cli.reading.registry import ReadOptions
from lsum_cli.reading.sources import read

ARTICLE = "<html><body><h1>On cats</h1><h2>Sleep</h2><p>Cats sleep long. They do.</p></body></html>"


@pytest.fixture
def folder(tmp_path):
    def make(**files):
        for name, content in files.items():
            path = tmp_path / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path

    return make


def test_summaries_beside_documents(folder):
    path = folder(
        a_html=ARTICLE,
        a_summary_txt="Cats  sleep.\n\nA lot.\n",
        deep__b_md="# B\n\nDogs bark.",
        deep__b_summary_md="Dogs.",
        deep__b10_txt="Text of ten.",
        deep__b10_summary="Ten.",
    )
    dataset = open_dataset(path)
    found = list(dataset)
    assert [(example.id, example.reference) for example in found] == [
        ("a", "Cats sleep.\nA lot."),
        ("deep/b", "Dogs."),
        ("deep/b10", "Ten."),
    ]
    assert found[0].documents == (read(path / "a.html"),)
    assert found[0].where == str(path / "a.html")
    assert len(dataset.files) == 6


def test_folders_of_documents_and_summaries(folder):
    path = folder(documents__x_txt="Cats sleep.", summaries__x_txt="Cats.", documents__y_txt="Dogs bark.")
    dataset = open_dataset(path)
    assert [(example.id, example.reference) for example in dataset] == [("x", "Cats.")]
    assert dataset.excluded.empty_references == 1
    kept = open_dataset(path, DatasetOptions(needs_reference=False))
    assert [(example.id, example.reference) for example in kept] == [("x", "Cats."), ("y", None)]


def test_documents_alone_where_references_are_not_needed(folder):
    path = folder(x_txt="Cats sleep.")
    with pytest.raises(DatasetError, match=r"contains no data files, and no summaries beside documents"):
        open_dataset(path)
    (example,) = open_dataset(path, DatasetOptions(needs_reference=False))
    assert example.reference is None


def test_options_of_reading_reach_the_sources(folder):
    path = folder(a_summary_txt="S.")
    canvas = Canvas(str(path / "a.pdf"))
    for page in ("First things come first.", "Second things come later."):
        canvas.drawString(72, 700, page)
        canvas.showPage()
    canvas.save()
    (whole,) = open_dataset(path)
    (second,) = open_dataset(path, DatasetOptions(reading=ReadOptions(pdf_pages="2")))
    assert "First" in whole.documents[0].text
    assert second.documents[0].text == "Second things come later."


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a_summary_txt": "S."}, r"a.summary.txt has no document; put a.pdf or the like beside it"),
        ({"a_txt": "A.", "a_md": "A.", "a_summary_txt": "S."}, r"a.md and a.txt have the same name"),
        (
            {"a_txt": "A.", "a_summary_txt": "S.", "a_summary_md": "S."},
            "belong to the same document; remove one",
        ),
        ({"a_txt": " ", "a_summary_txt": "S."}, r"a.txt contains no text"),
        ({"a_pdf": b"%PDF-1.4 cut", "a_summary_txt": "S."}, r"a.pdf"),
        ({"a_txt": "A.", "a_summary_txt": b"\xff\x00\x81\x00\x00\xfe\x9d"}, r"a.summary.txt: .*unreadable"),
        ({"x_png": b"\x89PNG"}, "contains no data files"),
    ],
)
def test_what_is_wrong_with_a_folder_is_said(files, message, folder):
    with pytest.raises(DatasetError, match=message):
        list(open_dataset(folder(**files)))


def test_documents_are_read_in_a_process_of_their_own_that_ends_with_the_reading(folder, monkeypatch):
    path = folder(a_txt="Cats sleep.", a_summary_txt="Cats.", b_txt="Dogs bark.", b_summary_txt="Dogs.")
    monkeypatch.setattr(sources, "read_raw", None)  # in this process
    examples = iter(open_dataset(path))
    assert next(examples).documents[0].text == "Cats sleep."
    (child,) = multiprocessing.active_children()
    examples.close()
    assert not child.is_alive()
    assert len(list(open_dataset(path))) == 2
    assert not multiprocessing.active_children()


def test_a_document_over_its_budget_is_one_line(folder):
    path = folder(a_txt="Cats sleep. " * 200_000, a_summary_txt="Cats.")
    options = DatasetOptions(reading=ReadOptions(max_seconds=0.05))
    with pytest.raises(DatasetError, match=r"a\.txt takes more than 0\.05 s of processor time to read; give"):
        list(open_dataset(path, options))


def test_processes_that_encode_read_documents_too(folder):
    path = folder(
        **{f"{name}_{kind}": f"Cats {name} sleep." for name in "abcde" for kind in ("txt", "summary_txt")}
    )
    found = encode_examples(
        open_dataset(path), lambda example: {"words": np.array([len(example.documents[0].text)])}, 2
    )
    assert [each.standing.id for each in found] == list("abcde")
    assert not multiprocessing.active_children()
