"""The way in: what is read, what is refused, and in which words."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
from pathlib import Path

import pytest
from reading_samples import PROSE, headings_of, left_out_of

from lsum_cli import read
from lsum_cli.errors import SourceError
from lsum_cli.reading.intake import recognise
from lsum_cli.reading.reader import Reader
from lsum_cli.reading.registry import FORMATS_BY_SUFFIX, ReadOptions

PNG = b"\x89PNG\r\n\x1a\n" + b"\x00\x01\x02" * 100
GIF = b"GIF89a" + bytes(range(256))
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600


class StandardInput:
    def __init__(self, content: bytes) -> None:
        self.buffer = io.BytesIO(content)
        self.closed = False


def test_a_path_and_its_string_are_the_same(write):
    path = write("a.txt", PROSE)
    assert read(path) == read(str(path))
    assert read(path).source == str(path)


def test_the_id_is_the_callers(write):
    assert read(write("a.txt", PROSE), id="d7").id == "d7"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("# One\n\nText of it.\n\n## Two\n\nMore of it.\n", "text/markdown"),
        ("#!/bin/sh\n# Says it.\necho one\n\n# Says more.\necho two\n", "text/plain"),
        ("# Only one\n\nText of it.\n", "text/plain"),
    ],
)
def test_markdown_without_a_name_is_told_by_its_headings(monkeypatch, content, kind):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
    assert read("-").metadata.media_type == kind


_QUAY = "The quay\n========\n\nIt holds ten boats.\n"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"{_QUAY}\n.. note:: Bring a rope.\n\nSee :doc:`ropes`.\n", "text/x-rst"),
        (f".. _quay:\n\n{_QUAY}\nThe :term:`bollard` holds.\n", "text/x-rst"),
        (f"{_QUAY}\nSee :doc:`ropes`.\n", "text/plain"),  # one mark may be an example
        ("======\n Quay\n======\n\nRopes.\n\n.. note:: One.\n\n.. tip:: Two.\n", "text/x-rst"),
        (f"{_QUAY}\nBoats\n`````\n\n.. note:: Bring a rope.\n\n.. tip:: And a fender.\n", "text/x-rst"),
        (f"{_QUAY}\nUse ``moor``, ``cast_off`` or `the guide`_. {'``A`` or ``B``.' * 2}\n", "text/x-rst"),
        (f"{_QUAY}\nUse ``moor``, ``cast_off`` or `the guide`_. ``A`` or ``B``.\n", "text/plain"),
        (f"{_QUAY}\nUse [that](https://example.org).{' ``moor`` it.' * 6}\n", "text/plain"),
        (f"{_QUAY}\n--all::\n\tAll.{' ``moor`` it.' * 6}\n", "text/plain"),
        (f"[[quay]]\n{_QUAY}\nSo.{' ``moor`` it.' * 6}\n\n[verse]\nIt is.\n", "text/plain"),
        (f"{_QUAY}\n````rst\n.. note:: A rope.\n\n.. tip:: A fender.\n````\n", "text/plain"),
        (f"{_QUAY}\nThe ``moor'', the ``tow'' and the ``rope'' are words.\n", "text/plain"),
        ("The quay\n\n.. note:: Bring a rope.\n\n.. tip:: And a fender.\n", "text/plain"),  # no heading
        (f"{_QUAY}\n    .. note:: A rope.\n\n    .. tip:: A fender.\n", "text/plain"),  # quoted
        (f"{_QUAY}\n.. and so on :: it goes ::\n\n... or ...\n", "text/plain"),
        # shown in Markdown, and in the docstrings of a program
        (f"{_QUAY}\n```rst\n.. note:: A rope.\n\n.. tip:: A fender.\n```\n", "text/plain"),
        (f"# Ropes\n\nIt is:\n\n{_QUAY}\n.. note:: A rope.\n\n.. tip:: A fender.\n", "text/plain"),
        (f'"""{_QUAY}\nSee :class:`Rope`.\n\n.. note:: Short.\n"""\nimport rope\n', "text/plain"),
    ],
)
def test_a_text_is_restructured_where_it_says_so_beyond_doubt(write, text, kind):
    for name in ("quay.txt", "QUAY"):
        assert read(write(name, text.encode())).metadata.media_type == kind
    # By its name it is a program.
    assert read(write("quay.py", text.encode())).metadata.media_type == "text/plain"


def test_a_target_of_many_colons_is_told_at_once():
    # It took minutes as long as each of them could end the target.
    text = f"{_QUAY}\n.. _a{': b' * 20_000}\n"
    assert recognise(text.encode(), "quay.txt") is FORMATS_BY_SUFFIX[".txt"]


def test_a_text_is_markdown_where_its_headings_show_it(write):
    markdown = (
        "# Tides\n\nThe tide **rises** twice a day.\n\n## Data\n\nWe measured it.\n\n## Rest\n\nIt fell.\n"
    )
    document = read(write("tides.txt", markdown))
    assert document.title == "Tides"
    assert [section.heading for section in document.sections if section.heading] == ["Data", "Rest"]
    assert document.sentences[0].text == "The tide rises twice a day."
    comments = "# first the gates\n\nopen all gates\n\n# then the locks\n\nempty all locks\n\n# done\n\nbye\n"
    assert recognise(comments.encode(), "steps.txt") is FORMATS_BY_SUFFIX[".txt"]


@pytest.mark.parametrize("name", ["sluice.8", "-"])
def test_the_source_of_a_manual_page_is_to_be_printed_first(name):
    source = b'.\\" The county owns this page.\n.if n .ad l\n.TH SLUICE 8\n.SH NAME\nsluice \\- opens gates\n'
    with pytest.raises(SourceError, match="source of a manual page") as error:
        recognise(source, name)
    assert "man -l FILE | lsum -" in str(error.value)
    assert recognise(b".com is a suffix.\n.TH is none.\n.SH neither\n", name) is FORMATS_BY_SUFFIX[".txt"]


def test_restructured_text_that_another_format_claims_is_of_that_one(write):
    text = f"{_QUAY}\n.. note:: Bring a rope.\n\nSee :doc:`ropes`.\n"
    assert read(write("quay.md", text.encode())).metadata.media_type == "text/markdown"


def test_standard_input_is_sniffed(monkeypatch):
    monkeypatch.setattr(sys, "stdin", StandardInput(f"<!doctype html><h1>Top</h1><p>{PROSE}".encode()))
    document = read("-")
    assert document.source == "-"
    assert document.metadata.media_type == "text/html"
    assert PROSE in document.text


def test_standard_input_that_is_closed_or_empty(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SourceError, match="standard input is closed"):
        read("-")
    monkeypatch.setattr(sys, "stdin", StandardInput(b""))
    with pytest.raises(SourceError, match="standard input contains no text"):
        read("-")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("paper.pdf", PNG, "paper.pdf is a PNG image, not a PDF"),
        ("paper.pdf", b"<!DOCTYPE html><html><p>Not Found", "paper.pdf is an HTML page, not a PDF"),
        ("book.epub", b"just a text", "book.epub is a text file, not an EPUB book"),
        ("photo.gif", GIF, "photo.gif is a GIF image, which is not supported"),
        ("letter.doc", OLE, r"\.doc"),
        ("letter.docx", OLE, "not a Word document"),
        ("letter.rtf", b"hello there", "is a text file, not an RTF document"),
        (
            "locked.pptx",
            OLE + "EncryptedPackage".encode("utf-16-le"),
            "an Office file protected by a password; open it",
        ),
        ("notes.ipynb", PNG, "notes.ipynb is a PNG image, not a Jupyter notebook"),
        ("feed.xml", b"<?xml version='1.0'?><feed><a>b</a></feed>", "an XML file"),
        ("program", b"\x7fELF" + b"\x00\x01" * 50, "a program"),
        ("noise.txt", bytes(range(256)) * 10, "a binary file"),
        ("zeros.txt", b"\x00" * 5000, "a binary file"),
        ("empty.txt", b"", "contains no text"),
        ("blank.txt", b" \n\t \r\n", "contains no text"),
        ("blank.html", b"<html><body> <script>x</script></body></html>", "contains no text"),
        (
            "code.html",
            b"<html><body><pre><code>x = read(a)\nprint(x)</code></pre>",
            "shows source code and contains no text",
        ),
        ("blank.md", b"<!-- nothing but a comment -->", "contains no text"),
    ],
)
def test_what_cannot_be_read_is_named(write, name, content, message):
    path = write(name, content)
    with pytest.raises(SourceError, match=message) as error:
        read(path)
    assert error.value.next_step
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "content", "suffix"), [("scan.txt", PNG, ".png"), ("letter.rtf", b"hello there", ".txt")]
)
def test_a_supported_file_with_a_wrong_name_is_told_its_own(write, name, content, suffix):
    with pytest.raises(SourceError) as error:
        read(write(name, content))
    assert error.value.next_step == f"name it {suffix} to have it read"


@pytest.mark.parametrize("name", ["weirs.rst.txt", "WEIRS.RST.TXT", "weirs.v2.rst.txt"])
def test_a_source_of_a_marked_up_page_is_no_plain_text(write, name):
    text = f"Weirs\n=====\n\n.. toctree::\n\n   locks\n\nA ``gate`` is :ref:`kept <keeper>`. {PROSE}"
    sentences = read(write(name, text)).sentences
    assert sentences[0].text == "A gate is kept."


def test_a_text_named_like_a_page_that_was_converted_is_plain_text(write):
    assert recognise(PROSE.encode(), "weirs.html.txt") is FORMATS_BY_SUFFIX[".txt"]


def test_old_office_files_are_told_how_to_convert(write):
    with pytest.raises(SourceError) as error:
        read(write("letter.doc", OLE))
    assert "libreoffice --headless --convert-to docx" in error.value.next_step


def test_a_text_that_begins_like_a_picture_is_a_text(write):
    assert read(write("a.txt", "BM is short for British Museum. " + PROSE)).sentences


def test_a_text_about_pdf_is_no_pdf(write):
    assert read(
        write("a.txt", "%PDF- is how they begin.\n" * 0 + "They begin with %PDF-1.7 always. " + PROSE)
    ).sentences


def test_missing_folder_and_special_files(tmp_path):
    with pytest.raises(SourceError, match="does not exist"):
        read(tmp_path / "missing.txt")
    with pytest.raises(SourceError, match="is a folder"):
        read(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SourceError, match="not a regular file"):
        read(tmp_path / "pipe")
    with pytest.raises(SourceError, match="not a regular file"):
        read("/dev/zero")
    with pytest.raises(SourceError):
        read("a\x00b.txt")
    with pytest.raises(SourceError):
        read("a" * 5000)


def test_a_web_address_without_its_scheme_is_recognised():
    with pytest.raises(SourceError) as error:
        read("www.example.com/page")
    assert "https://www.example.com/page" in error.value.next_step


def test_a_file_without_permission(write, monkeypatch):
    path = write("secret.txt", PROSE)

    def refuse(self: Path, *_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(SourceError, match="permission denied"):
        read(path)


def test_a_file_over_the_limit_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.write(b"text " * 20_000)
        file.truncate(100 << 20)
    with pytest.raises(SourceError, match=r"more than 8 MiB.*--max-seconds"):
        read(path)
    with pytest.raises(SourceError, match="more than 64 MiB"):
        read(path, ReadOptions(max_seconds=600))


def test_limits_are_those_of_the_options(write):
    path = write("a.txt", PROSE * 10)
    with pytest.raises(SourceError, match="more than 100 bytes"):
        read(path, ReadOptions(max_bytes=100))
    assert read(path, ReadOptions(max_bytes=1000)).sentences


def test_standard_input_over_the_limit(monkeypatch):
    monkeypatch.setattr(sys, "stdin", StandardInput(b"some text " * 300_000))
    with pytest.raises(SourceError, match="too large"):
        read("-", ReadOptions(max_bytes=1 << 20))


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]
)
def test_unicode_with_and_without_marks(write, encoding):
    text = "Die Straße ist naß. " + PROSE
    document = read(write("a.txt", text.encode(encoding)))
    assert document.text == text
    assert not document.metadata.warnings


def test_an_undeclared_encoding_is_guessed_and_said(write):
    text = "Der Fluß fließt über große Steine, während die Mädchen schöne Kränze flechten. " * 20
    document = read(write("a.txt", text.encode("cp1252")))
    assert document.text.strip() == text.strip()
    assert document.metadata.warnings


def test_a_few_broken_bytes_are_counted(write):
    content = ("Naïve façades, déjà vu. " * 50).encode() + b"broken \xff\xfe byte. "
    document = read(write("a.txt", content))
    assert "Naïve façades" in document.text
    assert document.metadata.warnings == ("2 unreadable characters replaced by \ufffd",)


def test_an_html_page_says_its_encoding(write):
    page = f'<html><head><meta charset="koi8-r"></head><body><p>Привет, мир. {PROSE}</p></body></html>'
    assert "Привет, мир." in read(write("a.html", page.encode("koi8-r"))).text


def test_utf16_html_is_html(write):
    page = f"<!doctype html><html><body><p>{PROSE}</p></body></html>"
    document = read(write("page", page.encode("utf-16")))
    assert document.metadata.media_type == "text/html"
    assert document.text == PROSE


def test_content_comes_before_the_name(write):
    assert read(write("a.txt", f"<!doctype html><html><body><p>{PROSE}")).metadata.media_type == "text/html"
    assert read(
        write("readme.md", f"<div align=center>Logo</div>\n\n# Top\n\n{PROSE}")
    ).metadata.media_type == ("text/markdown")


def test_comments_before_the_doctype_do_not_stall_sniffing(write):
    text = "<!-- a -->" * 3000 + " just text. " + PROSE
    assert read(write("a.txt", text)).metadata.media_type == "text/plain"


def test_progress_is_told(write):
    events = []
    read(write("a.txt", PROSE * 40_000), progress=events.append)
    assert events
    assert events[-1].done == events[-1].total


def test_sections_and_left_out_are_plain_values(write):
    document = read(write("a.md", f"---\nkey: value\n---\n# Only title\n\n{PROSE}\n"))
    assert document.title == "Only title"
    assert headings_of(document) == [(0, None)]
    assert left_out_of(document) == {"front matter": 2}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "a.json",
            '{"title": "x", "text": "It rises."}',
            r"JSON data, which is not supported; take its text out",
        ),
        ("a.jsonl", '{"text": "It rises."}\n{"text": "It falls."}\n', "JSON data"),
        ("answer", '[{"id": 1}, {"id": 2}]', "JSON data"),
        ("answer", '["one", "two"]', "JSON data"),
        ("a.csv", "name,size\ntide,3\n", "a table of values, which is not supported; save the column"),
        ("a.tsv", "name\tsize\ntide\t3\n", "a table of values"),
        (
            "a.xml",
            "<?xml version='1.0'?><a>It rises.</a>",
            "an XML file, which is not supported; save it as text",
        ),
    ],
)
def test_data_without_a_text_is_refused_with_what_would_do(write, name, content, message):
    with pytest.raises(SourceError, match=message):
        read(write(name, content))


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_what_is_packed_is_to_be_unpacked(write, pack):
    with pytest.raises(SourceError, match="archive, which is not supported; unpack it"):
        read(write("notes.txt.packed", pack(PROSE.encode())))


def test_prose_that_begins_like_data_is_read(write):
    for content in (
        "[1] The first note says so.\n",
        '"Stop," he said, and left.\n',
        "{sic} stands in the text.\n",
    ):
        assert read(write("note", content)).sentences
    assert read(write("a.txt", '{"text": "named as text, so it is one"}')).sentences


def test_short_texts_are_read_one_after_the_other_and_greater_work_at_a_time(write, monkeypatch):
    monkeypatch.setattr("lsum_cli.reading.reader.usual_jobs", lambda: 3)
    notes = [str(write(f"{number}.md", PROSE)) for number in range(9)]
    papers = [str(write(f"{number}.pdf", "%PDF-1.4")) for number in range(2)]
    books = [str(write(f"book-{number}.txt", PROSE * 20_000)) for number in range(3)]

    def at_a_time(*sources: str) -> int:
        # It reads as many ahead.
        return Reader.of_many(ReadOptions(), sources).ahead

    assert at_a_time(*notes) == 1
    assert at_a_time(*papers) == at_a_time(papers[0], *notes) == 2
    assert at_a_time(*books) == 3
    assert at_a_time("https://example.org/a.md", "https://example.org/b.md") == 2
