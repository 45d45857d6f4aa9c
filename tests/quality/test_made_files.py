"""Every format yields at least 99 of 100 words of a known text, in order, and nothing else."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.made_files import TITLE, convert_with_libreoffice, make_files, make_text
from benchmarks.reading import common_in_order, words_of
from lsum_cli.reading.registry import FORMATS
from lsum_cli.reading.sources import read

MIN_IN_ORDER = 0.99
MAX_EXTRA = 0.01
UNTITLED = ("made.srt", "made.vtt")
SUFFIXES_WITH_OWN_FLOORS = (".pdf", ".epub", ".docx", ".html", ".md", ".rst", ".txt")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    return {path.name: path for path, _ in make_files(folder)}


def check(path, *, titled=True):
    text = make_text()
    document = read(path)
    wanted = words_of(" ".join(text.paragraphs))
    found = words_of(" ".join(sentence.text for sentence in document.sentences))
    in_order = common_in_order(wanted, found) / len(wanted)
    extra = sum((Counter(found) - Counter(wanted)).values()) / len(found)
    assert len(wanted) > 1_000
    assert in_order >= MIN_IN_ORDER, f"{path.name}: {in_order:.4f} of the words in order"
    assert extra <= MAX_EXTRA, f"{path.name}: {extra:.4f} extra words"
    if titled:
        headings = " | ".join(section.heading or "" for section in document.sections)
        missing = [title for title, _ in text.chapters if title not in headings]
        assert not missing
        assert [section.heading for section in document.sections if section.heading] != []
    return document


@pytest.mark.parametrize(
    "name",
    [
        "made.odt",
        "made.rtf",
        "made.pptx",
        "made.ipynb",
        "made.tex",
        "made.eml",
        "made.mbox",
        "made.srt",
        "made.vtt",
        "made.wiki",
        "made.adoc",
        "made.org",
    ],
)
def test_floor_of(made, name):
    document = check(made[name], titled=name not in (*UNTITLED, "made.eml"))
    if name in ("made.odt", "made.rtf", "made.ipynb", "made.tex", "made.eml", "made.adoc", "made.org"):
        assert document.title == TITLE


def test_every_format_is_made(made):
    made_suffixes = {path.suffix for path in made.values()}
    usual = {row.suffixes[0] for row in FORMATS if not row.media_type.startswith("image/")}
    assert usual - set(SUFFIXES_WITH_OWN_FLOORS) == made_suffixes


def test_floors_of_files_that_libreoffice_writes(tmp_path):
    written = [path for path, _ in convert_with_libreoffice(tmp_path)]
    if not written:
        pytest.skip("LibreOffice is not installed")
    for path in written:
        assert check(path).title == TITLE
