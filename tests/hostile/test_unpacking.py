"""What unpacks to far more than it is: refused or lost and counted, before the memory is taken."""

from __future__ import annotations

import gzip
import json
import tracemalloc
import zlib
from base64 import a85encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from bad_answers import answering
from growing_inputs import FONT, SENTENCE, TEXT, epub, pdf_page, stream, words

from lsum_cli import read
from lsum_cli.checkpoints.manifest import read_config
from lsum_cli.documents import Document
from lsum_cli.errors import CheckpointError, SourceError
from lsum_cli.reading.registry import MIB, ReadOptions

PAGE = f"<html><body><p>{SENTENCE}</p></body></html>".encode()


@contextmanager
def memory_below(limit: int) -> Iterator[None]:
    """Fail where Python's objects take more than ``limit`` bytes at some time."""
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < limit, f"{peak >> 20} MiB"


def packed_twice(size: int) -> bytes:
    return gzip.compress(gzip.compress(bytes(size)))


def test_an_answer_packed_twice_is_refused_unseen() -> None:
    body = packed_twice(200 << 20)
    assert len(body) < 2_000
    with (
        answering(body, {"Content-Encoding": "gzip, gzip"}) as address,
        memory_below(16 << 20),
        pytest.raises(SourceError, match="packed in a way that was not asked for"),
    ):
        read(address)


@pytest.mark.parametrize("coding", ["br", "zstd", "gzip, br", "deflate, gzip", "nonsense"])
def test_codings_that_were_not_asked_for_are_refused(coding: str) -> None:
    with (
        answering(PAGE, {"Content-Encoding": coding}) as address,
        pytest.raises(SourceError, match="packed"),
    ):
        read(address)


def test_an_answer_that_swells_takes_no_more_memory_than_the_limit() -> None:
    body = gzip.compress(b"<p>" + b"tide " * (40 << 20))
    options = ReadOptions(max_bytes=4 * MIB)
    with (
        answering(body, {"Content-Encoding": "gzip"}) as address,
        memory_below(24 << 20),
        pytest.raises(SourceError, match="too large"),
    ):
        read(address, options)


def _bare(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", gzip.compress(PAGE)),
        ("x-gzip", gzip.compress(PAGE)),
        ("gzip", gzip.compress(PAGE[:40]) + gzip.compress(PAGE[40:])),
        ("gzip", gzip.compress(PAGE) + bytes(512)),
        ("deflate", zlib.compress(PAGE)),
        ("deflate", _bare(PAGE)),
        ("identity", PAGE),
        ("identity, gzip", gzip.compress(PAGE)),
    ],
)
def test_what_was_asked_for_is_unpacked_whole(coding: str, body: bytes) -> None:
    with answering(body, {"Content-Encoding": coding}) as address:
        assert SENTENCE in read(address).text


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (gzip.compress(PAGE * 50)[:-30], "incomplete"),
        (gzip.compress(PAGE * 50)[:30] + b"damage" * 30, "damaged"),
        (PAGE, "damaged"),
        (gzip.compress(PAGE) + b"and more", "damaged"),
    ],
)
def test_a_packed_answer_that_is_not_whole_is_no_answer(body: bytes, said: str) -> None:
    with answering(body, {"Content-Encoding": "gzip"}) as address, pytest.raises(SourceError, match=said):
        read(address)


def _in_runs(data: bytes) -> bytes:
    return b"".join(b"\x81" + data[at : at + 1] for at in range(0, len(data), 128)) + b"\x80"


def _two_pages(content: bytes, filters: bytes) -> bytes:
    """A page of text, and a page with this content behind these filters."""
    whole = pdf_page(TEXT, FONT, stream(content, b"/Filter " + filters), b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 6 0 R /Resources << /Font << /F 5 0 R >> >> >>")  # fmt: skip
    return whole.replace(b"/Kids [3 0 R] /Count 1", b"/Kids [3 0 R 7 0 R] /Count 2")


BLANKS = b" " * (48 << 20)
CHAINS: dict[str, Callable[[], bytes]] = {
    "flate": lambda: _two_pages(zlib.compress(BLANKS, 9), b"/FlateDecode"),
    "flate in flate": lambda: _two_pages(zlib.compress(zlib.compress(BLANKS, 9), 9), b"[/FlateDecode /FlateDecode]"),
    "ASCII85": lambda: _two_pages(b"z" * (12 << 20) + b"~>", b"/ASCII85Decode"),
    "ASCII85 in flate": lambda: _two_pages(zlib.compress(b"z" * (24 << 20) + b"~>", 9), b"[/FlateDecode /ASCII85Decode]"),
    "ASCII85 around flate": lambda: _two_pages(a85encode(zlib.compress(BLANKS, 9)) + b"~>", b"[/ASCII85Decode /FlateDecode]"),
    "run lengths": lambda: _two_pages(_in_runs(b" " * (12 << 20)), b"/RunLengthDecode"),
    "run lengths in flate": lambda: _two_pages(zlib.compress(_in_runs(BLANKS), 9), b"[/FlateDecode /RunLengthDecode]"),
    "hexadecimal in flate": lambda: _two_pages(zlib.compress(b"20" * (48 << 20), 9), b"[/FlateDecode /ASCIIHexDecode]"),
    "predictor": lambda: _two_pages(zlib.compress(bytes(12 << 20), 9), b"/FlateDecode /DecodeParms << /Predictor 15 /Columns 4 >>"),
    "many filters": lambda: _two_pages(b"a", b"[" + b"/ASCIIHexDecode " * 40 + b"]"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHAINS)
def test_a_page_that_unpacks_to_too_much_is_lost_and_counted(name: str, tmp_path: Path) -> None:
    path = tmp_path / "bomb.pdf"
    path.write_bytes(CHAINS[name]())
    with memory_below(200 << 20):
        document = read(str(path))
    assert "twice a day" in document.text
    assert any("PDF page 2" in loss for loss in document.metadata.unknown), document.metadata


def test_streams_do_not_add_up_in_memory(tmp_path: Path) -> None:
    """Twelve pages of fifteen megabytes each are read one by one."""
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R /Resources << /Font << /F 5 0 R >> >> >>"
    streams = [
        stream(
            zlib.compress(TEXT.replace(b"twice a day", word.encode()) + b" " * (15 << 20), 9),
            b"/Filter /FlateDecode",
        )
        for word in words(12).split()
    ]
    extra = [*streams] + [page % number for number in range(6, 18)]
    whole = pdf_page(TEXT, FONT, *extra)
    kids = b" ".join(b"%d 0 R" % number for number in range(18, 30))
    path = tmp_path / "pages.pdf"
    path.write_bytes(whole.replace(b"/Kids [3 0 R] /Count 1", b"/Kids [3 0 R %b] /Count 13" % kids))
    with memory_below(150 << 20):
        document = read(str(path))
    assert document.metadata.pdf_pages_read == tuple(range(1, 14))
    assert not document.metadata.pdf_pages_without_text
    # The longer list of pages has moved what follows it, which is said; no page is lost.
    assert not any("PDF page" in loss for loss in document.metadata.unknown)


def test_a_chapter_named_again_and_again_is_read_once_and_counted(tmp_path: Path) -> None:
    item = '<item id="c" href="c.xhtml" media-type="application/xhtml+xml"/>'
    page = f'<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>Tides</h1><p>{SENTENCE}</p></body></html>'
    path = tmp_path / "again.epub"
    path.write_bytes(epub(item, '<itemref idref="c"/>' * 100_000, [("c.xhtml", page)]))
    document = read(str(path))
    assert document.text.count("twice a day") == 1
    repeated = next(each.words for each in document.metadata.left_out if each.what == "repeated text")
    assert repeated == 99_999 * (len(SENTENCE.split()) + 1)


@pytest.mark.parametrize(
    "sizes",
    [
        {"num_hidden_layers": 1_000_000},
        {"encoder_layers": 10**12},
        {"d_model": 10**9},
        {"max_position_embeddings": 10**10},
        {"text_config": {"num_layers": 100_000}},
        {"attention_layers": ["global"] * 5_000},
    ],
)
def test_a_model_of_absurd_size_is_refused_unbuilt(sizes: dict[str, object], tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "bart", **sizes}))
    with memory_below(1 << 20), pytest.raises(CheckpointError, match="which no model has"):
        read_config(tmp_path)


def test_a_configuration_of_many_megabytes_is_refused_unread(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "bart", "notes": "a" * (5 << 20)}))
    with memory_below(1 << 20), pytest.raises(CheckpointError, match="larger than"):
        read_config(tmp_path)


def _read_text(path: Path, content: str) -> Document:
    path.write_text(content)
    return read(str(path))


@pytest.mark.parametrize("opening", ["<!--", "<script>", "<style>", "<textarea>", "<title>", "<iframe>"])
def test_a_page_that_hides_its_end_is_not_complete(opening: str, tmp_path: Path) -> None:
    document = _read_text(tmp_path / "a.html", f"<html><body><p>{SENTENCE}</p>{opening} {SENTENCE}")
    assert any("hides the rest" in loss for loss in document.metadata.unknown)


def test_a_page_that_ends_within_a_tag_is_not_complete(tmp_path: Path) -> None:
    assert _read_text(tmp_path / "a.html", f"<html><body><p>{SENTENCE}</p><p class='").metadata.unknown
    assert not _read_text(tmp_path / "b.html", f"<html><body><p>{SENTENCE} 1 < 2</p>").metadata.unknown


@pytest.mark.parametrize("opening", ["<!-- ", "<!DOCTYPE a [", "<![CDATA[ ", "<? "])
def test_markdown_counts_what_a_browser_would_hide(opening: str, tmp_path: Path) -> None:
    document = _read_text(tmp_path / "a.md", f"{SENTENCE}\n\n{opening}\n{SENTENCE}\n\n{SENTENCE}\n")
    hidden = sum(each.words for each in document.metadata.left_out if each.what == "comments")
    assert hidden >= 2 * len(SENTENCE.split())


def test_tex_without_the_end_of_its_code_keeps_the_text(tmp_path: Path) -> None:
    start = "\\documentclass{article}\n\\begin{document}\n" + SENTENCE
    document = _read_text(
        tmp_path / "a.tex", start + "\\begin{verbatim}\nGrasses slow the water.\n\n\\verb|a The end of it."
    )
    assert "Grasses slow the water." in document.text


def test_texts_of_a_size_that_takes_minutes_need_a_word(tmp_path: Path) -> None:
    path = tmp_path / "large.md"
    path.write_text(f"{SENTENCE}\n" * 60_000)
    with pytest.raises(SourceError, match=r"more than 4 MiB.*--max-seconds"):
        read(str(path))
